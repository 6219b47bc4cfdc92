#include "sim/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "rod/curvature.h"
#include "sim/checkpoint.h"
#include "sim/inner_state.h"
#include "sim/metrics.h"

namespace tendril::sim {
namespace fs = std::filesystem;

namespace {

// whether there is anything in it but its lock
bool in_use(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename() != FolderLock::file_name) return true;
  return false;
}

// the names of what a run writes; a kill may leave half of a file as NAME.tmp
const std::vector<std::string>& names_of_a_run() {
  static const std::vector<std::string> names{"scene.toml",    "model.npz",   "frames",     "metrics.csv",
                                              "residuals.csv", "report.json", "checkpoint", "export"};
  return names;
}

bool is_of_a_run(const fs::path& file) {
  const fs::path name = file.extension() == ".tmp" ? file.stem() : file.filename();
  const std::vector<std::string>& names = names_of_a_run();
  return name == FolderLock::file_name || std::find(names.begin(), names.end(), name) != names.end();
}

// nothing but what a run leaves that was killed as it began
bool holds_only_a_beginning(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!is_of_a_run(entry.path())) return false;
  return true;
}

std::string text_of(const fs::path& path) {
  const std::vector<char> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

void refuse_to_start_among_files(const fs::path& folder) {
  if (!in_use(folder)) return;
  throw RunFolderError(fmt::format("{}: the folder is in use; {}choose another with --out", folder.string(),
                                   holds_run(folder) ? "continue its run with --resume, replace it with "
                                                       "--overwrite, or "
                                                     : "it holds no run: "));
}

void refuse_to_resume_nothing(const fs::path& folder) {
  if (!holds_run(folder) && !holds_only_a_beginning(folder))
    throw RunFolderError(fmt::format(
        "{}: there is no run to resume here, but other files; choose another folder with --out", folder.string()));
}

// of a folder that is locked
void remove_run(const fs::path& folder) {
  if (!in_use(folder)) return;
  if (!holds_run(folder))
    throw RunFolderError(
        fmt::format("{}: holds files, but no run, and --overwrite replaces only runs; choose another folder with --out",
                    folder.string()));
  std::error_code error;
  for (const std::string& name : names_of_a_run()) {
    fs::remove_all(folder / name, error);
    if (!error) fs::remove(folder / (name + ".tmp"), error);
    if (error) throw ResourceError(fmt::format("{}: cannot be removed: {}", (folder / name).string(), error.message()));
  }
}

}  // namespace

Recorder::Recorder(const fs::path& folder, RunInfo info, const Model& whole_model, RunStart start)
    : folder_(folder), lock_(folder), info_(std::move(info)) {
  switch (start) {
    case RunStart::fresh:
      refuse_to_start_among_files(folder_);
      break;
    case RunStart::resume:
      refuse_to_resume_nothing(folder_);
      break;
    case RunStart::overwrite:
      remove_run(folder_);
      break;
  }
  if (fs::exists(folder_ / "scene.toml") && text_of(folder_ / "scene.toml") != info_.scene_toml)
    throw RunFolderError(
        fmt::format("{}: the folder holds the run of another scene (compare its scene.toml); replace it with "
                    "--overwrite, or choose another with --out",
                    folder_.string()));
  if (fs::exists(folder_ / "checkpoint")) {
    checkpoint_ = read_checkpoint(folder_ / "checkpoint");
    return;
  }
  make_folder(folder_ / "frames");
  write_file(folder_ / "scene.toml", info_.scene_toml);
  write_npz(folder_ / "model.npz", model_arrays(whole_model, info_.followers));
}

bool holds_run(const fs::path& folder) {
  return fs::exists(folder / "scene.toml") && fs::is_directory(folder / "frames");
}

bool holds_run_of(const fs::path& folder, const std::string& scene_toml) {
  return holds_run(folder) && text_of(folder / "scene.toml") == scene_toml;
}

fs::path Recorder::frame_path(std::int64_t frame) const { return folder_ / "frames" / fmt::format("{:06}.npz", frame); }

void Recorder::start_rows(const std::vector<std::string>& columns) {
  remove_frames(0);
  rows_ = std::make_unique<AppendedFile>(folder_ / "metrics.csv", 0);
  rows_->append(csv_line(columns));
}

void Recorder::continue_rows(std::uint64_t kept_bytes, std::int64_t next_frame) {
  remove_frames(next_frame);
  rows_ = std::make_unique<AppendedFile>(folder_ / "metrics.csv", kept_bytes);
}

void Recorder::remove_frames(std::int64_t from) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_ / "frames", error)) {
    const std::string name = entry.path().filename().string();
    const bool numbered = name.find_first_not_of("0123456789") == name.find(".npz") && name.size() < 20;
    if (!numbered || std::stoll("0" + name) >= from) fs::remove(entry.path(), error);
  }
}

// the frame first, so that every row has its frame
void Recorder::write_frame(std::int64_t frame, const State& whole_state, const std::vector<int>& broken,
                           const InnerState& inner, const std::vector<double>& row) {
  write_npz(frame_path(frame), frame_arrays(whole_state, broken, inner, info_.followers));
  rows_->append(csv_line(row));
}

void Recorder::write_checkpoint(std::span<const char> bytes) {
  rows_->flush_to_disk();  // the checkpoint counts on these rows
  sim::write_checkpoint(folder_ / "checkpoint", bytes);
}

void Recorder::write_report(const nlohmann::json& totals) {
  nlohmann::json report = info_.about;
  report.update(totals);
  write_file(folder_ / "report.json", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Recorder::abandon() {
  remove_frames(0);
  rows_.reset();
  std::error_code error;
  for (const char* name : {"frames", "metrics.csv", "residuals.csv", "report.json", "scene.toml", "model.npz"})
    fs::remove(folder_ / name, error);
  lock_.remove_folder();
}

NpzArrays frame_arrays(const State& s, const std::vector<int>& broken, const InnerState& inner,
                       const Followers& followers) {
  return {{"time", NpyArray::of(s.time)},
          {"x", NpyArray::of(s.x)},
          {"v", NpyArray::of(s.v)},
          {"q", NpyArray::of(s.q)},
          {"omega", NpyArray::of(s.omega)},
          {"body_x", NpyArray::of(s.body_x)},
          {"body_v", NpyArray::of(s.body_v)},
          {"body_q", NpyArray::of(s.body_q)},
          {"body_omega", NpyArray::of(s.body_omega)},
          {"strain", NpyArray::of(inner.strain)},
          {"internal_force", NpyArray::of(inner.internal_force)},
          {"curvature", NpyArray::of(inner.curvature)},
          {"broken", NpyArray::of(broken)},
          {"follower_x", NpyArray::of(follower_positions(followers, s))}};
}

NpzArrays model_arrays(const Model& model, const Followers& followers) {
  std::vector<int> segments, segment_rod, bend_frames, rod_first, rod_count, rod_closed, rod_vertices,
      rod_vertex_first{0};
  std::vector<double> rest_length, radius, vertex_radius, mass, bend_length;
  std::vector<Vec3d> stiffness, bend_stiffness, bend_rest_curvature;
  std::vector<std::string> rod_names, body_names;
  std::vector<Vec3d> rod_colors;
  std::vector<Quatd> bend_rest;
  for (const Segment& s : model.segments) {
    segments.insert(segments.end(), {s.vertex[0], s.vertex[1]});
    segment_rod.push_back(s.rod);
    rest_length.push_back(s.rest_length);
    radius.push_back(s.radius);
    stiffness.push_back({s.GA, s.GA, s.EA});
  }
  for (const Bend& bend : model.bends) {
    bend_frames.insert(bend_frames.end(), {bend.a.index, bend.a.is_body, bend.b.index, bend.b.is_body});
    bend_rest.push_back(bend.rest);
    bend_length.push_back(bend.length);
    bend_stiffness.push_back({bend.EI1, bend.EI2, bend.GJ});
    bend_rest_curvature.push_back(rest_curvature(bend));
  }
  for (const Vertex& v : model.vertices) vertex_radius.push_back(v.radius), mass.push_back(v.mass);
  for (const Rod& rod : model.rods) {
    rod_names.push_back(rod.name);
    rod_first.push_back(rod.first_segment);
    rod_count.push_back(rod.segment_count);
    rod_closed.push_back(rod.closed);
    rod_colors.push_back(rod.color);
    rod_vertices.insert(rod_vertices.end(), rod.vertices.begin(), rod.vertices.end());
    rod_vertex_first.push_back(int(rod_vertices.size()));
  }
  std::vector<std::string> follower_names;
  std::vector<int> follower_first{0}, follower_closed;
  for (const FollowerStrand& strand : followers.strands) {
    follower_names.push_back(strand.name);
    follower_first.push_back(strand.first_point + strand.point_count);
    follower_closed.push_back(strand.closed);
  }
  for (const Body& body : model.bodies) body_names.push_back(body.name);
  NpyArray pairs = NpyArray::of(segments);
  pairs.shape = {model.segments.size(), 2};
  NpyArray frames = NpyArray::of(bend_frames);
  frames.shape = {model.bends.size(), 4};
  return {{"segments", pairs},
          {"segment_rod", NpyArray::of(segment_rod)},
          {"rest_length", NpyArray::of(rest_length)},
          {"radius", NpyArray::of(radius)},
          {"bend_frames", frames},
          {"bend_rest", NpyArray::of(bend_rest)},
          {"bend_length", NpyArray::of(bend_length)},
          {"bend_stiffness", NpyArray::of(bend_stiffness)},
          {"bend_rest_curvature", NpyArray::of(bend_rest_curvature)},
          {"stiffness", NpyArray::of(stiffness)},
          {"vertex_radius", NpyArray::of(vertex_radius)},
          {"vertex_mass", NpyArray::of(mass)},
          {"rod_names", NpyArray::of(rod_names)},
          {"rod_first_segment", NpyArray::of(rod_first)},
          {"rod_segment_count", NpyArray::of(rod_count)},
          {"rod_closed", NpyArray::of(rod_closed)},
          {"rod_colors", NpyArray::of(rod_colors)},
          {"rod_vertices", NpyArray::of(rod_vertices)},
          {"rod_vertex_first", NpyArray::of(rod_vertex_first)},
          {"body_names", NpyArray::of(body_names)},
          {"follower_names", NpyArray::of(follower_names)},
          {"follower_first", NpyArray::of(follower_first)},
          {"follower_closed", NpyArray::of(follower_closed)},
          {"follower_radius", NpyArray::of(followers.radius)}};
}

void read_rest_shape(const fs::path& path, Model& model) {
  const NpzArrays arrays = read_npz(path);
  const auto array = [&](const char* name) -> const NpyArray& {
    const auto found = arrays.find(name);
    if (found == arrays.end())
      throw FileError(
          fmt::format("{}: has no array \"{}\"; an older version wrote it: run the scene again", path.string(), name));
    return found->second;
  };
  const std::vector<double> lengths = array("rest_length").numbers();
  const std::vector<Quatd> rests = array("bend_rest").quaternions();
  if (lengths.size() != model.segments.size() || rests.size() != model.bends.size())
    throw FileError(fmt::format("{}: does not belong to the scene of the run", path.string()));
  for (std::size_t s = 0; s < lengths.size(); ++s) model.segments[s].rest_length = lengths[s];
  for (std::size_t b = 0; b < rests.size(); ++b) model.bends[b].rest = rests[b];
}

State read_frame(const fs::path& path, std::vector<int>* broken) {
  const NpzArrays arrays = read_npz(path);
  const auto array = [&](const char* name) -> const NpyArray& {
    const auto found = arrays.find(name);
    if (found == arrays.end())
      throw FileError(fmt::format("{}: has no array \"{}\", so it is no frame", path.string(), name));
    return found->second;
  };
  State s;
  const std::vector<double> time = array("time").numbers();
  if (time.size() != 1) throw FileError(fmt::format("{}: \"time\" is not one number", path.string()));
  s.time = time[0];
  s.x = array("x").vectors(), s.v = array("v").vectors();
  s.q = array("q").quaternions(), s.omega = array("omega").vectors();
  s.body_x = array("body_x").vectors(), s.body_v = array("body_v").vectors();
  s.body_q = array("body_q").quaternions(), s.body_omega = array("body_omega").vectors();
  if (broken) *broken = array("broken").integers();
  return s;
}

}  // namespace tendril::sim
