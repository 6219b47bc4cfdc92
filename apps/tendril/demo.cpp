#include <filesystem>

#include <fmt/format.h>

#include "recorded_run.h"
#include "render/chart.h"
#include "render/render.h"
#include "run_scene.h"
#include "verbs.h"

namespace tendril {
namespace {

namespace fs = std::filesystem;

// a folder runs/demo, runs/demo-2, … that is not in use
fs::path free_folder(const fs::path& base) {
  fs::path folder = base;
  for (int n = 2; fs::exists(folder); ++n) folder = fs::path(fmt::format("{}-{}", base.string(), n));
  return folder;
}

int demonstrate(const std::string& scene) {
  RunRequest request;
  request.scene = scene;
  request.out = free_folder("runs/demo").string();
  const FinishedRun finished = run_scene(request);
  if (finished.exit_code == exit_interrupted || finished.exit_code == exit_simulation_failed) return finished.exit_code;

  const RecordedRun run = open_run(finished.folder);
  const RecordedFrame last = read_recorded_frame(run, -1);
  const std::vector<State> states{read_recorded_frame(run, 0).state, read_recorded_frame(run, run.frame_count / 2).state, last.state};
  const fs::path picture = finished.folder / "last_frame.png", plot = finished.folder / "tip.png";
  RenderOptions options;
  options.stripe = true;
  write_png(render(last.model, last.state, frame_camera(last.model, states), options), picture);
  const std::string probe = last.model.probes.empty() ? "" : last.model.probes.front().name;
  const std::vector<std::string> columns =
      probe.empty() ? std::vector<std::string>{"kinetic", "elastic"} : std::vector<std::string>{probe + ".x", probe + ".y", probe + ".z"};
  plot_csv(finished.folder / "metrics.csv", columns, plot, run.scene.baked.title);
  fmt::print("\npicture: {}\nplot:    {}\n", picture.string(), plot.string());
  return finished.exit_code;
}

}  // namespace

void add_demo(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("demo", "simulate a scene and leave a picture and a plot of it");
  auto scene = std::make_shared<std::string>("teapot_slinky");
  verb->add_option("SCENE", *scene, "a scene file, or the name of a scene in scenes/")->capture_default_str();
  verb->callback([=, &exit_code] { exit_code = demonstrate(*scene); });
}

}  // namespace tendril
