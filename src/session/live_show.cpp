#include "session/live_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "session/sliders.h"

namespace tendril::session {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::size_t most_columns = 64;  // of charts

}  // namespace

// ---- Pace

void Pace::add(const StepReport& report, double seconds) {
  ++steps_, seconds_ += seconds;
  iterations_ = std::max(iterations_, report.iterations), contacts_ = std::max(contacts_, report.contacts);
  residual_ = std::max(residual_, report.residual), smallest_gap_ = std::min(smallest_gap_, report.smallest_gap);
}

json Pace::take(double time, double now) {
  const double wall = now - began_;
  const json pace{{"speed", wall > 0 && steps_ > 0 ? std::max(0.0, time - time_) / wall : 0.0},
                  {"ms_per_step", steps_ > 0 ? 1e3 * seconds_ / steps_ : 0.0},
                  {"iterations", iterations_},
                  {"residual", residual_},
                  {"contacts", contacts_},
                  {"smallest_gap", smallest_gap_}};
  start_again(time, now);
  return pace;
}

// ---- LiveShow

LiveShow::Side::Side(Session s) : session(std::move(s)), metrics(session.model()) {}

LiveShow::LiveShow(SceneText text, std::string name, std::uint32_t number) : name_(std::move(name)) {
  sides_.emplace_back(Session(std::move(text)));
  drawing_ = std::make_unique<Drawing>(session().scene(), number);
}

json LiveShow::numbers() const {
  const Session& s = session();
  json solver_names = json::array();
  for (const Side& side : sides_) solver_names.push_back(side.session.scene().solver->name);
  Vec3d velocity;
  bool has_wind = false;
  for (const Field& field : s.model().fields)
    if (field.kind == FieldKind::wind && !has_wind) has_wind = true, velocity = field.velocity;
  return {{"solver", solver_names},
          {"toml", s.text().text},
          {"sets", s.text().sets},
          {"gravity", to_json(s.model().gravity)},
          {"wind", {{"has", has_wind}, {"on", s.has_wind()}, {"velocity", to_json(velocity)}}},
          {"sliders", sliders(s.scene().scene)},
          {"touched", s.is_touched()}};
}

json LiveShow::scene() {
  json text = describe_drawing(*drawing_, session().scene());
  text.update(numbers());
  const std::vector<std::string>& columns = sides_[0].metrics.columns();
  json probes = json::array();
  for (const Probe& probe : session().model().probes) probes.push_back(probe.name);
  text.update(
      {{"sides", sides()},
       {"name", name_},
       {"probes", probes},
       {"chart_columns",
        std::vector<std::string>(columns.begin() + 1, columns.begin() + std::min(columns.size(), most_columns + 1))},
       {"frames", 0},
       {"times", json::array()}});
  return text;
}

// what is out of scale is not drawn
json LiveShow::row_of(Side& side) const {
  try {
    std::vector<double> row = side.metrics.take_row(side.session.simulation());
    row.resize(std::min(row.size(), most_columns + 1));
    return row;
  } catch (const SimulationFailed&) {
    return json::array({side.session.simulation().time()});
  }
}

json LiveShow::status(double now, int clients) {
  json side_list = json::array(), columns = json::array(), grabs = json::array();
  for (Side& side : sides_) {
    const Simulation& simulation = side.session.simulation();
    json pace = side.pace.take(simulation.time(), now);
    pace.update({{"solver", side.session.scene().solver->name},
                 {"unsolved", side.unsolved},
                 {"steps", simulation.step_count()},
                 {"broken", simulation.broken_segments().size()}});
    side_list.push_back(pace);
    columns.push_back(row_of(side));
    for (const auto& [id, pull] : side.session.pulls())
      grabs.push_back({{"id", id},
                       {"side", &side - sides_.data()},
                       {"from", to_json(pull.from)},
                       {"to", to_json(pull.to)},
                       {"force", to_json(pull.force)}});
  }
  return {{"type", "status"},  {"playing", is_playing_},
          {"rate", rate_},     {"time", session().simulation().time()},
          {"frame", 0},        {"touched", session().is_touched()},
          {"saving", nullptr}, {"clients", clients},
          {"grabs", grabs},    {"sides", side_list},
          {"columns", columns}};
}

// of a segment, how many pairs within reach of their barriers it takes part in
std::vector<float> contact_counts(const Simulation& simulation) {
  std::vector<float> count(simulation.whole_model().segments.size(), 0);
  const std::vector<int>& number = simulation.active().segment;
  for (const Pair& pair : simulation.contact().pairs()) {
    if (pair.body_a >= 0 || !(pair.gap < pair.barrier.reach)) continue;
    ++count[number[pair.a]];
    if (!pair.with_solid()) ++count[number[pair.b]];
  }
  return count;
}

DrawnMoment LiveShow::moment(int side, Coloring color) {
  const Simulation& simulation = sides_[side].session.simulation();
  DrawnMoment moment{simulation.whole_state(), simulation.broken_segments()};
  if (color == Coloring::contact) moment.contacts = contact_counts(simulation);
  return moment;
}

// ---- time

void LiveShow::set_pace(double now) { anchor_time_ = session().simulation().time(), anchor_wall_ = now; }

void LiveShow::step(Answer& news) {
  for (Side& side : sides_) {
    const Clock::time_point began = Clock::now();
    if (!side.session.step()) {
      news.add({{"type", "notice"}, {"message", "let go: " + side.session.trouble()}});
      continue;
    }
    const double seconds = seconds_since(began);
    side.pace.add(side.session.report(), seconds), side.metrics.add(side.session.report(), seconds);
    side.unsolved += side.session.report().converged ? 0 : 1;
  }
}

bool LiveShow::advance(double now, double budget, Answer& news) {
  now_ = now;
  if (!is_playing_) return false;
  const Clock::time_point began = Clock::now();
  const double h = session().simulation().time_step();
  bool moved = false;
  const auto is_due = [&] {
    const double due = anchor_time_ + rate_ * (now + seconds_since(began) - anchor_wall_);
    return rate_ == 0 || session().simulation().time() + 0.5 * h <= due;
  };
  try {
    while (is_due() && seconds_since(began) < budget) step(news), moved = true;
  } catch (const SimulationFailed& failure) {
    is_playing_ = false, news.has_news = true;
    news.add({{"type", "stopped"}, {"message", failure.what()}, {"time", session().simulation().time()}});
  }
  if (is_due()) set_pace(now + seconds_since(began));  // it cannot keep up: what is late is not made up for
  return moved;
}

// ---- the scene

// what was built for the sessions follows them
void LiveShow::renew(Answer& answer) {
  const std::uint32_t number = drawing_->number() + 1;
  for (Side& side : sides_) side.metrics = Metrics(side.session.model()), side.unsolved = 0, side.pace = {};
  drawing_ = std::make_unique<Drawing>(session().scene(), number);
  answer.has_new_scene = answer.has_news = true;
  set_pace(now_);
}

// On all sides. What side 0 refuses is not done; where another side cannot follow, it is closed.
void LiveShow::change(const std::function<bool(Session&)>& change, Answer& answer) {
  const bool keeps = change(sides_[0].session);
  bool stays = true;
  if (sides() > 1) {
    try {
      stays = change(sides_[1].session) == keeps;
    } catch (const SceneError& error) {
      answer.add({{"type", "notice"}, {"message", error.what()}});
      stays = false;
    }
  }
  if (!stays) sides_.pop_back();
  if (!keeps) answer.add({{"type", "notice"}, {"message", "the scene has another topology now, and starts anew"}});
  if (!keeps || !stays) return renew(answer);
  set_pace(now_);
  answer.has_news = true;
  json text{{"type", "changed"}};
  text.update(numbers());
  answer.add(std::move(text));
}

int LiveShow::drop(const Vec3d& at, double radius, double mass, Answer& answer) {
  const int body = sides_[0].session.drop(at, radius, mass);
  try {
    if (sides() > 1) sides_[1].session.drop(at, radius, mass);
  } catch (const SceneError& error) {
    answer.add({{"type", "notice"}, {"message", error.what()}});
    sides_.pop_back();
  }
  renew(answer);
  return body;
}

void LiveShow::compare_with(const std::string& solver, Answer& answer) {
  if (!solver.empty()) {
    Side beside(session().beside(solver));
    if (sides() > 1) sides_.pop_back();
    sides_.push_back(std::move(beside));
  } else if (sides() > 1) {
    sides_.pop_back();
  }
  renew(answer);
}

void LiveShow::check(const std::string& text, Answer& answer) const {
  SceneText edited = session().text();
  edited.text = text, edited.sets.clear();
  json checked{{"type", "checked"}, {"problems", json::array()}};
  try {
    refuse_paths_outside(edited, session().own_text());
    open_scene_text(edited);
  } catch (const SceneError& error) {
    checked["problems"] = error_text("check", error, edited.file)["problems"];
  }
  answer.add(std::move(checked));
}

}  // namespace tendril::session
