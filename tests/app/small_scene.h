#pragma once

namespace tendril::app {

// a short beam that falls for a moment: 4 frames
inline const char* const small_scene = R"(
title = "A beam falls"
[simulation]
solver = "stable"
time_step = 0.01
duration = 0.1
[material.rubber]
stiffness = { EA = 1e4, GA = 1e4, EI1 = 1, EI2 = 1, GJ = 1 }
linear_density = 0.5
radius = 0.02
[[rod]]
name = "beam"
material = "rubber"
segments = 8
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
clamp = ["start"]
[output]
probe = [{ rod = "beam", at = "end", name = "tip" }]
[expect]
"broken" = { value = 0, tolerance = 0.5, absolute = true }
)";

}  // namespace tendril::app
