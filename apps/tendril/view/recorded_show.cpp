#include "view/recorded_show.h"

#include <algorithm>

#include "session/message_fields.h"

namespace tendril::app {
namespace {

using nlohmann::json;

constexpr std::size_t most_columns = 64;  // of charts

}  // namespace

RecordedShow::RecordedShow(const std::string& folder, std::uint32_t number)
    : run_(open_run(folder)), times_(recorded_times(run_)), metrics_(read_csv(run_.folder / "metrics.csv")) {
  drawing_ = std::make_unique<Drawing>(run_.scene, number);
}

json RecordedShow::scene() {
  json text = describe_drawing(*drawing_, run_.scene);
  json probes = json::array();
  for (const Probe& probe : run_.scene.baked.model.probes) probes.push_back(probe.name);
  const std::vector<std::string>& names = metrics_.names;
  const std::size_t count = std::min(names.size(), most_columns + 1);
  text.update({{"sides", 1},
               {"name", run_.folder.filename().string()},
               {"solver", json::array({run_.scene.solver->name})},
               {"toml", resolved_toml(run_.scene.scene)},
               {"probes", probes},
               {"chart_columns",
                std::vector<std::string>(names.begin() + std::min<std::size_t>(1, count), names.begin() + count)},
               {"gravity", to_json(run_.scene.baked.model.gravity)},
               {"wind", {{"has", false}, {"on", false}, {"velocity", {0, 0, 0}}}},
               {"sliders", json::array()},
               {"touched", false},
               {"frames", run_.frame_count},
               {"times", times_}});
  return text;
}

json RecordedShow::status(double, int clients) {
  json row = json::array();
  for (std::size_t c = 0; c < std::min(metrics_.names.size(), most_columns + 1); ++c)
    row.push_back(std::size_t(frame_) < metrics_.columns[c].size() ? json(metrics_.columns[c][frame_]) : json(nullptr));
  const json side{{"solver", run_.scene.solver->name},
                  {"speed", is_playing_ ? rate_ : 0},
                  {"ms_per_step", 0},
                  {"iterations", 0},
                  {"residual", nullptr},
                  {"contacts", 0},
                  {"unsolved", 0},
                  {"steps", 0},
                  {"smallest_gap", nullptr},
                  {"broken", 0}};
  return {{"type", "status"},
          {"playing", is_playing_},
          {"rate", rate_},
          {"time", times_[frame_]},
          {"frame", frame_},
          {"touched", false},
          {"saving", nullptr},
          {"clients", clients},
          {"grabs", json::array()},
          {"sides", json::array({side})},
          {"columns", json::array({row})}};
}

DrawnMoment RecordedShow::moment(int, Coloring) {
  RecordedState recorded = read_recorded_state(run_.folder, frame_);
  const Model& model = run_.scene.baked.model;
  if (recorded.state.x.size() != model.vertices.size() || recorded.state.q.size() != model.segments.size())
    throw FileError(run_.folder.string() + ": a frame does not belong to the scene of the run");
  return {std::move(recorded.state), std::move(recorded.broken), {}, std::uint32_t(frame_)};
}

void RecordedShow::go_to(int frame, double now) {
  frame_ = std::clamp(frame, 0, run_.frame_count - 1);
  anchor_time_ = times_[frame_], anchor_wall_ = now;
}

Answer RecordedShow::receive(const json& message, double now) {
  Answer answer;
  answer.has_news = true;
  const std::string type = message["type"].get<std::string>();
  const MessageFields fields(message);
  try {
    if (type == "play") {
      is_playing_ = true, go_to(frame_ + 1 < run_.frame_count ? frame_ : 0, now);
    } else if (type == "pause") {
      is_playing_ = false;
    } else if (type == "step") {
      is_playing_ = false, go_to(frame_ + fields.integer("count", -1000, 1000), now);
    } else if (type == "reset") {
      go_to(0, now);
    } else if (type == "rate") {
      rate_ = fields.number("value", 0, 1000), go_to(frame_, now);
    } else if (type == "seek") {
      go_to(fields.integer("frame", 0, run_.frame_count - 1), now);
    } else {
      throw MessageError("a recorded run has no message of the type \"" + type.substr(0, 40) + "\"");
    }
  } catch (const MessageError& error) {
    answer.add(error_text(type, error.what()));
  }
  return answer;
}

bool RecordedShow::advance(double now, double, Answer& news) {
  if (!is_playing_) return false;
  const int before = frame_;
  const double time = anchor_time_ + rate_ * (now - anchor_wall_);
  if (rate_ == 0)
    frame_ = std::min(frame_ + 1, run_.frame_count - 1);
  else
    frame_ = std::max(0, int(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin()) - 1);
  if (frame_ == run_.frame_count - 1) is_playing_ = false, news.has_news = true;
  return frame_ != before;
}

}  // namespace tendril::app
