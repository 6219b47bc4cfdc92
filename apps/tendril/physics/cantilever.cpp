#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/case.h"
#include "physics/heavy_cantilever.h"
#include "physics/rod_scene.h"

// 1.1: a straight rod, clamped horizontally, bends under its weight. H/W is a function of Γ = ρS g L³ / EI alone.

namespace tendril::physics {

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

RodScene scene(double gamma, int segments) {
  RodScene scene;
  const double length = length_for(gamma);
  scene.gravity = {0, 0, -g};
  scene.EA = scene.GA = stiff_enough(length);
  scene.EI = EI, scene.GJ = GJ;
  scene.linear_density = linear_density;
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {length, 0, 0});
  scene.support = "clamp = [\"start\"]";
  if (segments >= 64) scene.unsolved = 0.02;  // it adds up along the chain
  return scene;
}

// 1 % up to Γ = 10 and 2 % at Γ = 100 with 32 segments, of second order; 0.1 % with 128
double tolerance(double gamma, int segments) {
  const double at_32 = gamma <= 10 ? 0.01 : 0.02, by_order = at_32 * std::pow(32.0 / segments, 2);
  return segments < 128 ? by_order : std::min(by_order, 1e-3);
}

void measure(double gamma, const Subject& subject, Findings& findings) {
  const CantileverShape exact = heavy_cantilever(gamma, 0);
  std::vector<double> ratio;
  std::vector<int> counts{16, 32, 64};
  if (!subject.quick()) counts.push_back(128);
  for (int segments : counts) {
    const double unbalanced = segments < 64 ? 1e-8 : 1e-7;  // of the load
    const Equilibrium rod = settled(scene(gamma, segments), subject.solver, unbalanced);
    const Vec3d tip = rod.tip();
    ratio.push_back(-tip.z / tip.x);
    findings.compare({fmt::format("Γ = {:g}, N = {}: H/W", gamma, segments), "-", rod.cost()}, ratio.back(),
                     (exact.drop + stretch(length_for(gamma))) / exact.width, tolerance(gamma, segments));
  }
  findings.order(fmt::format("Γ = {:g}: order in N", gamma), ratio[0], ratio[1], ratio[2]);
}

}  // namespace

void cantilever(const Subject& subject, Findings& findings) {
  const std::vector<double> gammas = subject.quick() ? std::vector{10.0} : std::vector{0.1, 1.0, 10.0, 100.0};
  for (double gamma : gammas) findings.part(fmt::format("Γ = {:g}", gamma), [&] { measure(gamma, subject, findings); });
}

}  // namespace tendril::physics
