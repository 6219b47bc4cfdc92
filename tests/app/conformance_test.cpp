// one test per property and solver: Conformance/PROPERTY.SOLVER

#include "conformance.h"

#include <gtest/gtest-spi.h>

#include "solvers/baselines.h"

namespace tendril::app::conformance {
namespace {

const Excuse* excuse_of(const SolverInfo& solver, const Property& property) {
  for (const Excuse& excuse : excuses())
    if (excuse.solver == solver.name && excuse.property == property.name) return &excuse;
  return nullptr;
}

// A baseline does not hold what it is excused from: an excuse that it needs no longer is a mistake, too.
class PropertyTest : public testing::Test {
 public:
  PropertyTest(const Property& property, const SolverInfo& solver) : property_(property), solver_(solver) {}
  void TestBody() override {
    const Excuse* excuse = excuse_of(solver_, property_);
    if (!excuse) return property_.check(solver_);
    EXPECT_FALSE(holds()) << "is excused, since " << excuse->why;
  }

 private:
  bool holds() const {
    testing::TestPartResultArray results;
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    try {
      property_.check(solver_);
    } catch (const std::exception&) {  // the scene is refused
      return false;
    }
    for (int k = 0; k < results.size(); ++k)
      if (results.GetTestPartResult(k).failed()) return false;
    return true;
  }

  const Property property_;
  const SolverInfo& solver_;
};

bool is_asked(const SolverInfo& solver, const Property& property) {
  for (bool Capabilities::*capability : property.needs)
    if (!(solver.capabilities.*capability)) return false;
  return true;
}

std::vector<Property> all_properties() {
  std::vector<Property> all;
  for (const auto& properties : {motion_properties(), symmetry_properties(), support_properties(), statics_properties(),
                                 order_properties(), repeat_properties(), resting_properties(), friction_properties(),
                                 collision_properties(), contact_repeat_properties()})
    all.insert(all.end(), properties.begin(), properties.end());
  return all;
}

int register_all() {
  int count = 0;
  for (const Property& property : all_properties())
    for (const SolverInfo& solver : registered_solvers())
      if (is_asked(solver, property)) {
        testing::RegisterTest(("Conformance/" + property.name).c_str(), solver.name.c_str(), nullptr, nullptr, __FILE__,
                              __LINE__,
                              [property, &solver]() -> testing::Test* { return new PropertyTest(property, solver); });
        ++count;
      }
  return count;
}

const int registered = register_all();  // before main

TEST(Conformance, AsksEverySolver) { EXPECT_GE(registered, 10 * int(registered_solvers().size())); }

TEST(Conformance, ExcusesBaselinesOnlyAndOnlyOfWhatTheyAreAsked) {
  for (const Excuse& excuse : excuses()) {
    const SolverInfo* solver = find_solver(excuse.solver);
    ASSERT_NE(solver, nullptr) << excuse.solver;
    EXPECT_TRUE(is_baseline(*solver)) << excuse.solver;
    bool is_asked_it = false;
    for (const Property& property : all_properties())
      is_asked_it |= property.name == excuse.property && is_asked(*solver, property);
    EXPECT_TRUE(is_asked_it) << excuse.solver << ", " << excuse.property;
    EXPECT_FALSE(excuse.why.empty());
  }
}

}  // namespace
}  // namespace tendril::app::conformance
