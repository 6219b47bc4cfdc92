#include "session/save_run.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/progress.h"

namespace tendril::session {
namespace {

// does what was done to the session before this step
class Replay {
 public:
  Replay(Session& session, const Recipe& recipe) : session_(session), recipe_(recipe) {}

  void act_before_step() {
    const std::int64_t step = session_.simulation().step_count();
    for (; next_ < recipe_.touches.size() && recipe_.touches[next_].step <= step; ++next_)
      recipe_.touches[next_].act(session_);
    session_.prepare_step();
  }

 private:
  Session& session_;
  const Recipe& recipe_;
  std::size_t next_ = 0;
};

}  // namespace

RunResult save_run(const Recipe& recipe, const std::filesystem::path& folder, const SaveOptions& options) {
  if (!recipe.unsavable.empty()) throw std::runtime_error(recipe.unsavable);
  Session session = Session::unsettled(recipe.start);
  Replay replay(session, recipe);
  RunOptions how = session.engine().run_options();
  SceneText end = recipe.end;
  if (recipe.steps > how.schedule.step_count()) {  // it went on beyond the end of its scene
    how.schedule.duration = double(recipe.steps) * how.schedule.time_step;
    put_set(end.sets, "simulation.duration", fmt::format("{}", how.schedule.duration));
  }
  RunInfo info = Engine(open_scene_text(end)).run_info(options.program);
  if (!recipe.touches.empty())
    info.about["session"] = {{"touches", recipe.touches.size()}, {"first_touch_step", recipe.touches.front().step}};
  Recorder recorder(folder, info, session.model(), RunStart::fresh);
  Progress silent(stderr, Progress::Style::none);

  std::atomic<bool> is_over{recipe.steps == 0};
  how.interrupted = &is_over, how.patience = forever;
  how.before_step = [&] {
    replay.act_before_step();
    const std::int64_t step = session.simulation().step_count() + 1;
    if (step >= recipe.steps || (options.interrupted && options.interrupted->load()))
      is_over = true;  // after this step
    if (options.on_progress) options.on_progress(double(step) / double(recipe.steps));
  };
  return run(session.engine().simulation(), how, recorder, silent);
}

}  // namespace tendril::session
