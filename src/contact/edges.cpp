#include "contact/edges.h"

#include <cmath>
#include <numbers>

namespace tendril::contact {
namespace {

constexpr int sides_of_rim = 22;  // 1 / cos(pi / 22) = 1.0103
constexpr int pieces = 4;         // of a long edge

class Edges {
 public:
  explicit Edges(const Solid& solid) : solid_(solid) {}

  void add_long(const Vec3d& from, const Vec3d& to) {
    const auto at = [&](int k) { return from + (double(k) / pieces) * (to - from); };
    for (int k = 0; k < pieces; ++k) add(at(k), at(k + 1));
  }

  void add(const Vec3d& from, const Vec3d& to) {
    Solid& edge = edges_.emplace_back();
    edge.core = Solid::Core::segment, edge.p[0] = from, edge.p[1] = to;
    edge.radius = solid_.radius, edge.body = solid_.body;
  }

  void add_box() {
    const auto corner = [&](int sx, int sy, int sz) {
      return solid_.p[0] + rotate(solid_.rotation, scale(solid_.breadth, Vec3d{double(sx), double(sy), double(sz)}));
    };
    for (int s : {-1, 1})
      for (int t : {-1, 1}) {
        add_long(corner(-1, s, t), corner(1, s, t));
        add_long(corner(s, -1, t), corner(s, 1, t));
        add_long(corner(s, t, -1), corner(s, t, 1));
      }
  }

  void add_cylinder() {
    const Vec3d axis = normalized(solid_.p[1] - solid_.p[0]), u = any_perpendicular(axis), v = cross(axis, u);
    const double angle = 2 * std::numbers::pi / sides_of_rim, r = solid_.breadth.x / std::cos(0.5 * angle);
    const auto outward = [&](int k) { return r * (std::cos(k * angle) * u + std::sin(k * angle) * v); };
    for (int k = 0; k < sides_of_rim; ++k) {
      const Vec3d here = outward(k), next = outward((k + 1) % sides_of_rim);
      for (int end : {0, 1}) add(solid_.p[end] + here, solid_.p[end] + next);
      add_long(solid_.p[0] + here, solid_.p[1] + here);
    }
  }

  std::vector<Solid> take() { return std::move(edges_); }

 private:
  const Solid& solid_;
  std::vector<Solid> edges_;
};

}  // namespace

std::vector<Solid> edges_of(const Solid& solid) {
  Edges edges(solid);
  switch (solid.core) {
    case Solid::Core::point:
      edges.add(solid.p[0], solid.p[0]);
      break;
    case Solid::Core::segment:
      edges.add_long(solid.p[0], solid.p[1]);
      break;
    case Solid::Core::triangle:
      for (int k = 0; k < 3; ++k) edges.add(solid.p[k], solid.p[(k + 1) % 3]);
      break;
    case Solid::Core::box:
      edges.add_box();
      break;
    case Solid::Core::cylinder:
      edges.add_cylinder();
      break;
    case Solid::Core::half_space:
      break;
  }
  return edges.take();
}

}  // namespace tendril::contact
