#include "sim/pair_name.h"

#include <fmt/format.h>

namespace tendril {

std::string segment_name(const Model& model, int segment) {
  const Rod& rod = model.rods[model.segments[segment].rod];
  return fmt::format("rod \"{}\" segment {}", rod.name, segment - rod.first_segment);
}

std::string pair_name(const Model& model, int a, int b, int body) {
  if (body < 0) return fmt::format("{} and {}", segment_name(model, a), segment_name(model, b));
  const Body& solid = model.bodies[body];
  return fmt::format("{} and {} \"{}\"", segment_name(model, a), solid.is_obstacle ? "obstacle" : "body", solid.name);
}

}  // namespace tendril
