#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "render_run.h"
#include "run_scene.h"
#include "run_table.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

// a folder runs/demo, runs/demo-2, … that is not in use
fs::path free_folder(const fs::path& base) {
  fs::path folder = base;
  for (int n = 2; fs::exists(folder); ++n) folder = fs::path(fmt::format("{}-{}", base.string(), n));
  return folder;
}

// lying or standing, as the motion is
void choose_size(const RecordedRun& run, RenderOptions& look) {
  Bounds bounds;
  for (int frame : {0, run.frame_count / 2, run.frame_count - 1}) {
    const RecordedFrame recorded = read_recorded_frame(run, frame);
    const Bounds now = bounds_of(recorded.model, {&recorded.state, 1});
    bounds.include(now.low, 0), bounds.include(now.high, 0);
  }
  const Vec3d size = bounds.high - bounds.low;
  look.width = 1080, look.height = 608;
  if (size.z > std::hypot(size.x, size.y)) std::swap(look.width, look.height);
}

RenderRequest movie_of(const RecordedRun& run) {
  RenderRequest request;
  request.out = run.folder / "movie.mp4";
  request.look.stripe = true;
  request.look.samples = 8;
  request.look.refinement = 2;
  choose_size(run, request.look);
  return request;
}

// a frame early enough to show the thing in its shape, alone in the picture
RenderRequest picture_of(const RecordedRun& run) {
  RenderRequest request;
  request.out = run.folder / "picture.png";
  request.look.stripe = true;
  request.fit = Fit::frame;
  request.frame = run.frame_count / 5;
  return request;
}

int demonstrate(const std::string& scene) {
  RunRequest request;
  request.scene = scene;
  request.out = free_folder("runs/demo").string();
  const FinishedRun finished = run_scene(request);
  if (finished.exit_code == exit_interrupted || finished.exit_code == exit_simulation_failed) return finished.exit_code;

  const RecordedRun run = open_run(finished.folder);
  const fs::path plot = finished.folder / "energies.png";
  const RenderRequest picture = picture_of(run), movie = movie_of(run);
  draw_chart(chart_columns({read_run_table(run.folder)}, {"kinetic", "elastic", "gravity"}), plot);
  if (!render_run(run, picture) || !render_run(run, movie)) return exit_interrupted;
  fmt::print("\nplot:    {}\npicture: {}\nmovie:   {}\n", plot.string(), picture.out.string(), movie.out.string());
  return finished.exit_code;
}

}  // namespace

void add_demo(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("demo", "simulate a scene and leave a picture, a movie and a plot of it");
  auto scene = std::make_shared<std::string>("teapot_slinky");
  verb->add_option("SCENE", *scene, "a scene file, or the name of a scene in scenes/")->capture_default_str();
  verb->callback([=, &exit_code] { exit_code = demonstrate(*scene); });
}

}  // namespace tendril::app
