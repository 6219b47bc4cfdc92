#include "solvers/solver.h"
#include "solvers/stable/solver.h"

namespace tendril {

namespace {

SolverInfo stable_solver() {
  SolverInfo info;
  info.name = "stable";
  info.summary = "stable Cosserat rods: sweeps over vertices and segments, each with a closed form; any graph";
  info.paper = "hsu2025";
  Capabilities& c = info.capabilities;
  c.branches = c.loops = c.bodies = c.partial_holds = true;
  c.extensible = c.shearable = c.anisotropic = true;
  c.contact = c.friction = true;
  c.breaking = c.internal_damping = true;
  c.order_in_time = 1;
  c.exactness = stable::Options{}.tolerance;
  info.options = stable::option_table();
  info.make = [](const OptionValues& options, int threads) -> std::unique_ptr<Solver> {
    return std::make_unique<stable::StableSolver>(stable::read_options(options), threads);
  };
  return info;
}

}  // namespace

const std::vector<SolverInfo>& solvers() {
  static const std::vector<SolverInfo> all = {stable_solver()};
  return all;
}

const SolverInfo* find_solver(const std::string& name) {
  for (const SolverInfo& info : solvers())
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace tendril
