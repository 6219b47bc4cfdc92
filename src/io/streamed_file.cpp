#include "io/streamed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tendril::io {

namespace {

constexpr std::size_t buffer_size = 1 << 20;

// all bytes at this offset, or an error number
int write_all(int file, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), off_t(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    bytes.remove_prefix(std::size_t(written));
    offset += std::uint64_t(written);
  }
  return 0;
}

}  // namespace

StreamedFile::StreamedFile(const std::filesystem::path& path) : path_(path), beside_(path) {
  beside_ += ".tmp";
  file_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) fail(errno);
  buffer_.reserve(buffer_size);
}

StreamedFile::~StreamedFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(beside_.c_str());
}

void StreamedFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  if (bytes.size() <= buffer_size) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return;
  }
  if (const int error = write_all(file_, bytes, flushed_)) fail(error);
  flushed_ += bytes.size();
}

void StreamedFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  assert(offset + bytes.size() <= size());
  flush();
  if (const int error = write_all(file_, bytes, offset)) fail(error);
}

void StreamedFile::flush() {
  if (const int error = write_all(file_, {buffer_.data(), buffer_.size()}, flushed_)) fail(error);
  flushed_ += buffer_.size();
  buffer_.clear();
}

void StreamedFile::finish() {
  flush();
  const int closed = ::close(std::exchange(file_, -1));
  if (closed == 0 && ::rename(beside_.c_str(), path_.c_str()) == 0) return;
  const int error = errno;
  ::unlink(beside_.c_str());
  fail(error);
}

void StreamedFile::fail(int error) {
  const char* remedy = error == ENOSPC || error == EDQUOT || error == EFBIG ? "; free some space and try again" : "";
  throw ResourceError(fmt::format("{}: cannot be written: {}{}", path_.string(), std::strerror(error), remedy));
}

}  // namespace tendril::io
