#include <fmt/format.h>

#include <filesystem>

#include "scene/document.h"
#include "scene/scene.h"

namespace tendril::scene {
namespace {

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04X}", int(c));
    else
      result += c;
  }
  return result + "\"";
}

// the shortest digits that read back to the same double; the point keeps it a float, and -0 its sign
std::string exact(double number) {
  const std::string digits = fmt::format("{}", number);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

// a value without keys of its own, as it stands
std::string written(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return toml_text(*text);
  if (const auto integer = node.value_exact<std::int64_t>()) return fmt::format("{}", *integer);
  if (const auto number = node.value_exact<double>()) return exact(*number);
  if (const auto boolean = node.value_exact<bool>()) return *boolean ? "true" : "false";
  std::string list;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& entry : *array) list += (list.empty() ? "" : ", ") + written(entry);
    return "[" + list + "]";
  }
  for (const auto& [name, value] : *node.as_table())
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", join_path("", name.str()), written(value));
  return list.empty() ? "{}" : "{ " + list + " }";
}

class Writer {
 public:
  std::string write(const Table& root) {
    for (const Key* key : root.keys())
      if (!is_section(*key)) write_line(root, *key);
    for (const Key* key : root.keys())
      if (is_section(*key)) write_section(root, *key);
    return text_;
  }

 private:
  static bool is_section(const Key& key) {
    return takes(key, KeyType::table) || takes(key, KeyType::tables) || takes(key, KeyType::named_tables);
  }

  void write_section(const Table& root, const Key& key) {
    if (key.name == "solver") return write_solvers(root);
    if (takes(key, KeyType::tables)) {
      for (const Table& entry : root.tables(key.name)) write_body(fmt::format("[[{}]]", key.name), entry);
    } else if (takes(key, KeyType::named_tables)) {
      const Table named = root.table(key.name);
      for (const std::string& name : named.names())
        write_body(fmt::format("[{}]", join_path(key.name, name)), named.table(name));
    } else {
      write_body(fmt::format("[{}]", key.name), root.table(key.name));
    }
  }

  // the running solver's options in full, those of others as far as the file names them
  void write_solvers(const Table& root) {
    const Table solvers = root.table("solver");
    const std::string running = root.table("simulation").text("solver");
    for (const Key* key : solvers.keys())
      if (key->name == running || solvers.has(key->name))
        write_body(fmt::format("[solver.{}]", join_path("", key->name)), solvers.table(key->name));
  }

  void write_body(const std::string& header, const Table& table) {
    text_ += fmt::format("\n{}\n", header);
    for (const Key* key : table.keys()) write_line(table, *key);
  }

  void write_line(const Table& table, const Key& key) {
    const std::string value = value_text(table, key);
    if (!value.empty()) text_ += fmt::format("{} = {}\n", join_path("", key.name), value);
  }

  // empty when the key is absent and has no default
  std::string value_text(const Table& table, const Key& key) {
    const toml::node* node = table.node(key.name);
    if (!node && (key.default_text.empty() || contradicts(table, key))) return "";
    if (!node) return written(*parse_default(key).get("value"));
    if (takes(key, KeyType::table) && node->is_table()) return inline_text(table.table(key.name));
    if (takes(key, KeyType::tables)) {
      std::string list;
      for (const Table& entry : table.tables(key.name)) list += (list.empty() ? "" : ", ") + inline_text(entry);
      return "[" + list + "]";
    }
    if (node->is_string() && is_path(table, key))
      return toml_text(absolute_path(table.directory(), table.text(key.name)));
    return written(*node);
  }

  // the mesh of a groom may be the name of an obstacle
  static bool is_path(const Table& table, const Key& key) {
    if (key.name == "path" || key.name == "weights" || key.name == "frames") return true;
    return key.name == "mesh" &&
           std::filesystem::is_regular_file(std::filesystem::path(table.directory()) / table.text(key.name));
  }

  // a load per length has neither force nor moment, not even zero ones
  static bool contradicts(const Table& table, const Key& key) {
    return table.has("per_length") && (key.name == "force" || key.name == "moment");
  }

  std::string inline_text(const Table& table) {
    std::string list;
    for (const Key* key : table.keys()) {
      const std::string value = value_text(table, *key);
      if (!value.empty()) list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", join_path("", key->name), value);
    }
    return list.empty() ? "{}" : "{ " + list + " }";
  }

  // the resolved scene is kept elsewhere, where a relative path would lead astray
  static std::string absolute_path(const std::string& directory, const std::string& path) {
    return std::filesystem::absolute(std::filesystem::path(directory) / path).lexically_normal().string();
  }

  std::string text_;
};

}  // namespace

std::string resolved_toml(const Scene& scene) { return Writer().write(scene.root); }

}  // namespace tendril::scene
