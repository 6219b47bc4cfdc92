#include <fmt/format.h>

#include <filesystem>

#include "comparison.h"
#include "sim/recorder.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

struct Words {
  RunRequest request;
  std::string solvers;
};

int compare(Words words) {
  const std::vector<Contender> contenders = read_contenders(words.solvers);
  const fs::path scene = find_scene_file(words.request.scene);
  if (words.request.out.empty()) words.request.out = (fs::path("runs") / ("compare-" + scene.stem().string())).string();
  const fs::path folder = words.request.out;
  if (fs::exists(folder) && !fs::is_empty(folder))
    throw RunFolderError(fmt::format("{}: is in use; name another with --out, or remove it", folder.string()));
  make_folder(folder);

  std::vector<Outcome> outcomes;
  int exit_code = exit_good;
  for (const Contender& contender : contenders) {
    fmt::print(stderr, "{}\n", contender.label);
    outcomes.push_back(run_contender(words.request, contender));
    exit_code = std::max(exit_code, outcomes.back().exit_code);
    if (outcomes.back().exit_code == exit_interrupted) break;
  }
  fmt::print("\n{}", comparison_text(outcomes));
  const Chart chart = comparison_chart(outcomes);
  if (chart.lines.empty()) return exit_code;
  draw_chart(chart, folder / "compare.png");
  fmt::print("\nruns: {}\nplot: {}\n", folder.string(), (folder / "compare.png").string());
  return exit_code;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand(
      "compare",
      "the same scene under several solvers: cost, errors, and differences from the first, as numbers and as a plot");
  auto words = std::make_shared<Words>();
  verb->add_option("SCENE", words->request.scene, "a scene file, or the name of a scene in scenes/")->required();
  verb->add_option("--solvers", words->solvers,
                   "A,B,…; each may have options of its own: stable,stable:iterations=32:precision=float")
      ->required();
  verb->add_option("--set", words->request.sets, "PATH=VALUE: any key of the scene, for all of them")
      ->expected(1)
      ->take_all();
  verb->add_option("--out", words->request.out, "folder of the runs; default runs/compare-SCENE");
  verb->callback([=, &exit_code] { exit_code = compare(*words); });
}

}  // namespace tendril::app
