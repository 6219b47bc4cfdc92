#include "rod/followers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tendril::rod {
namespace {

// a quarter of a circle in the plane of x and z, about the origin
struct Bow {
  Model model;
  State state;

  explicit Bow(int segments = 12, bool closed = false) {
    const double angle = closed ? 2 * std::numbers::pi : 0.5 * std::numbers::pi;
    const int points = segments + (closed ? 0 : 1);
    Rod rod;
    rod.name = "bow", rod.segment_count = segments, rod.closed = closed;
    const auto at = [&](double n) { return angle * n / segments; };
    for (int n = 0; n < points; ++n) {
      state.x.push_back({std::cos(at(n)), 0, std::sin(at(n))});
      model.vertices.push_back({.mass = 1, .radius = 0.01});
      rod.vertices.push_back(n);
    }
    for (int n = 0; n < segments; ++n) {
      Segment s;
      s.vertex[0] = n, s.vertex[1] = (n + 1) % points, s.radius = 0.01, s.EA = 1;
      s.rest_length = norm(state.x[s.vertex[1]] - state.x[s.vertex[0]]);
      model.segments.push_back(s);
      state.q.push_back(frame_from_tangent(normalized(state.x[s.vertex[1]] - state.x[s.vertex[0]]), {0, 1, 0}));
    }
    for (int n = 0; n + (closed ? 0 : 1) < segments; ++n) {
      Bend bend;
      bend.a.index = n, bend.b.index = (n + 1) % segments;
      model.bends.push_back(bend);
    }
    state.v.resize(points), state.omega.resize(segments);
    model.rods.push_back(rod);
  }

  Followers followers(int count, double spread) const {
    Followers out;
    add_followers(model, 0, count, std::vector<double>(state.x.size(), spread), out);
    return out;
  }
};

// The mean square of the distance from the middle of a disc is spread² / 2, and about as many fibres are in each half.
TEST(Followers, FibresFillTheSectionEvenly) {
  for (const int count : {1, 20, 181, 2000}) {
    const auto fibres = fibres_of_section(count, 0.3);
    double square = 0;
    int left = 0, inner = 0;
    for (const Vec3d& f : fibres) {
      EXPECT_LT(norm(f), 0.3);
      EXPECT_EQ(f.z, 0);
      square += norm_squared(f), left += f.x < 0, inner += norm(f) < 0.3 / std::sqrt(2.0);
    }
    EXPECT_EQ(int(fibres.size()), count);
    EXPECT_NEAR(square / count, 0.045, 1e-12);  // exactly, by (k + 1/2) / count
    EXPECT_NEAR(inner, 0.5 * count, 0.5);
    if (count > 1) {
      EXPECT_NEAR(left, 0.5 * count, 2 + 0.02 * count);
    }
  }
}

// each point of a follower keeps its distance from its guide, across the guide
TEST(Followers, FollowersLieBesideTheirGuide) {
  const Bow bow;
  const Followers followers = bow.followers(7, 0.05);
  ASSERT_EQ(followers.strands.size(), 7u);
  ASSERT_EQ(followers.point_count(), 7 * 13);
  const auto x = follower_positions(followers, bow.state);
  const auto fibres = fibres_of_section(7, 0.05);
  for (int k = 0; k < 7; ++k)
    for (int n = 0; n <= 12; ++n) {
      const Vec3d away = x[followers.strands[k].first_point + n] - bow.state.x[n];
      EXPECT_NEAR(norm(away), norm(fibres[k]), 1e-14);
      EXPECT_NEAR(away.y, fibres[k].x, 1e-14);  // d1 is y
      if (n > 0 && n < 12) {
        EXPECT_NEAR(dot(away, Vec3d{-bow.state.x[n].z, 0, bow.state.x[n].x}), 0, 1e-14);
      }
    }
}

// turned and shifted together, and with velocities that are the change of positions
TEST(Followers, TheyMoveWithTheFramesOfTheirGuide) {
  Bow bow;
  const Followers followers = bow.followers(5, 0.05);
  const Vec3d omega{0.3, -1, 0.5}, velocity{1, 2, 3};
  for (std::size_t i = 0; i < bow.state.x.size(); ++i) bow.state.v[i] = velocity + cross(omega, bow.state.x[i]);
  for (Vec3d& w : bow.state.omega) w = omega;
  const auto before = follower_positions(followers, bow.state), v = follower_velocities(followers, bow.state);
  State later = bow.state;
  const double t = 0.7;
  const Quatd turn = quaternion_exp(t * omega);
  for (Vec3d& x : later.x) x = rotate(turn, x) + t * velocity;
  for (Quatd& q : later.q) q = turn * q;
  const auto after = follower_positions(followers, later);
  for (std::size_t p = 0; p < before.size(); ++p) {
    EXPECT_LT(norm(after[p] - rotate(turn, before[p]) - t * velocity), 1e-13);
    EXPECT_LT(norm(v[p] - velocity - cross(omega, before[p])), 1e-13);
  }
}

// between two guides a point is where their weights put it
TEST(Followers, SeveralGuidesAreMixed) {
  const Bow bow;
  Followers followers;
  followers.strands.push_back({"between", 0, 0, 2, false});
  followers.first_guide = {0, 2, 3};
  followers.guides = {{0, -1, 0, 0.25, {}}, {12, 11, -1, 0.75, {}}, {6, 5, 6, 1, {}}};
  followers.radius = {0.01, 0.01};
  const auto x = follower_positions(followers, bow.state);
  EXPECT_LT(norm(x[0] - (0.25 * bow.state.x[0] + 0.75 * bow.state.x[12])), 1e-15);
  EXPECT_LT(norm(x[1] - bow.state.x[6]), 1e-15);
}

// A strand of its own shape and number of points, between two guides: it starts where it lies, and goes with rigid
// motions of all; where one guide moves, by its weight.
TEST(Followers, AStrandBetweenGuidesKeepsItsShape) {
  const Bow bow;
  const std::vector<GuideStrand> guides = {{{0, 1, 2, 3, 4, 5}, 0, 0.3}, {{6, 7, 8, 9, 10, 11, 12}, 6, 0.7}};
  const std::vector<Vec3d> shape = {{0.5, 0.2, 0.1}, {0.6, 0.1, 0.3}, {0.7, 0, 0.2}, {0.9, -0.1, 0.4}};
  Followers followers;
  add_follower(bow.model, bow.state, "between/0", 0, shape, guides, followers);
  ASSERT_EQ(followers.point_count(), 4);
  EXPECT_EQ(followers.strands[0].name, "between/0");
  const auto start = follower_positions(followers, bow.state);
  for (int n = 0; n < 4; ++n) EXPECT_LT(norm(start[n] - shape[n]), 1e-15);
  State later = bow.state;
  const Quatd turn = quaternion_exp({0.3, -1, 0.5});
  for (Vec3d& x : later.x) x = rotate(turn, x) + Vec3d{1, 2, 3};
  for (Quatd& q : later.q) q = turn * q;
  const auto moved = follower_positions(followers, later);
  for (int n = 0; n < 4; ++n) EXPECT_LT(norm(moved[n] - rotate(turn, shape[n]) - Vec3d{1, 2, 3}), 1e-14);
  State half = bow.state;
  for (int i = 0; i < 6; ++i) half.x[i] += Vec3d{0, 1, 0};
  const auto drawn = follower_positions(followers, half);
  for (int n = 0; n < 4; ++n) EXPECT_LT(norm(drawn[n] - shape[n] - Vec3d{0, 0.3, 0}), 1e-15);
}

// as a Model and State that whoever draws strands reads like any other
TEST(Followers, AreRodsBehindThoseThatAreThere) {
  for (const bool closed : {false, true}) {
    const Bow bow(12, closed);
    const Followers followers = bow.followers(3, 0.05);
    const FollowedModel all = with_followers(bow.model, followers, bow.state);
    const State state = with_followers(followers, all, bow.state);
    const std::size_t points = bow.state.x.size();
    EXPECT_EQ(all.model.rods.size(), 4u);
    EXPECT_EQ(all.model.rods[2].name, "bow/1");
    EXPECT_EQ(all.model.rods[2].closed, closed);
    EXPECT_EQ(state.x.size(), 4 * points);
    EXPECT_EQ(state.q.size(), all.model.segments.size());
    EXPECT_EQ(all.model.segments.size(), 4u * 12);
    for (std::size_t s = 12; s < all.model.segments.size(); ++s) {
      const Segment& segment = all.model.segments[s];
      const Vec3d edge = state.x[segment.vertex[1]] - state.x[segment.vertex[0]];
      EXPECT_NEAR(norm(edge), segment.rest_length, 1e-15);
      EXPECT_LT(norm(director3(state.q[s]) - edge / norm(edge)), 1e-12);
      EXPECT_EQ(all.guide[s - 12], int(s % 12));
    }
    EXPECT_EQ(all.model.bends.size(), 4 * bow.model.bends.size());
    EXPECT_EQ(all.model.bends.back().a.index, all.model.bends[bow.model.bends.size() - 1].a.index + 36);
    EXPECT_EQ(with_followers(all, std::vector<int>{2}), (std::vector<int>{2, 14, 26, 38}));
  }
}

}  // namespace
}  // namespace tendril::rod
