// one test per property and solver: Conformance/PROPERTY.SOLVER

#include "conformance.h"

namespace tendril::conformance {
namespace {

class PropertyTest : public testing::Test {
 public:
  PropertyTest(const Property& property, const SolverInfo& solver) : property_(property), solver_(solver) {}
  void TestBody() override { property_.check(solver_); }

 private:
  const Property property_;
  const SolverInfo& solver_;
};

bool is_asked(const SolverInfo& solver, const Property& property) {
  for (bool Capabilities::*capability : property.needs)
    if (!(solver.capabilities.*capability)) return false;
  return true;
}

int register_all() {
  int count = 0;
  for (const auto& properties : {motion_properties(), symmetry_properties(), support_properties(), statics_properties(),
                                 order_properties(), repeat_properties(), resting_properties(), friction_properties(),
                                 collision_properties(), contact_repeat_properties()})
    for (const Property& property : properties)
      for (const SolverInfo& solver : solvers())
        if (is_asked(solver, property)) {
          testing::RegisterTest(("Conformance/" + property.name).c_str(), solver.name.c_str(), nullptr, nullptr,
                                __FILE__, __LINE__,
                                [property, &solver]() -> testing::Test* { return new PropertyTest(property, solver); });
          ++count;
        }
  return count;
}

const int registered = register_all();  // before main

TEST(Conformance, AsksEverySolver) { EXPECT_GE(registered, 10 * int(solvers().size())); }

}  // namespace
}  // namespace tendril::conformance
