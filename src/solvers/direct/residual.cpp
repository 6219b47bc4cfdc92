#include "solvers/direct/residual.h"

#include <algorithm>
#include <cmath>

#include "solvers/newton/lanes.h"

namespace tendril::direct {
namespace {

using P = Lanes;

double largest_of(const Vec3<P>& v) { return largest(max(max(abs(v.x), abs(v.y)), abs(v.z))); }
void take(const Vec3d& off, Look& look) {
  look.residual = std::max({look.residual, std::abs(off.x), std::abs(off.y), std::abs(off.z)});
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

void look_at_stretches(const JointPack& pack, const Problem& p, const Step& step, Prediction& prediction, Look& look) {
  const std::vector<Vec3d>& u = step.system.direction();
  const P per_length = P(1) / pack.stretch.length;
  const auto state = [&](const Iterate& at) __attribute__((always_inline)) {
    return StretchState<P>{per_length * (vectors([&](int k) -> const Vec3d& { return at.x[pack.vertex[1][k]]; }) -
                                         vectors([&](int k) -> const Vec3d& { return at.x[pack.vertex[0][k]]; })),
                           quaternions([&](int k) -> const Quatd& { return at.q[pack.segment[k]]; })};
  };
  const Vec3<P> longer = (P(step.share) * per_length) * (vectors([&](int k) -> const Vec3d& { return u[pack.x1[k]]; }) -
                                                         vectors([&](int k) -> const Vec3d& { return u[pack.x0[k]]; }));
  const Vec3<P> theta = P(step.share) * vectors([&](int k) -> const Vec3d& { return u[pack.theta[k]]; });
  const StretchState<P> now = state(step.after);
  const Vec3<P> predicted = predicted_strain(pack.stretch, state(step.before), longer, theta);
  const Vec3<P> gamma = strain(pack.stretch, now);
  const Spin<P> spin{pack.spin, quaternions([&](int k) -> const Quatd& { return p.spin[pack.segment[k]].goal; })};
  look.energy += sum(stretch_energy(pack.stretch, gamma) + spin_energy(spin, half_turn(spin, now.q)), pack.count);
  look.residual = std::max(look.residual, largest_of(gamma - predicted));
  for (int k = 0; k < pack.count; ++k) prediction[pack.segment[k]] = {predicted.x[k], predicted.y[k], predicted.z[k]};
}

// one that is in no joint
void look_at_stretch(const StretchElement& e, const Problem& p, const Step& step, Prediction& prediction, Look& look) {
  const std::vector<Vec3d>& u = step.system.direction();
  const Stretch<double>& term = p.stretch[e.segment];
  const auto state = [&](const Iterate& at) { return stretch_state(p, e.segment, e.vertex[0], e.vertex[1], at); };
  const Vec3d predicted = predicted_strain(term, state(step.before), (step.share / term.length) * (u[e.x1] - u[e.x0]),
                                           step.share * u[e.theta]);
  const Vec3d gamma = strain(term, state(step.after));
  look.energy += stretch_energy(term, gamma) + inertial_energy(p, {Kind::segment, e.segment}, step.after);
  take(gamma - predicted, look);
  prediction[e.segment] = predicted;
}

// d phi = J (theta_b - theta_a), see newton/kernels.h; all in the frame of a
template <class T>
[[gnu::always_inline]] inline Vec3<T> predicted_angle(const Vec3<T>& phi, const Vec3<T>& turn) {
  const T a2 = dot(phi, phi), c = jacobian_factor(a2).c;
  return phi + (T(1) - c * a2) * turn - T(0.5) * cross(phi, turn) + (c * dot(phi, turn)) * phi;
}

Vec3d turn_of(const BendPack& pack, int k, const Step& step) {
  const std::vector<Vec3d>& u = step.system.direction();
  Vec3d turn;
  if (pack.row_b[k] >= 0) turn += step.share * u[pack.row_b[k]];
  if (pack.row_a[k] >= 0) turn -= step.share * u[pack.row_a[k]];
  return turn;
}

void look_at_swing(int bend, const Vec3d& turn, const Problem& p, const Step& step, std::vector<Vec3d>* angles,
                   Look& look) {
  const Swing old = swing(p, bend, frames(p, bend, step.before)), now = swing(p, bend, frames(p, bend, step.after));
  const Vec3d off = now.angle - old.angle - old.by_turn * turn;
  look.energy += now.energy;
  take(off, look);
  if (angles) (*angles)[bend] = now.angle - off;
}

void look_at_bends(const BendPack& pack, int count, const Problem& p, const Step& step, std::vector<Vec3d>* angles,
                   Look& look) {
  Vec3d turns[P::lanes];
  for (int k = 0; k < P::lanes; ++k) turns[k] = turn_of(pack, k, step);
  const FramePack old = frames_of(pack, step.before), now = frames_of(pack, step.after);
  const Vec3<P> turn = rotate(conjugate(old.a), vectors([&](int k) -> const Vec3d& { return turns[k]; }));
  const Vec3<P> predicted = predicted_angle(bend_angle(pack.bend, old.a, old.b), turn);
  const Vec3<P> reached = bend_angle(pack.bend, now.a, now.b);
  const P energy = bend_energy(pack.bend, reached);
  if (!pack.swings) {
    look.energy += sum(energy, count);
    look.residual = std::max(look.residual, largest_of(reached - predicted));
  }
  for (int k = 0; (angles || pack.swings) && k < count; ++k) {
    if (pack.index[k] < 0) continue;
    const Vec3d to{predicted.x[k], predicted.y[k], predicted.z[k]};
    if (pack.swings && p.bends[pack.index[k]].swings) {
      look_at_swing(pack.index[k], turns[k], p, step, angles, look);
      continue;
    }
    if (pack.swings) look.energy += energy[k], take(Vec3d{reached.x[k], reached.y[k], reached.z[k]} - to, look);
    if (angles) (*angles)[pack.index[k]] = to;
  }
}

}  // namespace

Mat3d angle_by_turn(const Bend<double>& bend, const Quatd& a, const Quatd& b) {
  const Vec3d phi = bend_angle(bend, a, b);
  const double a2 = dot(phi, phi), c = jacobian_factor(a2).c;
  const Mat3d J = (1 - c * a2) * Mat3d::identity() + (-0.5) * skew(phi) + c * outer(phi, phi);
  return J * transpose(rotation_matrix(a));
}

Look look(const Part& part, const Problem& p, const Step& step, Prediction& prediction, std::vector<Vec3d>* angles) {
  constexpr int packs_of_chunk = 128, unknowns_of_chunk = 1024;
  const std::vector<JointPack>& joints = step.system.constants().joints;
  const std::vector<LooseBendPack>& bends = step.system.constants().bends;
  Look out;
  // chunk by chunk, so that it does not depend on threads
  const auto add_chunks = [&](std::size_t count, int of_chunk, auto look_at) {
    std::vector<Look> chunks((count + of_chunk - 1) / of_chunk);
    step.system.for_all(static_cast<int>(chunks.size()), [&](int c) {
      const std::size_t end = std::min<std::size_t>(count, std::size_t(of_chunk) * (c + 1));
      for (std::size_t n = std::size_t(of_chunk) * c; n < end; ++n) look_at(n, chunks[c]);
    });
    for (const Look& chunk : chunks) out.energy += chunk.energy, out.residual = std::max(out.residual, chunk.residual);
  };
  add_chunks(joints.size(), packs_of_chunk, [&](std::size_t n, Look& chunk) {
    look_at_stretches(joints[n], p, step, prediction, chunk);
    look_at_bends(joints[n].bend, joints[n].count, p, step, angles, chunk);
  });
  add_chunks(bends.size(), packs_of_chunk,
             [&](std::size_t n, Look& chunk) { look_at_bends(bends[n].bend, bends[n].count, p, step, angles, chunk); });
  add_chunks(part.unknowns.size(), unknowns_of_chunk, [&](std::size_t n, Look& chunk) {
    if (part.unknowns[n].kind != Kind::segment) chunk.energy += inertial_energy(p, part.unknowns[n], step.after);
  });
  for (int e : step.system.structure().stretches) look_at_stretch(part.stretches[e], p, step, prediction, out);
  step.system.predict_slaved(step.before, step.share, prediction);
  for (int s : part.slaved_segments) {
    const auto [i, j] = p.model->segments[s].vertex;
    take(strain(p.stretch[s], stretch_state(p, s, i, j, step.after)) - prediction[s], out);
    out.energy += inertial_energy(p, {Kind::segment, s}, step.after);
  }
  out.energy += slaved_energy(part, p, step.after);
  return out;
}

}  // namespace tendril::direct
