#include "run_scene.h"
#include "verbs.h"

namespace tendril::app {

void add_run(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("run", "simulate a scene, write a run, check what the scene expects");
  auto request = std::make_shared<RunRequest>();
  verb->add_option("SCENE", request->scene, "a scene file, or the name of a scene in scenes/")->required();
  verb->add_option("--solver", request->solver, "instead of the scene's own; see `tendril list solvers`");
  verb->add_option("--set", request->sets, "PATH=VALUE: any key of the scene, e.g. simulation.time_step=1e-3")
      ->expected(1)
      ->take_all();
  verb->add_option("--out", request->out,
                   "folder of the run; default runs/SCENE-SOLVER, with a number behind it when that is in use");
  auto* resume = verb->add_flag("--resume", request->resume, "continue the run in that folder");
  verb->add_flag("--overwrite", request->overwrite, "replace the run in that folder")->excludes(resume);
  verb->add_flag("--untangle", request->untangle, "first push apart what overlaps at the start");
  verb->add_flag("--check-crossings", request->check_crossings,
                 "also judge every motion by an exact test for crossings; slow");
  verb->callback([=, &exit_code] { exit_code = run_scene(*request).exit_code; });
}

}  // namespace tendril::app
