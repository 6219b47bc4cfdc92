#pragma once

#include <string>

#include "session/session.h"

namespace tendril::session {

// small scenes to be played with

inline Session open_text(const std::string& text) { return Session(SceneText{"scene.toml", text}); }

inline int session_body(const Session& session, const std::string& name) {
  for (int b = 0; b < int(session.model().bodies.size()); ++b)
    if (session.model().bodies[b].name == name) return b;
  return -1;
}

inline std::string with_solver(const std::string& solver, const std::string& gravity = "[0, 0, -9.81]",
                               double time_step = 0.01) {
  return "[simulation]\nsolver = \"" + solver + "\"\ntime_step = " + std::to_string(time_step) +
         "\nduration = 1\nthreads = 1\ngravity = " + gravity + "\n";
}

inline const char* const cord = R"(
[material.cord]
stiffness = { EA = 1e4, GA = 1e4, EI1 = 1e-3, EI2 = 1e-3, GJ = 1e-3 }
linear_density = 0.1
radius = 0.005
)";

inline std::string free_rod(const std::string& solver, double time_step = 0.01) {
  return with_solver(solver, "[0, 0, 0]", time_step) + cord + R"([[rod]]
name = "rod"
material = "cord"
segments = 10
curve = { type = "line", from = [0, 0, 0], to = [0, 0, 1] }
[contact]
enabled = false
)";
}

// it hangs from (0, 0, 1) down to the origin
inline std::string hanging_rod(const std::string& solver = "block") {
  return with_solver(solver) + cord + R"(damping = 2
[[rod]]
name = "rod"
material = "cord"
segments = 10
curve = { type = "line", from = [0, 0, 1], to = [0, 0, 0] }
clamp = ["start"]
[output]
probe = [{ rod = "rod", at = "end", name = "tip" }]
)";
}

// between two clamps, above a ball
inline std::string rod_over_ball() {
  return with_solver("block") + cord + R"(damping = 2
[[rod]]
name = "rod"
material = "cord"
segments = 10
curve = { type = "line", from = [-0.5, 0, 0.2], to = [0.5, 0, 0.2] }
clamp = ["start", "end"]
[[obstacle]]
name = "ball"
shape = "sphere"
center = [0, 0, 0]
radius = 0.1
)";
}

// a bar across in place of the ball: the rod cannot slip off it
inline std::string rod_over_bar() {
  std::string text = rod_over_ball();
  return text.substr(0, text.find("[[obstacle]]")) + R"([[obstacle]]
name = "bar"
shape = "capsule"
from = [0, -1, 0]
to = [0, 1, 0]
radius = 0.1
)";
}

inline std::string free_ball() {
  return with_solver("block", "[0, 0, 0]") + cord + R"([[rod]]
name = "rod"
material = "cord"
segments = 2
curve = { type = "line", from = [5, 0, 0], to = [5, 0, 1] }
[[body]]
name = "ball"
mass = 0.2
shape = { shape = "sphere", radius = 0.1 }
)";
}

}  // namespace tendril::session
