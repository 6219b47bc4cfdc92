#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "physics/case.h"
#include "physics/rod_scene.h"
#include "solvers/baselines.h"
#include "verbs.h"

namespace tendril::app {
namespace {

using Json = nlohmann::ordered_json;
using physics::Check;

struct Totals {
  int passed = 0, failed = 0, unmeasured = 0;

  void add(const Check& check) { ++(!check.passed ? unmeasured : *check.passed ? passed : failed); }
};

struct Words {
  std::string solver, wanted;
  bool json = false;
};

// numbers that were not measured are null, as is what is not a number
Json to_json(const Check& check, const std::string& solver) {
  const bool measured = check.is_measured();
  const auto number = [&](double value) { return measured ? Json(value) : Json(nullptr); };
  return {{"name", check.name},
          {"solver", solver},
          {"case", check.case_name},
          {"measured", number(check.measured)},
          {"reference", number(check.reference)},
          {"unit", measured ? Json(check.unit) : Json(nullptr)},
          {"error", number(check.error)},
          {"tolerance", number(check.tolerance)},
          {"passed", check.passed ? Json(*check.passed) : Json(nullptr)},
          {"note", check.note}};
}

void print_head(const std::string& solver) {
  fmt::print("solver {}; the error is relative, or absolute where the reference is 0\n\n", solver);
  fmt::print("{:<62} {:>13} {:>13} {:<6} {:>9} {:>9}  {}\n", "", "measured", "reference", "unit", "error", "tolerance",
             "verdict");
}

void print_line(const Check& check) {
  const char* verdict = !check.passed ? "-" : *check.passed ? "pass" : "FAIL";
  if (check.is_measured())
    fmt::print("  {:<60} {:>13.7g} {:>13.7g} {:<6} {:>9.2g} {:>9.2g}  {}", check.case_name, check.measured,
               check.reference, check.unit, check.error, check.tolerance, verdict);
  else
    fmt::print("  {:<60} {:>54}  {}", check.case_name, check.passed ? "no result" : "not measured", verdict);
  fmt::print("{}{}\n", check.note.empty() ? "" : "  ", check.note);
}

std::vector<physics::Case> chosen_cases(const std::string& wanted) {
  std::vector<physics::Case> chosen;
  std::string names;
  for (const physics::Case& one : physics::cases()) {
    names += "\n  " + one.name;
    if (one.name.find(wanted) != std::string::npos) chosen.push_back(one);
  }
  if (chosen.empty())
    throw CLI::ValidationError("--case", fmt::format("no name has \"{}\" in it; there are:{}", wanted, names));
  return chosen;
}

// baselines only by their names
std::vector<const SolverInfo*> chosen_solvers(const std::string& wanted) {
  std::vector<const SolverInfo*> chosen;
  for (const SolverInfo& info : registered_solvers())
    if (wanted.empty() ? !is_baseline(info) : info.name == wanted) chosen.push_back(&info);
  if (chosen.empty())
    throw CLI::ValidationError("--solver",
                               fmt::format("there is no solver \"{}\"; see `tendril list solvers`", wanted));
  return chosen;
}

int validate(const Words& words) {
  const std::vector<physics::Case> cases = chosen_cases(words.wanted);
  const std::vector<const SolverInfo*> subjects = chosen_solvers(words.solver);
  const physics::Stopwatch stopwatch;
  Totals totals;
  Json list = Json::array();
  for (const SolverInfo* solver : subjects) {
    if (!words.json) print_head(solver->name);
    for (const physics::Case& one : cases) {
      fmt::print(stderr, "{}: {} …\n", solver->name, one.name);
      const physics::Stopwatch of_case;
      const std::vector<Check> checks = physics::run(one, {*solver});
      if (!words.json) fmt::print("{} ({:.1f} s)\n", one.name, of_case.seconds());
      for (const Check& check : checks) {
        totals.add(check);
        if (words.json)
          list.push_back(to_json(check, solver->name));
        else
          print_line(check);
      }
      std::fflush(stdout);
    }
  }
  if (words.json)
    std::cout << list.dump(2) << "\n";
  else
    fmt::print("\n{} passed, {} failed, {} not measured; {:.1f} s\n", totals.passed, totals.failed, totals.unmeasured,
               stopwatch.seconds());
  return totals.failed ? exit_check_failed : exit_good;
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("validate", "the physics suite: measured, reference, error, verdict");
  auto words = std::make_shared<Words>();
  verb->add_option("--solver", words->solver, "only this one");
  verb->add_option("--case", words->wanted, "only cases with this in their name: 1.1, catenary");
  verb->add_flag("--json", words->json, "for programs");
  verb->callback([=, &exit_code] { exit_code = validate(*words); });
}

}  // namespace tendril::app
