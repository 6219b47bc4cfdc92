#include "sim/half_turns.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/pair_name.h"

namespace tendril::sim {
namespace {

std::string frame_name(const Model& model, const FrameId& frame) {
  if (!frame.is_body) return segment_name(model, frame.index);
  const std::string& name = model.bodies[frame.index].name;
  return name.empty() ? "what holds it" : fmt::format("body \"{}\"", name);
}

std::string joint_name(const Model& model, const Bend& bend) {
  const bool body_first = bend.a.is_body;
  return fmt::format("{} and {}", frame_name(model, body_first ? bend.b : bend.a),
                     frame_name(model, body_first ? bend.a : bend.b));
}

}  // namespace

void HalfTurns::look(const Simulation& simulation) {
  const ActiveModel& active = simulation.active();
  const State& state = simulation.state();
  for (std::size_t k = 0; k < active.bend.size(); ++k) {
    const Bend& bend = active.model.bends[k];
    if (bend.GJ == 0) continue;  // free to turn
    const Quatd& a = bend.a.is_body ? state.body_q[bend.a.index] : state.q[bend.a.index];
    const Quatd& b = bend.b.is_body ? state.body_q[bend.b.index] : state.q[bend.b.index];
    const Side now = dot(a, b * bend.turn) < 0 ? Side::far : Side::near;
    const int number = active.bend[k];
    if (sides_[number] == Side::unseen) sides_[number] = now;
    if (sides_[number] == now || sides_[number] == Side::counted) continue;
    sides_[number] = Side::counted;
    if (count_++ > 0) continue;
    const Model& whole = simulation.whole_model();
    first_ = fmt::format("{} at t = {:.6g} s", joint_name(whole, whole.bends[number]), state.time);
  }
}

void HalfTurns::save(Writer& out) const {
  out.put(sides_);
  out.put(count_);
  out.put(std::vector<char>(first_.begin(), first_.end()));
}

void HalfTurns::load(Reader& in) {
  const std::size_t bends = sides_.size();
  std::vector<char> first;
  in.get(sides_), in.get(count_), in.get(first);
  if (sides_.size() != bends) throw std::runtime_error("the saved state belongs to another scene");
  first_.assign(first.begin(), first.end());
}

}  // namespace tendril::sim
