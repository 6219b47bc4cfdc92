#include "io/formats/elastica.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/formats/checked.h"

namespace tendril::io {
namespace {

const std::string position = "position_collection", radius = "radius_collection";

struct Extent {
  std::size_t rods = 1, moments = 0, nodes = 0;
};

Extent extent_of(const NpzValues& in) {
  const auto& shape = in.shape(position);
  const std::size_t n = shape.size();
  if ((n != 3 && n != 4) || shape[n - 2] != 3)
    in.fail(position, fmt::format("has the shape {}, it should be (rods, moments, 3, nodes)", in.shape_text(position)));
  const Extent extent{n == 4 ? shape[0] : 1, shape[n - 3], shape[n - 1]};
  if (extent.rods == 0 || extent.moments == 0 || extent.nodes < 2) in.fail(position, "holds less than two nodes");
  checked_count(extent.rods * extent.nodes, in.file());
  checked_count(extent.moments, in.file());
  return extent;
}

// the rods' nodes one after the other
std::vector<Vec3d> positions(const NpzValues& in, const Extent& extent, std::size_t moment) {
  std::vector<Vec3d> x;
  for (std::size_t r = 0; r < extent.rods; ++r) {
    const auto values = in.numbers(position, 3 * extent.nodes * (r * extent.moments + moment), 3 * extent.nodes);
    for (std::size_t i = 0; i < extent.nodes; ++i)
      x.push_back({values[i], values[extent.nodes + i], values[2 * extent.nodes + i]});
  }
  return x;
}

// at the first moment; the radius of a node is the mean of its elements'
std::vector<double> radii(const NpzValues& in, const Extent& extent) {
  auto shape = in.shape(position);
  shape.erase(shape.end() - 2);
  if (in.shape(radius).empty() || in.shape(radius).back() != extent.nodes) --shape.back();
  in.check_shape(radius, shape);
  const std::size_t count = shape.back();
  std::vector<double> result;
  for (std::size_t r = 0; r < extent.rods; ++r) {
    const std::vector<double> values = in.numbers(radius, count * r * extent.moments, count);
    for (std::size_t i = 0; i < extent.nodes; ++i) {
      const std::size_t before = i > 0 && count < extent.nodes ? i - 1 : i, after = std::min(i, count - 1);
      result.push_back(0.5 * (values[before] + values[after]));
    }
  }
  check_radii(result, in.file());
  return result;
}

}  // namespace

Take elastica_take(std::shared_ptr<const NpzValues> in) {
  const Extent extent = extent_of(*in);
  Take take;
  for (std::size_t r = 0; r < extent.rods; ++r) {
    Strand strand;
    strand.name = fmt::format("rod_{}", r);
    for (std::size_t i = 0; i < extent.nodes; ++i) strand.points.push_back(static_cast<int>(r * extent.nodes + i));
    take.strands.strands.push_back(std::move(strand));
  }
  for (std::size_t k = 0; k < extent.moments; ++k)
    check_points(positions(*in, extent, k), fmt::format("{}: moment {}", in->file(), k));
  take.strands.points = positions(*in, extent, 0);
  if (in->has(radius)) take.strands.radius = radii(*in, extent);
  take.times = in->times(extent.moments, take.frame_rate);
  take.moment = [in, extent, times = take.times](int k) {
    Moment moment;
    moment.time = times[k];
    moment.x = positions(*in, extent, k);
    return moment;
  };
  return take;
}

}  // namespace tendril::io
