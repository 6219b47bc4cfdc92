#include "solvers/projective/strand_step.h"

#include <algorithm>
#include <limits>

#include "math/quat_pack.h"
#include "solvers/projective/moving_position.h"

namespace tendril::solvers::projective {
namespace {

using newton::quaternions;
using newton::vectors;

constexpr double eps = std::numeric_limits<double>::epsilon();

// what is not to have rows of its own keeps the others
void keep_rows(Flags own, const Band<P>& shared, Band<P>& band) {
  for (std::size_t i = 0; i < band.rows.size(); ++i)
    for (P BandRow<P>::*part : {&BandRow<P>::diagonal, &BandRow<P>::next, &BandRow<P>::after})
      band.rows[i].*part = select(own, band.rows[i].*part, shared.rows[i].*part);
}

// what is held is zero
Vec3<P> masked(const Vec3d& free, const Vec3<P>& v) { return {P(free.x) * v.x, P(free.y) * v.y, P(free.z) * v.z}; }

Flags none_of_them() { return P(0.0) > P(1.0); }

}  // namespace

void Point::resize(int count) {
  x.resize(count + 1), pull.resize(count + 1), way.resize(count + 1);
  q.resize(count), torque.resize(count), tension.resize(count), turn.resize(count);
}

// Algorithm 1 [strauss2020]
StrandStep::Result StrandStep::solve(const Bundle& bundle, const newton::Problem& problem, const State& start,
                                     const Options& options, State& end) {
  bundle_ = &bundle, problem_ = &problem;
  load(start);  // here_: x^t, u^t;  trial_: s_x, s_u
  evaluate(here_), evaluate(trial_);
  const P energy_at_start = here_.energy;
  take(trial_.energy <= here_.energy, trial_, here_);  // q^{t+1} = s^t, unless it is strained more than q^t
  solve_linear(here_);
  Result result;
  P fraction(1.0), left = unbalanced(here_);
  Flags open = left > P(options.tolerance) * here_.force;
  for (;;) {
    if (result.iterations == options.iterations || !any(open)) break;
    ++result.iterations;
    try_step(here_, fraction, trial_);  // the end of the global step
    evaluate(trial_);                   // all constraints are projected
    solve_linear(trial_);               // SolveLinearSystem(s^t, p_1, p_2, …)
    const P noise = P(8 * eps) * (here_.energy_size + trial_.energy_size + (here_.force + trial_.force) * size_);
    const P change = trial_.energy - fraction * here_.moment_work - here_.energy;
    const Flags falls = (change < -noise) | ((change <= noise) & (trial_.decrement <= here_.decrement));
    fraction = select(falls, next_fraction(fraction), P(0.5) * fraction);
    take(falls & open, trial_, here_);
    left = unbalanced(here_);
    const Flags is_noise = ~falls & (left <= rounding_);
    open = open & (left > P(options.tolerance) * here_.force) & ~is_noise;  // solved: knows nothing of its neighbours
    stiffen();
    if (options.residuals) result.residuals.push_back(largest(residual(left)));
  }
  const P of_strands = residual(left), kept = kept_speed(energy_at_start);
  for (int lane = 0; lane < P::lanes; ++lane)
    result.residuals_of_strands[lane] = of_strands[lane], result.kept_speed[lane] = kept[lane];
  store(end);
  for (int lane = 0; lane < P::lanes; ++lane) result.ends[lane] = end.x[bundle.strands[lane]->vertices.back()];
  return result;
}

// what is left, but for rounding, over the largest force at work
P StrandStep::residual(P left) const { return max(P(0.0), left - rounding_) / (here_.force + rounding_); }

// m/2 |x - x^t|²/h² of where strands are, or of s_x [J]
P StrandStep::inertia_of(const Point& at, bool of_goal) const {
  P sum(0.0);
  for (std::size_t k = 0; k < from_.size(); ++k) {
    const Vec3<P> moved = (of_goal ? terms_.goal[k] : at.x[k]) - from_[k];
    sum += P(0.5) * terms_.weight[k] * dot(moved, moved);
  }
  return sum;
}

// A solved step of implicit Euler ends with no more energy than the strand had, with what forces add: at most this part
// of its speed. So any number of iterations is stable.
P StrandStep::kept_speed(P energy_at_start) const {
  const P allowed = energy_at_start + inertia_of(here_, true) - here_.elastic, moving = inertia_of(here_, false);
  return sqrt(min(P(1.0), max(allowed, P(0.0)) / (moving + P(1e-300))));
}

void StrandStep::load(const State& start) {
  const Bundle& b = *bundle_;
  const int n = b.count();
  here_.resize(n), trial_.resize(n);
  load_terms(*problem_, b, terms_);
  P size(0.0), weight(0.0), stiffness(0.0);  // largest ones
  external_ = P(0.0);
  for (int k = 0; k <= n; ++k) {
    const auto vertex = [&](int lane) { return b.strands[lane]->vertices[k]; };
    trial_.x[k] = terms_.goal[k];
    here_.x[k] = vectors<P>([&](int lane) { return moved_to(*problem_, vertex(lane), start.x[vertex(lane)]); });
    const Vec3<P>& x = here_.x[k];
    size = max(size, max(abs(x.x), max(abs(x.y), abs(x.z)))), weight = max(weight, terms_.weight[k]);
    const Vec3<P> force = vectors<P>([&](int lane) { return problem_->inputs->end.force[vertex(lane)]; });
    external_ = max(external_, dot(force, force));
  }
  from_ = here_.x;
  for (int k = 0; k < n; ++k) {
    here_.q[k] = quaternions<P>([&](int lane) { return start.q[b.strands[lane]->segments[k]]; });
    trial_.q[k] = terms_.spins[k].goal;
    const StretchShear<P>& s = b.stretches[k];
    stiffness = max(stiffness, max(s.EA, s.GA) * (P(1.0) + size * abs(s.per_length)));
    if (!terms_.moments.empty())
      external_ = max(external_, s.per_length * s.per_length * dot(terms_.moments[k], terms_.moments[k]));
  }
  external_ = sqrt(external_), size_ = size;
  P length(0.0);
  for (const StretchShear<P>& s : b.stretches) length += s.length;
  per_length_ = P(1.0) / length;
  rounding_ = P(4 * eps) * (stiffness + weight * size);
  unknowns_.resize(2 * n + 1), twists_.resize(n);
  tension_ = b.hanging;
  system_ = b.system.get(), has_own_ = none_of_them();
  uses_blocks_ = b.is_partly_held;
  if (uses_blocks_) factor(b, terms_, tension_, blocks_);
}

// Local step: the pull of every constraint towards its projection, w Sᵀ Aᵀ (A S q - B p).
void StrandStep::evaluate(Point& at) const {
  at.energy = at.energy_size = at.elastic = at.moment_work = at.force = P(0.0);
  add_inertia(at), add_segments(at), add_bends(at), add_roots(at);
  at.force = max(sqrt(at.force), external_);
  for (int k = 0; k <= bundle_->count(); ++k) at.pull[k] = masked(bundle_->free_axes[k], at.pull[k]);
}

// but for w/2 |x^t - s_x|², which is the same everywhere, and may be huge
void StrandStep::add_inertia(Point& at) const {
  for (int k = 0; k <= bundle_->count(); ++k) {
    const Vec3<P> moved = at.x[k] - from_[k];
    at.pull[k] = terms_.weight[k] * (at.x[k] - terms_.goal[k]);
    const P work = terms_.weight[k] * dot(moved, from_[k] - terms_.goal[k]);
    const P energy = P(0.5) * terms_.weight[k] * dot(moved, moved);
    at.energy += energy + work, at.energy_size += energy + abs(work);
  }
}

void StrandStep::add_segments(Point& at) const {
  for (int k = 0; k < bundle_->count(); ++k) {
    const StretchShear<P>& s = bundle_->stretches[k];
    const Vec3<P> e = s.per_length * (at.x[k + 1] - at.x[k]);
    const StretchPull<P> stretch = projective::pull(s, e, rotation_matrix(at.q[k]));
    const Vec3<P> along = (s.length * s.per_length) * stretch.force;
    at.pull[k] -= along, at.pull[k + 1] += along;
    const SpinPull<P> spin = projective::pull(terms_.spins[k], at.q[k]);
    at.torque[k] = s.length * cross(stretch.force, e) + spin.torque;
    if (!terms_.moments.empty()) at.torque[k] -= terms_.moments[k];
    at.tension[k] = s.length * stretch.tension;
    at.energy += stretch.energy + spin.energy, at.elastic += stretch.energy;
    at.force = max(at.force, dot(stretch.force, stretch.force));
    at.energy_size += stretch.energy + spin.energy;
  }
}

void StrandStep::add_bends(Point& at) const {
  for (int k = 1; k < bundle_->count(); ++k) {
    Quat<P> a = at.q[k - 1], b = at.q[k];
    if (!bundle_->turns.empty()) a = a * bundle_->turns[k][0], b = b * bundle_->turns[k][1];
    const BendPull<P> bend = projective::pull(bundle_->bends[k], a, b);
    at.torque[k - 1] -= bend.moment, at.torque[k] += bend.moment;
    add(bend, at);
  }
}

// energy and moment of a bend; angles round, and moments are at work
void StrandStep::add(const BendPull<P>& bend, Point& at) const {
  const Vec3<P>& m = bend.moment;
  at.elastic += bend.energy;
  at.energy += bend.energy, at.energy_size += bend.energy + abs(m.x) + abs(m.y) + abs(m.z);
  at.force = max(at.force, per_length_ * per_length_ * dot(m, m));
}

void StrandStep::add_roots(Point& at) const {
  for (const RootDirection<P>& root : terms_.roots) {
    const BendPull<P> bend = projective::pull(root, at.q[root.link]);
    at.torque[root.link] += bend.moment;
    add(bend, at);
  }
  for (const ScalarRoot& root : bundle_->scalar_roots)
    for (int lane = 0; lane < P::lanes; ++lane) add_scalar_root(root, lane, at);
}

void StrandStep::add_scalar_root(const ScalarRoot& root, int lane, Point& at) const {
  const int b = root.bend[lane];
  const rod::Bend& bend = problem_->model->bends[b];
  const Quat<P>& lanes = at.q[root.link];
  const Quatd q{lanes.w[lane], lanes.x[lane], lanes.y[lane], lanes.z[lane]};
  const auto frame = [&](const FrameId& id) { return id.is_body ? problem_->bodies[id.index].spin.goal : q; };
  const newton::Bend<double> element = problem_->bend(b);
  const Quatd q_a = frame(bend.a), q_b = frame(bend.b) * bend.turn;
  const BendStrain strain =
      problem_->bends[b].scalar ? problem_->scalar_strain(b, q_a, q_b) : bend_strain(q_a, q_b, bend.rest, element.K);
  const Vec3d resting = problem_->bends[b].scalar ? element.rest : element.rest - newton::turn_angle(bend.rest);
  const Vec3d angle = strain.angle - resting, stress = scale(element.K, angle);
  const Vec3d moment = rotate(strain.frame, transpose(strain.jacobian) * stress);
  const double sign = bend.b.is_body ? -1 : 1;
  Vec3<P>& torque = at.torque[root.link];
  for (int k = 0; k < 3; ++k) torque[k].v[lane] += sign * moment[k];
  at.energy.v[lane] += 0.5 * dot(angle, stress), at.energy_size.v[lane] += 0.5 * dot(angle, stress);
}

// Global step: SolveLinearSystem of Algorithm 1, as the way from where the strand is.
void StrandStep::solve_linear(Point& at) {
  const int n = bundle_->count();
  for (int k = 0; k <= n; ++k) unknowns_[2 * k] = -at.pull[k];
  for (int k = 0; k < n; ++k) {
    const Vec3<P> d3 = director3(at.q[k]);
    unknowns_[2 * k + 1] = cross(d3, at.torque[k]);  // a turn theta moves d3 by theta x d3
    twists_[k] = -dot(d3, at.torque[k]);
  }
  const auto unknown = [&](std::size_t i) -> Vec3<P>& { return unknowns_[i]; };
  uses_blocks_ ? blocks_.all.solve(unknown) : system_->all.solve(unknown);
  (uses_blocks_ ? blocks_.twist : system_->twist).solve([&](std::size_t i) -> P& { return twists_[i]; });
  at.decrement = at.moment_work = P(0.0);
  for (int k = 0; k <= n; ++k) {
    at.way[k] = unknowns_[2 * k];
    at.decrement -= dot(at.pull[k], at.way[k]);
  }
  for (int k = 0; k < n; ++k) {
    const Vec3<P> d3 = director3(at.q[k]);
    at.turn[k] = cross(d3, unknowns_[2 * k + 1]) + twists_[k] * d3;
    at.decrement -= dot(at.torque[k], at.turn[k]);
    if (!terms_.moments.empty()) at.moment_work += dot(terms_.moments[k], at.turn[k]);
  }
}

// A fraction of the global step. A long turn stretches edges in its second order: positions follow the frames.
void StrandStep::try_step(const Point& from, P fraction, Point& to) {
  const int n = bundle_->count();
  for (int k = 0; k <= n; ++k) to.x[k] = from.x[k] + fraction * from.way[k];
  for (int k = 0; k < n; ++k) to.q[k] = newton::turned(fraction * from.turn[k], from.q[k]);
  put_positions(to);
}

// The best positions for the frames, where GA = EA: one more global step, in which frames are kept.
void StrandStep::put_positions(Point& at) {
  const int n = bundle_->count();
  for (int k = 0; k <= n; ++k) unknowns_[k] = terms_.weight[k] * (terms_.goal[k] - at.x[k]);
  for (int k = 0; k < n; ++k) {
    const StretchShear<P>& s = bundle_->stretches[k];
    const Vec3<P> e = s.per_length * (at.x[k + 1] - at.x[k]);
    const Vec3<P> along = (s.length * s.per_length) * projective::pull(s, e, rotation_matrix(at.q[k])).force;
    unknowns_[k] += along, unknowns_[k + 1] -= along;
  }
  const auto unknown = [&](std::size_t i) -> Vec3<P>& { return unknowns_[i]; };
  uses_blocks_ ? blocks_.positions.solve(unknown) : system_->positions.solve(unknown);
  for (int k = 0; k <= n; ++k) at.x[k] += masked(bundle_->free_axes[k], unknowns_[k]);
}

// After a step along d from here_ to trial_: by Barzilai and Borwein, the fraction that would have led to the least
// energy along d, were it a parabola. What the matrix has too stiff, as the softer of two bending stiffnesses, comes
// faster.
P StrandStep::next_fraction(P fraction) const {
  P slope(0.0);  // of the energy along d, where it led
  for (std::size_t k = 0; k < here_.way.size(); ++k) slope += dot(here_.way[k], trial_.pull[k]);
  for (std::size_t k = 0; k < here_.turn.size(); ++k) slope += dot(here_.turn[k], trial_.torque[k]);
  const P curvature = here_.decrement + slope;
  const P found = fraction * here_.decrement / max(curvature, P(1e-3) * here_.decrement);
  return min(max(found, P(0.5)), P(4.0));
}

// to <- from in some lanes
void StrandStep::take(Flags where, Point& from, Point& to) const {
  if (!any(~where)) return std::swap(from, to);
  if (!any(where)) return;
  const auto merge = [&](auto part) {
    auto& source = from.*part;
    auto& target = to.*part;
    for (std::size_t k = 0; k < target.size(); ++k) target[k] = select(where, source[k], target[k]);
  };
  merge(&Point::x), merge(&Point::pull), merge(&Point::way), merge(&Point::torque), merge(&Point::turn);
  merge(&Point::q), merge(&Point::tension);
  for (P Point::*number :
       {&Point::energy, &Point::energy_size, &Point::elastic, &Point::decrement, &Point::moment_work, &Point::force})
    to.*number = select(where, from.*number, to.*number);
}

// what is left of forces, and of torques over the length of their segment [N]
P StrandStep::unbalanced(const Point& at) const {
  P left(0.0);
  for (const Vec3<P>& pull : at.pull) left = max(left, dot(pull, pull));
  for (int k = 0; k < bundle_->count(); ++k) {
    const P per = abs(bundle_->stretches[k].per_length);
    left = max(left, per * per * dot(at.torque[k], at.torque[k]));
  }
  return sqrt(left);
}

// Tension stiffens strands against turns. The matrix has the weight that may hang on each segment; where a strand is
// pulled by much more than that resists a turn, it gets a matrix of its own.
void StrandStep::stiffen() {
  const int n = bundle_->count();
  Flags outgrown = none_of_them();
  for (int k = 0; k < n; ++k) {
    const StretchShear<P>& s = bundle_->stretches[k];
    const P resists = tension_[k] + terms_.weight[k] * s.length * s.length + bundle_->bends[k].K.x;
    outgrown = outgrown | (here_.tension[k] - tension_[k] > P(0.5) * resists);
  }
  if (!any(outgrown)) return;
  for (int k = 0; k < n; ++k) tension_[k] = select(outgrown, max(here_.tension[k], bundle_->hanging[k]), tension_[k]);
  if (uses_blocks_) return factor(*bundle_, terms_, tension_, blocks_);
  has_own_ = has_own_ | outgrown;
  factor(*bundle_, terms_, tension_, own_);
  const GlobalSystem<P>& shared = *bundle_->system;  // by those that go on with it: they know nothing of the others
  keep_rows(has_own_, shared.all, own_.all), keep_rows(has_own_, shared.positions, own_.positions);
  keep_rows(has_own_, shared.twist, own_.twist);
  system_ = &own_;
}

void StrandStep::store(State& end) const {
  const Bundle& b = *bundle_;
  for (int lane = 0; lane < b.used; ++lane) {
    const Strand& strand = *b.strands[lane];
    for (int k = 0; k <= b.count(); ++k) {
      const int i = strand.vertices[k];
      const Vec3<P>& x = here_.x[k];
      end.x[i] = {x.x[lane], x.y[lane], x.z[lane]};
    }
    for (int k = 0; k < b.count(); ++k) {
      const int s = strand.segments[k];
      const Quat<P>& q = here_.q[k];
      end.q[s] = {q.w[lane], q.x[lane], q.y[lane], q.z[lane]};
    }
  }
}

}  // namespace tendril::solvers::projective
