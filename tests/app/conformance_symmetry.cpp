// the same rod told in another way moves in the same way

#include <algorithm>
#include <cmath>

#include "conformance.h"

namespace tendril::app::conformance {
namespace {

constexpr double h = 0.01;
constexpr int steps = 25, segments = 12;

// where a scene stands in the world
struct Place {
  Quatd turn;
  Vec3d shift;
  Vec3d direction(const Vec3d& a) const { return rotate(turn, a); }
  Vec3d point(const Vec3d& a) const { return rotate(turn, a) + shift; }
};

// a bow of radius 1, clamped at one end, falls and is pulled aside at the other
struct Bow {
  Place place = {};
  std::vector<double> cuts = {0, 1};  // pieces between fractions of the length, welded
  std::vector<bool> piece_reversed = {false};
  double unit = 1;  // how many of the unit of length make a metre
};

constexpr double angle = 1.2;

std::string piece_name(std::size_t k) { return fmt::format("piece{}", k); }

std::string piece(const Bow& bow, std::size_t k) {
  const bool back = bow.piece_reversed[k];
  const double a = bow.cuts[k + (back ? 1 : 0)] * angle, b = bow.cuts[k + (back ? 0 : 1)] * angle;
  const auto point = [&](const Vec3d& x) { return bow.unit * bow.place.point(x); };
  const std::string curve = arc(point({0, 0, 0}), point({std::cos(a), std::sin(a), 0}),
                                bow.place.direction({0, 0, b > a ? 1. : -1.}), std::abs(b - a));
  const double share = std::abs(bow.cuts[k + 1] - bow.cuts[k]);
  const std::string clamp = k == 0 ? fmt::format("clamp = \"{}\"\n", back ? "end" : "start") : "";
  return rod(piece_name(k), int(std::lround(share * segments)), curve,
             "normal = " + toml(bow.place.direction({0, 0, 1})) + "\n" + clamp);
}

std::string weld(const Bow& bow, std::size_t k) {
  return fmt::format("[[joint]]\na = {{ rod = \"{}\", at = \"{}\" }}\nb = {{ rod = \"{}\", at = \"{}\" }}\n",
                     piece_name(k), bow.piece_reversed[k] ? "start" : "end", piece_name(k + 1),
                     bow.piece_reversed[k + 1] ? "end" : "start");
}

std::string scene(const SolverInfo& solver, const Bow& bow) {
  const double u = bow.unit;
  Wire wire;
  if (solver.capabilities.anisotropic) wire.EI2 = 1.5;
  // the kilogram and the second stay: N = kg m/s² is u units of force, EI [N m²] is u³, mass per length 1/u
  wire.EA *= u, wire.GA *= u, wire.EI1 *= u * u * u, wire.EI2 *= u * u * u, wire.GJ *= u * u * u;
  wire.linear_density /= u, wire.radius *= u;
  wire.more = "damping = 0.3";
  std::string text = world(h, u * bow.place.direction({0, 0, -gravity})) + material(wire);
  const std::size_t pieces = bow.piece_reversed.size();
  for (std::size_t k = 0; k < pieces; ++k) text += piece(bow, k);
  for (std::size_t k = 0; k + 1 < pieces; ++k) text += weld(bow, k);
  return text + force(piece_name(pieces - 1), bow.piece_reversed.back() ? "\"start\"" : "\"end\"",
                      u * bow.place.direction({0.5, 1, 0}));
}

// where the bow's vertices are after the run, from its clamp to its free end, as if it stood at the origin
std::vector<Vec3d> shape(const SolverInfo& solver, const Bow& bow, double* allowed, Precision precision = {}) {
  const auto simulation = start(solver, scene(solver, bow), precision);
  advance(*simulation, steps);
  std::vector<Vec3d> x;
  for (std::size_t k = 0; k < bow.piece_reversed.size(); ++k) {
    std::vector<Vec3d> part = positions(*simulation, piece_name(k));
    if (bow.piece_reversed[k]) std::reverse(part.begin(), part.end());
    if (k > 0) part.erase(part.begin());
    x.insert(x.end(), part.begin(), part.end());
  }
  for (Vec3d& p : x) p = rotate(conjugate(bow.place.turn), p / bow.unit - bow.place.shift);
  // the largest force at a vertex: weight and pull hang on the clamp and swing, about 5 N from either side
  *allowed = drift(solver, *simulation, 10 * bow.unit, precision) / bow.unit;
  return x;
}

// both runs may drift
void expect_same_motion(const SolverInfo& solver, const Bow& bow) {
  double allowed = 0, also_allowed = 0;
  const std::vector<Vec3d> reference = shape(solver, {}, &allowed), x = shape(solver, bow, &also_allowed);
  EXPECT_LE(largest_distance(x, reference), allowed + also_allowed);
  EXPECT_GT(norm(reference.back() - Vec3d{std::cos(angle), std::sin(angle), 0}), 0.1);  // it does move
  EXPECT_LT(allowed + also_allowed, 1e-5) << "the bound says nothing";
}

void translation_changes_nothing(const SolverInfo& solver) {
  expect_same_motion(solver, {.place = {{}, {30, -20, 50}}});
}

void rotation_changes_nothing(const SolverInfo& solver) {
  expect_same_motion(solver, {.place = {quaternion_exp({0.4, -2.0, 1.1}), {0, 0, 0}}});
  expect_same_motion(solver, {.place = {quaternion_exp({0, 3.14159, 0}), {1, 2, 3}}});
}

void reversal_changes_nothing(const SolverInfo& solver) { expect_same_motion(solver, {.piece_reversed = {true}}); }

void a_cut_and_welded_rod_is_the_same_rod(const SolverInfo& solver) {
  for (const std::vector<bool>& reversed :
       {std::vector<bool>{false, false}, {true, false}, {false, true}, {true, true}}) {
    SCOPED_TRACE(fmt::format("first half reversed: {}, second: {}", bool(reversed[0]), bool(reversed[1])));
    expect_same_motion(solver, {.cuts = {0, 0.5, 1}, .piece_reversed = reversed});
  }
  expect_same_motion(solver, {.cuts = {0, 0.25, 0.75, 1}, .piece_reversed = {true, false, true}});
}

void metres_and_millimetres_move_alike(const SolverInfo& solver) { expect_same_motion(solver, {.unit = 1000}); }

// as it comes, a solver is as exact as it says
void the_default_tolerance_keeps_its_word(const SolverInfo& solver) {
  double allowed = 0, also_allowed = 0;
  const std::vector<Vec3d> exact = shape(solver, {}, &allowed), x = shape(solver, {}, &also_allowed, {.tight = false});
  EXPECT_LE(largest_distance(x, exact), allowed + also_allowed);
  EXPECT_LT(allowed + also_allowed, 0.05) << "the bound says nothing";
}

}  // namespace

std::vector<Property> symmetry_properties() {
  return {
      {"translation_changes_nothing", translation_changes_nothing},
      {"rotation_changes_nothing", rotation_changes_nothing},
      {"reversal_changes_nothing", reversal_changes_nothing},
      {"a_cut_and_welded_rod_is_the_same_rod", a_cut_and_welded_rod_is_the_same_rod},
      {"the_default_tolerance_keeps_its_word", the_default_tolerance_keeps_its_word},
      {"metres_and_millimetres_move_alike", metres_and_millimetres_move_alike},
  };
}

}  // namespace tendril::app::conformance
