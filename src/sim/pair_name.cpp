#include "sim/pair_name.h"

#include <fmt/format.h>

namespace tendril::sim {

std::string segment_name(const Model& model, int segment) {
  const Rod& rod = model.rods[model.segments[segment].rod];
  return fmt::format("rod \"{}\" segment {}", rod.name, segment - rod.first_segment);
}

std::string pair_name(const Model& model, int a, int body_a, int b, int body) {
  const auto name = [&](int segment, int owner) {
    if (owner < 0) return segment_name(model, segment);
    const Body& solid = model.bodies[owner];
    return fmt::format("{} \"{}\"", solid.is_obstacle ? "obstacle" : "body", solid.name);
  };
  return name(a, body_a) + " and " + name(b, body);
}

}  // namespace tendril::sim
