#include "recorded_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/csv.h"
#include "sim/recorder.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

fs::path frame_file(const fs::path& folder, int frame) { return folder / "frames" / fmt::format("{:06}.npz", frame); }

}  // namespace

RecordedRun open_run(const fs::path& folder) {
  if (!fs::exists(folder / "scene.toml"))
    throw FileError(
        fmt::format("{}: is no run (it has no scene.toml); `tendril run SCENE` makes one", folder.string()));
  RecordedRun run{folder, open_scene((folder / "scene.toml").string(), {.choose_rest = false}), 0};
  BakedScene& baked = run.scene.baked;
  if (baked.settings.settle == Settle::rest) read_rest_shape(folder / "model.npz", baked.model);
  while (fs::exists(frame_file(folder, run.frame_count))) ++run.frame_count;
  if (run.frame_count == 0) throw FileError(fmt::format("{}: the run has no frames yet", folder.string()));
  return run;
}

RecordedFrame read_recorded_frame(const RecordedRun& run, int frame) {
  const int number = frame < 0 ? run.frame_count + frame : frame;
  if (number < 0 || number >= run.frame_count)
    throw FileError(fmt::format("{}: there is no frame {}; the run has the frames 0 to {}", run.folder.string(), frame,
                                run.frame_count - 1));
  std::vector<int> broken;
  RecordedFrame result{run.scene.baked.model, read_frame(frame_file(run.folder, number), &broken)};
  if (result.state.x.size() != result.model.vertices.size() || result.state.q.size() != result.model.segments.size())
    throw FileError(fmt::format("{}: frame {} does not belong to the scene of the run", run.folder.string(), number));
  for (int s : broken)
    if (s >= 0 && s < int(result.model.segments.size())) result.model.segments[s].EA = 0;  // drawn no more
  return result;
}

RecordedFrame with_followers(const RecordedRun& run, const RecordedFrame& frame, std::vector<int>* guide) {
  const Followers& followers = run.scene.baked.followers;
  if (followers.empty()) return frame;
  FollowedModel all = with_followers(frame.model, followers, run.scene.baked.state);
  State state = with_followers(followers, all, frame.state);
  if (guide) *guide = std::move(all.guide);
  return {std::move(all.model), std::move(state)};
}

RecordedState read_recorded_state(const fs::path& run_folder, int frame) {
  RecordedState result;
  result.state = read_frame(frame_file(run_folder, frame), &result.broken);
  return result;
}

// a row of metrics.csv has its frame, but a run that was killed may have one frame more
std::vector<double> recorded_times(const RecordedRun& run) {
  const CsvTable metrics = read_csv(run.folder / "metrics.csv");
  const int column = metrics.find("time");
  std::vector<double> times = column < 0 ? std::vector<double>{} : metrics.columns[column];
  times.resize(std::min<std::size_t>(times.size(), run.frame_count));
  while (int(times.size()) < run.frame_count)
    times.push_back(read_recorded_state(run.folder, int(times.size())).state.time);
  return times;
}

}  // namespace tendril::app
