#include "groom.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "physics/real_rods.h"
#include "physics/rod_scene.h"
#include "run_scene.h"
#include "temporary_folder.h"

namespace tendril::app {
namespace {

constexpr double length = 0.2, above_head = 1e-3, friction = 0.3;  // of a strand, of the roots [m]; [-]
constexpr double lowest = 0.2;  // height of the lowest root over the head's radius [-]
const char* const turning = "rotate = { axis = [0, 0, 1], keys = [[0, 0], [1, 1], [3, -1], [5, 1]] }\n";

// spread evenly over the cap above `lowest`: equal steps in height, golden angles around it
Vec3d direction(int k, int count) {
  const double z = 1 - (1 - lowest) * (k + 0.5) / count, angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
  return {std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z};
}

std::string obj_vertex(const Vec3d& x) { return fmt::format("v {:.9g} {:.9g} {:.9g}\n", x.x, x.y, x.z); }

// the strands as lines of an OBJ file
std::string strands_obj(const Groom& groom) {
  std::string text;
  for (int k = 0; k < groom.strands; ++k) {
    for (int i = 0; i < groom.vertices; ++i)
      text += obj_vertex((groom.head_radius + above_head + length * i / (groom.vertices - 1)) *
                         direction(k, groom.strands));
    text += "l";
    for (int i = 1; i <= groom.vertices; ++i) text += fmt::format(" {}", k * groom.vertices + i);
    text += "\n";
  }
  return text;
}

std::string contact_table(const Groom& groom) {
  if (groom.hair_meets_hair) return "[contact]\nenabled = true\n";
  return groom.head == Head::absent ? "[contact]\nenabled = false\n" : "[contact]\nrods = false\n";
}

std::string head_tables(const Groom& groom) {
  if (groom.head == Head::absent) return "";
  const std::string shape = groom.head == Head::mesh
                                ? std::string("shape = \"mesh\"\npath = \"head.obj\"\n")
                                : fmt::format("shape = \"sphere\"\nradius = {}\n", groom.head_radius);
  return fmt::format("[[obstacle]]\nname = \"head\"\nfriction = {}\n{}[[drive]]\nobstacle = \"head\"\n{}", friction,
                     shape, turning);
}

std::string scene(const Groom& groom) {
  std::string roots;
  for (int k = 0; k < groom.strands; ++k) roots += fmt::format("{}{}", k ? ", " : "", k * groom.vertices);
  return fmt::format("[simulation]\ntime_step = {:.17g}\nduration = 100\nthreads = {}\n", groom.time_step,
                     groom.threads) +
         contact_table(groom) + physics::toml(physics::hair(), friction) +
         fmt::format(
             "[[rod]]\nname = \"groom\"\nmaterial = \"{0}\"\ncurve = {{ type = \"file\", path = \"strands.obj\" "
             "}}\nclamp = [{1}]\n[[drive]]\nrod = \"groom\"\nat = [{1}]\nabout = [0, 0, 0]\n{2}",
             physics::hair().name, roots, turning) +
         head_tables(groom) +
         (groom.wind ? "[[field]]\ntype = \"wind\"\nvelocity = [3, 0, 0]\ngust = { amplitude = 1 }\n" : "");
}

// runs time steps until the time allowed is used up, at most half of it for warming up
void measure(Simulation& simulation, const GroomBudget& budget, GroomCost& cost) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const Clock::time_point start = Clock::now();
  for (int n = 0; n < budget.warm_up && since(start) < budget.seconds / 2; ++n) simulation.step();
  const Clock::time_point begin = Clock::now();
  const physics::Stopwatch cpu;
  physics::StepTally tally;
  do {
    const StepReport report = simulation.step();
    tally.take(report);
    cost.contacts = std::max(cost.contacts, report.contacts);
    cost.steps = tally.steps, cost.unsolved = tally.unsolved;
    cost.milliseconds = 1e3 * since(begin) / tally.steps;
    cost.cpu_milliseconds = 1e3 * cpu.seconds() / tally.steps;
    cost.newton_steps = tally.mean_iterations(), cost.most_newton_steps = tally.most_iterations;
  } while (tally.steps < budget.steps && since(start) < budget.seconds);
}

}  // namespace

std::string head_obj(double radius, const Vec3d& centre) {
  constexpr int around = 32, bands = 32;
  constexpr double pi = std::numbers::pi;
  std::string text = obj_vertex(centre + Vec3d{0, 0, radius});
  for (int j = 1; j < bands; ++j)
    for (int i = 0; i < around; ++i) {
      const double polar = pi * j / bands, angle = 2 * pi * i / around;
      text += obj_vertex(centre + radius * Vec3d{std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                                                 std::cos(polar)});
    }
  text += obj_vertex(centre - Vec3d{0, 0, radius});
  const auto number = [](int j, int i) { return 2 + (j - 1) * around + i % around; };  // counted from 1
  const int last = 2 + (bands - 1) * around;
  for (int i = 0; i < around; ++i) {
    text += fmt::format("f 1 {} {}\n", number(1, i), number(1, i + 1));
    for (int j = 1; j + 1 < bands; ++j)
      text += fmt::format("f {0} {1} {2}\nf {0} {2} {3}\n", number(j, i), number(j + 1, i), number(j + 1, i + 1),
                          number(j, i + 1));
    text += fmt::format("f {} {} {}\n", number(bands - 1, i), last, number(bands - 1, i + 1));
  }
  return text;
}

std::unique_ptr<Simulation> start_groom(const Groom& groom) {
  const TemporaryFolder folder;
  folder.write("strands.obj", strands_obj(groom));
  if (groom.head == Head::mesh) folder.write("head.obj", head_obj(groom.head_radius));
  return make_simulation(load_scene(folder.write("groom.toml", scene(groom)), {}, groom.solver));
}

GroomCost measure_groom(const Groom& groom, const GroomBudget& budget) {
  GroomCost cost;
  try {
    measure(*start_groom(groom), budget, cost);
  } catch (const std::runtime_error& refused) {
    cost.refusal = refused.what();
  }
  return cost;
}

}  // namespace tendril::app
