#include "solvers/alpha/solver.h"
#include "solvers/block/solver.h"
#include "solvers/cartesian/solver.h"
#include "solvers/compact/solver.h"
#include "solvers/direct/solver.h"
#include "solvers/projective/solver.h"
#include "solvers/redmax/solver.h"
#include "solvers/solver.h"
#include "solvers/stable/solver.h"

namespace tendril::solvers {

namespace {

// a solver of class Made, with the options that `read` takes from what the user set
template <class Made, auto read>
std::unique_ptr<Solver> make(const OptionValues& values) {
  return std::make_unique<Made>(read(values));
}

}  // namespace

// name, summary, paper; what it can do; its options; how it is made
const std::vector<SolverInfo>& registered_solvers() {
  static const std::vector<SolverInfo> all = {
      {"block", "rod block descent: Newton's method on whole rods, each factorised in linear time; any graph", "",
       block::capabilities(), block::option_table().list(), make<block::BlockSolver, block::read_options>},
      {"stable", "stable Cosserat rods: sweeps over vertices and segments, each with a closed form; any graph",
       "hsu2025", stable::capabilities(), stable::option_table().list(),
       make<stable::StableSolver, stable::read_options>},
      {"direct", "direct position-based rods: rigid segments and their joints, eliminated from the tips to the root",
       "deul2018", direct::capabilities(), direct::option_table().list(),
       make<direct::DirectSolver, direct::read_options>},
      {"compact", "inextensible rods by the position of their root and one turn per segment, eliminated from the tip",
       "zhao2022", compact::capabilities(), compact::option_table().list(),
       make<compact::CompactSolver, compact::read_options>},
      {"projective",
       "projective dynamics: constraints one by one, then one system that is factored once; hair in real time",
       "strauss2020", projective::capabilities(), projective::option_table().list(),
       make<projective::ProjectiveSolver, projective::read_options>},
      {"alpha",
       "dynamic Cosserat equations by the generalised-alpha method: second order in time; rods without contact",
       "sobottka2008", alpha::capabilities(), alpha::option_table().list(),
       make<alpha::AlphaSolver, alpha::read_options>},
      {"penalty", "baseline: inextensible rods by penalty in Cartesian coordinates; chains, no contact", "zhao2022",
       cartesian::capabilities(), cartesian::penalty_option_table().list(),
       make<cartesian::PenaltySolver, cartesian::read_penalty_options>},
      {"kkt", "baseline: inextensible rods by a direct KKT solution in Cartesian coordinates; chains, no contact",
       "zhao2022", cartesian::capabilities(), cartesian::kkt_option_table().list(),
       make<cartesian::KktSolver, cartesian::read_kkt_options>},
      {"redmax", "baseline: inextensible rods by reduced coordinates; chains held at one end, no contact", "wang2019",
       redmax::capabilities(), redmax::option_table().list(), make<redmax::RedMaxSolver, redmax::read_options>},
  };
  return all;
}

const SolverInfo* find_solver(const std::string& name) {
  for (const SolverInfo& info : registered_solvers())
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace tendril::solvers
