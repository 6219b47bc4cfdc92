#include "contact/volume/hair_volume.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/random.h"
#include "math/thread_team.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril::contact {
namespace {

constexpr double radius = 1e-4, young = 1e7;  // [m], [Pa]

struct Groom {
  Model model;
  State state;

  void add_strand(const std::vector<Vec3d>& points) {
    const double section = std::numbers::pi * radius * radius;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const int i = int(state.x.size());
      model.vertices.push_back({0, radius});
      state.x.push_back(points[k]), state.v.push_back({});
      if (k == 0) continue;
      Segment s;
      s.vertex[0] = i - 1, s.vertex[1] = i;
      s.rest_length = norm(points[k] - points[k - 1]);
      s.EA = young * section, s.radius = radius;
      model.segments.push_back(s);
      for (int end : s.vertex) model.vertices[end].mass += 0.5 * s.rest_length * 1300 * section;
    }
  }
  Vec3d momentum(const std::vector<Vec3d>& force) const {
    Vec3d sum;
    for (const Vec3d& f : force) sum += f;
    return sum;
  }
  Vec3d moment(const std::vector<Vec3d>& force) const {
    Vec3d sum;
    for (std::size_t i = 0; i < force.size(); ++i) sum += cross(state.x[i], force[i]);
    return sum;
  }
};

// strands in all directions in a box of this size
Groom tangle(int strands, double size, std::uint64_t seed = 1) {
  Random random(seed);
  const auto point = [&] { return Vec3d{random.uniform(), random.uniform(), random.uniform()}; };
  Groom hair;
  for (int n = 0; n < strands; ++n) {
    const Vec3d from = size * point(), way = 0.3 * size * (point() - Vec3d{0.5, 0.5, 0.5});
    std::vector<Vec3d> points;
    for (int k = 0; k < 8; ++k) points.push_back(from + (k / 7.0) * way);
    hair.add_strand(points);
  }
  return hair;
}

void squeeze(Groom& hair, const Vec3d& factors) {
  for (Vec3d& x : hair.state.x) x = scale(x, factors);
}

std::vector<Vec3d> forces(const Groom& hair, const State& start, double h, const VolumeOptions& options = {},
                          int threads = 1) {
  ThreadTeam team(threads);
  HairVolume volume(hair.model, start, options, team);
  std::vector<Vec3d> force;
  volume.find_forces(hair.state, h, team, force);
  return force;
}

double sum_of_norms(const std::vector<Vec3d>& all) {
  double sum = 0;
  for (const Vec3d& a : all) sum += norm(a);
  return sum;
}

// what forces add to the kinetic energy in h, over it
double gain(const Groom& hair, const std::vector<Vec3d>& force, double h) {
  double before = 0, after = 0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    const double m = hair.model.vertices[i].mass;
    before += 0.5 * m * norm_squared(hair.state.v[i]);
    after += 0.5 * m * norm_squared(hair.state.v[i] + (h / m) * force[i]);
  }
  return (after - before) / before;
}

TEST(HairVolume, ForcesAndTheirMomentsAddToZero) {
  for (const double compressed : {1.0, 0.7}) {
    Groom hair = tangle(800, 0.1);
    const State start = hair.state;
    squeeze(hair, {compressed, 1, 1});
    Random random(7);
    for (Vec3d& v : hair.state.v) v = {random.uniform() - 0.5, random.uniform() - 0.5, 3 * random.uniform()};
    const std::vector<Vec3d> force = forces(hair, start, 1e-3);
    const double size = sum_of_norms(force);
    EXPECT_GT(size, 0);
    EXPECT_LT(norm(hair.momentum(force)), 1e-13 * size) << compressed;
    EXPECT_LT(norm(hair.moment(force)), 1e-13 * size * 0.1) << compressed;  // arms of up to 0.1 m
  }
}

TEST(HairVolume, ThatMovesAsARigidBodyIsLeftAlone) {
  Groom hair = tangle(500, 0.1);
  const Vec3d omega{3, -5, 2}, u{1, 2, -4};
  double momentum = 0;
  for (std::size_t i = 0; i < hair.state.x.size(); ++i) {
    hair.state.v[i] = u + cross(omega, hair.state.x[i]);
    momentum += hair.model.vertices[i].mass * norm(hair.state.v[i]);
  }
  constexpr double h = 1e-3;
  EXPECT_LT(h * sum_of_norms(forces(hair, hair.state, h)), 1e-10 * momentum);  // 1e-12 of spins is given up
}

// the moments of one vertex about itself are zero, but for rounding
TEST(HairVolume, SingleVerticesHaveNoSpin) {
  Random random(3);
  for (int n = 0; n < 2000; ++n) {
    Groom hair;
    const Vec3d at{random.uniform(), random.uniform(), random.uniform()};
    hair.add_strand({at, at + Vec3d{0, 0, 1}});
    for (Vec3d& v : hair.state.v) v = {1, random.uniform(), 2};
    for (const Vec3d& f : forces(hair, hair.state, 1e-3, {.cell = 0.05}))
      ASSERT_LT(1e-3 * norm(f), 1e-9 * hair.model.vertices[0].mass);
  }
}

TEST(HairVolume, AtTheStartNothingPushes) {
  const Groom hair = tangle(500, 0.1);
  Groom squeezed = hair;
  squeeze(squeezed, {0.99, 1, 1});
  const double push = sum_of_norms(forces(squeezed, hair.state, 1e-3));
  EXPECT_GT(push, 0);
  EXPECT_LT(sum_of_norms(forces(hair, hair.state, 1e-3)), 1e-12 * push);  // rounding of the densest nodes
}

// Two crowds that go through each other, as many of one as of the other everywhere: each keeps exp(-mixing t) of its
// velocity, whatever the step.
TEST(HairVolume, MixesAtItsRate) {
  constexpr double mixing = 40;
  Groom hair;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      for (const double sign : {1.0, -1.0}) {
        std::vector<Vec3d> points;
        for (int k = 0; k < 12; ++k) points.push_back({0.005 * i, 0.005 * j, 0.005 * k});
        hair.add_strand(points);
        for (int k = 0; k < 12; ++k) hair.state.v[hair.state.v.size() - 1 - k] = {sign, 0, 0};
      }
  for (const double h : {1e-4, 1e-2, 1.0}) {
    const std::vector<Vec3d> force = forces(hair, hair.state, h, {.cell = 0.01, .mixing = mixing});
    for (std::size_t i = 0; i < force.size(); ++i) {
      const Vec3d v = hair.state.v[i] + (h / hair.model.vertices[i].mass) * force[i];
      ASSERT_NEAR(v.x / hair.state.v[i].x, std::exp(-mixing * h), 1e-10);
    }
  }
}

TEST(HairVolume, TakesEnergyAndNeverGivesAny) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    Groom hair = tangle(400, 0.1, seed);
    Random random(seed);
    for (Vec3d& v : hair.state.v) v = {random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
    double last = 0;
    for (const double mixing : {0.0, 1.0, 1e3, 1e9}) {
      const double more = gain(hair, forces(hair, hair.state, 1e-2, {.mixing = mixing}), 1e-2);
      EXPECT_LE(more, 0);
      if (mixing < 1e9) {
        EXPECT_LT(more, last) << mixing;  // with mixing = 0, what pressure resists
      }
      last = more;
    }
  }
}

// an even block of upright strands
Groom block(double spacing, int across, int along) {
  Groom hair;
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j) {
      std::vector<Vec3d> points;
      for (int k = 0; k < along; ++k) points.push_back(spacing * Vec3d{i + 0.5, j + 0.5, k + 0.5});
      hair.add_strand(points);
    }
  return hair;
}

// Squeezed to 0.8 along x, the block pushes its halves apart by p A with van Wyk's p = k E (f³ - f0³), k = 0.01
// [vanwyk1946]. Nodes at the sides are half empty and do not push, so A is less by half a cell at each side. Steps are
// short, so that impulses are h p.
TEST(HairVolume, PushesItsHalvesApartByVanWyksLaw) {
  constexpr double spacing = 0.001, squeezed = 0.8;
  constexpr int across = 40;
  Groom hair = block(spacing, across, across);
  const State start = hair.state;
  squeeze(hair, {squeezed, 1, 1});
  const std::vector<Vec3d> force = forces(hair, start, 1e-7, {.cell = 4 * spacing, .mixing = 0});
  double pushed = 0;
  for (std::size_t i = 0; i < force.size(); ++i)
    if (hair.state.x[i].x > 0.5 * squeezed * across * spacing) pushed += force[i].x;
  const double fraction = std::numbers::pi * radius * radius / (spacing * spacing);
  const double pressure = 0.01 * young * std::pow(fraction, 3) * (std::pow(squeezed, -3) - 1);
  const double area = std::pow((across - 4) * spacing, 2);
  EXPECT_NEAR(pushed / (pressure * area), 1, 0.03);
}

// however stiff hair is, and however long the step, what pushes it apart takes from the motion that squeezes it
TEST(HairVolume, StopsWhatSqueezesItAtAnyStep) {
  for (const double h : {1e-5, 1e-3, 1e-1}) {
    Groom hair = block(0.001, 24, 24);
    const State start = hair.state;
    squeeze(hair, {0.999, 1, 1});
    for (std::size_t i = 0; i < hair.state.x.size(); ++i) hair.state.v[i] = {-20 * (hair.state.x[i].x - 0.012), 0, 0};
    for (Segment& s : hair.model.segments) s.EA *= 1e4;
    const double more = gain(hair, forces(hair, start, h, {.cell = 0.003, .mixing = 0}), h);
    EXPECT_LT(more, 0) << h;
    EXPECT_GT(more, -1) << h;
  }
}

TEST(HairVolume, TheSameBitsOnAnyNumberOfThreads) {
  Groom hair = tangle(3000, 0.1);
  const State start = hair.state;
  squeeze(hair, {0.8, 0.9, 1});
  for (std::size_t i = 0; i < hair.state.v.size(); ++i) hair.state.v[i] = {std::sin(double(i)), 0, 1};
  const std::vector<Vec3d> one = forces(hair, start, 1e-3, {}, 1);
  for (int threads : {2, 3, 8}) EXPECT_EQ(one, forces(hair, start, 1e-3, {}, threads)) << threads;
}

TEST(HairVolume, StrandsFarApartAndFarAwayDoNotMeet) {
  Groom hair;
  for (const double far : {0.0, 1e3, -1e12, 1e12}) {
    const Vec3d at{far, 0, 0};
    hair.add_strand({at, at + Vec3d{0, 0, 0.01}, at + Vec3d{0, 0, 0.02}});
    for (int k = 1; k <= 3; ++k) hair.state.v[hair.state.v.size() - k] = {far, 1, 0};
  }
  for (const Vec3d& f : forces(hair, hair.state, 1e-3)) EXPECT_LT(norm(f), 1e-9);
}

TEST(HairVolume, CellsHoldVerticesAndASegment) {
  const Groom dense = tangle(20000, 0.1), sparse = tangle(3, 10);
  const double cell = choose_cell(dense.model, dense.state.x);
  ThreadTeam team(1);
  const HairVolume volume(dense.model, dense.state, {}, team);
  EXPECT_EQ(volume.cell(), cell);
  EXPECT_GE(double(dense.state.x.size()) / volume.cell_count(), 27);
  EXPECT_LT(double(dense.state.x.size()) / volume.cell_count(), 54);
  double length = 0;
  for (const Segment& s : sparse.model.segments) length += s.rest_length / double(sparse.model.segments.size());
  EXPECT_DOUBLE_EQ(choose_cell(sparse.model, sparse.state.x), 8 * length);
}

}  // namespace
}  // namespace tendril::contact
