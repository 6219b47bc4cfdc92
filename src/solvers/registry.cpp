#include "solvers/block/solver.h"
#include "solvers/cartesian/solver.h"
#include "solvers/compact/solver.h"
#include "solvers/direct/solver.h"
#include "solvers/redmax/solver.h"
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

SolverInfo compact_solver() {
  SolverInfo info;
  info.name = "compact";
  info.summary = "inextensible rods by the position of their root and one turn per segment, eliminated from the tip";
  info.paper = "zhao2022";
  info.capabilities = compact::capabilities();
  info.options = compact::option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<compact::CompactSolver>(compact::read_options(options));
  };
  return info;
}

SolverInfo penalty_solver() {
  SolverInfo info;
  info.name = "penalty";
  info.summary = "baseline: inextensible rods by penalty in Cartesian coordinates; chains, no contact";
  info.paper = "zhao2022";
  info.capabilities = cartesian::capabilities();
  info.options = cartesian::penalty_option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<cartesian::PenaltySolver>(cartesian::penalty_option_table().read(options));
  };
  return info;
}

SolverInfo kkt_solver() {
  SolverInfo info;
  info.name = "kkt";
  info.summary = "baseline: inextensible rods by a direct KKT solution in Cartesian coordinates; chains, no contact";
  info.paper = "zhao2022";
  info.capabilities = cartesian::capabilities();
  info.options = cartesian::kkt_option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<cartesian::KktSolver>(cartesian::kkt_option_table().read(options));
  };
  return info;
}

SolverInfo redmax_solver() {
  SolverInfo info;
  info.name = "redmax";
  info.summary = "baseline: inextensible rods by reduced coordinates; chains held at one end, no contact";
  info.paper = "wang2019";
  info.capabilities = redmax::capabilities();
  info.options = redmax::option_table().list();
  info.make = [](const OptionValues& options) -> std::unique_ptr<Solver> {
    return std::make_unique<redmax::RedMaxSolver>(redmax::option_table().read(options));
  };
  return info;
}

}  // namespace

const std::vector<SolverInfo>& solvers() {
  static const std::vector<SolverInfo> all = {block_solver(),   stable_solver(), direct_solver(), compact_solver(),
                                              penalty_solver(), kkt_solver(),    redmax_solver()};
  return all;
}

const SolverInfo* find_solver(const std::string& name) {
  for (const SolverInfo& info : solvers())
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace tendril
