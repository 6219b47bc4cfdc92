#include "solvers/block/strands.h"

#include <algorithm>
#include <map>

#include "solvers/newton/lanes.h"

namespace tendril::block {
namespace {

using T = Pack<double>;

bool fits_a_lane(const Problem& problem, const Part& part) {
  if (!part.slaved_segments.empty() || !part.slaved_vertices.empty()) return false;
  for (const Unknown& u : part.unknowns)
    if (u.kind == Kind::body_place || u.kind == Kind::body_turn) return false;
  for (const BendElement& e : part.bends)
    if (problem.model->bends[e.bend].GJ == 0) return false;  // it swings
  return true;
}

bool are_alike(const Problem& problem, const Part& a, const Part& b) {
  const auto role = [&](const Unknown& u) { return u.kind == Kind::vertex ? problem.role[u.index] : Role::free; };
  const auto same_rows = [](const auto& p, const auto& q, auto rows) {
    return std::equal(p.begin(), p.end(), q.begin(), q.end(),
                      [&](const auto& e, const auto& f) { return rows(e) == rows(f); });
  };
  return a.plan == b.plan &&
         same_rows(a.unknowns, b.unknowns, [&](const Unknown& u) { return std::pair(u.kind, role(u)); }) &&
         same_rows(a.stretches, b.stretches,
                   [](const StretchElement& e) {
                     return std::array{e.x0, e.x1, e.theta};
                   }) &&
         same_rows(a.bends, b.bends, [](const BendElement& e) {
           return std::array{e.a, e.b};
         });
}

Vec3<T> select(T::Mask where, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(where, a.x, b.x), select(where, a.y, b.y), select(where, a.z, b.z)};
}
Quat<T> select(T::Mask where, const Quat<T>& a, const Quat<T>& b) {
  return {select(where, a.w, b.w), select(where, a.x, b.x), select(where, a.y, b.y), select(where, a.z, b.z)};
}

}  // namespace

Bundles make_bundles(const Problem& problem, const Parts& parts) {
  Bundles out;
  std::map<const Elimination*, std::vector<int>> open;  // bundles that are not full
  for (int p = 0; p < parts.count(); ++p) {
    if (!fits_a_lane(problem, parts[p])) {
      out.singles.push_back(p);
      continue;
    }
    std::vector<int>& waiting = open[parts[p].plan.get()];
    if (!waiting.empty() && !are_alike(problem, parts[waiting[0]], parts[p])) {
      out.singles.push_back(p);
      continue;
    }
    waiting.push_back(p);
    if (waiting.size() < strand_lanes) continue;
    std::copy(waiting.begin(), waiting.end(), out.bundles.emplace_back().begin());
    waiting.clear();
  }
  for (const auto& [plan, waiting] : open) out.singles.insert(out.singles.end(), waiting.begin(), waiting.end());
  std::sort(out.singles.begin(), out.singles.end());
  return out;
}

void Strands::load(const std::array<int, strand_lanes>& bundle, const Iterate& at, const Iterate& start,
                   const Prediction& prediction) {
  bundle_ = bundle, shape_ = &part(0), start_ = &start;
  for (int k = 0; k < strand_lanes; ++k)
    unknowns_[k] = part(k).unknowns.data(), stretches_[k] = part(k).stretches.data(), bends_[k] = part(k).bends.data();
  const int rows = shape_->row_count();
  weight_.resize(rows), goal_.resize(rows), free_axes_.resize(rows);
  frames_.resize(shape_->bends.size());
  int known = rows;
  for (std::size_t e = 0; e < frames_.size(); ++e) {
    const BendElement& bend = shape_->bends[e];
    frames_[e] = {bend.a >= 0 ? bend.a : known++, bend.b >= 0 ? bend.b : known++};
  }
  for (Places* places : {&at_, &trial_}) places->x.resize(rows), places->q.resize(known);
  load_places(at, at_);
  for (Places* places : {&at_, &trial_}) load_known(at, *places);
  load_terms(prediction);
  matrix_.reset(*shape_->plan);
}

void Strands::load_places(const Iterate& from, Places& to) const {
  for (int row = 0; row < shape_->row_count(); ++row)
    if (shape_->unknowns[row].kind == Kind::vertex)
      to.x[row] = vectors([&](int k) -> const Vec3d& { return from.x[unknowns_[k][row].index]; });
    else
      to.q[row] = quaternions([&](int k) -> const Quatd& { return from.q[unknowns_[k][row].index]; });
}

// of frames that are no unknowns
void Strands::load_known(const Iterate& from, Places& to) const {
  for (std::size_t e = 0; e < frames_.size(); ++e)
    for (int end : {0, 1})
      if (frames_[e][end] >= shape_->row_count())
        to.q[frames_[e][end]] = quaternions([&](int k) -> const Quatd& {
          const tendril::Bend& bend = problem_->model->bends[bends_[k][e].bend];
          return problem_->frame(from, end == 0 ? bend.a : bend.b);
        });
}

void Strands::load_terms(const Prediction& prediction) {
  const Problem& p = *problem_;
  moment_.resize(p.moment.empty() ? 0 : shape_->row_count());
  for (int row = 0; row < shape_->row_count(); ++row) {
    const auto index = [&](int k) { return unknowns_[k][row].index; };
    if (shape_->unknowns[row].kind == Kind::vertex) {
      weight_[row] = numbers([&](int k) { return p.weight[index(k)]; });
      goal_[row] = vectors([&](int k) -> const Vec3d& { return p.goal[index(k)]; });
      if (p.role[index(0)] != Role::free)
        free_axes_[row] = vectors([&](int k) -> const Vec3d& { return p.free_axes[index(k)]; });
    } else if (!p.moment.empty()) {
      moment_[row] = vectors([&](int k) -> const Vec3d& { return p.moment[index(k)]; });
    }
  }
  const std::size_t stretches = shape_->stretches.size(), bends = shape_->bends.size();
  stretch_.resize(stretches), spin_.resize(stretches), prediction_.resize(stretches), bend_.resize(bends);
  for (std::size_t e = 0; e < stretches; ++e) {
    int s[strand_lanes];
    for (int k = 0; k < strand_lanes; ++k) s[k] = stretches_[k][e].segment;
    stretch_[e] = {numbers([&](int k) { return p.stretch[s[k]].length; }),
                   numbers([&](int k) { return p.stretch[s[k]].GA; }),
                   numbers([&](int k) { return p.stretch[s[k]].EA; }),
                   vectors([&](int k) -> const Vec3d& { return p.stretch[s[k]].p; })};
    spin_[e] = {vectors([&](int k) -> const Vec3d& { return p.spin[s[k]].weight; }),
                quaternions([&](int k) -> const Quatd& { return p.spin[s[k]].goal; })};
    prediction_[e] = vectors([&](int k) -> const Vec3d& { return prediction[s[k]]; });
  }
  bool turns = false;
  for (std::size_t e = 0; e < bends; ++e) {
    const auto term = [&](int k) -> const BendTerm& { return p.bends[bends_[k][e].bend]; };
    bend_[e] = {vectors([&](int k) -> const Vec3d& { return term(k).bend.K; }),
                vectors([&](int k) -> const Vec3d& { return term(k).bend.rest; }),
                quaternions([&](int k) -> const Quatd& { return term(k).bend.side; })};
    for (int k = 0; k < strand_lanes; ++k) turns |= term(k).turns;
  }
  turn_.resize(turns ? bends : 0);
  for (std::size_t e = 0; e < turn_.size(); ++e)
    turn_[e] = quaternions([&](int k) -> const Quatd& { return p.bends[bends_[k][e].bend].turn; });
}

void Strands::store(Iterate& at, Prediction& prediction) const {
  for (int row = 0; row < shape_->row_count(); ++row)
    for (int k = 0; k < strand_lanes; ++k) {
      const int index = unknowns_[k][row].index;
      const Vec3<T>& x = at_.x[row];
      const Quat<T>& q = at_.q[row];
      if (shape_->unknowns[row].kind == Kind::vertex)
        at.x[index] = {x.x[k], x.y[k], x.z[k]};
      else
        at.q[index] = {q.w[k], q.x[k], q.y[k], q.z[k]};
    }
  for (std::size_t e = 0; e < prediction_.size(); ++e)
    for (int k = 0; k < strand_lanes; ++k)
      prediction[stretches_[k][e].segment] = {prediction_[e].x[k], prediction_[e].y[k], prediction_[e].z[k]};
}

[[gnu::always_inline]] inline StretchState<T> Strands::stretch_state(int element, const Places& at) const {
  const StretchElement& e = shape_->stretches[element];
  return {(T(1) / stretch_[element].length) * (at.x[e.x1] - at.x[e.x0]), at.q[e.theta]};
}

[[gnu::always_inline]] inline Quat<T> Strands::second_frame(int bend, const Places& at) const {
  const Quat<T>& q = at.q[frames_[bend][1]];
  return turn_.empty() ? q : q * turn_[bend];
}

T Strands::energy(const Places& at) const {
  T sum(0);
  for (int row = 0; row < shape_->row_count(); ++row)
    if (shape_->unknowns[row].kind == Kind::vertex) sum += T(0.5) * weight_[row] * norm_squared(at.x[row] - goal_[row]);
  for (int e = 0; e < static_cast<int>(stretch_.size()); ++e) {
    const StretchState<T> state = stretch_state(e, at);
    sum +=
        stretch_energy(stretch_[e], strain(stretch_[e], state)) + spin_energy(spin_[e], half_turn(spin_[e], state.q));
  }
  for (int e = 0; e < static_cast<int>(bend_.size()); ++e)
    sum += bend_energy(bend_[e], bend_angle(bend_[e], at.q[frames_[e][0]], second_frame(e, at)));
  return sum;
}

[[gnu::always_inline]] inline T Strands::add_stretch(int element, T exact) {
  const StretchElement& e = shape_->stretches[element];
  const Stretch<T>& stretch = stretch_[element];
  const StretchState<T> state = stretch_state(element, at_);
  const Vec3<T> gamma = strain(stretch, state), half = half_turn(spin_[element], state.q);
  const StretchDerivatives<T> d = derivatives(stretch, state, gamma, prediction_[element], exact);
  const SpinDerivatives<T> s = derivatives(spin_[element], half);
  matrix_.right(e.x0) += d.force, matrix_.right(e.x1) -= d.force, matrix_.right(e.theta) -= d.torque + s.torque;
  matrix_.diagonal(e.x0) += d.xx, matrix_.diagonal(e.x1) += d.xx;
  matrix_.diagonal(e.theta) += d.theta_theta + s.theta_theta;
  matrix_.coupling(e.x0_x1.block) -= full(d.xx);
  const Mat3<T> theta_x = transpose(d.x_theta);
  matrix_.coupling(e.x0_theta.block) -= e.x0_theta.first_is_later ? d.x_theta : theta_x;
  matrix_.coupling(e.x1_theta.block) += e.x1_theta.first_is_later ? d.x_theta : theta_x;
  return stretch_energy(stretch, gamma) + spin_energy(spin_[element], half);
}

[[gnu::always_inline]] inline T Strands::add_bend(int element, T exact) {
  const BendElement& e = shape_->bends[element];
  const Bend<T>& bend = bend_[element];
  const Quat<T>& a = at_.q[frames_[element][0]];
  const Vec3<T> angle = bend_angle(bend, a, second_frame(element, at_));
  const BendDerivatives<T> d = derivatives(bend, a, angle, exact);
  if (e.a >= 0) matrix_.diagonal(e.a) += d.S, matrix_.right(e.a) += d.moment;
  if (e.b >= 0) matrix_.diagonal(e.b) += d.S, matrix_.right(e.b) -= d.moment;
  if (e.a >= 0 && e.b >= 0) {
    matrix_.coupling(e.a_b.block) += skew(e.a_b.first_is_later ? d.half_moment : -d.half_moment);
    matrix_.coupling(e.a_b.block) -= full(d.S);
  }
  return bend_energy(bend, angle);
}

Strands::Pass Strands::factorise(T exact) {
  const Part& shape = *shape_;
  Pass pass{T(0), T(0) < T(1)};
  matrix_.clear();
  for (int row = 0; row < shape.row_count(); ++row) {
    const Unknown& u = shape.unknowns[row];
    if (u.kind == Kind::vertex) {
      const Vec3<T> away = at_.x[row] - goal_[row];
      matrix_.diagonal(row) += weight_[row];
      matrix_.right(row) -= weight_[row] * away;
      pass.energy += T(0.5) * weight_[row] * norm_squared(away);
    } else if (!moment_.empty()) {
      matrix_.right(row) += moment_[row];
    }
    for (int e = shape.first_stretch[row]; e < shape.first_stretch[row + 1]; ++e) pass.energy += add_stretch(e, exact);
    for (int e = shape.first_bend[row]; e < shape.first_bend[row + 1]; ++e) pass.energy += add_bend(e, exact);
    const bool is_held = u.kind == Kind::vertex && problem_->role[u.index] != Role::free;
    pass.is_definite =
        pass.is_definite & (is_held ? matrix_.eliminate_partly(row, free_axes_[row]) : matrix_.eliminate(row));
  }
  return pass;
}

void Strands::solve() { matrix_.solve_backwards(u_); }

T Strands::turn_size() const {
  T largest(0);
  for (const StretchElement& e : shape_->stretches) largest = max(largest, norm_squared(u_[e.theta]));
  return sqrt(largest);
}

T Strands::step_size() const {
  T largest(0), sum(0);
  for (std::size_t e = 0; e < stretch_.size(); ++e) {
    const StretchElement& rows = shape_->stretches[e];
    const T l = stretch_[e].length;
    largest = max(largest, norm_squared(u_[rows.x1] - u_[rows.x0]) / (l * l));
    largest = max(largest, norm_squared(u_[rows.theta]));
  }
  for (const Vec3<T>& u : u_) sum += norm_squared(u);
  return select(sum < T(forever), sqrt(largest), T(forever));
}

T Strands::moment_work() const {
  T work(0);
  for (std::size_t row = 0; row < moment_.size(); ++row)
    if (shape_->unknowns[row].kind == Kind::segment) work += dot(moment_[row], u_[row]);
  return work;
}

T Strands::round_off(T energy_now) const {
  const T epsilon(std::numeric_limits<double>::epsilon());
  T farthest(0), stiffness = numbers([&](int k) { return part(k).stiffness; });
  for (std::size_t e = 0; e < stretch_.size(); ++e) {
    const Vec3<T>& x = at_.x[shape_->stretches[e].x1];
    farthest = max(farthest, (abs(x.x) + abs(x.y) + abs(x.z)) / stretch_[e].length);
  }
  const T strain = T(2) * epsilon * (T(1) + farthest);
  return strain * sqrt(T(2) * energy_now * stiffness) + strain * strain * stiffness + T(8) * epsilon * energy_now;
}

T Strands::start_energy() {
  load_places(*start_, trial_);
  return energy(trial_);
}

T Strands::energy_along(T share) {
  for (int row = 0; row < shape_->row_count(); ++row)
    if (shape_->unknowns[row].kind == Kind::vertex)
      trial_.x[row] = at_.x[row] + share * u_[row];
    else
      trial_.q[row] = turned(share * u_[row], at_.q[row]);
  return energy(trial_);
}

void Strands::advance(T share, Mask where) {
  for (int e = 0; e < static_cast<int>(stretch_.size()); ++e) {
    const StretchElement& rows = shape_->stretches[e];
    const StretchState<T> state = stretch_state(e, at_);
    const Vec3<T> predicted =
        predicted_strain(state, strain(stretch_[e], state), (share / stretch_[e].length) * (u_[rows.x1] - u_[rows.x0]),
                         share * u_[rows.theta]);
    prediction_[e] = select(where, predicted, prediction_[e]);
  }
  for (int row = 0; row < shape_->row_count(); ++row)
    if (shape_->unknowns[row].kind == Kind::vertex)
      at_.x[row] = select(where, at_.x[row] + share * u_[row], at_.x[row]);
    else
      at_.q[row] = select(where, turned(share * u_[row], at_.q[row]), at_.q[row]);
}

void Strands::go_back(Mask where) {
  load_places(*start_, trial_);
  for (int row = 0; row < shape_->row_count(); ++row)
    at_.x[row] = select(where, trial_.x[row], at_.x[row]), at_.q[row] = select(where, trial_.q[row], at_.q[row]);
}

void Strands::keep_momentum(Mask where) {
  if (!shape_->is_free) return;
  T weight(0);
  Vec3<T> away{T(0), T(0), T(0)};
  for (int row = 0; row < shape_->row_count(); ++row)
    if (shape_->unknowns[row].kind == Kind::vertex)
      weight += weight_[row], away += weight_[row] * (at_.x[row] - goal_[row]);
  const Vec3<T> shift = (T(1) / weight) * away;
  for (int row = 0; row < shape_->row_count(); ++row)
    if (shape_->unknowns[row].kind == Kind::vertex) at_.x[row] = select(where, at_.x[row] - shift, at_.x[row]);
}

}  // namespace tendril::block
