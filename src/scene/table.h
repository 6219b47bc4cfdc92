#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "math/vec3.h"
#include "scene/key.h"

namespace toml {
inline namespace v3 {
class table;
class node;
}  // namespace v3
}  // namespace toml

namespace tendril::scene {

struct Document;

// bad input: the message starts with file:line:column and the key's path
struct SceneError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// a table of the scene file that has been checked against its keys; a getter of a key that is absent gives the key's
// default
class Table {
 public:
  bool has(std::string_view key) const;  // written in the file or by --set
  bool boolean(std::string_view key) const;
  int integer(std::string_view key) const;
  double number(std::string_view key) const;
  std::string text(std::string_view key) const;
  Vec3d vec3(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<std::vector<double>> rows(
      std::string_view key) const;  // [[t, x, y, z], …], checked to have the key's width
  Table table(std::string_view key) const;
  std::vector<Table> tables(std::string_view key) const;

  // for keys that take several types
  bool is_text(std::string_view key) const;
  bool is_number(std::string_view key) const;
  bool is_boolean(std::string_view key) const;
  bool is_array(std::string_view key) const;
  bool is_table(std::string_view key) const;

  std::vector<std::string> names() const;  // of the keys that are written, in the file's order (for tables keyed by the
                                           // user: materials, expectations)
  const toml::node* node(std::string_view key) const;  // the raw value, nullptr when absent

  std::string where(std::string_view key = {}) const;                              // "file:12:3: rod.beam.segments"
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;  // throws SceneError at that key
  const std::string& directory() const;              // of the file: relative paths start here
  const std::string& path() const { return path_; }  // "rod.beam"
  std::vector<const Key*> keys() const;              // that may stand here, those of the chosen variant included

  Table() = default;
  explicit Table(std::shared_ptr<const Document> document);  // its root

 private:
  const Key* find_key(std::string_view name) const;
  const Key& known_key(std::string_view name) const;
  Table child(const toml::table* node, const Key& key, std::string path) const;
  template <class Convert>
  auto read(std::string_view key, const char* wanted, Convert convert) const;
  template <class Is>
  bool value_is(std::string_view key, Is is) const;

  std::shared_ptr<const Document> document_;
  const toml::table* node_ = nullptr;      // nullptr: the table is not written, all its keys have their defaults
  const toml::node* anchor_ = nullptr;     // the nearest written node: where errors point to
  const Key* key_ = nullptr;               // what it was checked against
  const Key::Variant* variant_ = nullptr;  // what its selector chose
  bool user_named_ = false;                // its keys are names that the user chose
  std::string path_;
};

}  // namespace tendril::scene
