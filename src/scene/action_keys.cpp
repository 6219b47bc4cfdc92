#include "scene/key_words.h"
#include "scene/keys.h"

namespace tendril::scene {

using namespace key_words;

namespace {

const Key from_key = number("from", "s", "when it begins").by_default("0");
const Key until_key = number("until", "s", "when it ends; unset: never");
const Key frame_key = text("frame", "axes in which vectors are given: the world's, or those of what it acts on")
                          .by_default("\"world\"")
                          .one_of({"world", "material"});

Key translate_key() {
  const std::vector<Key> sine_keys = {
      vec3("amplitude", "m", "displacement at the crest").needed(),
      number("frequency", "Hz", "cycles per second").needed().at_least(0),
      number("phase", "rad", "at `from`").by_default("0"),
  };
  return table("translate", "displacement; exactly one of its keys")
      .with({vec3("velocity", "m/s", "constant velocity"),
             rows("keys", "s, m", "displacement [t, x, y, z] at instants, linear between them").over("time", 4),
             table("sine", "amplitude · sin(2π frequency (t - from) + phase)").with(sine_keys)});
}

Key rotate_key() {
  return table("rotate", "turn; an axis and either `rate` or `keys`")
      .with({vec3("axis", "-", "direction of the axis").needed().direction(),
             number("rate", "rad/s", "constant angular velocity"),
             rows("keys", "s, rad", "angle [t, angle] at instants, linear between them").over("time", 2)});
}

}  // namespace

std::vector<Key> hold_keys() {
  return {
      text("rod", "rod that is held").needed().naming_a("rod"),
      place("at", "where").needed(),
      text("position", "world axes along which the position is held: letters of \"xyz\", or \"none\"")
          .by_default("\"xyz\""),
      text("frame", "\"all\" holds the section's frame, \"axis\" its tangent")
          .by_default("\"none\"")
          .one_of({"none", "all", "axis"}),
      from_key,
      until_key,
  };
}

std::vector<Key> drive_keys() {
  return {
      text("rod", "rod whose held places `at` move").naming_a("rod"),
      place("at", "where; needed with `rod`"),
      text("obstacle", "obstacle that moves, instead of a rod").naming_a("obstacle"),
      text("body", "body that moves, instead of a rod").naming_a("body"),
      translate_key(),
      rotate_key(),
      vec3("about", "m", "point on the axis of rotation; unset: the driven point"),
      frame_key,
      from_key,
      until_key,
  };
}

std::vector<Key> load_keys() {
  return {
      text("rod", "rod that is loaded").naming_a("rod"),
      place("at", "where; needed with `force` and `moment`, the whole rod for `per_length` when unset"),
      text("body", "body that is loaded, instead of a rod").naming_a("body"),
      vec3("force", "N", "force on each place").by_default("[0, 0, 0]"),
      vec3("moment", "N m", "moment on each place; at an inner vertex half to each segment").by_default("[0, 0, 0]"),
      vec3("per_length", "N/m", "force per length, instead of `force` and `moment`"),
      frame_key,
      from_key,
      until_key,
      number("ramp", "s", "time from zero to the full load").by_default("0").at_least(0),
      rows("keys", "s, -", "factor [t, factor] at instants, linear between them").over("time", 2),
  };
}

}  // namespace tendril::scene
