#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "io/file.h"
#include "rod_source.h"
#include "verbs.h"

namespace tendril::app {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low, total = 0;
  void add(double value) { low = std::min(low, value), high = std::max(high, value), total += value; }
};

double length_of(const Strand& strand, const std::vector<Vec3d>& x) {
  double length = 0;
  for (int n = 0; n < strand.segment_count(); ++n)
    length += norm(x[strand.points[(n + 1) % strand.points.size()]] - x[strand.points[n]]);
  return length;
}

int shared_points(const Strands& strands) {
  std::vector<int> uses(strands.points.size(), 0);
  for (const Strand& strand : strands.strands)
    for (const int i : strand.points) ++uses[i];
  return int(std::count_if(uses.begin(), uses.end(), [](int n) { return n > 1; }));
}

// counts, lengths and bounds of what a Take holds, at its last moment
Json about_rods(const Take& take) {
  const Strands& s = take.strands;
  Json json;
  json["strands"] = s.strands.size();
  json["closed_strands"] = std::count_if(s.strands.begin(), s.strands.end(), [](const Strand& k) { return k.closed; });
  std::set<std::string> names;
  for (const Strand& strand : s.strands)
    if (!strand.name.empty()) names.insert(strand.name);
  json["names"] = names.size();
  json["points"] = s.points.size();
  json["shared_points"] = shared_points(s);
  json["curve"] = s.smooth ? "Catmull-Rom" : "linear";
  json["moments"] = take.times.size();
  if (take.times.empty() || s.strands.empty()) return json;

  const Moment last = take.moment(int(take.times.size()) - 1);
  Range length, radius, bounds[3];
  int segments = 0;
  for (const Strand& strand : s.strands) {
    length.add(length_of(strand, last.x));
    segments += strand.segment_count();
    for (const int i : strand.points)
      for (int axis = 0; axis < 3; ++axis) bounds[axis].add(last.x[i][axis]);
  }
  for (const double r : s.radius) radius.add(r);
  json["segments"] = segments;
  json["length"] = {{"shortest", length.low}, {"longest", length.high}, {"total", length.total}};
  json["bounds"] = {{bounds[0].low, bounds[1].low, bounds[2].low}, {bounds[0].high, bounds[1].high, bounds[2].high}};
  if (!s.radius.empty()) json["radius"] = {radius.low, radius.high};
  json["velocities"] = !last.v.empty();
  json["frames"] = !last.q.empty();
  json["time"] = {take.times.front(), take.times.back()};
  json["frame_rate"] = take.frame_rate;
  return json;
}

Json about_scene(const LoadedScene& scene) {
  const Settings& s = scene.baked.settings;
  const Model& m = scene.baked.model;
  return {{"title", scene.baked.title},
          {"solver", scene.solver->name},
          {"time_step", s.time_step},
          {"duration", s.duration},
          {"rods", m.rods.size()},
          {"vertices", m.vertices.size()},
          {"model_segments", m.segments.size()},
          {"followers", scene.baked.followers.strands.size()},
          {"bodies", m.bodies.size()}};
}

// how it ended, when it has a report
Json about_ending(const fs::path& folder) {
  if (!fs::exists(folder / "report.json")) return {{"state", "unknown"}};
  const std::vector<char> bytes = read_file(folder / "report.json");
  const Json report = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!report.is_object()) throw FileError(fmt::format("{}: is no report", (folder / "report.json").string()));
  Json ending;
  for (const char* key : {"state", "version", "steps", "wall_seconds", "message"})
    if (report.contains(key) && report[key] != "") ending[key] = report[key];
  if (report.contains("broken_segments")) ending["broken_segments"] = report["broken_segments"].size();
  return ending;
}

Json about(const fs::path& path) {
  Json json{{"file", path.string()}};
  switch (kind_of(path)) {
    case SourceKind::run: {
      const RecordedRun run = open_run(path);
      json["kind"] = "run";
      json.update(about_scene(run.scene));
      json.update(about_ending(path));
      json["at_the_end"] = about_rods(take_of_run(run));
      break;
    }
    case SourceKind::scene: {
      const LoadedScene scene = load_scene(path.string());
      json["kind"] = "scene";
      json.update(about_scene(scene));
      json["at_the_start"] = about_rods(take_of_scene(scene));
      break;
    }
    case SourceKind::rods:
      json["kind"] = "rods";
      json.update(about_rods(read_source(path)));
  }
  return json;
}

// a value on one line: numbers in short, a list or table as its parts
std::string line_of(const Json& value) {
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_boolean()) return value ? "yes" : "no";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, part] : value.items())
    text += fmt::format("{}{}{}",
                        text.empty()                          ? ""
                        : value.is_array() && part.is_array() ? " … "
                                                              : ", ",
                        value.is_object() ? key + " " : "", line_of(part));
  return value.is_array() && !value.empty() && value[0].is_array() ? text : value.is_array() ? "[" + text + "]" : text;
}

void print(const Json& json, const std::string& indent = "") {
  for (const auto& [key, value] : json.items()) {
    std::string words = key;
    std::replace(words.begin(), words.end(), '_', ' ');
    if (key.starts_with("at_the_")) {
      fmt::print("{}{}:\n", indent, words);
      print(value, indent + "  ");
    } else {
      fmt::print("{}{:<16} {}\n", indent, words, line_of(value));
    }
  }
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("info", "what is in a scene, a run or a file of rods");
  auto file = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  verb->add_option("FILE", *file, "a scene file, a run folder or a file of rods")->required();
  verb->add_flag("--json", *json, "for programs");
  verb->callback([=, &exit_code] {
    const Json found = about(*file);
    if (*json)
      std::cout << found.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
    else
      print(found);
    exit_code = exit_good;
  });
}

}  // namespace tendril::app
