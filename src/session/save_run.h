#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "session/session.h"

namespace tendril::session {

struct SaveOptions {
  nlohmann::json program;                          // {"program", "version"}, see Engine::run_info
  const std::atomic<bool>* interrupted = nullptr;  // what was written stays a run
  std::function<void(double fraction)> on_progress = {};
};

// Writes a session as a run (docs/run_format.md): it is simulated again, touch by touch, to the same bits, and recorded
// as `tendril run` does. Untouched, it is the run of the command line. A session that is not over yet, or is longer
// than its scene, leaves a run that `tendril run --resume` goes on with. Its report says under `session` what was done,
// and when. Throws std::runtime_error for a recipe that is no run, RunFolderError for a folder in use, ResourceError.
RunResult save_run(const Recipe& recipe, const std::filesystem::path& folder, const SaveOptions& options);

}  // namespace tendril::session
