#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/export_formats.h"
#include "recorded_run.h"

namespace tendril::app {

// Writes a run in other formats while it goes on, in its folder export/: per frame where a file holds one moment and
// for .pvd; otherwise the whole motion again at 1, 2, 4, 8 … frames and at the end, so that the work stays in
// proportion to the frames. What a format cannot hold is said once and left out; a disk that fails is a ResourceError.
class Exporter {
 public:
  Exporter(const std::filesystem::path& run_folder, const LoadedScene& scene);

  void add_frame(std::int64_t frame);        // this one is on the disk, and all before it
  void finish(std::int64_t frame_count);     // of the whole run
  std::vector<std::string> written() const;  // the files, those of single frames by their folder

 private:
  void learn_times(int frame_count);
  void write_whole_motion(const Format& format);
  void write_frame(const Format& format, int frame);
  template <class Write>
  void attempt(const Format*& format, const Write& write);

  RecordedRun run_;
  std::vector<const Format*> formats_;  // nullptr: left out
  std::vector<double> times_;           // of the frames so far
  int whole_count_ = 0;                 // frames in the last files of the whole motion
};

}  // namespace tendril::app
