#pragma once

#include <limits>
#include <string>
#include <vector>

#include "layers.h"

namespace tendril::scene {

enum class KeyType {
  boolean,
  integer,
  number,
  text,
  vec3,
  numbers,       // [a, b, …]
  texts,         // ["a", "b", …]
  rows,          // [[a, b, …], …] of `width` numbers each
  pieces,        // [[fraction, "name"], …]
  table,         // an inline or named table with `keys`
  tables,        // an array of tables with `keys`
  named_tables,  // tables under names that the user chooses, each with `keys`
  named_texts,   // texts under names that the user chooses
  place,  // `at`: vertex number, "start", "end", "all", "roots", { fraction }, { near, radius }, { low, high }, { part
          // }, list
};

// one key of the scene file: the reader, the error messages, `tendril list` and docs/scene.md all come from this
struct Key {
  struct Variant {
    std::string name = {}, meaning = {};  // "helix"
    std::vector<Key> keys = {};
  };

  std::string name = {};
  std::vector<KeyType> types = {};  // any of these
  std::string unit = {};            // "m", "Pa", "-" …
  std::string default_text = {};    // as it would be written in TOML; empty: no default
  std::string meaning = {};         // one sentence
  bool required = false;
  double minimum = -std::numeric_limits<double>::infinity();  // of every number in the value
  double maximum = std::numeric_limits<double>::infinity();
  bool positive = false;                  // number must be > 0
  int width = 0;                          // of rows
  std::vector<std::string> choices = {};  // of text
  std::vector<Key> keys = {};             // of a table
  std::string selector = {};  // a table whose further keys depend on this text key (curve: "type"), see variants
  std::vector<Variant> variants = {};
  std::string along = {};  // of rows: what the first column is, "time" or "fraction"; it grows, and the limits spare it
  std::string refers_to = {};  // of text: the table in which this name must be found ("rod", "material", …)
  std::string alias = {};      // another name under which the key may stand
  bool nonzero = false;        // of vec3: a direction, so not all zero
};

}  // namespace tendril::scene
