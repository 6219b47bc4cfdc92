#include "scene/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/random.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;

// distance of two straight segments: where their lines are nearest, or else at one of the four ends
double distance(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  const Vec3d u = a1 - a0, v = b1 - b0, w = b0 - a0, n = cross(u, v);
  const double nn = dot(n, n), s = dot(cross(w, v), n) / nn, t = dot(cross(w, u), n) / nn;
  const bool parallel = !(nn > 1e-20 * dot(u, u) * dot(v, v));
  if (!parallel && s >= 0 && s <= 1 && t >= 0 && t <= 1) return std::abs(dot(w, n)) / std::sqrt(nn);
  const auto to_point = [](const Vec3d& p, const Vec3d& from, const Vec3d& along) {
    return norm(p - from - std::clamp(dot(p - from, along) / dot(along, along), 0.0, 1.0) * along);
  };
  return std::min({to_point(a0, b0, v), to_point(a1, b0, v), to_point(b0, a0, u), to_point(b1, a0, u)});
}

// a curve, with a ball about it that most others keep out of
struct Copy {
  std::vector<Vec3d> points;
  Vec3d middle;
  double extent = 0;  // of the ball [m]
};

bool too_near(const Copy& a, const Copy& b, const std::vector<std::array<int, 2>>& edges, double least) {
  if (norm(a.middle - b.middle) > a.extent + b.extent + least) return false;
  for (const auto& [a0, a1] : edges) {
    if (std::min(norm(a.points[a0] - b.middle), norm(a.points[a1] - b.middle)) - norm(a.points[a1] - a.points[a0]) >
        b.extent + least)
      continue;
    for (const auto& [b0, b1] : edges)
      if (distance(a.points[a0], a.points[a1], b.points[b0], b.points[b1]) < least) return true;
  }
  return false;
}

// any rotation as likely as any other (a uniform point of the sphere in four dimensions), or a turn about z
Quatd random_turn(const std::string& how, Random& random) {
  if (how == "none") return {};
  if (how == "vertical") return quaternion_exp({0, 0, random.uniform(0, 2 * pi)});
  const double u = random.uniform(0, 1), a = random.uniform(0, 2 * pi), b = random.uniform(0, 2 * pi);
  const double s = std::sqrt(1 - u), c = std::sqrt(u);
  return {s * std::sin(a), s * std::cos(a), c * std::sin(b), c * std::cos(b)};
}

Vec3d middle_of(const std::vector<Vec3d>& points) {
  Vec3d low = points[0], high = low;
  for (const Vec3d& x : points)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  return 0.5 * (low + high);
}

std::vector<Pose> scatter(const Table& t, const Curve& curve, double radius) {
  constexpr int most_tries = 2000;  // for one copy
  const int count = t.integer("count");
  const Vec3d low = t.vec3("low"), high = t.vec3("high"), middle = middle_of(curve.points);
  double extent = 0;
  for (const Vec3d& x : curve.points) extent = std::max(extent, norm(x - middle));
  Random random(static_cast<std::uint64_t>(t.integer("seed")));
  std::vector<Copy> copies;
  std::vector<Pose> poses;
  for (int tries = 0; static_cast<int>(copies.size()) < count; ++tries) {
    if (tries == most_tries)
      t.fail("count",
             fmt::format("only {} copies found room in the box, a radius apart; make it larger", copies.size()));
    Copy copy{{}, {}, extent};
    for (int k = 0; k < 3; ++k) copy.middle[k] = random.uniform(low[k], high[k]);
    const Quatd turn = random_turn(t.text("turn"), random);
    const Pose pose{copy.middle - rotate(turn, middle), turn};
    for (const Vec3d& x : curve.points) copy.points.push_back(rotate(pose.q, x) + pose.x);
    const auto in_the_way = [&](const Copy& other) { return too_near(copy, other, curve.edges, 3 * radius); };
    if (std::any_of(copies.begin(), copies.end(), in_the_way)) continue;
    copies.push_back(std::move(copy));
    poses.push_back(pose);
    tries = -1;
  }
  return poses;
}

}  // namespace

std::vector<Pose> place_copies(const Table& copies, const Curve& curve, double radius) {
  const bool in_a_box = copies.has("low") || copies.has("high");
  if (copies.has("low") != copies.has("high"))
    copies.fail(copies.has("low") ? "low" : "high", "expected `low` and `high`, the two corners of a box");
  if (copies.has("step") == in_a_box) copies.fail("count", "expected either `step`, or `low` and `high`, beside it");
  if (in_a_box)
    for (int k = 0; k < 3; ++k)
      if (copies.vec3("low")[k] > copies.vec3("high")[k])
        copies.fail("high", fmt::format("lies below `low` along {}; expected the two corners of a box", "xyz"[k]));
  if (in_a_box) return scatter(copies, curve, radius);
  if (copies.text("turn") != "none") copies.fail("turn", "goes with `low` and `high` only");
  std::vector<Pose> poses;
  for (int k = 0; k < copies.integer("count"); ++k) poses.push_back({double(k) * copies.vec3("step"), {}});
  return poses;
}

Table find_rod_table(const Table& root, const std::string& rod_name) {
  std::vector<Table> tables = root.tables("rod");
  for (const Table& groom : root.tables("groom")) tables.push_back(groom);
  const std::string without_number = rod_name.substr(0, rod_name.rfind('.'));
  for (const std::string& name : {rod_name, without_number})
    for (const Table& t : tables)
      if (t.text("name") == name) return t;
  return root;
}

}  // namespace tendril::scene
