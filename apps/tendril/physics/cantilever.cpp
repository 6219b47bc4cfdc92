#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/case.h"
#include "physics/heavy_cantilever.h"
#include "physics/rod_scene.h"

// 1.1: a straight rod, clamped horizontally, bends under its weight. H/W is a function of Γ = ρS g L³ / EI alone.

namespace tendril::app::physics {

namespace {

constexpr double g = 9.81;  // [m/s²]

// silicone, radius 2 mm, E = 1 MPa, ν = 0.5
constexpr double EI = 1.256637e-5, GJ = 8.377580e-6;  // [N m²]
constexpr double linear_density = 1.382301e-2;        // [kg/m]

// sections that stretch and shear alike (GA = EA) leave the bending as it is and let the weight below pull the tip down
// by
//   ∫ ρS g (L - s) / EA ds = ρS g L² / 2 EA,
// which is part of the reference: up to 5e-4 of H
double stiff_enough(double length) { return std::max(1e4 * EI / (length * length), 1e3 * linear_density * g * length); }
double stretch(double length) { return linear_density * g * length / (2 * stiff_enough(length)); }

double length_for(double gamma) { return std::cbrt(gamma * EI / (linear_density * g)); }

struct Rod {
  double gamma;
  int segments;
};

RodScene scene(const Rod& rod) {
  RodScene scene;
  const double length = length_for(rod.gamma);
  scene.gravity = {0, 0, -g};
  scene.EA = scene.GA = stiff_enough(length);
  scene.EI = EI, scene.GJ = GJ;
  scene.linear_density = linear_density;
  scene.segments = rod.segments;
  scene.curve = line({0, 0, 0}, {length, 0, 0});
  scene.support = "clamp = [\"start\"]";
  if (rod.segments >= 64) scene.unsolved = 0.02;  // it adds up along the chain
  return scene;
}

// 1 % up to Γ = 10 and 2 % at Γ = 100 with 32 segments, of second order; 0.1 % with 128
double tolerance(double gamma, int segments) {
  const double at_32 = gamma <= 10 ? 0.01 : 0.02, by_order = at_32 * std::pow(32.0 / segments, 2);
  return segments < 128 ? by_order : std::min(by_order, 1e-3);
}

double measure(const Rod& rod, double tolerance, const Subject& subject, Findings& findings) {
  const CantileverShape exact = heavy_cantilever(rod.gamma, 0);
  const double unbalanced = rod.segments < 64 ? 1e-8 : rod.segments < 5000 ? 1e-7 : 1e-10;  // of the load
  const Equilibrium still = settled(scene(rod), subject.solver, unbalanced);
  const double ratio = -still.tip().z / still.tip().x;
  findings.compare({fmt::format("Γ = {:g}, N = {}: H/W", rod.gamma, rod.segments), "-", still.cost()}, ratio,
                   (exact.drop + share_of_stretch(subject.solver) * stretch(length_for(rod.gamma))) / exact.width,
                   tolerance);
  return ratio;
}

void soft(double gamma, const Subject& subject, Findings& findings) {
  std::vector<double> ratio;
  std::vector<int> counts{16, 32, 64};
  if (!subject.quick()) counts.push_back(128);
  for (int segments : counts)
    ratio.push_back(measure({gamma, segments}, tolerance(gamma, segments), subject, findings));
  findings.order(fmt::format("Γ = {:g}: order in N", gamma), ratio[0], ratio[1], ratio[2]);
}

// the rod bends within L/√Γ of its clamp, which has to hold five segments for 1 %
void steep(double gamma, const Subject& subject, Findings& findings) {
  std::vector<double> ratio;
  const int coarsest = int(std::ceil(5 * std::sqrt(gamma)));
  for (int segments : {coarsest, 2 * coarsest, 4 * coarsest})
    ratio.push_back(measure({gamma, segments}, 0.01 * std::pow(double(coarsest) / segments, 2), subject, findings));
  findings.order(fmt::format("Γ = {:g}: order in N", gamma), ratio[0], ratio[1], ratio[2]);
}

}  // namespace

void cantilever(const Subject& subject, Findings& findings) {
  std::vector<double> gammas{0.1, 1, 10, 100};
  if (settles_at_once(subject.solver)) gammas = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100};
  if (subject.quick()) gammas = {10};
  for (double gamma : gammas) findings.part(fmt::format("Γ = {:g}", gamma), [&] { soft(gamma, subject, findings); });
  if (subject.quick() || !settles_at_once(subject.solver)) return;
  findings.part("N = 5000", [&] { measure({10, 5000}, tolerance(10, 5000), subject, findings); });
}

void steep_cantilever(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver))
    return findings.not_measured("Γ ≥ 200 with up to 2000 segments", "sweeps settle it too slowly");
  std::vector<double> gammas{200, 500, 1000, 2000, 5000, 10000};
  if (subject.quick()) gammas = {1000};
  for (double gamma : gammas) findings.part(fmt::format("Γ = {:g}", gamma), [&] { steep(gamma, subject, findings); });
}

}  // namespace tendril::app::physics
