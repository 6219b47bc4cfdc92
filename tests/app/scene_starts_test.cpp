// no scene that is about contact starts with its rods inside each other or inside a solid; by brute force

#include <gtest/gtest.h>

#include <variant>

#include "loaded_scene.h"
#include "scene/gap_checks.h"

namespace tendril::app {
namespace {

Vec3d componentwise(const Vec3d& v, double (*f)(double)) { return {f(v.x), f(v.y), f(v.z)}; }
double positive(double value) { return std::max(value, 0.0); }
double magnitude(double value) { return std::abs(value); }

double point_triangle_distance(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d n = cross(b - a, c - a);
  const bool above =
      dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 && dot(cross(a - c, p - c), n) >= 0;
  if (above) return std::abs(dot(p - a, n)) / norm(n);
  return std::min({point_segment_distance(p, a, b), point_segment_distance(p, b, c), point_segment_distance(p, c, a)});
}

// from a point to the surface of a solid, negative inside; a mesh is a thin sheet
struct Distance {
  Vec3d p;

  double operator()(const std::monostate&) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Plane& s) const { return dot(p - s.point, s.normal); }
  double operator()(const Sphere& s) const { return norm(p - s.center) - s.radius; }
  double operator()(const Capsule& s) const { return point_segment_distance(p, s.from, s.to) - s.radius; }
  double operator()(const Cylinder& s) const {
    const Vec3d axis = normalized(s.to - s.from), middle = 0.5 * (s.from + s.to);
    const double beyond = std::abs(dot(p - middle, axis)) - 0.5 * norm(s.to - s.from);
    const double outside = norm(p - middle - dot(p - middle, axis) * axis) - s.radius;
    return std::hypot(positive(beyond), positive(outside)) + std::min(std::max(beyond, outside), 0.0);
  }
  double operator()(const Box& s) const {
    const Vec3d beyond = componentwise(rotate(conjugate(s.rotation), p - s.center), magnitude) - 0.5 * s.size;
    return norm(componentwise(beyond, positive)) + std::min(std::max({beyond.x, beyond.y, beyond.z}), 0.0);
  }
  double operator()(const Mesh& s) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : s.triangles)
      nearest = std::min(nearest, point_triangle_distance(p, s.vertices[a], s.vertices[b], s.vertices[c]));
    return nearest;
  }
};

// at points a fifth of a radius apart along the rods: what lies between two of them is nearer by a tenth at most
double smallest_gap_to_solids(const std::vector<Tube>& tubes, const Model& model, const State& state) {
  double smallest = std::numeric_limits<double>::infinity();
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    if (std::holds_alternative<std::monostate>(model.bodies[b].shape)) continue;
    for (const Tube& t : tubes) {
      const int steps = static_cast<int>(std::ceil(norm(t.x[1] - t.x[0]) / (0.2 * t.radius)));
      for (int k = 0; k <= steps; ++k) {
        const Vec3d x = t.x[0] + (double(k) / steps) * (t.x[1] - t.x[0]) - state.body_x[b];
        const Vec3d own = rotate(conjugate(state.body_q[b]), x);
        smallest = std::min(smallest, std::visit(Distance{own}, model.bodies[b].shape) - 1.1 * t.radius);
      }
    }
  }
  return smallest;
}

class SceneStarts : public testing::TestWithParam<const char*> {};

TEST_P(SceneStarts, with_gaps_everywhere) {
  const BakedScene baked = load_scene(GetParam()).baked;
  const std::vector<Tube> tubes = tubes_of(baked.model, baked.state);
  double thinnest = std::numeric_limits<double>::infinity();
  for (const Tube& t : tubes) thinnest = std::min(thinnest, t.radius);
  const Gap gap = smallest_gap(tubes, 10 * thinnest);
  EXPECT_GT(gap.size, 0) << "segments " << gap.a << " and " << gap.b;
  EXPECT_GT(smallest_gap_to_solids(tubes, baked.model, baked.state), 0);
  RecordProperty("gap_in_radii", std::to_string(gap.size / thinnest));
}

// the scene that a run keeps is the same scene
TEST_P(SceneStarts, read_back_from_the_run) {
  const LoadedScene loaded = load_scene(GetParam());
  const Scene kept = parse_scene(resolved_toml(loaded.scene), "kept.toml", {}, solver_option_keys());
  EXPECT_EQ(bake(kept).state.x, loaded.baked.state.x);
}

INSTANTIATE_TEST_SUITE_P(All, SceneStarts,
                         testing::Values("capstan", "cylinders", "hair_on_sphere", "knit_letters", "knit_twist",
                                         "knots", "pile", "ring", "stairs", "tube", "twirled_cable"),
                         [](const auto& info) { return std::string(info.param); });

TEST(SceneStartsDistance, of_solids_by_hand) {
  EXPECT_NEAR((Distance{{3, 4, 9}}(Cylinder{{0, 0, -5}, {0, 0, 5}, 2})), 5, 1e-12);  // over the rim: 3, 4
  EXPECT_NEAR((Distance{{0.5, 0, 0}}(Cylinder{{0, 0, -5}, {0, 0, 5}, 2})), -1.5, 1e-12);
  EXPECT_NEAR((Distance{{4, 5, 0}}(Box{{0, 0, 0}, {2, 2, 2}, {}})), 5, 1e-12);  // an edge: 3, 4
  EXPECT_NEAR((Distance{{0, 0.2, 0}}(Box{{0, 0, 0}, {2, 2, 2}, {}})), -0.8, 1e-12);
  const Mesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, false, ""};
  EXPECT_NEAR((Distance{{0.2, 0.2, -2}}(triangle)), 2, 1e-12);
  EXPECT_NEAR((Distance{{-3, 0.5, 4}}(triangle)), 5, 1e-12);
}

}  // namespace
}  // namespace tendril::app
