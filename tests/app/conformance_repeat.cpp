// the same scene gives the same bits, on any number of threads and after any checkpoint

#include <cstring>

#include "conformance.h"
#include "rod/stream.h"

namespace tendril::app::conformance {
namespace {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same_bits(const State& a, const State& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_TRUE(same_bits(a.x, b.x));
  EXPECT_TRUE(same_bits(a.v, b.v));
  EXPECT_TRUE(same_bits(a.q, b.q));
  EXPECT_TRUE(same_bits(a.omega, b.omega));
  EXPECT_TRUE(same_bits(a.body_x, b.body_x));
  EXPECT_TRUE(same_bits(a.body_q, b.body_q));
}

// so many that sharing them pays: solvers give small scenes to one thread
std::string curtain() {
  std::string text = world(0.01, {0, 0, -gravity}) + material({});
  for (int k = 0; k < 80; ++k) {
    const double y = 0.1 * k;
    text += rod(fmt::format("cord{}", k), 115, line({0, y, 0}, {20, y, 5}), "clamp = \"start\"");
  }
  return text;
}

void threads_do_not_matter(const SolverInfo& solver) {
  State reference;
  for (int threads : {1, 2, 8}) {
    const auto simulation = start(solver, curtain(), {.tight = false}, threads);
    for (int k = 0; k < 2; ++k) simulation->step();
    if (threads == 1) reference = simulation->state();
    expect_same_bits(simulation->state(), reference);
  }
  EXPECT_NE(reference.v.back(), Vec3d{});
}

// A swinging rod whose far end is let go, whose clamp shakes and which breaks when the solver can. One that cannot
// stretch is an arch, which can follow.
std::string eventful(const SolverInfo& solver) {
  const bool breaks = solver.capabilities.breaking;
  return world(0.01, {0, 0, -gravity}) + material({.more = breaks ? "strain_limit = 0.05" : ""}) +
         rod("cord", 10,
             solver.capabilities.extensible ? line({0, 0, 0}, {1, 0, 0}) : arc({0.5, 0, 0}, {0, 0, 0}, {0, 1, 0}, 3.0),
             "clamp = \"start\"") +
         "[[hold]]\nrod = \"cord\"\nat = \"end\"\nuntil = 0.1\n[[hold]]\nrod = \"cord\"\nat = 5\nfrom = 0.15\nuntil = "
         "0.25\n"
         "[[drive]]\nrod = \"cord\"\nat = \"start\"\ntranslate = { sine = { amplitude = [0, 0, 0.05], frequency = 2.0 "
         "} }\n" +
         force("cord", "\"end\"", {0, 0, breaks ? -100. : -1.}, "from = 0.3\nuntil = 0.35") +
         "[[field]]\ntype = \"wind\"\nvelocity = [0, 5, 0]\ngust = { amplitude = 2.0 }\n";
}

void a_saved_run_goes_on_with_the_same_bits(const SolverInfo& solver) {
  constexpr int steps = 50;
  std::vector<State> unbroken;
  std::vector<std::vector<char>> saved;
  const auto whole = start(solver, eventful(solver), {.tight = false});
  for (int k = 0; k < steps; ++k) {
    Writer out;
    whole->save(out);
    saved.push_back(out.bytes());
    whole->step();
    unbroken.push_back(whole->whole_state());
  }
  EXPECT_EQ(whole->broken_segments().empty(), !solver.capabilities.breaking);
  for (int from : {0, 7, 10, 14, 15, 20, 30, 33, 40}) {
    SCOPED_TRACE(fmt::format("saved after {} steps", from));
    const auto resumed = start(solver, eventful(solver), {.tight = false});
    Reader in(saved[from]);
    resumed->load(in);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(resumed->step_count(), from);
    for (int k = from; k < std::min(from + 6, steps); ++k) {
      resumed->step();
      expect_same_bits(resumed->whole_state(), unbroken[k]);
    }
  }
}

}  // namespace

std::vector<Property> repeat_properties() {
  return {
      {"threads_do_not_matter", threads_do_not_matter},
      {"a_saved_run_goes_on_with_the_same_bits", a_saved_run_goes_on_with_the_same_bits},
  };
}

}  // namespace tendril::app::conformance
