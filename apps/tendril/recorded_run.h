#pragma once

#include <filesystem>
#include <vector>

#include "loaded_scene.h"

namespace tendril::app {

// a run folder, opened for reading
struct RecordedRun {
  std::filesystem::path folder;
  LoadedScene scene;
  int frame_count = 0;
};

RecordedRun open_run(const std::filesystem::path& folder);  // throws FileError when it is none

// one frame: its State, and the Model without what had broken by then
struct RecordedFrame {
  Model model;
  State state;
};
RecordedFrame read_recorded_frame(const RecordedRun& run, int frame);  // negative: from the end

// its followers as rods behind the others; `guide`: the segment that each of their segments goes with
RecordedFrame with_followers(const RecordedRun& run, const RecordedFrame& frame, std::vector<int>* guide = nullptr);

// the same without its Model, for those who read every frame: the State, and the segments that had broken by then
struct RecordedState {
  State state;
  std::vector<int> broken;
};
RecordedState read_recorded_state(const std::filesystem::path& run_folder, int frame);

std::vector<double> recorded_times(const RecordedRun& run);  // of its frames [s]

}  // namespace tendril::app
