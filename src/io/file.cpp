#include "io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tendril::io {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  const char* remedy = error == ENOSPC || error == EDQUOT ? "; free some space and continue with --resume" : "";
  throw ResourceError(fmt::format("{}: {}: {}{}", path.string(), what, std::strerror(error), remedy));
}

// all bytes or an error number
int write_all(int file, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    bytes = bytes.subspan(std::size_t(written));
  }
  return 0;
}

void sync_folder(const std::filesystem::path& folder) {
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

void write_file(const std::filesystem::path& path, std::span<const char> bytes, Durable durable) {
  std::filesystem::path beside = path;
  beside += ".tmp";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) fail(path, "cannot be written", errno);
  int error = write_all(file, bytes);
  if (error == 0 && durable == Durable::yes && ::fsync(file) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside.c_str());
    fail(path, "cannot be written", error);
  }
  if (durable == Durable::yes) sync_folder(path.parent_path());
}

void write_file(const std::filesystem::path& path, const std::string& text, Durable durable) {
  write_file(path, std::span<const char>(text.data(), text.size()), durable);
}

std::vector<char> read_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path, "cannot be read", errno);
  std::vector<char> bytes;
  char piece[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = errno;
      ::close(file);
      if (count < 0) fail(path, "cannot be read", error);
      return bytes;
    }
    bytes.insert(bytes.end(), piece, piece + count);
  }
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path))
    fail(path, "the folder cannot be made", error ? error.value() : ENOTDIR);
}

AppendedFile::AppendedFile(const std::filesystem::path& path, std::uint64_t keep) : path_(path), size_(keep) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) fail(path_, "cannot be written", errno);
  struct stat status {};
  ::fstat(file_, &status);
  const auto length = std::uint64_t(status.st_size);
  const bool too_short = length < keep;
  const bool cut = length <= keep || ::ftruncate(file_, off_t(keep)) == 0;
  if (!too_short && cut && ::lseek(file_, off_t(keep), SEEK_SET) >= 0) return;
  const int error = errno;
  ::close(file_);
  if (too_short)
    throw FileError(fmt::format("{}: has {} bytes, the checkpoint knows of {}", path.string(), length, keep));
  fail(path_, "cannot be written", error);
}

AppendedFile::~AppendedFile() { ::close(file_); }

void AppendedFile::append(const std::string& text) {
  const int error = write_all(file_, {text.data(), text.size()});
  if (error != 0) {
    if (::ftruncate(file_, off_t(size_)) == 0) ::lseek(file_, off_t(size_), SEEK_SET);
    fail(path_, "cannot be written", error);
  }
  size_ += text.size();
}

void AppendedFile::flush_to_disk() {
  if (::fsync(file_) != 0) fail(path_, "cannot be written", errno);
}

}  // namespace tendril::io
