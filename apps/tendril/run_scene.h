#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "loaded_scene.h"

namespace tendril::app {

struct RunRequest {
  std::string scene;              // a file or a name
  std::string solver;             // empty: the scene's own
  std::vector<std::string> sets;  // PATH=VALUE
  std::string out;                // empty: runs/SCENE-SOLVER, or runs/SCENE-SOLVER-2, … when that is in use
  bool resume = false;
  bool overwrite = false;        // a run that is in the folder
  bool untangle = false;         // push apart what overlaps at the start
  bool check_crossings = false;  // judge every substep of the path by an exact test, slowly
};

struct FinishedRun {
  RunResult result;
  std::filesystem::path folder;
  int exit_code = 0;
};

// simulates a scene into its run folder, with progress, and prints what came of it; Ctrl-C ends it after the step
FinishedRun run_scene(const RunRequest& request);

}  // namespace tendril::app
