#include "sim/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

#include "contact/for_all.h"
#include "rod/energy.h"

namespace tendril::sim {
namespace {

bool is_finite(const Quatd& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

// "vertex 7 of rod "beam"", by the rod's own count
std::string vertex_name(const Model& model, int vertex) {
  for (const Rod& rod : model.rods)
    for (std::size_t k = 0; k < rod.vertices.size(); ++k)
      if (rod.vertices[k] == vertex) return fmt::format("vertex {} of rod \"{}\"", k, rod.name);
  return fmt::format("vertex {}", vertex);
}

std::string segment_name(const Model& model, int segment) {
  for (const Rod& rod : model.rods)
    if (segment >= rod.first_segment && segment < rod.first_segment + rod.segment_count)
      return fmt::format("segment {} of rod \"{}\" (at {})", segment - rod.first_segment, rod.name,
                         vertex_name(model, model.segments[segment].vertex[0]));
  return fmt::format("segment {}", segment);
}

std::string body_name(const Model& model, int body) {
  const std::string& name = model.bodies[body].name;
  return name.empty() ? fmt::format("body {}", body) : fmt::format("body \"{}\"", name);
}

// the first thing that is not a number
std::string first_culprit(const Model& model, const State& state) {
  for (std::size_t i = 0; i < state.x.size(); ++i)
    if (!is_finite(state.x[i]) || !is_finite(state.v[i])) return vertex_name(model, int(i));
  for (std::size_t s = 0; s < state.q.size(); ++s)
    if (!is_finite(state.q[s]) || !is_finite(state.omega[s])) return segment_name(model, int(s));
  for (std::size_t b = 0; b < state.body_x.size(); ++b)
    if (!is_finite(state.body_x[b]) || !is_finite(state.body_v[b]) || !is_finite(state.body_q[b]) ||
        !is_finite(state.body_omega[b]))
      return body_name(model, int(b));
  return {};
}

// The exponent of infinity, and of what is not a number, has all bits set. All are looked at, which takes less time
// than to ask after each whether to go on.
template <class Item>
bool is_finite(const std::vector<Item>& items, ThreadTeam& team) {
  constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000;
  constexpr std::size_t numbers = sizeof(Item) / sizeof(double);
  std::atomic<bool> all = true;
  for_shares(&team, items.size(), [&](Share share, int) {
    const double* number = reinterpret_cast<const double*>(items.data() + share.begin);
    std::uint64_t bad = 0;
    for (std::size_t k = 0; k < (share.end - share.begin) * numbers; ++k)
      bad |= (std::bit_cast<std::uint64_t>(number[k]) & exponent) == exponent;
    if (bad != 0) all.store(false, std::memory_order_relaxed);
  });
  return all;
}

bool is_finite(const State& s, ThreadTeam& team) {
  const auto all = [&](const auto&... items) { return (is_finite(items, team) && ...); };
  return all(s.x, s.v, s.q, s.omega, s.body_x, s.body_v, s.body_q, s.body_omega);
}

// what the last good state tells about the reason
std::string likely_cause(const Model& model, const State& before, double h) {
  double shortest = forever, fastest = 0;
  for (const Segment& segment : model.segments) shortest = std::min(shortest, segment.rest_length);
  for (const Vec3d& v : before.v) fastest = std::max(fastest, norm(v));
  const double stretch = largest_stretch(model, before);
  const std::string remedy = fmt::format("reduce simulation.time_step (now {:g} s)", h);
  if (fastest * h > shortest)
    return fmt::format(
        "likely cause: a vertex moved at {:.3g} m/s, further in one step than the shortest segment ({:.3g} m);"
        " {}, or check the loads and drives",
        fastest, shortest, remedy);
  if (stretch > 1)
    return fmt::format(
        "likely cause: a segment is stretched by {:.3g} of its length; check loads and stiffness (EA), or {}", stretch,
        remedy);
  return fmt::format("likely cause: a load, drive or stiffness that is out of scale there; check them, or {}", remedy);
}

}  // namespace

void refuse(const std::string& failure, double time) {
  throw SimulationFailed(fmt::format("the step from t = {:.6g} s failed: {}", time, failure));
}

void refuse_crossing(const std::string& pair, bool solver_has_contact, double time) {
  if (solver_has_contact)
    refuse(fmt::format("{} crossed. That is a mistake of the solver, not of the scene: please report it; a smaller "
                       "simulation.time_step may avoid it",
                       pair),
           time);
  refuse(fmt::format("{} touch, and the solver has no contact; choose one that has (tendril list solvers), or switch "
                     "contact off: [contact] enabled = false",
                     pair),
         time);
}

void refuse_not_a_number(const Model& model, const State& before, const State& after, double h, ThreadTeam& team) {
  if (is_finite(after, team)) return;
  const std::string culprit = first_culprit(model, after);
  throw SimulationFailed(fmt::format("{} is not a number after the step from t = {:.9g} s to {:.9g} s; {}", culprit,
                                     before.time, before.time + h, likely_cause(model, before, h)));
}

}  // namespace tendril::sim
