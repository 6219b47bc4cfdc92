#pragma once

#include <fmt/format.h>

#include <string>

#include "math/quat.h"

// scenes in pieces of TOML: world + material + rods + what acts on them
namespace tendril::app::conformance {

// what a rod is made of; a metre of it under its own weight bends far, stretches little and swings about once a second.
// Thick enough that solvers which iterate need not many sweeps: here they are asked to be right, elsewhere to be fast.
struct Wire {
  double EA = 1e3, GA = 5e2;                   // [N]
  double EI1 = 0.5, EI2 = 0.5, GJ = 0.4;       // [N m²]
  double linear_density = 0.2, radius = 0.02;  // [kg/m], [m]
  std::string more;                            // further keys
};

constexpr double gravity = 9.81;  // [m/s²]

inline std::string toml(double a) { return fmt::format("{:.17e}", a); }
inline std::string toml(const Vec3d& a) { return fmt::format("[{}, {}, {}]", toml(a.x), toml(a.y), toml(a.z)); }

inline std::string world(double time_step, const Vec3d& gravity) {
  return fmt::format("[contact]\nenabled = false\n[simulation]\ntime_step = {}\nduration = 100.0\ngravity = {}\n",
                     toml(time_step), toml(gravity));
}

inline std::string material(const Wire& w, const std::string& name = "wire") {
  return fmt::format(
      "[material.{}]\nstiffness = {{ EA = {}, GA = {}, EI1 = {}, EI2 = {}, GJ = {} }}\nlinear_density = {}\nradius = "
      "{}\n{}\n",
      name, toml(w.EA), toml(w.GA), toml(w.EI1), toml(w.EI2), toml(w.GJ), toml(w.linear_density), toml(w.radius),
      w.more);
}

inline std::string rod(const std::string& name, int segments, const std::string& curve, const std::string& more = "") {
  return fmt::format("[[rod]]\nname = \"{}\"\nmaterial = \"wire\"\nsegments = {}\ncurve = {}\n{}\n", name, segments,
                     curve, more);
}

inline std::string line(const Vec3d& from, const Vec3d& to) {
  return fmt::format("{{ type = \"line\", from = {}, to = {} }}", toml(from), toml(to));
}

inline std::string arc(const Vec3d& center, const Vec3d& from, const Vec3d& axis, double angle) {
  return fmt::format("{{ type = \"arc\", center = {}, from = {}, axis = {}, angle = {} }}", toml(center), toml(from),
                     toml(axis), toml(angle));
}

inline std::string force(const std::string& rod, const std::string& at, const Vec3d& force,
                         const std::string& more = "") {
  return fmt::format("[[load]]\nrod = \"{}\"\nat = {}\nforce = {}\n{}\n", rod, at, toml(force), more);
}

}  // namespace tendril::app::conformance
