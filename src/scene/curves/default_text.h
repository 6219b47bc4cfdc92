#pragma once

#include <fmt/format.h>

#include <string>

#include "math/vec3.h"

namespace tendril::scene {

// the defaults of an options struct as a scene file would write them, so that key and struct cannot differ
inline std::string default_text(double value) { return fmt::format("{}", value); }
inline std::string default_text(int value) { return fmt::format("{}", value); }
inline std::string default_text(bool value) { return value ? "true" : "false"; }
inline std::string default_text(const std::string& value) { return "\"" + value + "\""; }
inline std::string default_text(const Vec3d& value) { return fmt::format("[{}, {}, {}]", value.x, value.y, value.z); }

}  // namespace tendril::scene
