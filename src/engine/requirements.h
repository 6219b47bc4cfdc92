#pragma once

#include <string>
#include <vector>

#include "scene/bake.h"
#include "scene/scene.h"
#include "solvers/solver.h"

namespace tendril::engine {

// something that a scene asks of its solver
struct Requirement {
  std::string feature;  // "branches"
  bool Capabilities::*capability;
  std::string where;  // file:line:column: key
};

// Chains are every solver's. Contact is no requirement: without it a scene runs until the first pair touches.
std::vector<Requirement> requirements(const Scene& scene, const Model& model);

// throws SceneError when the solver lacks one of them: feature, line of the scene, solvers that have it
void refuse_what_is_lacking(const Scene& scene, const Model& model, const SolverInfo& solver);

// what `tendril check` says of a scene with contact under a solver without; empty: nothing
std::string contact_warning(const Settings& settings, const SolverInfo& solver);

}  // namespace tendril::engine
