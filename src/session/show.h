#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "session/drawing.h"

namespace tendril::session {

// what is to be said after a message
struct Answer {
  std::vector<nlohmann::json> texts;
  bool has_new_scene = false;  // everybody needs scene() and the layout anew
  bool has_news = false;       // a status is due

  void add(nlohmann::json text) { texts.push_back(std::move(text)); }
};

// What pages look at: a scene that runs, or a recorded run. It speaks the messages of web/PROTOCOL.md and knows nothing
// of who carries them. One thread uses it at a time.
class Show {
 public:
  virtual ~Show() = default;

  virtual const char* mode() const = 0;
  virtual nlohmann::json scene() = 0;
  virtual nlohmann::json status(double now, int clients) = 0;  // `now`: wall clock [s]
  virtual Drawing& drawing() = 0;                              // of every side
  virtual int sides() const = 0;
  virtual DrawnMoment moment(int side, Coloring color) = 0;

  // a message that has a "type"; what is wrong with it is in the answer
  virtual Answer receive(const nlohmann::json& message, double now) = 0;
  // goes on until the wall clock `now` + `budget` [s] at most; whether anything moved
  virtual bool advance(double now, double budget, Answer& news) = 0;
  virtual bool is_playing() const = 0;
};

// the end of a message that was refused, see `error`
nlohmann::json error_text(const std::string& about, const std::string& message);
nlohmann::json error_text(const std::string& about, const SceneError& error, const std::string& file);

// parts of `scene` that all shows have: rods, bodies, shapes, bounds
nlohmann::json describe_drawing(const Drawing& drawing, const LoadedScene& scene);
nlohmann::json to_json(const Vec3d& x);

// `welcome`
nlohmann::json welcome_text(const std::string& program, const std::string& mode, bool control);

}  // namespace tendril::session
