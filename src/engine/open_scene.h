#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/bake.h"
#include "scene/scene.h"
#include "sim/untangle.h"
#include "solvers/solver.h"

namespace tendril::engine {

struct OpenOptions {
  std::vector<std::string> sets = {};  // PATH=VALUE, in order: any key of the scene
  std::string solver = {};             // empty: the scene's own
  bool untangle = false;               // push apart what overlaps at the start
  bool choose_rest = true;             // as settle = "rest" asks; false for whoever has the rest shape of a run
};

// A scene with everything that a run of it needs. Its Model is the final one: what settle = "rest" chooses is in it.
struct LoadedScene {
  Scene scene;
  BakedScene baked;
  const SolverInfo* solver = nullptr;
  OptionValues options;                     // of that solver, those that the scene sets
  std::optional<UntangleReport> untangled;  // where that was asked for
};

// Reads, bakes, checks against the solver, chooses the rest shape. Throws SceneError: file, line and what to do.
LoadedScene open_scene(const std::string& file, const OpenOptions& options = {});

// the same from text; `name` stands for the file in messages
LoadedScene open_scene_text(const std::string& text, const std::string& name, const OpenOptions& options = {});

}  // namespace tendril::engine
