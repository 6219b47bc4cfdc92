#include "session/scene_text.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>

#include "engine/solver_keys.h"
#include "io/file.h"

namespace tendril::session {
namespace {

namespace fs = std::filesystem;

// visits every text of a value and of all that it holds
template <class Visit>
void for_texts(const toml::node& node, const Visit& visit) {
  if (const auto text = node.value_exact<std::string>()) return visit(*text);
  if (const toml::array* array = node.as_array())
    for (const toml::node& entry : *array) for_texts(entry, visit);
  if (const toml::table* table = node.as_table())
    for (const auto& [name, entry] : *table) for_texts(entry, visit);
}

template <class Visit>
void for_texts(const SceneText& scene, const Visit& visit) {
  const Scene read = parse_scene(scene.text, scene.file, scene.sets, solver_option_keys());
  for (const std::string& name : read.root.names()) for_texts(*read.root.node(name), visit);
}

bool leads_out(const fs::path& folder, const std::string& text) {
  std::error_code error;
  const fs::path home = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  const fs::path path = fs::weakly_canonical(home / text, error);
  if (error) return true;
  const auto [end, rest] = std::mismatch(home.begin(), home.end(), path.begin(), path.end());
  return end != home.end();
}

// "12:3: rod.beam: …" without what stands before
int read_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end == text.data() + text.size() || *end != ':') return 0;
  text.remove_prefix(std::size_t(end - text.data()) + 1);
  return number;
}

}  // namespace

SceneText read_scene_text(const std::string& file) {
  try {
    const std::vector<char> bytes = read_file(file);
    return {file, {bytes.begin(), bytes.end()}};
  } catch (const std::exception& error) {
    throw SceneError(error.what());
  }
}

LoadedScene open_scene_text(const SceneText& text) {
  return open_scene_text(text.text, text.file, {.sets = text.sets, .solver = text.solver});
}

void refuse_paths_outside(const SceneText& edited, const SceneText& own) {
  std::set<std::string> known;
  for_texts(own, [&](const std::string& text) { known.insert(text); });
  const fs::path folder = fs::path(edited.file).parent_path();
  for_texts(edited, [&](const std::string& text) {
    if (!known.contains(text) && leads_out(folder, text))
      throw SceneError(
          fmt::format("{}: \"{}\" leads out of the scene's folder; files of a scene that is edited "
                      "here stand in it",
                      edited.file, text));
  });
}

std::vector<SceneProblem> problems_of(const SceneError& error, const std::string& file) {
  std::vector<SceneProblem> problems;
  const std::string all = error.what();
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    std::string_view line = std::string_view(all).substr(begin, end - begin);
    begin = end + 1;
    SceneProblem problem;
    const bool starts = line.substr(0, file.size()) == file && line.substr(file.size(), 1) == ":";
    if (!starts && !problems.empty()) {  // goes on with the message before
      problems.back().message.append("\n").append(line);
      continue;
    }
    if (starts) {
      line.remove_prefix(file.size() + 1);
      problem.line = read_number(line);
      if (problem.line > 0) problem.column = read_number(line);
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    }
    problem.message = line;
    problems.push_back(std::move(problem));
  }
  return problems;
}

void remove_set(std::vector<std::string>& sets, const std::string& path) {
  std::erase_if(sets, [&](const std::string& set) { return set.substr(0, path.size() + 1) == path + "="; });
}

void put_set(std::vector<std::string>& sets, const std::string& path, const std::string& value) {
  remove_set(sets, path);
  sets.push_back(path + "=" + value);
}

}  // namespace tendril::session
