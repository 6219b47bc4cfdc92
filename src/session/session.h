#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "session/approach.h"
#include "session/grip.h"
#include "session/scene_text.h"

namespace tendril::session {

class Session;

// something that was done to a session, before a step
struct Touch {
  std::int64_t step = 0;
  std::function<void(Session&)> act;
  int hand = -1, body = -1;  // of which it says no more than where it is to go
};

// all that a session is made of: whoever does the same again gets the same bits
struct Recipe {
  SceneText start, end;
  std::vector<Touch> touches;
  std::int64_t steps = 0;
  std::string unsavable;  // why it is no run; empty: it is one
};

// A scene that runs and is played with: pulled at, moved, changed, while it keeps what the engine promises. It knows
// nothing of windows or networks; one thread uses it at a time.
//
//   Session session(read_scene_text("hair.toml"));
//   session.grab(0, {.segment = 12}, {0, 0, 1});
//   while (session.simulation().time() < 1) session.step();
class Session {
 public:
  explicit Session(SceneText text);          // opens it and settles, if the scene asks for it; throws SceneError
  static Session unsettled(SceneText text);  // for whoever settles it by himself

  // another one that goes on from the same state under another solver, with the same hands; throws SceneError
  Session beside(const std::string& solver) const;

  // by one time step. When it cannot be done and something is pulled or moved, all is let go and the answer is false;
  // else it throws SimulationFailed. Both stay at the last good state.
  bool step();
  void prepare_step();  // what step() does before the engine's own, for whoever steps the engine
  void reset();         // to the start of the scene as it is now, without hands

  // ---- hands; `id` is the caller's own name for one. They throw std::invalid_argument, std::out_of_range.

  // a spring from there to the target, see grip.h; `strength` is a factor on it
  void grab(int id, const Grip& grip, const Vec3d& target, double strength = 1);
  void drag(int id, const Vec3d& target);
  void release(int id);
  // a kinematic body goes there, no faster than hand_speed(), and stays; stay() ends that where it is
  void move(int body, const Pose& target);
  void stay(int body);
  void let_go();  // of all

  struct Pull {
    Vec3d from, to;  // [m]
    Vec3d force;     // in the last step [N]
  };
  std::map<int, Pull> pulls() const;  // by their ids
  HandSpeed hand_speed() const;

  // ---- the scene. What changes no topology keeps the state; else it starts anew, and the answer is false. They throw
  // SceneError, and nothing is changed then.

  bool set(const std::string& path, const std::string& value);  // as --set does
  bool replace(const std::string& text);
  bool use_solver(const std::string& name);
  bool switch_gravity(bool on);
  bool switch_wind(bool on, const std::optional<Vec3d>& velocity = {});
  int drop(const Vec3d& at, double radius, double mass);  // a ball, which falls from there; its number

  bool has_gravity() const;
  bool has_wind() const;

  // ----

  const SceneText& text() const { return text_; }
  const SceneText& own_text() const { return own_; }  // of its file
  const LoadedScene& scene() const { return engine_->scene(); }
  const Model& model() const { return engine_->model(); }  // vertices, segments and bodies in the scene's numbers
  const Simulation& simulation() const { return engine_->simulation(); }
  Engine& engine() { return *engine_; }
  const StepReport& report() const { return report_; }     // of the last step
  const std::string& trouble() const { return trouble_; }  // why the last step was not done
  bool is_touched() const { return !touches_.empty(); }    // since its start
  const std::optional<SettleReport>& settled() const { return settled_; }
  Recipe recipe() const;

 private:
  struct Hand {
    Grip grip;
    GripStrength strength;
    Vec3d target;
    int first_spring = 0, spring_count = 0;  // of the last step
  };
  struct Way {
    Pose target;
    bool returns = false;  // to where the scene has it
  };

  Session() = default;
  void start(LoadedScene scene, bool settles);
  bool become(SceneText text);
  void go_on_as(LoadedScene scene, Continuation from);
  Continuation continuation(const LoadedScene& next) const;
  void restart_solver();
  void renumber_bodies(int added);
  void return_to_prescribed();
  void note(std::function<void(Session&)> act, int hand = -1, int body = -1);

  SceneText own_, text_, first_;  // of its file, as it is, as it was at the start
  std::unique_ptr<Engine> engine_;
  std::optional<SettleReport> settled_;
  StepReport report_;
  std::string trouble_, unsavable_;
  std::map<int, Hand> hands_;
  std::map<int, Way> ways_;  // (body)
  std::vector<Touch> touches_;
};

}  // namespace tendril::session
