#pragma once

// Tendril: slender things that move. This is all that a program which embeds it needs; docs/library.md tells more.
//
//   tendril::Engine engine = tendril::Engine::open("rope.toml");     // throws tendril::SceneError: file, line, remedy
//   engine.settle();                                                 // if the scene asks for it
//   while (engine.state().time < 1) engine.step();                   // throws tendril::SimulationFailed
//   const tendril::Vec3d& tip = engine.state().x.back();             // [m]
//
// A scene is a Model, which does not change in a step, and a State, which does. Both are plain arrays:
//
//   Model   vertices, segments between them, bends between frames, bodies, ties of vertices to bodies   rod/model.h
//   State   x, v per vertex; q, omega per segment; the same per body                                    rod/state.h
//
// SI units, z up. The arrays of the State stay where they are from step to step, so that a view of them stays valid.
// Results are the same bits on any number of threads. Different simulations may step on different threads of yours;
// one simulation is stepped by one thread at a time. There is no global state.
//
// To drive what is held, or to change loads, between two steps:
//
//   engine.simulation().drive(body, pose);         // a kinematic body: what holds a rod, an obstacle
//   engine.simulation().set_force(vertex, force);  // [N], until it is changed
//
// To solve by a method of your own, derive from Solver and make the Simulation yourself:
//
//   auto scene = tendril::open_scene("rope.toml");
//   tendril::Simulation simulation(scene.baked.model, scene.baked.state, {.time_step = 0.01},
//                                  std::make_unique<MySolver>());

#include "engine/engine.h"   // Engine, open_scene, open_scene_text, OpenOptions
#include "math/quat.h"       // Quatd
#include "math/vec3.h"       // Vec3d
#include "rod/energy.h"      // kinetic, elastic and gravitational energy
#include "rod/model.h"       // Model
#include "rod/state.h"       // State
#include "sim/failure.h"     // SimulationFailed
#include "sim/simulation.h"  // Simulation
#include "solvers/solver.h"  // Solver, StepReport, registered_solvers(), find_solver()

namespace tendril {
using namespace engine;  // every layer's names are found as tendril::X, as above
}
