#include <fmt/format.h>

#include <cstring>

#include "io/npz.h"

namespace tendril::io {
namespace {

template <class T>
NpyArray array_of(const char* type, std::vector<std::size_t> shape, const T* data, std::size_t count) {
  const char* bytes = reinterpret_cast<const char*>(data);
  return {type, std::move(shape), std::vector<char>(bytes, bytes + count * sizeof(T))};
}

// the code points of UTF-8 text; a byte that is no UTF-8 becomes U+FFFD
std::vector<std::uint32_t> code_points(const std::string& text) {
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    bool good = length > 0 && i + length <= text.size();
    std::uint32_t point = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; good && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      good = next >> 6 == 2;
      point = point << 6 | (next & 0x3f);
    }
    points.push_back(good ? point : 0xfffd);
    i += good ? length : 1;
  }
  return points;
}

template <class T>
std::vector<T> values_of(const NpyArray& array, const char* type, std::size_t width) {
  const bool right_shape = width == 1 ? array.shape.size() <= 1 : array.shape.size() == 2 && array.shape[1] == width;
  if (array.type != type || !right_shape)
    throw FileError(fmt::format("expected an array of {} in rows of {}, found {} with {} dimensions", type, width,
                                array.type, array.shape.size()));
  std::vector<T> values(array.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), array.bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

static_assert(sizeof(Vec3d) == 24 && sizeof(Quatd) == 32, "rows are written as they lie in memory");

NpyArray NpyArray::of(double value) { return array_of("<f8", {}, &value, 1); }
NpyArray NpyArray::of(const std::vector<double>& values) {
  return array_of("<f8", {values.size()}, values.data(), values.size());
}
NpyArray NpyArray::of(const std::vector<int>& values) {
  return array_of("<i4", {values.size()}, values.data(), values.size());
}
NpyArray NpyArray::of(const std::vector<Vec3d>& rows) {
  return array_of("<f8", {rows.size(), 3}, rows.data(), rows.size());
}
NpyArray NpyArray::of(const std::vector<Quatd>& rows) {
  return array_of("<f8", {rows.size(), 4}, rows.data(), rows.size());
}

NpyArray NpyArray::of(const std::vector<std::string>& texts) {
  std::vector<std::vector<std::uint32_t>> points;
  std::size_t width = 1;
  for (const std::string& text : texts) {
    points.push_back(code_points(text));
    width = std::max(width, points.back().size());
  }
  std::vector<std::uint32_t> cells;
  for (auto& text : points) {
    text.resize(width);
    cells.insert(cells.end(), text.begin(), text.end());
  }
  return array_of(fmt::format("<U{}", width).c_str(), {texts.size()}, cells.data(), cells.size());
}

std::size_t NpyArray::count() const {
  std::size_t product = 1;
  for (std::size_t n : shape) product *= n;
  return product;
}

std::vector<double> NpyArray::numbers() const { return values_of<double>(*this, "<f8", 1); }
std::vector<int> NpyArray::integers() const { return values_of<int>(*this, "<i4", 1); }
std::vector<Vec3d> NpyArray::vectors() const { return values_of<Vec3d>(*this, "<f8", 3); }
std::vector<Quatd> NpyArray::quaternions() const { return values_of<Quatd>(*this, "<f8", 4); }

}  // namespace tendril::io
