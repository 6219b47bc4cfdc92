#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file.h"

namespace tendril::io {

// A file written piece by piece, for what does not fit in memory. It stands beside its place until finish() gives it
// its name; one that is never finished leaves nothing. Trouble with the disk is a ResourceError.
class StreamedFile {
 public:
  explicit StreamedFile(const std::filesystem::path& path);
  ~StreamedFile();
  StreamedFile(const StreamedFile&) = delete;
  StreamedFile& operator=(const StreamedFile&) = delete;

  void write(std::string_view bytes);

  // the numbers as they lie in memory: little-endian
  template <class T>
  void write_values(std::span<const T> values) {
    write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  template <class T>
  void write_value(const T& value) {
    write_values(std::span<const T>(&value, 1));
  }

  void overwrite(std::uint64_t offset, std::string_view bytes);  // within what has been written
  void finish();

  std::uint64_t size() const { return flushed_ + buffer_.size(); }

 private:
  void flush();
  [[noreturn]] void fail(int error);

  std::filesystem::path path_, beside_;
  int file_ = -1;
  std::uint64_t flushed_ = 0;
  std::vector<char> buffer_;
};

}  // namespace tendril::io
