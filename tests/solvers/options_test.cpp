#include <gtest/gtest.h>

#include "solvers/option_table.h"

namespace tendril::solvers {
namespace {

std::string refusal(const SolverInfo& solver, const OptionValues& values) {
  try {
    solver.make(values);
  } catch (const OptionError& error) {
    return error.what();
  }
  return {};
}

// a value of the option's own type that is not its default
OptionValue another(const OptionInfo& option) {
  if (const bool* b = std::get_if<bool>(&option.default_value)) return !*b;
  if (std::holds_alternative<std::string>(option.default_value)) return option.choices.back();
  if (std::holds_alternative<int>(option.default_value)) return static_cast<int>(option.maximum);
  return 0.5 * (option.minimum + option.maximum);
}

TEST(Options, UnknownNamesThrowUnderEverySolver) {
  for (const SolverInfo& solver : registered_solvers()) {
    const std::string error = refusal(solver, {{"no_such_option", 1.0}});
    EXPECT_NE(error.find("\"no_such_option\""), std::string::npos) << solver.name;
    EXPECT_NE(error.find("\"tolerance\""), std::string::npos) << "names what there is: " << error;
  }
}

TEST(Options, ValuesOfAnotherTypeOrOutOfRangeThrow) {
  for (const SolverInfo& solver : registered_solvers()) {
    EXPECT_NE(refusal(solver, {{"iterations", std::string("many")}}), "") << solver.name;
    EXPECT_NE(refusal(solver, {{"iterations", 2.5}}), "") << solver.name;
    EXPECT_NE(refusal(solver, {{"iterations", 0}}).find("from 1"), std::string::npos) << solver.name;
    EXPECT_NE(refusal(solver, {{"tolerance", -1.0}}), "") << solver.name;
    EXPECT_EQ(refusal(solver, {{"tolerance", 1}}), "") << "an integer is a number: " << solver.name;
  }
}

TEST(Options, EveryOptionIsReadAndDescribed) {
  for (const SolverInfo& solver : registered_solvers())
    for (const OptionInfo& option : solver.options) {
      EXPECT_FALSE(option.meaning.empty()) << solver.name << "." << option.name;
      EXPECT_EQ(refusal(solver, {{option.name, another(option)}}), "") << solver.name << "." << option.name;
      EXPECT_EQ(refusal(solver, {{option.name, option.default_value}}), "") << solver.name << "." << option.name;
    }
}

struct Example {
  int sweeps = 3;
  double tolerance = 0.1;
  bool is_fast = false, is_loud = true;
};

TEST(Options, AreReadIntoTheMembersThatTheyAreDescribedBy) {
  const auto table = OptionTable<Example>()
                         .add("sweeps", &Example::sweeps, {"-", "how many", 1, 10})
                         .add("tolerance", &Example::tolerance, {"-", "how well", 0, 1})
                         .add("loud", &Example::is_loud, {"-", "whether it is heard"})
                         .add("mode", &Example::is_fast, {{"slow", false}, {"fast", true}}, "how");
  const Example read = table.read({{"sweeps", 5}, {"loud", false}, {"mode", std::string("fast")}});
  EXPECT_EQ(read.sweeps, 5);
  EXPECT_EQ(read.tolerance, 0.1);
  EXPECT_TRUE(read.is_fast);
  EXPECT_FALSE(read.is_loud);
  EXPECT_EQ(std::get<int>(table.list()[0].default_value), 3);
  EXPECT_EQ(std::get<std::string>(table.list()[3].default_value), "slow");
  EXPECT_EQ(table.read({}, read).sweeps, 5) << "what is not set stays";
}

}  // namespace
}  // namespace tendril::solvers
