#include "io/formats/glb_tube.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tendril::io {

namespace {

// a vertex on the rim: in the plane of d1 and d2
Vec3d rim(const Quatd& frame, int k, int sides) {
  const double angle = 2 * std::numbers::pi * k / sides;
  return std::cos(angle) * director1(frame) + std::sin(angle) * director2(frame);
}

// turns frames about their own d3
Quatd spun(const Quatd& frame, double angle) {
  return frame * Quatd{std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle)};
}

class TubeBuilder {
 public:
  TubeBuilder(std::span<const Vec3d> points, std::span<const double> radii, const std::vector<Quatd>& frames, int sides)
      : points_(points), radii_(radii), frames_(frames), sides_(sides) {}

  TubeMesh build(bool closed) {
    const int count = int(points_.size());
    for (int n = 0; n < count; ++n)
      for (int k = 0; k < sides_; ++k) {
        const Vec3d out = rim(frames_[n], k, sides_);
        add(n, points_[n] + radii_[n] * out, out);
      }
    for (int n = 0; n < count - (closed ? 0 : 1); ++n) add_belt(n * sides_, (n + 1) % count * sides_);
    if (!closed) {
      add_cap(0, -1);
      add_cap(count - 1, 1);
    }
    return std::move(mesh_);
  }

 private:
  void add(int n, const Vec3d& position, const Vec3d& normal) {
    mesh_.position.push_back(cast<float>(position));
    mesh_.normal.push_back(cast<float>(normal));
    mesh_.ring.push_back(n);
  }
  void add_triangle(int a, int b, int c) {
    for (const int corner : {a, b, c}) mesh_.triangles.push_back(std::uint32_t(corner));
  }

  // counterclockwise seen from outside
  void add_belt(int a, int b) {
    for (int k = 0; k < sides_; ++k) {
      const int next = (k + 1) % sides_;
      add_triangle(a + k, a + next, b + k);
      add_triangle(a + next, b + next, b + k);
    }
  }

  void add_cap(int n, int direction) {
    const Vec3d normal = double(direction) * director3(frames_[n]);
    const int center = int(mesh_.position.size());
    add(n, points_[n], normal);
    for (int k = 0; k < sides_; ++k) add(n, points_[n] + radii_[n] * rim(frames_[n], k, sides_), normal);
    for (int k = 0; k < sides_; ++k) {
      const int here = center + 1 + k, next = center + 1 + (k + 1) % sides_;
      direction > 0 ? add_triangle(center, here, next) : add_triangle(center, next, here);
    }
  }

  std::span<const Vec3d> points_;
  std::span<const double> radii_;
  const std::vector<Quatd>& frames_;
  int sides_;
  TubeMesh mesh_;
};

}  // namespace

std::vector<Vec3d> tangents_of(std::span<const Vec3d> points, bool closed) {
  const int count = int(points.size());
  std::vector<Vec3d> tangents(count);
  Vec3d last{0, 0, 1};
  bool found = false;
  for (int n = 0; n < count; ++n) {
    const int before = n > 0 ? n - 1 : closed ? count - 1 : 0;
    const int after = n + 1 < count ? n + 1 : closed ? 0 : n;
    const Vec3d chord = points[after] - points[before];
    const double length = norm(chord);
    if (length > 0) {
      last = chord / length;
      if (!found) std::fill(tangents.begin(), tangents.begin() + n, last);
      found = true;
    }
    tangents[n] = last;
  }
  return tangents;
}

std::vector<Quatd> twist_free_frames(std::span<const Vec3d> tangents, bool closed) {
  std::vector<Quatd> frames{frame_from_tangent(tangents[0], any_perpendicular(tangents[0]))};
  for (std::size_t n = 1; n < tangents.size(); ++n)
    frames.push_back(normalized(rotation_between(tangents[n - 1], tangents[n]) * frames.back()));
  if (!closed) return frames;
  const Quatd around = rotation_between(tangents.back(), tangents.front()) * frames.back();
  const Vec3d end = director1(around);
  const double left = std::atan2(dot(end, director2(frames[0])), dot(end, director1(frames[0])));
  for (std::size_t n = 0; n < frames.size(); ++n)
    frames[n] = spun(frames[n], -left * double(n) / double(frames.size()));
  return frames;
}

TubeMesh make_tube(std::span<const Vec3d> points, std::span<const double> radii, bool closed, int sides) {
  const std::vector<Quatd> frames = twist_free_frames(tangents_of(points, closed), closed);
  return TubeBuilder(points, radii, frames, sides).build(closed);
}

TubeSize tube_size(int points, bool closed, int sides) {
  const auto n = std::uint64_t(points), s = std::uint64_t(sides);
  return closed ? TubeSize{n * s, 6 * n * s} : TubeSize{n * s + 2 * (s + 1), 6 * (n - 1) * s + 6 * s};
}

}  // namespace tendril::io
