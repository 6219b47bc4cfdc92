#include "io/formats/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/file.h"

namespace tendril::io {

void check_points(std::span<const Vec3d> points, const std::string& file) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_finite(points[i])) throw FileError(fmt::format("{}: point {} is not finite: mend or remove it", file, i));
}

void check_radii(std::span<const double> radii, const std::string& file) {
  for (std::size_t i = 0; i < radii.size(); ++i)
    if (!(radii[i] >= 0 && std::isfinite(radii[i])))
      throw FileError(
          fmt::format("{}: the radius at point {} is {}: it must be finite and not negative", file, i, radii[i]));
}

int checked_count(std::uint64_t count, const std::string& file) {
  if (count > std::uint64_t(std::numeric_limits<int>::max()))
    throw FileError(fmt::format("{}: has {} points, more than can be numbered: split the file", file, count));
  return static_cast<int>(count);
}

std::string clean_text(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    for (std::size_t k = 1; k < length; ++k)
      if (i + k >= bytes.size() || static_cast<unsigned char>(bytes[i + k]) >> 6 != 2) length = 0;
    const bool plain = length > 1 || (length == 1 && lead >= 0x20 && lead != 0x7f);
    text += plain ? bytes.substr(i, length) : "?";
    i += std::max<std::size_t>(length, 1);
  }
  return text;
}

Take still_take(Strands strands, const std::string& file, std::string title) {
  check_points(strands.points, file);
  check_radii(strands.radius, file);
  Take take;
  take.strands = std::move(strands);
  take.times = {0};
  take.title = std::move(title);
  take.moment = [x = take.strands.points](int) { return Moment{.time = 0, .x = x, .v = {}, .q = {}}; };
  return take;
}

std::vector<Vec3f> in_single_precision(std::span<const Vec3d> points, const std::filesystem::path& path) {
  std::vector<Vec3f> result;
  result.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    result.push_back(cast<float>(points[i]));
    if (!is_finite(cast<double>(result.back())))
      throw FileError(fmt::format("{}: point {} is too far out for numbers of single precision", path.string(), i));
  }
  return result;
}

}  // namespace tendril::io
