#pragma once

#include <filesystem>
#include <vector>

#include "loaded_scene.h"

namespace tendril {

// a run folder, opened for reading
struct RecordedRun {
  std::filesystem::path folder;
  LoadedScene scene;
  int frame_count = 0;
};

RecordedRun open_run(const std::filesystem::path& folder);   // throws FileError when it is none

// one frame: its State, and the Model without what had broken by then
struct RecordedFrame {
  Model model;
  State state;
};
RecordedFrame read_recorded_frame(const RecordedRun& run, int frame);   // negative: from the end

}  // namespace tendril
