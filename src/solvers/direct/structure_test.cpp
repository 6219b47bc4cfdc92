#include "solvers/direct/structure.h"

#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"

namespace tendril::solvers::direct {
namespace {

using solvers::testing::RodOptions;
using solvers::testing::Scene;

struct Built {
  explicit Built(Scene made) : scene(std::move(made)) {
    problem.reset(scene.model);
    parts.reset(problem);
    structure = make_structure(parts[0], problem, parts);
  }
  int nodes() const { return static_cast<int>(structure.nodes.size()); }
  int joints() const { return static_cast<int>(structure.joints.size()); }

  Scene scene;
  Problem problem;
  Parts parts;
  Structure structure;
};

Scene chain(int segments) {
  RodOptions o;
  o.segments = segments;
  Scene s;
  s.add_chain(o);
  return s;
}

// every row is in one node, and who is joined is eliminated before its parent
void expect_sound(const Built& b) {
  std::vector<int> seen(b.parts[0].row_count(), 0);
  for (const SegmentNode& node : b.structure.nodes)
    for (int row : {node.place, node.turn})
      if (row >= 0) ++seen[row];
  for (int times : seen) EXPECT_EQ(times, 1);
  for (int n = 0; n < b.nodes(); ++n)
    if (b.structure.joint[n] >= 0) {
      EXPECT_GT(b.structure.parent(b.structure.joints[b.structure.joint[n]]), n);
    }
  EXPECT_EQ(b.structure.joints.size() + b.structure.stretches.size(), b.parts[0].stretches.size());
}

TEST(Structure, OfAChainIsJoinedThroughout) {
  const Built b(chain(10));
  expect_sound(b);
  EXPECT_EQ(b.nodes(), 11);
  EXPECT_EQ(b.joints(), 10);
  EXPECT_TRUE(b.structure.bends.empty());
  EXPECT_EQ(b.structure.plan.coupling_count(), 10) << "no fill";
}

// the clamp is the root; its half bend has one frame, and the far vertex of the last segment is held, too
TEST(Structure, OfARodClampedAtBothEndsIsStillAChain) {
  Scene s = chain(10);
  s.clamp(0, 0, {}), s.clamp(10, 9, {});
  const Built b(std::move(s));
  expect_sound(b);
  EXPECT_EQ(b.joints(), 9);
  EXPECT_EQ(b.structure.bends.size(), 3u) << "two clamps, and the bend beside the node that is held";
  EXPECT_EQ(b.structure.plan.coupling_count(), 10);
}

TEST(Structure, OfABranchHasTheBendOfSiblingsApart) {
  Scene s = chain(4);
  const RodOptions o;
  const int branch = s.add_segment(2, s.add_vertex(s.state.x[2] + Vec3d{0, 0.2, 0}), o);
  s.add_bend({1, false}, {branch, false}, 0.2, o), s.add_bend({2, false}, {branch, false}, 0.2, o);
  const Built b(std::move(s));
  expect_sound(b);
  EXPECT_EQ(b.joints(), 5);
  EXPECT_EQ(b.structure.bends.size(), 1u);
}

TEST(Structure, OfARingIsCutAtOneSegment) {
  Scene s;
  const RodOptions o;
  for (int i = 0; i < 6; ++i) s.add_vertex({std::cos(i * 1.0472), std::sin(i * 1.0472), 0});
  for (int i = 0; i < 6; ++i) s.add_segment(i, (i + 1) % 6, o);
  for (int i = 0; i < 6; ++i) s.add_bend({i, false}, {(i + 1) % 6, false}, 1, o);
  const Built b(std::move(s));
  expect_sound(b);
  EXPECT_EQ(b.nodes(), 7) << "a root, five segments with their vertices, and the frame of the sixth";
  EXPECT_GE(b.structure.stretches.size(), 1u);
}

// a comb: a long spine with long teeth
Scene comb(int teeth, int length) {
  Scene s = chain(teeth);
  const RodOptions o;
  for (int tooth = 0; tooth < teeth; ++tooth) {
    int vertex = tooth, segment = -1;
    for (int k = 0; k < length; ++k) {
      const int next = s.add_vertex(s.state.x[vertex] + Vec3d{0, 0.1, 0});
      const int added = s.add_segment(vertex, next, o);
      s.add_bend({segment < 0 ? tooth : segment, false}, {added, false}, 0.1, o);
      vertex = next, segment = added;
    }
  }
  return s;
}

// branches couple with nothing but themselves and the one node behind them, and with the trunk they are all
TEST(Structure, OfACombHasBranches) {
  const Built b(comb(20, 300));
  expect_sound(b);
  const Structure& s = b.structure;
  EXPECT_GE(s.branches.size(), 15u);
  std::vector<int> seen(b.nodes(), 0);
  for (const Share& branch : s.branches)
    for (int n = branch.begin; n < branch.end; ++n) {
      ++seen[n];
      for (int c = s.plan.first[n]; c < s.plan.first[n + 1]; ++c) EXPECT_LE(s.plan.later[c], branch.end);
    }
  for (const Share& nodes : s.trunk)
    for (int n = nodes.begin; n < nodes.end; ++n) ++seen[n];
  for (int times : seen) EXPECT_EQ(times, 1);
}

// rows and elements as the elimination comes to them, and all that names them with them
TEST(Structure, PutsItsPartInTheOrderOfElimination) {
  Built b(comb(20, 30));
  const Part before = b.parts[0];
  const Structure old = b.structure;
  b.parts.arrange(0, take_order(b.structure, b.parts[0]));
  expect_sound(b);
  const Part& part = b.parts[0];
  const Structure& s = b.structure;
  int row = 0;
  for (const SegmentNode& node : s.nodes)
    for (int own : {node.place, node.turn})
      if (own >= 0) {
        EXPECT_EQ(own, row++);
        EXPECT_EQ(&s.nodes[s.node_of[own]], &node);
      }
  for (int r = 0; r < part.row_count(); ++r) {
    const Unknown& u = part.unknowns[r];
    EXPECT_EQ(u.kind == Kind::vertex ? b.parts.row_of_vertex(u.index) : b.parts.row_of_segment(u.index), r);
  }
  for (int j = 0; j < b.joints(); ++j) {
    const StretchElement &e = part.stretches[s.joints[j].stretch], &was = before.stretches[old.joints[j].stretch];
    EXPECT_EQ(s.joints[j].stretch, j);
    EXPECT_EQ(e.segment, was.segment);
    EXPECT_EQ(part.unknowns[e.theta].index, e.segment);
    EXPECT_EQ(part.unknowns[e.x1].index, e.vertex[1]);
  }
  ASSERT_FALSE(s.bends.empty());
  for (std::size_t k = 0; k < s.bends.size(); ++k) {
    const BendElement& e = part.bends[s.bends[k].bend];
    EXPECT_EQ(e.bend, before.bends[old.bends[k].bend].bend);
    EXPECT_EQ(part.unknowns[e.a].index, e.frame_a);
  }
}

TEST(Structure, BranchesSideBySideGiveTheSameBits) {
  Scene made = comb(20, 300);
  for (Segment& g : made.model.segments) g.linear_inertia = {1e-3, 1e-3, 2e-3};
  made.clamp(0, 0, {});
  made.model.gravity = {0, 0, -9.81};
  made.fill_inputs();
  std::vector<State> ends;
  for (int threads : {1, 2, 3}) {
    Scene s = made;
    const auto solver = find_solver("direct")->make({});
    ThreadTeam team(threads);
    solver->reset(s.model, s.state, team);
    EXPECT_EQ(team.size(), threads);
    Contact contact;
    for (int n = 0; n < 3; ++n) solver->step(s.inputs, contact, 0.01, s.state);
    ends.push_back(s.state);
  }
  EXPECT_LT(ends[0].x.back().z, -1e-4) << "it must move";
  for (const State& end : ends) {
    EXPECT_EQ(end.x, ends[0].x);
    EXPECT_EQ(end.q, ends[0].q);
  }
}

TEST(Structure, OfALongChainNeedsNoStack) {
  const Built b(chain(300000));
  EXPECT_EQ(b.joints(), 300000);
  EXPECT_EQ(b.structure.plan.coupling_count(), 300000);
}

}  // namespace
}  // namespace tendril::solvers::direct
