#pragma once

#include <gtest/gtest.h>

#include <string>

#include "rod/energy.h"
#include "scene/bake.h"

namespace tendril::scene {

// line 1 of a scene text is the time, so that the rest of it starts in line 2
inline BakedScene baked(const std::string& text) {
  return bake(parse_scene("simulation = { time_step = 0.01, duration = 1.0 }\n" + text, "test.toml"));
}

// a material for tests in which its values do not matter much
inline const char* const wire = R"(
[material.wire]
stiffness = { EA = 1e3, GA = 8e2, EI1 = 2.0, EI2 = 3.0, GJ = 1.5 }
linear_density = 0.5
radius = 0.02
)";

inline BakedScene baked_wire(const std::string& text) { return baked(wire + text); }

// the message of the SceneError that the text causes
inline std::string error_of(const std::string& text) {
  try {
    baked(text);
  } catch (const SceneError& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_message(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "no \"" << part << "\" in: " << message;
}

// curvature and twist beyond rest, about the bend's own directors [1/m]
inline Vec3d strain_of(const BakedScene& scene, const Bend& bend) {
  return bend_strain(bend, scene.state).angle / bend.length;
}

// the rest shape itself [1/m]
inline Vec3d rest_curvature(const Bend& bend) { return quaternion_log(bend.rest) / bend.length; }

inline void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
  EXPECT_LE(norm(a - b), tolerance) << "(" << a.x << ", " << a.y << ", " << a.z << ") against (" << b.x << ", " << b.y
                                    << ", " << b.z << ")";
}

// how far two frames are turned against each other [rad]
inline double angle_between(const Quatd& a, const Quatd& b) {
  Quatd turn = conjugate(a) * b;
  if (turn.w < 0) turn = -turn;
  return norm(quaternion_log(turn));
}

}  // namespace tendril::scene
