#pragma once

#include <filesystem>
#include <optional>

#include "recorded_run.h"
#include "render/render.h"

namespace tendril::app {

// what the automatic camera takes in
enum class Fit { run, frame };

struct RenderRequest {
  std::filesystem::path out;  // x.png, x.mp4 or x.gif
  RenderOptions look;
  Framing framing;
  std::optional<Camera> camera;  // instead of the automatic one
  Fit fit = Fit::run;
  int frame = -1;                        // of a picture; negative: from the end
  int first_frame = 0, last_frame = -1;  // of a movie
  double frame_rate = 0;                 // of a movie [1/s]; 0: the run's own, which shows it as fast as it is
  bool quiet = false;                    // no progress bar
};

// Draws a picture or a movie. One camera, one ground and one colour scale serve all frames of a run.
// False when Ctrl-C ended it: then there is no file of that name
bool render_run(const RecordedRun& run, const RenderRequest& request);

}  // namespace tendril::app
