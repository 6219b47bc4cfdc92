#include <gtest/gtest.h>

#include "sim/progress.h"

namespace tendril::sim {
namespace {

// a quarter took 10 s, so the rest takes 30 s
TEST(WorkProgress, SaysWhatIsDoneAndTheTimeLeft) {
  EXPECT_EQ(progress_line(WorkPoint{0.25, "frame 3 of 12", 10}),
            "[======>                 ]  25 %  frame 3 of 12  30 s left");
  EXPECT_EQ(progress_line(WorkPoint{0, "frame 1 of 12", 0}), "[>                       ]   0 %  frame 1 of 12  ? left");
  EXPECT_EQ(progress_line(WorkPoint{1, "picture", 5}), "[========================] 100 %  picture  0 s left");
}

}  // namespace
}  // namespace tendril::sim
