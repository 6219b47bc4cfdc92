#include <gtest/gtest.h>

#include "engine/engine.h"
#include "rod/energy.h"
#include "scratch.h"
#include "sim/recorder.h"

namespace tendril::engine {
namespace {

// a soft rod that hangs from a clamp, drawn as it hangs: its segments have to be much shorter without load
const std::string hanging = R"(
[simulation]
time_step = 0.01
duration = 0.02
settle = "rest"
[material.soft]
stiffness = { EA = 2, GA = 2, EI1 = 1e-3, EI2 = 1e-3, GJ = 1e-3 }
linear_density = 0.1
radius = 0.001
[[rod]]
name = "cord"
material = "soft"
segments = 4
curve = { type = "line", from = [0, 0, 0], to = [0, 0, -1] }
clamp = ["start"]
)";

// What metrics, model.npz and pictures read is one Model. The top segment carries all below its middle, so that
// l = L / (1 + n/EA) with n = 7/8 of the weight.
TEST(RestShape, IsInTheOneModelThatAllRead) {
  const Scratch scratch;
  Engine engine = Engine::open_text(hanging, "hanging.toml");
  const double weight = 9.81 * 0.1, stretch = 7.0 / 8 * weight / 2;
  EXPECT_NEAR(engine.model().segments[0].rest_length, 0.25 / (1 + stretch), 1e-6);
  EXPECT_NEAR(largest_stretch(engine.model(), engine.state()), stretch, 1e-6);
  EXPECT_EQ(engine.scene().baked.model.segments[0].rest_length, engine.model().segments[0].rest_length);

  const Recorder recorder(scratch / "run", engine.run_info({}), engine.model(), RunStart::fresh);
  Model again = open_scene_text(hanging, "hanging.toml", {.choose_rest = false}).baked.model;
  EXPECT_NEAR(again.segments[0].rest_length, 0.25, 1e-12);
  read_rest_shape(scratch / "run/model.npz", again);
  for (std::size_t s = 0; s < again.segments.size(); ++s)
    EXPECT_EQ(again.segments[s].rest_length, engine.model().segments[s].rest_length);
  for (std::size_t b = 0; b < again.bends.size(); ++b) EXPECT_EQ(again.bends[b].rest, engine.model().bends[b].rest);
}

TEST(RestShape, OfAnotherSceneIsRefused) {
  const Scratch scratch;
  const Engine engine = Engine::open_text(hanging, "hanging.toml");
  write_npz(scratch / "model.npz", model_arrays(engine.model()));
  Model finer = open_scene_text(hanging, "hanging.toml", {.sets = {"rod.cord.segments=8"}}).baked.model;
  EXPECT_THROW(read_rest_shape(scratch / "model.npz", finer), FileError);
}

}  // namespace
}  // namespace tendril::engine
