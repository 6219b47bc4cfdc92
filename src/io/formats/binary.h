#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "io/file.h"

namespace tendril::io {

static_assert(std::endian::native == std::endian::little, "fields are copied as they lie in memory");

// the fields of a little-endian file in their order, never past its end
class BinaryReader {
 public:
  BinaryReader(std::span<const char> bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take_bytes(1, sizeof(T), "a number").data(), sizeof(T));
    return value;
  }

  // nothing is allocated before the bytes are known to be there
  template <class T>
  std::vector<T> take_array(std::uint64_t count, const char* what) {
    const std::span<const char> bytes = take_bytes(count, sizeof(T), what);
    std::vector<T> values(count);
    if (count > 0) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
    return values;
  }

  // refuses what is not there, for a count that something else is made of first
  void need(std::uint64_t count, std::size_t size, const char* what) const {
    if (count > left() / size)
      fail(fmt::format("{} of {} bytes should follow, {} are left: the file is cut short or its counts are wrong", what,
                       count > UINT64_MAX / size ? "too many" : std::to_string(count * size), left()));
  }

  std::size_t left() const { return bytes_.size() - at_; }

  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(fmt::format("{}: byte {}: {}", file_, at_, message));
  }

 private:
  std::span<const char> take_bytes(std::uint64_t count, std::size_t size, const char* what) {
    need(count, size, what);
    at_ += count * size;
    return bytes_.subspan(at_ - count * size, count * size);
  }

  std::span<const char> bytes_;
  std::string file_;
  std::size_t at_ = 0;
};

}  // namespace tendril::io
