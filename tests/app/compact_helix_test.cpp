#include "compact_helix.h"

#include <gtest/gtest.h>

namespace tendril::app {
namespace {

// two segments along z: one stretched by a tenth, the other's frame turned by 0.2
TEST(CompactBench, MeasuresViolationsAsThePaperDoes) {
  Model model;
  model.segments.resize(2);
  State state;
  state.x = {{0, 0, 0}, {0, 0, 0.55}, {0, 0, 1.05}};
  state.q = {Quatd{}, quaternion_exp({0.2, 0, 0})};
  for (int s = 0; s < 2; ++s) {
    Segment& segment = model.segments[s];
    segment.vertex[0] = s, segment.vertex[1] = s + 1, segment.rest_length = 0.5;
  }
  const Violation v = violation(model, state);
  EXPECT_NEAR(v.length, 0.05, 1e-15);
  EXPECT_NEAR(v.alignment, 2 * std::sin(0.1), 1e-15);
}

}  // namespace
}  // namespace tendril::app
