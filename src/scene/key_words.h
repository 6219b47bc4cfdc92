#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/key.h"

// words in which the key table is written: number("radius", "m", "outer radius").needed().above_zero()
namespace tendril::scene::key_words {

struct Entry : Key {
  Entry needed() && { return required = true, std::move(*this); }
  Entry above_zero() && { return positive = true, std::move(*this); }
  Entry direction() && { return nonzero = true, std::move(*this); }
  Entry at_least(double low) && { return minimum = low, std::move(*this); }
  Entry between(double low, double high) && { return minimum = low, maximum = high, std::move(*this); }
  Entry by_default(std::string toml) && { return default_text = std::move(toml), std::move(*this); }
  Entry in_unit(std::string text) && { return unit = std::move(text), std::move(*this); }
  Entry or_takes(KeyType type) && { return types.push_back(type), std::move(*this); }
  Entry or_called(std::string other) && { return alias = std::move(other), std::move(*this); }
  Entry one_of(std::vector<std::string> words) && { return choices = std::move(words), std::move(*this); }
  Entry naming_a(std::string kind) && { return refers_to = std::move(kind), std::move(*this); }
  Entry with(std::vector<Key> inner) && { return keys = std::move(inner), std::move(*this); }

  // rows of this many numbers, the first of which is a "time" or a "fraction"
  Entry over(std::string first, int count) && { return along = std::move(first), width = count, std::move(*this); }

  // further keys depend on the text of this one, which `with` has put in
  Entry choosing_by(std::string key, std::vector<Variant> kinds) && {
    for (Key& inner : keys)
      for (const Variant& kind : kinds)
        if (inner.name == key) inner.choices.push_back(kind.name);
    return selector = std::move(key), variants = std::move(kinds), std::move(*this);
  }
};

inline Entry entry(KeyType type, std::string name, std::string unit, std::string meaning) {
  Entry result;
  result.name = std::move(name);
  result.types = {type};
  result.unit = std::move(unit);
  result.meaning = std::move(meaning);
  return result;
}

// with a unit
inline Entry number(std::string n, std::string unit, std::string m) { return entry(KeyType::number, n, unit, m); }
inline Entry vec3(std::string n, std::string unit, std::string m) { return entry(KeyType::vec3, n, unit, m); }
inline Entry rows(std::string n, std::string unit, std::string m) { return entry(KeyType::rows, n, unit, m); }

// without
inline Entry boolean(std::string n, std::string m) { return entry(KeyType::boolean, n, "", m); }
inline Entry integer(std::string n, std::string m) { return entry(KeyType::integer, n, "", m); }
inline Entry text(std::string n, std::string m) { return entry(KeyType::text, n, "", m); }
inline Entry texts(std::string n, std::string m) { return entry(KeyType::texts, n, "", m); }
inline Entry table(std::string n, std::string m) { return entry(KeyType::table, n, "", m); }
inline Entry tables(std::string n, std::string m) { return entry(KeyType::tables, n, "", m); }
inline Entry named_tables(std::string n, std::string m) { return entry(KeyType::named_tables, n, "", m); }
inline Entry named_texts(std::string n, std::string m) { return entry(KeyType::named_texts, n, "", m); }
inline Entry place(std::string n, std::string m) { return entry(KeyType::place, n, "", m); }

}  // namespace tendril::scene::key_words
