#include "solvers/direct/residual.h"

#include <algorithm>
#include <cmath>

#include "solvers/newton/scalar_block.h"

namespace tendril::solvers::direct {
namespace {

using P = JointNumber;

double largest_of(const Vec3<P>& v) { return largest(max(max(abs(v.x), abs(v.y)), abs(v.z))); }
void take(const Vec3d& off, Evaluation& out) {
  out.residual = std::max({out.residual, std::abs(off.x), std::abs(off.y), std::abs(off.z)});
}
double sum(const P& a, int count) {
  double sum = 0;
  for (int lane = 0; lane < count; ++lane) sum += a[lane];
  return sum;
}

// what the linear equations made of the strain
template <class T>
[[gnu::always_inline]] inline Vec3<T> predicted_strain(const Stretch<T>& s, const StretchState<T>& old,
                                                       const Vec3<T>& longer, const Vec3<T>& theta) {
  return rotate(conjugate(old.q), old.e + longer + cross(old.e, theta)) - s.p;
}

void evaluate_stretches(const JointLanes& joints, const Problem& p, const Step& step, Prediction& prediction,
                        Evaluation& out) {
  const std::vector<Vec3d>& u = step.system.direction();
  const auto segment = [&](int k) { return joints.stretch[k]->segment; };
  const Stretch<P> stretch = stretches(p, segment);
  const Spin<P> spin = spins(p, segment, stretch.length);
  const P per_length = P(1) / stretch.length;
  const auto end = [&](const Iterate& at, int n) __attribute__((always_inline)) {
    return vectors<P>([&](int k) -> const Vec3d& { return at.x[joints.stretch[k]->vertex[n]]; });
  };
  const auto frame = [&](const Iterate& at) __attribute__((always_inline)) {
    return quaternions<P>([&](int k) -> const Quatd& { return at.q[segment(k)]; });
  };
  const Vec3<P> longer =
      (P(step.share) * per_length) * (vectors<P>([&](int k) -> const Vec3d& { return u[joints.stretch[k]->x1]; }) -
                                      vectors<P>([&](int k) -> const Vec3d& { return u[joints.stretch[k]->x0]; }));
  const Vec3<P> theta = P(step.share) * vectors<P>([&](int k) -> const Vec3d& { return u[joints.stretch[k]->theta]; });
  const Vec3<P> far_end = end(step.before, 1);
  const StretchState<P> old{per_length * (far_end - end(step.before, 0)), frame(step.before)};
  const StretchState<P> now{per_length * (end(step.after, 1) - end(step.after, 0)), frame(step.after)};
  const Vec3<P> predicted = predicted_strain(stretch, old, longer, theta);
  const Vec3<P> gamma = strain(stretch, now);
  out.energy += sum(stretch_energy(stretch, gamma) + spin_energy(spin, half_turn(spin, now.q)), joints.count);
  out.residual = std::max(out.residual, largest_of(beyond_linear(old.e, longer, theta)));
  out.farthest = std::max(out.farthest, largest((abs(far_end.x) + abs(far_end.y) + abs(far_end.z)) * per_length));
  for (int k = 0; k < joints.count; ++k) prediction[segment(k)] = {predicted.x[k], predicted.y[k], predicted.z[k]};
}

// one that is in no joint
void evaluate_stretch(const StretchElement& e, const Problem& p, const Step& step, Prediction& prediction,
                      Evaluation& out) {
  const std::vector<Vec3d>& u = step.system.direction();
  const Stretch<double> term = p.stretch(e.segment);
  const auto state = [&](const Iterate& at) { return stretch_state(p, e.segment, e.vertex[0], e.vertex[1], at); };
  const StretchState<double> old = state(step.before);
  const Vec3d longer = (step.share / term.length) * (u[e.x1] - u[e.x0]), theta = step.share * u[e.theta];
  const Vec3d predicted = predicted_strain(term, old, longer, theta);
  const Vec3d gamma = strain(term, state(step.after));
  out.energy += stretch_energy(term, gamma) + inertial_energy(p, {Kind::segment, e.segment}, step.after);
  take(beyond_linear(old.e, longer, theta), out);
  out.farthest = std::max(out.farthest, newton::farthest(e, p, step.before));
  prediction[e.segment] = predicted;
}

// d phi = J (theta_b - theta_a), see newton/kernels.h; all in the frame of a
template <class T>
[[gnu::always_inline]] inline Vec3<T> predicted_angle(const Vec3<T>& phi, const Vec3<T>& turn) {
  const T a2 = dot(phi, phi), c = jacobian_factor(a2).c;
  return phi + (T(1) - c * a2) * turn - T(0.5) * cross(phi, turn) + (c * dot(phi, turn)) * phi;
}

// of b's frames against a's
Vec3<P> turns_of(const BendLanes& bends, const Step& step) {
  static constexpr Vec3d none;
  const std::vector<Vec3d>& u = step.system.direction();
  const auto of = [&](int row) -> const Vec3d& { return row >= 0 ? u[row] : none; };
  return P(step.share) * (vectors<P>([&](int k) -> const Vec3d& { return of(bends.element[k]->b); }) -
                          vectors<P>([&](int k) -> const Vec3d& { return of(bends.element[k]->a); }));
}

void evaluate_scalar_bend(int bend, const Vec3d& turn, const Problem& p, const Step& step, std::vector<Vec3d>* angles,
                          Evaluation& out) {
  const ScalarBend old = scalar_bend(p, bend, frames(p, bend, step.before)),
                   now = scalar_bend(p, bend, frames(p, bend, step.after));
  const Vec3d off = now.angle - old.angle - old.by_turn * turn;
  out.energy += now.energy;
  take(off, out);
  if (angles) (*angles)[bend] = now.angle - off;
}

void evaluate_bends(const BendLanes& bends, int count, const Problem& p, const Step& step, std::vector<Vec3d>* angles,
                    Evaluation& out) {
  const Bend<P> bend = bends_of(bends, p);
  const Vec3<P> turns = turns_of(bends, step);
  const FrameLanes old = frames_of(bends, step.before), now = frames_of(bends, step.after);
  const Vec3<P> turn = rotate(conjugate(old.a), turns);
  const Vec3<P> predicted = predicted_angle(bend_angle(bend, old.a, old.b), turn);
  const Vec3<P> reached = bend_angle(bend, now.a, now.b);
  const P energy = bend_energy(bend, reached);
  if (!bends.scalar) {
    out.energy += sum(energy, count);
    out.residual = std::max(out.residual, largest_of(reached - predicted));
  }
  for (int k = 0; (angles || bends.scalar) && k < count; ++k) {
    const int index = bends.element[k]->bend;
    if (index < 0) continue;
    const Vec3d to{predicted.x[k], predicted.y[k], predicted.z[k]};
    if (p.bends[index].scalar) {
      evaluate_scalar_bend(index, {turns.x[k], turns.y[k], turns.z[k]}, p, step, angles, out);
      continue;
    }
    if (bends.scalar) out.energy += energy[k], take(Vec3d{reached.x[k], reached.y[k], reached.z[k]} - to, out);
    if (angles) (*angles)[index] = to;
  }
}

}  // namespace

Mat3d angle_by_turn(const Bend<double>& bend, const Quatd& a, const Quatd& b) {
  const Vec3d phi = bend_angle(bend, a, b);
  const double a2 = dot(phi, phi), c = jacobian_factor(a2).c;
  const Mat3d J = (1 - c * a2) * Mat3d::identity() + (-0.5) * skew(phi) + c * outer(phi, phi);
  return J * transpose(rotation_matrix(a));
}

Evaluation evaluate(const Part& part, const Problem& p, const Step& step, Prediction& prediction,
                    std::vector<Vec3d>* angles) {
  constexpr int elements_of_chunk = 512, unknowns_of_chunk = 1024;
  const Structure& s = step.system.structure();
  Evaluation out;
  // chunk by chunk, so that it does not depend on threads
  const auto add_chunks = [&](std::size_t count, int of_chunk, int at_once, auto evaluate_some) {
    std::vector<Evaluation> chunks((count + of_chunk - 1) / of_chunk);
    step.system.for_all(static_cast<int>(chunks.size()), [&](int c) {
      const int end = static_cast<int>(std::min<std::size_t>(count, std::size_t(of_chunk) * (c + 1)));
      for (int n = of_chunk * c; n < end; n += at_once) evaluate_some(n, chunks[c]);
    });
    for (const Evaluation& chunk : chunks) {
      out.energy += chunk.energy;
      out.residual = std::max(out.residual, chunk.residual), out.farthest = std::max(out.farthest, chunk.farthest);
    }
  };
  add_chunks(s.joints.size(), elements_of_chunk, joint_lanes, [&](int n, Evaluation& chunk) {
    JointLanes joints;
    gather_joints(
        n, s, part, p, joints, [&](const StretchElement& e) __attribute__((always_inline)) {
          ask_for_places(e, step.before), ask_for_places(e, step.after), ask_for(prediction[e.segment]);
        });
    evaluate_stretches(joints, p, step, prediction, chunk);
    evaluate_bends(joints.bend, joints.count, p, step, angles, chunk);
  });
  add_chunks(s.bends.size(), elements_of_chunk, joint_lanes, [&](int n, Evaluation& chunk) {
    const int count = std::min(joint_lanes, static_cast<int>(s.bends.size()) - n);
    evaluate_bends(loose_bends_from(n, s, part, p), count, p, step, angles, chunk);
  });
  add_chunks(part.unknowns.size(), unknowns_of_chunk, 1, [&](int n, Evaluation& chunk) {
    const std::size_t ahead = n + 2 * elements_ahead;  // each has two
    if (ahead < part.unknowns.size() && part.unknowns[ahead].kind == Kind::vertex) {
      const int i = part.unknowns[ahead].index;
      ask_for(step.after.x[i]), ask_for(p.goal[i]), ask_for(p.weight[i]);
    }
    if (part.unknowns[n].kind != Kind::segment) chunk.energy += inertial_energy(p, part.unknowns[n], step.after);
  });
  for (int e : s.stretches) evaluate_stretch(part.stretches[e], p, step, prediction, out);
  for (std::size_t n = 0; n < part.slaved_segments.size(); ++n) {
    const int s = part.slaved_segments[n];
    const auto [i, j] = p.model->segments[s].vertex;
    prediction[s] = step.system.strains()[part.stretches.size() + n];
    const auto moved = [&](int vertex) { return step.system.moved(vertex, step.before); };
    const Vec3d longer = (step.share / p.model->segments[s].rest_length) * (moved(j) - moved(i));
    take(beyond_linear(stretch_state(p, s, i, j, step.before).e, longer, step.share * step.system.turn_of(s)), out);
    out.energy += inertial_energy(p, {Kind::segment, s}, step.after);
  }
  out.energy += slaved_energy(part, p, step.after);
  return out;
}

}  // namespace tendril::solvers::direct
