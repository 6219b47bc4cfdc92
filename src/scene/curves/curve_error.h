#pragma once

#include <stdexcept>
#include <string>

#include "layers.h"

namespace tendril::scene {

// bad input of a curve: the key at fault and what to do; make_curve adds file, line and path
struct CurveError : std::invalid_argument {
  CurveError(std::string key, const std::string& message) : std::invalid_argument(message), key(std::move(key)) {}
  std::string key;  // empty: the curve as a whole
};

inline void require(bool good, const char* key, const char* message) {
  if (!good) throw CurveError(key, message);
}
inline void require(bool good, const char* key, const std::string& message) { require(good, key, message.c_str()); }

}  // namespace tendril::scene
