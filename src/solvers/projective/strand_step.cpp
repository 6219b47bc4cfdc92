#include "solvers/projective/strand_step.h"

#include <algorithm>
#include <limits>

#include "math/quat_pack.h"
#include "solvers/projective/inertia.h"
#include "solvers/projective/moving_position.h"

namespace tendril::solvers::projective {
namespace {

using newton::quaternions;
using newton::vectors;

constexpr double eps = std::numeric_limits<double>::epsilon();

Flags all_of_them() { return P(1.0) > P(0.0); }
Flags none_of_them() { return P(0.0) > P(1.0); }

// which way bends are measured where their frames have fixed turns
Quat<P> turned_by(const Bundle& bundle, int k, int side, const Quat<P>& q) {
  return bundle.turns.empty() ? q : q * bundle.turns[k][side];
}

}  // namespace

void StrandStep::Sums::take(Flags where, const Sums& other) {
  for (P Sums::*number : {&Sums::energy, &Sums::energy_size, &Sums::elastic, &Sums::decrement, &Sums::slope,
                          &Sums::moment_work, &Sums::force, &Sums::left})
    this->*number = select(where, other.*number, this->*number);
}

template <>
const GlobalSystem<P>& StrandStep::system() const {
  return *system_;
}
template <>
const GlobalSystem<Vec3<P>>& StrandStep::system() const {
  return own_by_axes_;
}

StrandStep::Result StrandStep::solve(const Bundle& bundle, const newton::Problem& problem, const State& start,
                                     const Options& options, State& end) {
  bundle_ = &bundle, problem_ = &problem, options_ = &options;
  load(start);
  Result result;
  bundle.is_partly_held ? iterate<Vec3<P>>(result) : iterate<P>(result);
  store(end);
  for (int lane = 0; lane < P::lanes; ++lane) result.ends[lane] = end.x[bundle.strands[lane]->vertices.back()];
  return result;
}

// Algorithm 1 [strauss2020]. Each lane goes the fraction of its global step that has led to less energy before; where
// its energy rises it comes back and goes half as far, so that no iteration raises it.
template <class B>
void StrandStep::iterate(Result& result) {
  const Sums at_start = this->at_start();
  Sums here = begin<B>(at_start);  // q <- s
  Flags taken = all_of_them();
  Flags open = sqrt(here.left) > P(options_->tolerance) * residual_scale(here);
  P fraction(1.0);
  while (result.iterations < options_->iterations && any(open)) {
    ++result.iterations;
    global_step<B>(taken, open, fraction);  // q <- SolveLinearSystem(s, p_1, p_2, …)
    stiffen(here.outgrown);
    const Sums trial = local_step<B>();  // p_i <- ProjectOnConstraintSet(q), all i
    const P noise =
        P(8 * eps) * (here.energy_size + trial.energy_size + (sqrt(here.force) + sqrt(trial.force)) * size_);
    const P change = trial.energy - fraction * trial.moment_work - here.energy;
    const Flags falls = (change < -noise) | ((change <= noise) & (trial.decrement <= here.decrement));
    fraction = select(falls, next_fraction(fraction, here, trial), P(0.5) * fraction);
    taken = falls & open;
    here.take(taken, trial), here.outgrown = trial.outgrown & taken;
    const P left = sqrt(here.left);
    const Flags is_noise = ~falls & (left <= rounding_);
    open =
        open & (left > P(options_->tolerance) * residual_scale(here)) & ~is_noise;  // knows nothing of its neighbours
    if (options_->residuals) result.residuals.push_back(largest(residual(here)));
  }
  take(taken);
  const P of_strands = residual(here), allowed = allowed_motion(at_start, here);
  for (int lane = 0; lane < P::lanes; ++lane)
    result.residuals_of_strands[lane] = of_strands[lane], result.allowed[lane] = allowed[lane];
}

// Frames where they turn to by themselves, and the best positions for them; from where they are if that is strained
// less. So the energy never is above that of the start, which the bound on the speed rests on.
template <class B>
StrandStep::Sums StrandStep::begin(const Sums& at_start) {
  for (Link& link : links_) link.here = link.goal;
  global_step<B>(none_of_them(), all_of_them(), P(0.0), true);
  const Sums ahead = local_step<B>();
  const Flags worse = ahead.energy > at_start.energy;
  if (!any(worse)) return ahead;
  for (Link& link : links_) link.here = select(worse, link.from, link.here);
  for (Link& link : links_) link.right = {}, link.right_twist = P(0.0);
  for (Vertex& vertex : vertices_) vertex.right = {};
  global_step<B>(none_of_them(), all_of_them(), P(0.0), true);
  return local_step<B>();
}

// All constraints are projected where the last global step led, from the root on; the forces with which they pull are
// eliminated as they come.
template <class B>
StrandStep::Sums StrandStep::local_step() {
  const GlobalSystem<B>& rows = system<B>();
  const int n = bundle_->count();
  Sums sums;
  Carried carried{};
  Vec3<P> moved = times(rows[0].place, vertices_[0].place);
  Vec3<P> x = vertices_[0].trial += moved;
  Vec3<P> pull = inertia(0, x, sums);
  SegmentPull before{};
  for (int k = 0; k < n; ++k) {
    Vertex& vertex = vertices_[k + 1];
    moved = times(rows[k + 1].place, vertex.place) + times(rows[k + 1].from_last, moved);
    const Vec3<P> next = vertex.trial += moved;
    SegmentPull here = segment(k, x, next, links_[k].trial, sums);
    here.pull = where_free(bundle_->free_axes[k], pull - here.along);
    pull = inertia(k + 1, next, sums) + here.along;
    if (k > 0) {
      const Vec3<P> moment = bend(k, links_[k - 1].trial, links_[k].trial, sums);
      before.torque -= moment, here.torque += moment;
      eliminate<B>(k - 1, before, carried, sums);
    }
    before = here, x = next;
  }
  eliminate<B>(n - 1, before, carried, sums);
  pull = where_free(bundle_->free_axes[n], pull);
  const Vec3<P> right = vertices_[n].right = carried.x - pull;
  sums.left = max(sums.left, dot(pull, pull)), sums.slope += dot(pull, vertices_[n].way);
  sums.decrement += dot(right, times(rows[n].x, right));
  sums.force = max(sums.force, external_);
  return sums;
}

// The way back through the system, from the tip on: frames turn, and the forces that are left on positions where these
// frames are kept are eliminated. `taken`: the last one led to less energy; `open`: not solved yet.
template <class B>
void StrandStep::global_step(Flags taken, Flags open, P fraction, bool begins) {
  const GlobalSystem<B>& rows = system<B>();
  const int n = bundle_->count();
  Vec3<P> way = times(rows[n].x, vertices_[n].right), turned_d3{};
  Vec3<P> next = go(vertices_[n], taken, fraction, way), left = bundle_->weight[n] * (vertices_[n].goal - next),
          place{};
  P twist(0.0);
  for (int k = n - 1; k >= 0; --k) {
    const SystemRow<B>& row = rows[k];
    Vertex& vertex = vertices_[k];
    Link& link = links_[k];
    turned_d3 = times(row.d, link.right) - times(row.d_to_x, way) - times(row.d_to_d, turned_d3);
    way = times(row.x, vertex.right) - times(row.x_to_d, turned_d3) - times(row.x_to_x, way);
    twist = row.twist * link.right_twist - row.twist_to_twist * twist;

    const Vec3<P> x = go(vertex, taken, fraction, way);
    link.here = select(taken, link.trial, link.here);
    const Vec3<P> d3 = director3(link.here);
    link.turn = select(taken, cross(d3, turned_d3) + twist * d3, link.turn);
    link.trial = select(open, newton::turned(fraction * link.turn, link.here), link.here);

    const StretchShear<P>& s = bundle_->stretches[k];
    const Vec3<P> e = s.per_length * (next - x), rest = resting_edge(s, link.trial, bundle_->is_straight);
    const Vec3<P> projected = begins ? rest : projection(s, e, rest, director3(link.trial));
    const Vec3<P> along = s.across() * (projected - e);
    place = left + along + times(rows[k + 1].from_next, place);
    vertices_[k + 1].place = place;
    left = bundle_->weight[k] * (vertex.goal - x) - along;
    next = x;
  }
  vertices_[0].place = left + times(rows[0].from_next, place);
}

[[gnu::always_inline]] inline Vec3<P> StrandStep::go(Vertex& vertex, Flags taken, P fraction, const Vec3<P>& way) {
  vertex.here = select(taken, vertex.trial, vertex.here);
  vertex.way = select(taken, way, vertex.way);
  return vertex.trial = vertex.here + fraction * vertex.way;
}

// but for w/2 |x^t - s_x|², which is the same everywhere, and may be huge
[[gnu::always_inline]] inline Vec3<P> StrandStep::inertia(int k, const Vec3<P>& x, Sums& sums) const {
  const P weight = bundle_->weight[k];
  const Vec3<P> moved = x - vertices_[k].from, ahead = vertices_[k].from - vertices_[k].goal;
  const P work = weight * dot(moved, ahead), energy = P(0.5) * weight * dot(moved, moved);
  sums.energy += energy + work, sums.energy_size += energy + abs(work);
  return weight * (moved + ahead);
}

[[gnu::always_inline]] inline StrandStep::SegmentPull StrandStep::segment(int k, const Vec3<P>& x, const Vec3<P>& next,
                                                                          const Quat<P>& q, Sums& sums) {
  const StretchShear<P>& s = bundle_->stretches[k];
  Link& link = links_[k];
  SegmentPull out;
  out.d3 = director3(q);
  const Vec3<P> e = s.per_length * (next - x);
  const StretchPull<P> stretch = pull(s, e, resting_edge(s, q, bundle_->is_straight), out.d3);
  const SpinPull<P> spin = pull(bundle_->spin_weight[k], link.goal, q);
  link.tension = s.length * stretch.tension;
  out.along = (s.length * s.per_length) * stretch.force;
  out.torque = s.length * cross(stretch.force, e) + spin.torque;
  if (bundle_->is_root[k]) out.torque += roots(k, q, sums);
  if (!problem_->moment.empty()) {
    out.torque -= link.moment;
    sums.moment_work += dot(link.moment, link.turn);
  }
  sums.energy += stretch.energy + spin.energy, sums.elastic += stretch.energy;
  sums.energy_size += stretch.energy + spin.energy;
  sums.force = max(sums.force, dot(stretch.force, stretch.force));
  const P made_for = tension_[k];
  sums.outgrown = sums.outgrown | (link.tension - made_for > P(0.5) * (made_for + bundle_->against_turns[k]));
  return out;
}

[[gnu::always_inline]] inline Vec3<P> StrandStep::bend(int k, const Quat<P>& before, const Quat<P>& q,
                                                       Sums& sums) const {
  const BendPull<P> out = pull(bundle_->bends[k], turned_by(*bundle_, k, 0, before), turned_by(*bundle_, k, 1, q));
  add(out, sums);
  return out.moment;
}

// energy and moment of a bend; angles round, and moments are at work
[[gnu::always_inline]] inline void StrandStep::add(const BendPull<P>& bend, Sums& sums) const {
  const Vec3<P>& m = bend.moment;
  sums.elastic += bend.energy;
  sums.energy += bend.energy, sums.energy_size += bend.energy + abs(m.x) + abs(m.y) + abs(m.z);
  sums.force = max(sums.force, per_length_ * per_length_ * dot(m, m));
}

// what holds the frame of a segment
Vec3<P> StrandStep::roots(int k, const Quat<P>& q, Sums& sums) const {
  Vec3<P> torque{};
  for (const RootDirection<P>& root : roots_) {
    if (root.link != k) continue;
    const BendPull<P> held = pull(root, q);
    torque += held.moment;
    add(held, sums);
  }
  for (const ScalarRoot& root : bundle_->scalar_roots) {
    if (root.link != k) continue;
    for (int lane = 0; lane < P::lanes; ++lane) {
      double energy = 0;
      const Vec3d moment = scalar_root(root, lane, {q.w[lane], q.x[lane], q.y[lane], q.z[lane]}, energy);
      for (int axis = 0; axis < 3; ++axis) torque[axis].v[lane] += moment[axis];
      sums.energy.v[lane] += energy, sums.energy_size.v[lane] += energy, sums.elastic.v[lane] += energy;
    }
  }
  return torque;
}

Vec3d StrandStep::scalar_root(const ScalarRoot& root, int lane, const Quatd& q, double& energy) const {
  const int b = root.bend[lane];
  const rod::Bend& bend = problem_->model->bends[b];
  const auto frame = [&](const FrameId& id) { return id.is_body ? problem_->bodies[id.index].spin.goal : q; };
  const newton::Bend<double> element = problem_->bend(b);
  const Quatd q_a = frame(bend.a), q_b = frame(bend.b) * bend.turn;
  const BendStrain strain =
      problem_->bends[b].scalar ? problem_->scalar_strain(b, q_a, q_b) : bend_strain(q_a, q_b, bend.rest, element.K);
  const Vec3d resting = problem_->bends[b].scalar ? element.rest : element.rest - newton::turn_angle(bend.rest);
  const Vec3d angle = strain.angle - resting, stress = scale(element.K, angle);
  energy = 0.5 * dot(angle, stress);
  return (bend.b.is_body ? -1.0 : 1.0) * rotate(strain.frame, transpose(strain.jacobian) * stress);
}

// of vertex and segment k; a turn theta moves d3 by theta x d3
template <class B>
[[gnu::always_inline]] inline void StrandStep::eliminate(int k, const SegmentPull& at, Carried& carried, Sums& sums) {
  const SystemRow<B>& row = system<B>()[k];
  Link& link = links_[k];
  const P per = bundle_->stretches[k].per_length;
  sums.left = max(sums.left, max(dot(at.pull, at.pull), per * per * dot(at.torque, at.torque)));
  sums.slope += dot(at.pull, vertices_[k].way) + dot(at.torque, link.turn);
  const Vec3<P> x = carried.x - at.pull, d = cross(at.d3, at.torque) + carried.d - times(row.x_to_d, x);
  const P twist = carried.twist - dot(at.d3, at.torque);
  sums.decrement += dot(x, times(row.x, x)) + dot(d, times(row.d, d)) + row.twist * twist * twist;
  vertices_[k].right = x, link.right = d, link.right_twist = twist;
  carried.x = -times(row.x_to_x, x) - times(row.d_to_x, d);
  carried.d = -times(row.d_to_d, d);
  carried.twist = -row.twist_to_twist * twist;
}

void StrandStep::load(const State& start) {
  const Bundle& b = *bundle_;
  const newton::Problem& problem = *problem_;
  const int n = b.count();
  vertices_.resize(n + 1), links_.resize(n);
  P size(0.0), weight(0.0), stiffness(0.0), length(0.0);  // largest ones, and the sum
  external_ = P(0.0);
  const P per_step(1 / problem.scheme.h);
  for (int k = 0; k <= n; ++k) {
    const auto vertex = [&](int lane) { return b.strands[lane]->vertices[k]; };
    Vertex& to = vertices_[k];
    to.goal = vectors<P>([&](int lane) -> const Vec3d& { return problem.goal[vertex(lane)]; });
    to.from = vectors<P>([&](int lane) -> const Vec3d& { return start.x[vertex(lane)]; });
    to.v = vectors<P>([&](int lane) -> const Vec3d& { return start.v[vertex(lane)]; });
    if (!(b.free_axes[k] == Vec3d{1, 1, 1})) {
      to.goal = vectors<P>([&](int lane) { return moved_to(problem, vertex(lane), problem.goal[vertex(lane)]); });
      to.from = vectors<P>([&](int lane) { return moved_to(problem, vertex(lane), start.x[vertex(lane)]); });
    }
    to.here = to.from, to.way = to.right = {};
    const Vec3<P>& x = to.from;
    size = max(size, max(abs(x.x), max(abs(x.y), abs(x.z)))), weight = max(weight, b.weight[k]);
    const Vec3<P> force = external_force(k, per_step);
    external_ = max(external_, dot(force, force));
  }
  for (int k = 0; k < n; ++k) {
    const auto segment = [&](int lane) { return b.strands[lane]->segments[k]; };
    Link& to = links_[k];
    to.from = quaternions<P>([&](int lane) -> const Quatd& { return start.q[segment(lane)]; });
    to.goal = quaternions<P>([&](int lane) -> const Quatd& { return problem.frame_goal[segment(lane)]; });
    to.turn = to.right = {}, to.right_twist = P(0.0);
    const StretchShear<P>& s = b.stretches[k];
    stiffness = max(stiffness, s.stiffness * (P(1.0) + size * abs(s.per_length))), length += s.length;
    if (problem.moment.empty()) continue;
    to.moment = vectors<P>([&](int lane) -> const Vec3d& { return problem.moment[segment(lane)]; });
    external_ = max(external_, s.per_length * s.per_length * dot(to.moment, to.moment));
  }
  load_roots();
  size_ = size, per_length_ = P(1.0) / length;
  rounding_ = P(4 * eps) * (stiffness + weight * size);
  tension_ = b.hanging;
  system_ = b.system.get(), has_own_ = none_of_them();
  if (b.is_partly_held) factor(b, tension_, own_by_axes_);
}

// with what holds them at the end of the step
void StrandStep::load_roots() {
  roots_ = bundle_->roots;
  for (RootDirection<P>& root : roots_)
    root.holder = quaternions<P>([&](int lane) {
      const rod::Bend& bend = problem_->model->bends[bundle_->strands[lane]->clamps[root.clamp].bend];
      const FrameId& holder = root.holder_is_a ? bend.a : bend.b;
      return problem_->bodies[holder.index].spin.goal * (root.holder_is_a ? Quatd{} : bend.turn);
    });
}

// f of the goal s_x = x^t + (m v/h + f)/w, where it is free [N]
Vec3<P> StrandStep::external_force(int k, P per_step) const {
  const Vertex& at = vertices_[k];
  return where_free(bundle_->free_axes[k],
                    bundle_->weight[k] * (at.goal - at.from) - (bundle_->mass[k] * per_step) * at.v);
}

// potential of the step where it starts
StrandStep::Sums StrandStep::at_start() {
  Sums sums;
  for (int k = 0; k < bundle_->count(); ++k) {
    segment(k, vertices_[k].from, vertices_[k + 1].from, links_[k].from, sums);
    if (k > 0) bend(k, links_[k - 1].from, links_[k].from, sums);
  }
  return sums;
}

// forces at work, so that a strand without any has no residual
P StrandStep::residual_scale(const Sums& sums) { return sqrt(sums.force); }

// what is left, but for rounding, over the largest force at work
P StrandStep::residual(const Sums& sums) const {
  return max(P(0.0), sqrt(sums.left) - rounding_) / (sqrt(sums.force) + rounding_);
}

// After a step along d from `here` to `trial`: by Barzilai and Borwein, the fraction that would have led to the least
// energy along d, were it a parabola. What the matrix has too stiff, as the softer of two bending stiffnesses, comes
// faster.
P StrandStep::next_fraction(P fraction, const Sums& here, const Sums& trial) {
  const P curvature = here.decrement + trial.slope;
  const P found = fraction * here.decrement / max(curvature, P(1e-3) * here.decrement);
  return min(max(found, P(0.5)), P(2.0));
}

// A solved step of implicit Euler ends with no more energy than there was, with the work of what acts from outside:
//   T' + U' <= T + U + f·(x - x^t)
// An unsolved one is below the start in the step's potential, m/2h² |x - x^t - h v|² + U - f·(x - x^t), and so U' alone
// is. This is what is left for T', of what nothing holds for its motion about its mean: any number of iterations is
// stable. Momentum stays, and the energy of the mean motion is not for others to spend.
P StrandStep::allowed_motion(const Sums& at_start, const Sums& here) const {
  const P per_step(1 / problem_->scheme.h);
  P allowed = at_start.energy - here.elastic, mass(0.0);
  Vec3<P> momentum{}, gained{};
  for (int k = 0; k <= bundle_->count(); ++k) {
    const Vertex& at = vertices_[k];
    const Vec3d& free = bundle_->free_axes[k];
    const P m = bundle_->mass[k];
    const Vec3<P> moved = where_free(free, at.here - at.from), before = where_free(free, at.v);
    allowed += P(0.5) * m * dot(before, before) + dot(external_force(k, per_step), moved);
    mass += m, momentum += (m * per_step) * moved, gained += m * (per_step * moved - before);
  }
  if (nothing_holds(*bundle_))
    allowed -= P(0.5) * (dot(momentum, momentum) + dot(gained, gained)) / max(mass, P(1e-300));
  return max(allowed, P(0.0));
}

// Tension stiffens strands against turns. The matrix has the weight that may hang on each segment; where a strand is
// pulled by much more than that resists a turn, it gets a matrix of its own.
void StrandStep::stiffen(Flags outgrown) {
  if (!any(outgrown)) return;
  for (int k = 0; k < bundle_->count(); ++k)
    tension_[k] = select(outgrown, max(links_[k].tension, bundle_->hanging[k]), tension_[k]);
  if (bundle_->is_partly_held) return factor(*bundle_, tension_, own_by_axes_);
  has_own_ = has_own_ | outgrown;
  factor(*bundle_, tension_, own_);
  const GlobalSystem<P>& shared = *bundle_->system;  // by those that go on with it: they know nothing of the others
  constexpr std::size_t count = sizeof(SystemRow<P>) / sizeof(P);
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const P* from = reinterpret_cast<const P*>(&shared[k]);
    P* to = reinterpret_cast<P*>(&own_[k]);
    for (std::size_t n = 0; n < count; ++n) to[n] = select(has_own_, to[n], from[n]);
    own_[k].place = shared[k].place, own_[k].from_next = shared[k].from_next, own_[k].from_last = shared[k].from_last;
  }
  system_ = &own_;
}

// what the last global step led to, where it was good
void StrandStep::take(Flags taken) {
  for (Vertex& vertex : vertices_) vertex.here = select(taken, vertex.trial, vertex.here);
  for (Link& link : links_) link.here = select(taken, link.trial, link.here);
}

void StrandStep::store(State& end) const {
  const Bundle& b = *bundle_;
  for (int lane = 0; lane < b.used; ++lane) {
    const Strand& strand = *b.strands[lane];
    for (int k = 0; k <= b.count(); ++k) {
      const Vec3<P>& x = vertices_[k].here;
      end.x[strand.vertices[k]] = {x.x[lane], x.y[lane], x.z[lane]};
    }
    for (int k = 0; k < b.count(); ++k) {
      const Quat<P>& q = links_[k].here;
      end.q[strand.segments[k]] = {q.w[lane], q.x[lane], q.y[lane], q.z[lane]};
    }
  }
}

}  // namespace tendril::solvers::projective
