#include "sim/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rod/energy.h"
#include "rod/frame.h"
#include "rod/momentum.h"
#include "sim/reaction.h"

namespace tendril::sim {
namespace {

const char* const common_columns[] = {"time",
                                      "kinetic",
                                      "elastic",
                                      "gravity",
                                      "momentum_x",
                                      "momentum_y",
                                      "momentum_z",
                                      "angular_momentum_x",
                                      "angular_momentum_y",
                                      "angular_momentum_z",
                                      "max_stretch",
                                      "min_gap",
                                      "contacts",
                                      "iterations",
                                      "residual",
                                      "step_ms"};

void put(std::vector<double>& row, const Vec3d& a) { row.insert(row.end(), {a.x, a.y, a.z}); }
void put(std::vector<double>& row, const Quatd& q) { row.insert(row.end(), {q.w, q.x, q.y, q.z}); }

bool is_held(const Model& model, const Probe& probe) {
  return std::any_of(model.ties.begin(), model.ties.end(), [&](const Tie& tie) {
    return tie.vertex == probe.vertex && model.bodies[tie.body].kind == BodyKind::kinematic;
  });
}

}  // namespace

Metrics::Metrics(const Model& whole_model) : columns_(std::begin(common_columns), std::end(common_columns)) {
  for (const Probe& probe : whole_model.probes) {
    probe_is_held_.push_back(is_held(whole_model, probe));
    for (const char* part : {"x", "y", "z", "vx", "vy", "vz", "qw", "qx", "qy", "qz"})
      columns_.push_back(probe.name + "." + part);
    if (probe_is_held_.back())
      for (const char* part : {"fx", "fy", "fz", "mx", "my", "mz"}) columns_.push_back(probe.name + "." + part);
  }
  columns_.insert(columns_.end(), {"broken", "friction_work", "contact_loss", "total_energy"});
}

void Metrics::add(const StepReport& report, double seconds) {
  since_.smallest_gap = std::min(since_.smallest_gap, report.smallest_gap);
  since_.residual = std::max(since_.residual, report.residual);
  since_.iterations = std::max(since_.iterations, report.iterations);
  since_.contacts = std::max(since_.contacts, report.contacts);
  since_.seconds += seconds;
  ++since_.steps;
}

// all but the gap, which is infinite when nothing is near
void Metrics::refuse_not_a_number(const std::vector<double>& row) const {
  for (std::size_t c = 0; c < row.size(); ++c)
    if (!std::isfinite(row[c]) && !(columns_[c] == "min_gap" && row[c] > 0))
      throw SimulationFailed(fmt::format(
          "{} is {} at t = {:.9g} s: a speed, stiffness, mass or load that is out of scale; check those of the scene",
          columns_[c], row[c], row[0]));
}

std::vector<double> Metrics::take_row(const Simulation& simulation) {
  const Model& model = simulation.model();
  const State& state = simulation.state();
  std::vector<double> row{state.time, kinetic_energy(model, state, simulation.segment_spin()),
                          elastic_energy(model, state), gravity_energy(model, state)};
  put(row, linear_momentum(model, state));
  put(row, angular_momentum(model, state, simulation.segment_spin()));
  row.insert(row.end(), {largest_stretch(model, state), since_.smallest_gap, double(since_.contacts),
                         double(since_.iterations), since_.residual, 1e3 * since_.seconds / std::max(1, since_.steps)});

  const bool any_held = std::find(probe_is_held_.begin(), probe_is_held_.end(), true) != probe_is_held_.end();
  const Forces internal = any_held ? simulation.internal_forces() : Forces{};
  const BalancedStep step{model,    simulation.state_before(),  state, simulation.inputs().end,
                          internal, simulation.last_time_step()};
  for (std::size_t p = 0; p < model.probes.size(); ++p) {
    const Probe& probe = model.probes[p];
    put(row, probe.vertex >= 0 ? state.x[probe.vertex] : state.body_x[probe.body]);
    put(row, probe.vertex >= 0 ? state.v[probe.vertex] : state.body_v[probe.body]);
    put(row, section_frame(state, probe));
    if (!probe_is_held_[p]) continue;
    const Reaction reaction = reaction_at(probe.vertex, step);
    put(row, reaction.force);
    put(row, reaction.moment);
  }
  row.insert(row.end(), {double(simulation.broken_segments().size()), simulation.contact().friction_work(),
                         simulation.contact().contact_loss(), row[1] + row[2] + row[3]});
  refuse_not_a_number(row);
  since_ = {};
  return row;
}

std::string csv_line(const std::vector<double>& values) {
  std::string line;
  char digits[40];
  for (double value : values) {
    std::snprintf(digits, sizeof digits, "%.17g", value);
    if (!line.empty()) line += ',';
    line += digits;
  }
  return line + '\n';
}

std::string csv_line(const std::vector<std::string>& names) {
  std::string line;
  for (const std::string& name : names) {
    if (!line.empty()) line += ',';
    line += name;
  }
  return line + '\n';
}

}  // namespace tendril::sim
