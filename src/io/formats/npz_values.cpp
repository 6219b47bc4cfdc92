#include "io/formats/npz_values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "io/formats/checked.h"

namespace tendril::io {
namespace {

template <class T>
std::vector<double> converted(const NpyArray& array, std::size_t first, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) {
    T value;
    std::memcpy(&value, array.bytes.data() + (first + k) * sizeof(T), sizeof(T));
    values[k] = static_cast<double>(value);
  }
  return values;
}

void put_utf8(std::uint32_t point, std::string& out) {
  if (point < 0x80) {
    out += char(point);
  } else if (point < 0x800) {
    out += char(0xc0 | point >> 6);
    out += char(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    out += char(0xe0 | point >> 12);
    out += char(0x80 | (point >> 6 & 0x3f));
    out += char(0x80 | (point & 0x3f));
  } else {
    out += char(0xf0 | (point >> 18 & 7));
    out += char(0x80 | (point >> 12 & 0x3f));
    out += char(0x80 | (point >> 6 & 0x3f));
    out += char(0x80 | (point & 0x3f));
  }
}

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "(" + text + ")";
}

}  // namespace

std::vector<double> NpzValues::numbers(const std::string& key, std::size_t first, std::size_t count) const {
  const NpyArray& array = arrays_.at(key);
  if (array.type == "<f8") return converted<double>(array, first, count);
  if (array.type == "<f4") return converted<float>(array, first, count);
  if (array.type == "<i4") return converted<std::int32_t>(array, first, count);
  if (array.type == "<i8") return converted<std::int64_t>(array, first, count);
  if (array.type == "<u4") return converted<std::uint32_t>(array, first, count);
  if (array.type == "<u8") return converted<std::uint64_t>(array, first, count);
  if (array.type == "|b1" || array.type == "|u1") return converted<std::uint8_t>(array, first, count);
  fail(key, fmt::format("has values of type {}: write it as float64 or int32", clean_text(array.type)));
}

std::vector<double> NpzValues::numbers(const std::string& key) const {
  return numbers(key, 0, arrays_.at(key).count());
}

std::vector<int> NpzValues::integers(const std::string& key) const {
  std::vector<int> result;
  for (const double value : numbers(key)) {
    if (!(std::abs(value) <= 2e9) || value != std::floor(value))
      fail(key, fmt::format("holds {}, which is not a whole number within reason", value));
    result.push_back(static_cast<int>(value));
  }
  return result;
}

std::vector<std::string> NpzValues::texts(const std::string& key) const {
  const NpyArray& array = arrays_.at(key);
  if (!array.type.starts_with("<U")) fail(key, "should hold texts");
  const std::size_t count = array.count(), width = count == 0 ? 0 : array.bytes.size() / count / 4;
  std::vector<std::string> result;
  for (std::size_t k = 0; k < count; ++k) {
    std::string text;
    for (std::size_t i = 0; i < width; ++i) {
      std::uint32_t point;
      std::memcpy(&point, array.bytes.data() + 4 * (k * width + i), 4);
      if (point == 0) break;
      put_utf8(point, text);
    }
    result.push_back(clean_text(text));
  }
  return result;
}

std::vector<double> NpzValues::times(std::size_t moments, double frame_rate) const {
  std::vector<double> result;
  if (!has("time")) {
    for (std::size_t k = 0; k < moments; ++k) result.push_back(double(k) / frame_rate);
    return result;
  }
  result = numbers("time");
  if (result.size() != moments) fail("time", fmt::format("has {} values for {} moments", result.size(), moments));
  for (std::size_t k = 0; k < moments; ++k)
    if (!std::isfinite(result[k]) || (k > 0 && result[k] < result[k - 1]))
      fail("time", fmt::format("must be finite and not go back, value {} does", k));
  return result;
}

std::string NpzValues::shape_text(const std::string& key) const { return text_of(shape(key)); }

void NpzValues::check_shape(const std::string& key, const std::vector<std::size_t>& wanted) const {
  if (shape(key) != wanted)
    fail(key, fmt::format("has the shape {}, it should be {}", shape_text(key), text_of(wanted)));
}

void NpzValues::fail(const std::string& key, const std::string& message) const {
  throw FileError(fmt::format("{}: array {} {}", file_, key, message));
}

}  // namespace tendril::io
