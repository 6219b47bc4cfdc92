#pragma once

#include "scene/curves/default_text.h"
#include "scene/key_words.h"

// the kinds of keys that generators have, each with the default of its options struct
namespace tendril::generator_keys {

using key_words::Entry;

inline Entry point(const char* name, const Vec3d& value, const char* meaning) {
  return key_words::vec3(name, "m", meaning).by_default(default_text(value));
}

inline Entry length(const char* name, double value, const char* meaning) {
  return key_words::number(name, "m", meaning).by_default(default_text(value)).above_zero();
}

inline Entry ratio(const char* name, double value, const char* meaning) {
  return key_words::number(name, "-", meaning).by_default(default_text(value));
}

inline Entry angle(const char* name, double value, const char* meaning) {
  return key_words::number(name, "rad", meaning).by_default(default_text(value));
}

inline Entry count(const char* name, int value, const char* meaning) {
  return key_words::integer(name, meaning).by_default(default_text(value)).at_least(1);
}

}  // namespace tendril::generator_keys
