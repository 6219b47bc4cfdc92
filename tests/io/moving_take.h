#pragma once

#include <cmath>

#include "io/strands.h"

namespace tendril::io {

// which parts a take has
struct TakeParts {
  int moments = 4;
  bool velocity = true, frames = true, radius = true;
};

// A rope, a twig that branches from its middle and a ring, all of which sway. Numbers that no power of two divides, so
// that a swap or a lost digit shows.
inline Take moving_take(const TakeParts& parts = {}) {
  Take take;
  take.title = "a \"rope\", a twig and a ring";
  take.frame_rate = 24;
  take.strands.strands = {{"rope", {0, 1, 2, 3, 4}, false, {0.8, 0.1, 0.3}},
                          {"rope", {2, 5, 6}, false, {0.8, 0.1, 0.3}},
                          {"ring", {7, 8, 9, 10, 11, 12}, true, {0.1, 0.2, 0.7}}};
  for (int i = 0; i < 13; ++i)
    if (parts.radius) take.strands.radius.push_back(0.01 + 0.001 * i);
  for (int k = 0; k < parts.moments; ++k) take.times.push_back(k / 24.0);

  const auto at = [](int i, double t) -> Vec3d {
    const double sway = 0.2 * std::sin(7 * t + 0.3 * i);
    if (i < 5) return {0.31 * i, sway, 0.1 * i * i};
    if (i < 7) return {0.62 + 0.11 * (i - 4), 0.2 * (i - 4), 0.4 + sway};
    return {std::cos(1.0471975511965976 * (i - 7)), 2 + std::sin(1.0471975511965976 * (i - 7)), sway};
  };
  for (int i = 0; i < 13; ++i) take.strands.points.push_back(at(i, take.times[0]));
  take.moment = [=, strands = take.strands.strands, times = take.times](int k) {
    Moment moment;
    moment.time = times[k];
    for (int i = 0; i < 13; ++i) {
      moment.x.push_back(at(i, times[k]));
      if (parts.velocity) moment.v.push_back({0, i < 5 ? 1.4 * std::cos(7 * times[k] + 0.3 * i) : 0.1 * i, 0.3});
    }
    for (const Strand& strand : strands)
      for (int n = 0; n < strand.segment_count() && parts.frames; ++n) {
        const int a = strand.points[n], b = strand.points[(n + 1) % strand.points.size()];
        const Vec3d t = normalized(moment.x[b] - moment.x[a]);
        const double spin = 0.4 * n + 3 * times[k];
        moment.q.push_back(frame_from_tangent(t, any_perpendicular(t)) * Quatd{std::cos(spin), 0, 0, std::sin(spin)});
      }
    return moment;
  };
  return take;
}

}  // namespace tendril::io
