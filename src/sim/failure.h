#pragma once

#include <stdexcept>
#include <string>

#include "math/thread_team.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril::sim {

// the simulation cannot go on; the state before the step that failed is kept
struct SimulationFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// a step was given up on request, see Simulation::stop_when
struct SimulationStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// throws SimulationFailed for a step that its solver gave up
[[noreturn]] void refuse(const std::string& failure, double time);

// throws SimulationFailed for a step on which two things met, e.g. `rod "a" segment 1 and obstacle "floor"`: the
// solver's mistake, or the end of what one without contact can do
[[noreturn]] void refuse_crossing(const std::string& pair, bool solver_has_contact, double time);

// throws SimulationFailed when the state after a step holds anything that is not a finite number: rod, vertex, time,
// likely cause and remedy
void refuse_not_a_number(const Model& model, const State& before, const State& after, double h, ThreadTeam& team);

}  // namespace tendril::sim
