#include "solvers/alpha/solver.h"
#include "solvers/block/solver.h"
#include "solvers/direct/solver.h"
#include "solvers/solver.h"
#include "solvers/stable/solver.h"

namespace tendril {

namespace {

SolverInfo block_solver() {
  SolverInfo info;
  info.name = "block";
  info.summary = "rod block descent: Newton's method on whole rods, each factorised in linear time; any graph";
  info.paper = "";
  info.capabilities = block::capabilities();
  info.options = block::option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<block::BlockSolver>(block::read_options(options));
  };
  return info;
}

SolverInfo stable_solver() {
  SolverInfo info;
  info.name = "stable";
  info.summary = "stable Cosserat rods: sweeps over vertices and segments, each with a closed form; any graph";
  info.paper = "hsu2025";
  info.capabilities = stable::capabilities();
  info.options = stable::option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<stable::StableSolver>(stable::read_options(options));
  };
  return info;
}

SolverInfo direct_solver() {
  SolverInfo info;
  info.name = "direct";
  info.summary = "direct position-based rods: rigid segments and their joints, eliminated from the tips to the root";
  info.paper = "deul2018";
  info.capabilities = direct::capabilities();
  info.options = direct::option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<direct::DirectSolver>(direct::read_options(options));
  };
  return info;
}

SolverInfo alpha_solver() {
  SolverInfo info;
  info.name = "alpha";
  info.summary =
      "dynamic Cosserat equations by the generalised-alpha method: second order in time; rods without contact";
  info.paper = "sobottka2008";
  info.capabilities = alpha::capabilities();
  info.options = alpha::option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<alpha::AlphaSolver>(alpha::read_options(options));
  };
  return info;
}

}  // namespace

const std::vector<SolverInfo>& solvers() {
  static const std::vector<SolverInfo> all = {block_solver(), stable_solver(), direct_solver(), alpha_solver()};
  return all;
}

const SolverInfo* find_solver(const std::string& name) {
  for (const SolverInfo& info : solvers())
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace tendril
