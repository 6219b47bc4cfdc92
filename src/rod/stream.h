#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "layers.h"

namespace tendril::rod {

// plain values to bytes, for checkpoints
class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t end = bytes_.size();
    bytes_.resize(end + sizeof(T));
    std::memcpy(bytes_.data() + end, &value, sizeof(T));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put<std::uint64_t>(values.size());
    for (const T& value : values) put(value);
  }
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

// and back; throws when the bytes end too early
class Reader {
 public:
  explicit Reader(std::span<const char> bytes) : bytes_(bytes) {}
  template <class T>
  void get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes_.size() < sizeof(T)) throw std::runtime_error("the data ends too early");
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
  }
  template <class T>
  void get(std::vector<T>& values) {
    std::uint64_t count = 0;
    get(count);
    if (count > bytes_.size()) throw std::runtime_error("the data ends too early");
    values.resize(count);
    for (T& value : values) get(value);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const char> bytes_;
};

}  // namespace tendril::rod
