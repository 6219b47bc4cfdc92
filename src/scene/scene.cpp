#include "scene/scene.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "scene/check.h"
#include "scene/document.h"
#include "scene/keys.h"
#include "scene/override.h"
#include "scene/presets.h"
#include "scene/rules.h"

namespace tendril::scene {
namespace {

constexpr std::size_t largest_file = std::size_t(64) << 20;  // [bytes]; toml++ needs some thirty times as much

std::string read_text(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw SceneError(fmt::format("{}: there is no such file; expected a scene file (TOML)", path));
  if (std::filesystem::is_directory(status))
    throw SceneError(fmt::format("{}: is a directory; expected a scene file (TOML)", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw SceneError(fmt::format("{}: cannot be opened; check its permissions", path));
  std::string text;
  std::vector<char> block(std::size_t(1) << 16);
  while (in.read(block.data(), std::streamsize(block.size())) || in.gcount() > 0) {
    text.append(block.data(), std::size_t(in.gcount()));
    if (text.size() > largest_file)
      throw SceneError(
          fmt::format("{}: is larger than {} MB; put long lists of points into a file of their own and use "
                      "curve = {{ type = \"file\" }}",
                      path, largest_file >> 20));
  }
  if (in.bad()) throw SceneError(fmt::format("{}: cannot be read", path));
  return text;
}

// toml++ follows a dotted key without limit and overflows the stack on a very long one
void refuse_endless_keys(const std::string& text, const std::string& name) {
  constexpr int deepest = 64;
  int dots = 0, line = 1;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\n') ++line;
    if (c == '#')  // a comment may draw what it likes
      while (k + 1 < text.size() && text[k + 1] != '\n') ++k;
    if (c == '.')
      dots = k > 0 && text[k - 1] == '.' ? 0 : dots + 1;
    else if (std::string_view(",=[]{}\n").find(c) != std::string_view::npos)
      dots = 0;
    if (dots > deepest)
      throw SceneError(fmt::format("{}:{}:1: a key with more than {} dots; expected a scene", name, line, deepest));
  }
}

toml::table parse_text(const std::string& text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw SceneError(
        fmt::format("{}:1:1: the file is empty; expected [simulation], [material.NAME] and [[rod]]", name));
  refuse_endless_keys(text, name);
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw SceneError(fmt::format("{}:{}:{}: not valid TOML: {}", name, at.line, at.column, error.description()));
  }
}

Scene make_scene(const std::string& text, const std::string& name, const std::string& directory,
                 const std::vector<std::string>& sets, const std::vector<Key::Variant>& solver_options) {
  auto document = std::make_shared<Document>();
  document->file = name;
  document->directory = directory;
  document->key = scene_key(solver_options);
  document->root = parse_text(text, name);
  for (const std::string& set : sets) apply_set(*document, set);
  write_out_presets(*document);

  Problems problems;
  check_keys(*document, problems);
  problems.throw_if_any();
  const Table root(std::move(document));
  check_rules(root, problems);
  problems.throw_if_any();
  return {root, name};
}

}  // namespace

Scene read_scene(const std::string& path, const std::vector<std::string>& sets,
                 const std::vector<Key::Variant>& solver_options) {
  return make_scene(read_text(path), path, std::filesystem::path(path).parent_path().string(), sets, solver_options);
}

Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& sets,
                  const std::vector<Key::Variant>& solver_options) {
  return make_scene(text, name, "", sets, solver_options);
}

}  // namespace tendril::scene
