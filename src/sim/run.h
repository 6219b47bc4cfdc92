#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/expected.h"
#include "sim/progress.h"
#include "sim/recorder.h"
#include "sim/schedule.h"
#include "sim/simulation.h"

namespace tendril::sim {

struct RunOptions {
  Schedule schedule;                      // its time_step is the simulation's
  std::optional<SettleOptions> settle;    // find the equilibrium before the first step
  std::shared_ptr<Solver> settle_solver;  // that does it; nullptr: the simulation's own
  bool residuals = false;                 // write residuals.csv, a row per iteration
  double checkpoint_interval = 10;        // wall clock [s]
  std::vector<Expected> expected;
  std::function<void(std::int64_t frame)> on_frame;  // when this one is on the disk; may throw ResourceError
  // set by a signal handler: stop after the step, also of settling. A step that takes `patience` from then on is given
  // up, and the run resumes from its last checkpoint
  const std::atomic<bool>* interrupted = nullptr;
  double patience = 0.5;  // wall clock [s]
};

enum class RunEnd { finished, interrupted, failed };

struct RunResult {
  RunEnd end = RunEnd::finished;
  std::string message;                   // why it failed
  std::int64_t steps = 0, frames = 0;    // of the whole run, also the part before a resume
  std::int64_t unconverged_steps = 0;    // likewise: the solver's iterations ran out
  std::int64_t divisions = 0;            // of steps that could not be solved, into halves
  int half_turns = 0;                    // joints that were turned by more than half a turn, see half_turns.h
  std::string first_half_turn;           // which of them, and when
  double wall_seconds = 0;               // of the whole run
  std::vector<ExpectedResult> expected;  // of a finished run
  std::optional<SettleReport> settle;    // when the run began with it

  bool all_passed() const;
  bool has_started() const { return frames > 0; }  // not so when settling was interrupted: there is no run then
};

// Simulates from the start, or from the recorder's checkpoint, to the end of the schedule, and writes the run. A failed
// simulation is in the result, with its last good state as the last frame; a disk that fails throws ResourceError. What
// is interrupted before its first frame, while it settles, leaves no run; what fails there throws SimulationFailed.
RunResult run(Simulation& simulation, const RunOptions& options, Recorder& recorder, Progress& progress);

}  // namespace tendril::sim
