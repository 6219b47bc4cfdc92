#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/contact.h"
#include "contact/crossed_rods.h"
#include "math/thread_team.h"
#include "rod/stream.h"

// A contact that passes from one segment or triangle to the next is another pair. Friction must not notice.

namespace tendril::contact {
namespace {

constexpr double r = 0.02, h = 0.01, reach = 0.1 * r, mu = 0.4;
constexpr double way = 4e-6;  // in a step: a fifth or less of what a spring of friction gives before it slides [m]
constexpr int warm = 60;      // steps after which it slides

void set_friction(Chain& chain) {
  for (Segment& s : chain.model.segments) s.friction = mu;
  for (Body& body : chain.model.bodies) body.friction = mu;
}

// what slides, along x, at half the reach of its barrier
struct Slider {
  Chain chain;
  std::vector<int> moves;  // vertices
  Contact contact;
  ThreadTeam team{1};

  Slider(Chain scene, double from, std::vector<int> vertices)
      : chain(std::move(scene)), moves(std::move(vertices)), contact({}, chain.state) {
    set_friction(chain);
    contact.reset(chain.model);
    for (int i : moves) chain.state.x[i].x += from, chain.state.v[i] = {way / h, 0, 0};
  }
  void step() {
    contact.find_candidates(chain.model, chain.state, {}, h, team);
    for (int i : moves) chain.state.x[i].x += way;
    contact.end_path(chain.state);
    contact.end_step();
  }
  int touching() const { return contact.touching(); }
};

// of all springs that are pressed: the least force over mu times the normal force
double least_friction(const Contact& contact) {
  double least = 1;
  for (const Pair& pair : contact.pairs())
    if (const double force = pair.normal_force(); force > 0)
      least = std::min(least, norm(pair.slip) / pair.spring.slip_length(force));
  return least;
}

// how many pairs touched in the end, one after the other or at once; friction was whole once it slid
int slides_with_whole_friction(Slider& slider, double distance) {
  std::vector<std::pair<int, int>> seen;
  for (int n = 0; n < distance / way; ++n) {
    slider.step();
    EXPECT_GT(slider.touching(), 0) << n;
    for (const Pair& pair : slider.contact.pairs())
      if (pair.normal_force() > 0) seen.push_back({pair.a, pair.b});
    if (n < warm) continue;
    EXPECT_GT(least_friction(slider.contact), 0.99) << "after " << n << " steps";
    if (::testing::Test::HasFailure()) break;
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  return static_cast<int>(seen.size());
}

std::vector<int> vertices_from(int first, int end) {
  std::vector<int> out;
  for (int i = first; i < end; ++i) out.push_back(i);
  return out;
}

// The lower rod has joints at x = ±0.05; both of their segments press within 9 mm of one. The middle of one segment of
// the upper rod touches it.
Slider over_a_rod(double from) {
  Chain chain = stacked_rods({0, 2 * r + 0.5 * reach}, r);
  return {chain, from, vertices_from(11, 22)};
}

TEST(hand_over, keeps_friction_from_segment_to_segment) {
  Slider slider = over_a_rod(0.05 - 0.0095);
  EXPECT_EQ(slides_with_whole_friction(slider, 0.02), 2);
}

TEST(hand_over, keeps_friction_of_a_rod_along_a_ball) {
  Chain chain = stacked_rods({0}, r);
  add_obstacle(chain, Sphere{{0, 0, -0.1 - r - 0.5 * reach}, 0.1}, "ball");
  Slider slider(chain, 0.05 - 0.0165, vertices_from(0, 11));
  EXPECT_EQ(slides_with_whole_friction(slider, 0.034), 2);
}

TEST(hand_over, keeps_friction_from_triangle_to_triangle) {
  Chain chain = stacked_rods({0}, r);
  for (Vec3d& x : chain.state.x) x = {0, x.x, r + 0.5 * reach};
  Mesh mesh;
  mesh.vertices = {{-1, -0.02, 0}, {-1, 0.03, 0}, {0, -0.02, 0}, {0, 0.03, 0}, {1, -0.02, 0}, {1, 0.03, 0}};
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}};
  add_obstacle(chain, mesh, "mesh");
  Slider slider(chain, -0.0072, vertices_from(0, 11));
  EXPECT_GT(slides_with_whole_friction(slider, 0.015), 1);
}

// a run that is saved while it slides goes on with the same bits
TEST(hand_over, is_the_same_after_a_save) {
  Slider whole = over_a_rod(0.05 - 0.001), first = over_a_rod(0.05 - 0.001), second = over_a_rod(0.05 - 0.001);
  constexpr int half = 100, all = 400;
  for (int n = 0; n < all; ++n) whole.step();
  for (int n = 0; n < half; ++n) first.step();
  Writer out;
  first.contact.save(out);
  Reader in(out.bytes());
  second.contact.load(in, second.team);
  second.chain.state = first.chain.state;
  for (int n = half; n < all; ++n) second.step();
  ASSERT_EQ(whole.contact.pairs().size(), second.contact.pairs().size());
  for (std::size_t p = 0; p < whole.contact.pairs().size(); ++p)
    EXPECT_EQ(whole.contact.pairs()[p].slip, second.contact.pairs()[p].slip);
  EXPECT_EQ(whole.contact.friction_work(), second.contact.friction_work());
  EXPECT_EQ(whole.contact.contact_loss(), second.contact.contact_loss());
}

// An iterate of a solver may go astray. What touches where it ends has been dragged as far as those points have gone
// since the start of the step, whatever other points touched on the way.
TEST(drag, does_not_depend_on_the_way_of_a_step) {
  Slider straight = over_a_rod(0), astray = over_a_rod(0);
  for (int n = 0; n < 10; ++n) straight.step(), astray.step();
  const auto go = [](Slider& slider, const std::vector<double>& angles) {  // about the vertical
    Contact& contact = slider.contact;
    State& state = slider.chain.state;
    const State start = state;
    contact.find_candidates(slider.chain.model, state, {}, h, slider.team);
    contact.roll_from(state.q);
    for (double angle : angles) {
      const Quatd turn = quaternion_exp({0, 0, angle});
      for (int i : slider.moves) state.x[i] = rotate(turn, start.x[i]) + Vec3d{way, 0, 0};
      contact.end_substep(state);
    }
    EXPECT_FALSE(contact.crossing());
    EXPECT_GT(contact.touching(), 0);
  };
  go(straight, {0}), go(astray, {0.3, 0.6, 0});
  int compared = 0;
  for (const Pair& a : straight.contact.pairs())
    for (const Pair& b : astray.contact.pairs()) {
      if (a.order() != b.order() || !(a.normal_force() > 0)) continue;
      EXPECT_LT(norm(a.slip - b.slip), 1e-6 * norm(a.slip));
      ++compared;
    }
  EXPECT_GT(compared, 0);
}

// the work of friction is its force times the way: mu N, once it slides
TEST(friction_work, is_what_sliding_takes) {
  Slider slider = over_a_rod(0);
  for (int n = 0; n < 100; ++n) slider.step();
  ASSERT_EQ(slider.touching(), 1);
  const double before = slider.contact.friction_work();
  double expected = 0;
  for (int n = 0; n < 100; ++n) {
    slider.step();
    for (const Pair& pair : slider.contact.pairs()) expected += mu * pair.normal_force() * way;
  }
  EXPECT_NEAR(slider.contact.friction_work() - before, expected, 1e-6 * expected);
}

// and of the barrier, its force times the way along the normal
TEST(contact_loss, is_the_work_of_the_barrier) {
  Slider slider = over_a_rod(0);
  slider.step();
  const double before = slider.contact.contact_loss();
  slider.contact.find_candidates(slider.chain.model, slider.chain.state, {}, h, slider.team);
  for (int i : slider.moves) slider.chain.state.x[i].z -= 0.1 * reach;
  slider.contact.end_path(slider.chain.state);
  double force = 0;
  for (const Pair& pair : slider.contact.pairs()) force += pair.normal_force();
  slider.contact.end_step();
  EXPECT_GT(force, 0);
  EXPECT_NEAR(slider.contact.contact_loss() - before, force * 0.1 * reach, 1e-9 * force * reach);
}

}  // namespace
}  // namespace tendril::contact
