// what a page says to a LiveShow, see web/PROTOCOL.md

#include <set>

#include "session/live_show.h"
#include "session/message_fields.h"

namespace tendril::session {
namespace {

using nlohmann::json;

constexpr std::size_t longest_text = std::size_t(1) << 20, longest_name = 200;  // [bytes]

Grip grip_of(const MessageFields& fields, const Drawing& drawing) {
  Grip grip;
  if (fields.has("body")) {
    grip.body = fields.integer("body", 0, 1 << 30);
    if (fields.has("point")) grip.point = fields.vec3("point");
    return grip;
  }
  grip.segment = drawing.segment_of(fields.integer("segment", 0, 1 << 30));
  grip.fraction = fields.has("fraction") ? fields.number("fraction", 0, 1) : 0;
  return grip;
}

bool is_of_hands(const std::string& type) {
  static const std::set<std::string> types{"grab", "drag", "release", "move", "stay"};
  return types.contains(type);
}

}  // namespace

Answer LiveShow::receive(const json& message, double now) {
  now_ = now;
  Answer answer;
  const std::string type = message["type"].get<std::string>();
  try {
    act(type, message, now, answer);
  } catch (const SceneError& error) {
    answer.add(error_text(type, error, session().text().file));
  } catch (const SimulationFailed& failure) {
    is_playing_ = false, answer.has_news = true;
    answer.add({{"type", "stopped"}, {"message", failure.what()}, {"time", session().simulation().time()}});
  } catch (const std::logic_error& error) {  // of the message: out of range, invalid
    answer.add(error_text(type, error.what()));
  } catch (const std::bad_alloc&) {
    answer.add(error_text(type, "there is not enough memory for this"));
  }
  return answer;
}

void LiveShow::act(const std::string& type, const json& message, double now, Answer& answer) {
  const MessageFields fields(message);
  if (is_of_hands(type)) return act_on_hands(type, message);
  answer.has_news = true;
  if (type == "play") {
    is_playing_ = true, set_pace(now);
  } else if (type == "pause") {
    is_playing_ = false;
  } else if (type == "step") {
    is_playing_ = false;
    for (int count = fields.integer("count", 1, 1000); count > 0; --count) step(answer);
  } else if (type == "reset") {
    for (Side& side : sides_)
      side.session.reset(), side.unsolved = 0, side.pace.start_again(0, now),
                            side.metrics = Metrics(side.session.model());
    set_pace(now);
  } else if (type == "rate") {
    rate_ = fields.number("value", 0, 1000), set_pace(now);
  } else if (!act_on_scene(type, message, answer)) {
    throw MessageError("there is no message of the type \"" + type.substr(0, 40) + "\" here");
  }
}

void LiveShow::act_on_hands(const std::string& type, const json& message) {
  const MessageFields fields(message);
  const auto on_all = [&](const auto& act) {
    for (Side& side : sides_) act(side.session);
  };
  if (type == "move" || type == "stay") {
    const int body = fields.integer("body", 0, 1 << 30);
    if (type == "stay") return on_all([&](Session& s) { s.stay(body); });
    const Pose target{fields.vec3("x"), fields.quat("q")};
    return on_all([&](Session& s) { s.move(body, target); });
  }
  const int id = fields.integer("id", 0, 15);
  if (type == "release") return on_all([&](Session& s) { s.release(id); });
  const Vec3d target = fields.vec3("target");
  if (type == "drag") return on_all([&](Session& s) { s.drag(id, target); });
  const Grip grip = grip_of(fields, *drawing_);
  const double strength = fields.has("strength") ? fields.number("strength", 0.01, 100) : 1;
  on_all([&](Session& s) { s.grab(id, grip, target, strength); });
}

bool LiveShow::act_on_scene(const std::string& type, const json& message, Answer& answer) {
  const MessageFields fields(message);
  if (type == "set") {
    const std::string path = fields.text("path", longest_name), value = fields.toml("value");
    change([&](Session& s) { return s.set(path, value); }, answer);
  } else if (type == "toml") {
    const std::string text = fields.text("text", longest_text);
    change([&](Session& s) { return s.replace(text); }, answer);
  } else if (type == "check") {
    check(fields.text("text", longest_text), answer);
  } else if (type == "gravity") {
    const bool on = fields.boolean("on");
    change([&](Session& s) { return s.switch_gravity(on); }, answer);
  } else if (type == "wind") {
    const bool on = fields.boolean("on");
    const std::optional<Vec3d> velocity =
        fields.has("velocity") ? std::optional(fields.vec3("velocity")) : std::nullopt;
    change([&](Session& s) { return s.switch_wind(on, velocity); }, answer);
  } else if (type == "solver") {
    const std::string name = fields.text("name", longest_name);
    Session& chosen = sides_.at(std::size_t(fields.has("side") ? fields.integer("side", 0, sides() - 1) : 0)).session;
    chosen.use_solver(name);
    set_pace(now_);
    json text{{"type", "changed"}};
    text.update(numbers());
    answer.add(std::move(text));
  } else if (type == "compare") {
    compare_with(fields.text("solver", longest_name), answer);
  } else if (type == "drop") {
    const Vec3d at = fields.vec3("at");
    const double radius = fields.number("radius", 1e-6, 1e3), mass = fields.number("mass", 1e-9, 1e6);
    const int body = drop(at, radius, mass, answer);
    answer.add({{"type", "dropped"}, {"body", body}});
  } else {
    return false;
  }
  return true;
}

}  // namespace tendril::session
