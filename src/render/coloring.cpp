#include "render/coloring.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "render/bounds.h"
#include "render/picture.h"
#include "render/sampling.h"

namespace tendril::render {

namespace {

Vec3f from_srgb(std::uint32_t hex) {
  const auto channel = [&](int shift) { return linear_from_srgb(float((hex >> shift) & 255) / 255); };
  return {channel(16), channel(8), channel(0)};
}

template <std::size_t N>
Vec3f ramp(const std::array<std::uint32_t, N>& stops, float fraction) {
  const float position = std::clamp(fraction, 0.0f, 1.0f) * float(N - 1);
  const std::size_t i = std::min(std::size_t(position), N - 2);
  const float f = position - float(i);
  return (1 - f) * from_srgb(stops[i]) + f * from_srgb(stops[i + 1]);
}

constexpr std::array<std::uint32_t, 10> palette = {0x2f6db5, 0xe07b39, 0x3c9d6b, 0xc8473f, 0x7d5ba6,
                                                   0xe0b13c, 0x2a9da8, 0xd4668f, 0x8a6b4f, 0x5b7083};
constexpr std::array<std::uint32_t, 6> value_stops = {0x27306e, 0x2c6fa6, 0x35a79c, 0xa9cf6b, 0xf2c04b, 0xd2452f};
constexpr std::array<std::uint32_t, 3> hair_stops = {0x4a2c1a, 0x7d4e2b, 0xb98652};

bool is_default(const Vec3d& color) { return color == Rod{}.color; }

Quatd frame(const State& state, const FrameId& id) { return id.is_body ? state.body_q[id.index] : state.q[id.index]; }

bool exists(const Model& model, const Bend& bend, double time) {
  return bend.hold < 0 || (model.holds[bend.hold].from <= time && time < model.holds[bend.hold].until);
}

// how the two frames of a bend are turned against each other
Quatd turn_of(const State& state, const Bend& bend) {
  return conjugate(frame(state, bend.a)) * frame(state, bend.b) * bend.turn;
}

Vec3d rate_of(const Quatd& turn, double length) { return shortest_angle(turn) / length; }

// strain of a bend against its rest, in the frame of b: kappa - kappa0 to first order [rad/m]
Vec3d bend_strain(const State& state, const Bend& bend) {
  return rate_of(conjugate(bend.rest) * turn_of(state, bend), bend.length);
}

Vec3d curvature(const State& state, const Bend& bend) { return rate_of(turn_of(state, bend), bend.length); }

// mean over the bends of each segment
template <class Measure>
std::vector<float> spread_bends(const Model& model, const State& state, Measure measure) {
  std::vector<float> sum(model.segments.size(), 0), count(model.segments.size(), 0);
  for (const Bend& bend : model.bends) {
    if (!(bend.length > 0) || !exists(model, bend, state.time)) continue;
    for (const FrameId& id : {bend.a, bend.b}) {
      if (id.is_body) continue;
      sum[id.index] += float(measure(bend, id.index));
      ++count[id.index];
    }
  }
  for (std::size_t s = 0; s < sum.size(); ++s)
    if (count[s] > 0) sum[s] /= count[s];
  return sum;
}

std::vector<float> fibre_strain(const Model& model, const State& state) {
  std::vector<float> values = spread_bends(model, state, [&](const Bend& bend, int s) {
    const Vec3d strain = bend_strain(state, bend);
    return drawn_radius(model, model.segments[s]) * std::hypot(strain.x, strain.y);
  });
  for (std::size_t s = 0; s < values.size(); ++s) {
    const Segment& segment = model.segments[s];
    const double length = norm(state.x[segment.vertex[1]] - state.x[segment.vertex[0]]);
    values[s] += float(std::abs(length / segment.rest_length - 1));
  }
  return values;
}

std::vector<float> speed(const Model& model, const State& state) {
  std::vector<float> values;
  for (const Segment& segment : model.segments)
    values.push_back(float(0.5 * norm(state.v[segment.vertex[0]] + state.v[segment.vertex[1]])));
  return values;
}

}  // namespace

const std::vector<ColoringName>& coloring_names() {
  static const std::vector<ColoringName> names = {{"rod", Coloring::rod, ""},
                                                  {"strain", Coloring::strain, ""},
                                                  {"curvature", Coloring::curvature, "1/m"},
                                                  {"twist", Coloring::twist, "rad/m"},
                                                  {"contact", Coloring::contact, ""},
                                                  {"speed", Coloring::speed, "m/s"}};
  return names;
}

std::vector<float> segment_values(const Model& model, const State& state, Coloring coloring,
                                  const std::vector<float>& contacts) {
  switch (coloring) {
    case Coloring::strain:
      return fibre_strain(model, state);
    case Coloring::curvature:
      return spread_bends(model, state, [&](const Bend& bend, int) {
        const Vec3d kappa = curvature(state, bend);
        return std::hypot(kappa.x, kappa.y);
      });
    case Coloring::twist:
      return spread_bends(model, state, [&](const Bend& bend, int) { return std::abs(bend_strain(state, bend).z); });
    case Coloring::contact:
      assert(contacts.empty() || contacts.size() == model.segments.size());
      return contacts.empty() ? std::vector<float>(model.segments.size(), 0) : contacts;
    case Coloring::speed:
      return speed(model, state);
    case Coloring::rod:
      break;
  }
  return {};
}

double scale_end(std::vector<float> values) {
  if (values.empty()) return 0;
  const auto high = values.end() - 1 - std::ptrdiff_t(values.size() / 100);
  std::nth_element(values.begin(), high, values.end());
  return *high;
}

Vec3f scale_color(float fraction) { return ramp(value_stops, fraction); }

std::vector<Vec3f> rod_colors(const Model& model) {
  const auto grey =
      std::count_if(model.rods.begin(), model.rods.end(), [](const Rod& r) { return is_default(r.color); });
  const bool hair = grey > std::ptrdiff_t(2 * palette.size());
  std::vector<Vec3f> colors;
  for (std::size_t i = 0; i < model.rods.size(); ++i) {
    if (!is_default(model.rods[i].color))
      colors.push_back(cast<float>(model.rods[i].color));
    else if (hair)
      colors.push_back(ramp(hair_stops, unit_float(hash(std::uint32_t(i)))));
    else
      colors.push_back(from_srgb(palette[i % palette.size()]));
  }
  return colors;
}

float strand_lightness(std::uint32_t chain) { return 0.85f + 0.3f * unit_float(hash(chain ^ 0x51ed270bu)); }

}  // namespace tendril::render
