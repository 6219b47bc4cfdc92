#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scene/curves/default_text.h"
#include "scene/key_words.h"
#include "scene/table.h"

// the kinds of keys that generators have, and how each is described once
namespace tendril::scene::generator_keys {

using key_words::Entry;

inline Entry point(const char* name, const char* meaning) { return key_words::vec3(name, "m", meaning); }
inline Entry direction(const char* name, const char* meaning) {
  return key_words::vec3(name, "-", meaning).direction();
}
inline Entry length(const char* name, const char* meaning) {
  return key_words::number(name, "m", meaning).above_zero();
}
inline Entry ratio(const char* name, const char* meaning) { return key_words::number(name, "-", meaning); }
inline Entry angle(const char* name, const char* meaning) { return key_words::number(name, "rad", meaning); }
inline Entry count(const char* name, const char* meaning) { return key_words::integer(name, meaning).at_least(1); }

inline void read(const Table& table, const std::string& key, Vec3d& value) { value = table.vec3(key); }
inline void read(const Table& table, const std::string& key, double& value) { value = table.number(key); }
inline void read(const Table& table, const std::string& key, int& value) { value = table.integer(key); }
inline void read(const Table& table, const std::string& key, bool& value) { value = table.boolean(key); }
inline void read(const Table& table, const std::string& key, std::string& value) { value = table.text(key); }

// The keys of a generator, each with the place in its options that it sets, and that has its default: a member, or what
// gives a reference to a number in the options. Listing and reading follow from that.
template <class Options>
class GeneratorKeys {
 public:
  GeneratorKeys(std::string name, std::string meaning) : keys_{std::move(name), std::move(meaning), {}} {}

  template <class Place>
  GeneratorKeys& add(Place place, Entry key) {
    Options standard;
    reads_.push_back([place, name = key.name](const Table& table, Options& options) {
      generator_keys::read(table, name, std::invoke(place, options));
    });
    keys_.keys.push_back(std::move(key).by_default(default_text(std::invoke(place, standard))));
    return *this;
  }

  // one of some words, each of which stands for a value
  template <class Value>
  GeneratorKeys& add(Value Options::*member, Entry key, const std::vector<std::pair<std::string, Value>>& words) {
    std::vector<std::string> choices;
    for (const auto& [word, value] : words) {
      choices.push_back(word);
      if (value == Options{}.*member) key.default_text = default_text(word);
    }
    reads_.push_back([member, words, name = key.name](const Table& table, Options& options) {
      for (const auto& [word, value] : words)
        if (word == table.text(name)) options.*member = value;
    });
    keys_.keys.push_back(std::move(key).one_of(std::move(choices)));
    return *this;
  }

  const Key::Variant& list() const { return keys_; }

  Options read(const Table& table) const {
    Options options;
    for (const Read& one : reads_) one(table, options);
    return options;
  }

 private:
  using Read = std::function<void(const Table&, Options&)>;
  Key::Variant keys_;
  std::vector<Read> reads_;
};

}  // namespace tendril::scene::generator_keys
