#pragma once

namespace tendril::app::physics {

// an inextensible, unshearable rod that leaves its clamp horizontally, over its length L
struct CantileverShape {
  double width = 0;      // W/L: horizontal distance from clamp to tip
  double drop = 0;       // H/L: vertical distance
  double tip_angle = 0;  // below the horizontal [rad]
};

// under its weight, Γ = ρS g L³ / EI, and a dead load P at the tip, α = P L² / EI. With u the arc length from the tip
// over L and φ the angle from the vertical
//   φ'' = (α + Γ u) sin φ,   φ(0) = δ,  φ'(0) = 0,  φ(1) = π/2
// by Runge-Kutta steps and bisection of log δ: the rod's end is steeper the larger δ is
CantileverShape heavy_cantilever(double gamma, double alpha);

}  // namespace tendril::app::physics
