#include "scene/grooms/strand_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/quat.h"
#include "math/random.h"
#include "scene/draft.h"
#include "scene/grooms/nearest_points.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;

// a random walk that is smooth: some waves along the strand, across it in two directions
class Noise {
 public:
  Noise(double amplitude, double length, Random& random) {
    if (amplitude == 0) return;
    for (int k = 1; k <= waves; ++k)
      for (int axis = 0; axis < 2; ++axis)
        waves_.push_back({amplitude * random.uniform(-1, 1) / std::sqrt(waves), 2 * pi * k / length,
                          random.uniform(0, 2 * pi), axis});
  }
  // nothing at the root
  Vec3d at(double s) const {
    Vec3d sum;
    for (const Wave& w : waves_) sum[w.axis] += w.amplitude * (std::sin(w.pulse * s + w.phase) - std::sin(w.phase));
    return sum;
  }

 private:
  static constexpr int waves = 3;
  struct Wave {
    double amplitude, pulse, phase;
    int axis;
  };
  std::vector<Wave> waves_;
};

// how a strand would be if there were nothing but itself
struct Wish {
  Vec3d root, along;  // where it leaves the skin, and its line
  double length = 0;
  StrandShape points;
};

// where a strand leaves the skin: along the normal and what leans it, never into the mesh
Vec3d start_direction(const SurfacePoint& root, const Vec3d& lean) {
  constexpr double least_rise = 0.05;  // [rad] against the skin, about
  const Vec3d d = root.normal + lean, across = d - dot(d, root.normal) * root.normal;
  if (norm(d) < 1e-6) return root.normal;
  const double rise = std::max(dot(d, root.normal), least_rise * norm(across));
  return normalized(across + rise * root.normal);
}

// The line of the strand is wound about by its curl, which opens over its first turn so that it starts at the root: of
// a helix of radius r and pitch p the length is √(1 + (2π r / p)²) times that of its axis.
Wish wish(const SurfacePoint& root, double length, const StrandStyle& style, Random& random) {
  Wish w;
  w.along = start_direction(root, style.direction), w.length = length;
  w.root = root.x + style.root_height * root.normal;
  const Quatd frame = frame_from_tangent(w.along, any_perpendicular(w.along));
  const Noise noise(style.noise, style.noise_length, random);
  const double phase = random.uniform(0, 2 * pi);
  const double wound = style.curl ? std::hypot(1.0, 2 * pi * style.curl->radius / style.curl->pitch) : 1;
  for (int k = 0; k <= style.segments; ++k) {
    const double s = length / wound * k / style.segments;
    Vec3d off = noise.at(s) + Vec3d{0, 0, s};
    if (style.curl) {
      const double turns = s / style.curl->pitch, open = style.curl->radius * std::min(1.0, turns);
      off += open * Vec3d{std::cos(2 * pi * turns + phase), std::sin(2 * pi * turns + phase), 0};
    }
    w.points.push_back(w.root + rotate(frame, off));
  }
  return w;
}

// each strand goes to the nearest of some strands, the more the nearer to its tip
void draw_to_clumps(const StrandStyle& style, std::vector<Wish>& wishes, Random& random) {
  const int count = static_cast<int>(wishes.size()), clumps = std::min(style.clumps, count);
  if (clumps == 0) return;
  std::vector<int> centre(count);
  for (int k = 0; k < count; ++k) centre[k] = k;
  for (int k = 0; k < clumps; ++k) std::swap(centre[k], centre[k + static_cast<int>(random.next() % (count - k))]);
  Bounds box;
  for (const Wish& w : wishes) box.take(w.root);
  NearestPoints centres(std::max(1e-9, 2 * box.radius() / std::sqrt(double(clumps))));
  for (int k = 0; k < clumps; ++k) centres.add(wishes[centre[k]].root);
  std::vector<StrandShape> guides;
  for (int k = 0; k < clumps; ++k) guides.push_back(wishes[centre[k]].points);
  for (Wish& w : wishes) {
    const StrandShape& guide = guides[centres.nearest(w.root, 1)[0]];
    for (int k = 0; k <= style.segments; ++k)
      w.points[k] += style.clumping * k / style.segments * (guide[k] - w.points[k]);
  }
}

// The directions that were wished for, one length after the other; a vertex that would come nearer to the mesh than
// its clearance is turned out of it. The first segment starts at the root, and may be nearer.
StrandShape kept_outside(const GroomSurface& surface, const Wish& wish, const StrandStyle& style) {
  constexpr int tries = 4;  // a step that is turned lands elsewhere over the mesh
  const double l = wish.length / style.segments;
  StrandShape points{wish.root};
  for (int k = 1; k <= style.segments; ++k) {
    const Vec3d from = points.back(), step = wish.points[k] - wish.points[k - 1];
    Vec3d to = from + l * (norm(step) > 0 ? normalized(step) : wish.along);
    for (int n = 0; n < tries; ++n) {
      const SurfacePoint skin = surface.nearest(to);
      if (surface.height(to, skin) >= style.clearance) break;
      const Vec3d out = skin.x + style.clearance * skin.normal - from;
      if (norm(out) > 0) to = from + l * normalized(out);
    }
    points.push_back(to);
  }
  return points;
}

}  // namespace

std::vector<StrandShape> grow_strands(const GroomSurface& surface, const std::vector<SurfacePoint>& roots,
                                      const StrandStyle& style, std::uint64_t seed) {
  Random random(seed);
  std::vector<Wish> wishes;
  for (const SurfacePoint& root : roots)
    wishes.push_back(wish(root, profile(style.lengths, random.uniform()), style, random));
  draw_to_clumps(style, wishes, random);
  std::vector<StrandShape> strands;
  for (const Wish& w : wishes) strands.push_back(kept_outside(surface, w, style));
  return strands;
}

void lift_roots(const GroomSurface& surface, double height, std::vector<StrandShape>& strands) {
  for (StrandShape& strand : strands) {
    const SurfacePoint skin = surface.nearest(strand[0]);
    const double lift = height - surface.height(strand[0], skin);
    if (lift > 0)
      for (Vec3d& x : strand) x += lift * skin.normal;
  }
}

}  // namespace tendril::scene
