#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/key.h"

// words in which the key table is written: number("radius", "m", "outer radius").needed().above_zero()
namespace tendril::key_words {

struct Entry : Key {
  Entry needed() const {
    return changed([](Key& k) { k.required = true; });
  }
  Entry above_zero() const {
    return changed([](Key& k) { k.positive = true; });
  }
  Entry direction() const {
    return changed([](Key& k) { k.nonzero = true; });
  }
  Entry at_least(double low) const {
    return changed([&](Key& k) { k.minimum = low; });
  }
  Entry between(double low, double high) const {
    return changed([&](Key& k) { k.minimum = low, k.maximum = high; });
  }
  Entry by_default(const std::string& toml) const {
    return changed([&](Key& k) { k.default_text = toml; });
  }
  Entry in_unit(const std::string& name) const {
    return changed([&](Key& k) { k.unit = name; });
  }
  Entry or_takes(KeyType type) const {
    return changed([&](Key& k) { k.types.push_back(type); });
  }
  Entry or_called(const std::string& other) const {
    return changed([&](Key& k) { k.alias = other; });
  }
  Entry one_of(const std::vector<std::string>& words) const {
    return changed([&](Key& k) { k.choices = words; });
  }
  Entry naming_a(const std::string& kind) const {
    return changed([&](Key& k) { k.refers_to = kind; });
  }
  Entry with(const std::vector<Key>& inner) const {
    return changed([&](Key& k) { k.keys = inner; });
  }

  // rows of this many numbers, the first of which is a "time" or a "fraction"
  Entry over(const std::string& first, int count) const {
    return changed([&](Key& k) { k.along = first, k.width = count; });
  }

  // further keys depend on the text of this one, which `with` has put in
  Entry choosing_by(const std::string& key, const std::vector<Variant>& kinds) const {
    return changed([&](Key& k) {
      k.selector = key, k.variants = kinds;
      for (Key& inner : k.keys)
        for (const Variant& kind : kinds)
          if (inner.name == key) inner.choices.push_back(kind.name);
    });
  }

 private:
  template <class Change>
  Entry changed(Change change) const {
    Entry result = *this;
    change(result);
    return result;
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

}  // namespace tendril::key_words
