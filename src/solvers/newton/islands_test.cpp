#include "solvers/newton/islands.h"

#include <gtest/gtest.h>

#include "solvers/pressed.h"

namespace tendril::solvers::newton {
namespace {

using testing::Pressed;

Islands islands_of(const Pressed& p) {
  Islands islands;
  islands.begin_step(p.parts.count());
  islands.find(p.contact_terms);
  return islands;
}

// the box lies on the ball, the rod beside them touches nothing
TEST(Islands, AreWhatTouches) {
  Pressed p(testing::box_on_ball(0), {{0, 0, 0}, {0, 0, 0}, {}});
  ASSERT_EQ(p.parts.count(), 3);
  const Islands islands = islands_of(p);
  EXPECT_EQ(islands.count(), 2);
  const int box = p.parts.part_of_body(0), ball = p.parts.part_of_body(1), rod = p.parts.part_of_vertex(0);
  EXPECT_EQ(islands.of(box), islands.of(ball));
  EXPECT_NE(islands.of(box), islands.of(rod));
}

TEST(Islands, AreOpenUntilAllPartsAreDone) {
  Pressed p(testing::box_on_ball(0), {{0, 0, 0}, {0, 0, 0}, {}});
  Islands islands = islands_of(p);
  const int box = p.parts.part_of_body(0), ball = p.parts.part_of_body(1), rod = p.parts.part_of_vertex(0);
  islands.of_part(box).done = islands.of_part(rod).done = true;
  islands.find(p.contact_terms);
  EXPECT_TRUE(islands.is_part_open(box));
  EXPECT_TRUE(islands.is_part_open(ball));
  EXPECT_FALSE(islands.is_part_open(rod));
  EXPECT_FALSE(islands.all_done());
  islands.of_part(ball).done = true;
  EXPECT_TRUE(islands.all_done());
  islands.of_part(ball).done = false;
  islands.find(p.contact_terms);
  EXPECT_TRUE(islands.is_part_open(box));
}

// the sum of an island, and every pair in it once
TEST(Islands, ShareTheEnergyOfContact) {
  Pressed p(testing::box_on_ball(0), {{0, 0, 0}, {0, 0, 0}, {}});
  const Islands islands = islands_of(p);
  std::vector<double> energies(islands.count(), 0);
  ThreadTeam alone(1);
  p.contact_terms.add_energies(islands, std::vector<char>(islands.count(), true), p.contact, &p.at, alone, energies);
  const int touching = islands.of(p.parts.part_of_body(0));
  EXPECT_GT(energies[touching], 0);
  EXPECT_DOUBLE_EQ(energies[touching], p.energy_at(Eigen::VectorXd::Zero(p.size())));
  EXPECT_EQ(energies[1 - touching], 0);
}

}  // namespace
}  // namespace tendril::solvers::newton
