#pragma once

#include "io/strands.h"
#include "recorded_run.h"

namespace tendril::app {

// what the strands of a run follow
enum class Follow {
  segments,  // paths of segments, cut where one breaks in these frames
  vertices,  // each rod's vertices in their order: a table of them
};

// Some frames of a run as moments, read when they are asked for; `times` are those of all frames so far.
Take take_of_frames(const RecordedRun& run, const std::vector<double>& times, int first, int count,
                    Follow follow = Follow::segments);
Take take_of_run(const RecordedRun& run, Follow follow = Follow::segments);  // all of its frames

// a scene at its start, as one moment
Take take_of_scene(const LoadedScene& scene, Follow follow = Follow::segments);

// what a format with this extension (".csv") asks for
Follow follow_for(const std::string& extension);

}  // namespace tendril::app
