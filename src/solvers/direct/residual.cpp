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

// elements [first, first + 4), behind the last there are copies of it
template <class Elements, class Visit>
void by_fours(const Elements& elements, Visit visit) {
  const std::size_t size = elements.size(), lanes = P::lanes;
  for (std::size_t first = 0; first < size; first += lanes) {
    const typename Elements::value_type* e[P::lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) e[lane] = &elements[std::min(first + lane, size - 1)];
    visit(e, static_cast<int>(std::min(lanes, size - first)));
  }
}

void look_at_stretches(const Part& part, const Problem& p, const Step& step, Prediction& prediction, Look& look) {
  by_fours(part.stretches, [&](const StretchElement* const(&e)[P::lanes], int count) {
    const auto term = [&](int k) -> const Stretch<double>& { return p.stretch[e[k]->segment]; };
    const Stretch<P> stretch{numbers([&](int k) { return term(k).length; }), numbers([&](int k) { return term(k).GA; }),
                             numbers([&](int k) { return term(k).EA; }),
                             vectors([&](int k) -> const Vec3d& { return term(k).p; })};
    const P per_length = P(1) / stretch.length;
    const auto state = [&](const Iterate& at) {
      return StretchState<P>{per_length * (vectors([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[1]]; }) -
                                           vectors([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[0]]; })),
                             quaternions([&](int k) -> const Quatd& { return at.q[e[k]->segment]; })};
    };
    const auto u = [&](auto row) {
      return vectors([&](int k) -> const Vec3d& { return step.system.direction()[row(*e[k])]; });
    };
    const StretchState<P> old = state(step.before), now = state(step.after);
    const Vec3<P> longer = (P(step.share) * per_length) * (u([](const StretchElement& s) { return s.x1; }) -
                                                           u([](const StretchElement& s) { return s.x0; }));
    const Vec3<P> theta = P(step.share) * u([](const StretchElement& s) { return s.theta; });
    const Vec3<P> predicted = rotate(conjugate(old.q), old.e + longer + cross(old.e, theta)) - stretch.p;
    const Vec3<P> gamma = strain(stretch, now);
    const Spin<P> spin{vectors([&](int k) -> const Vec3d& { return p.spin[e[k]->segment].weight; }),
                       quaternions([&](int k) -> const Quatd& { return p.spin[e[k]->segment].goal; })};
    look.energy += sum(stretch_energy(stretch, gamma) + spin_energy(spin, half_turn(spin, now.q)), count);
    look.residual = std::max(look.residual, largest_of(gamma - predicted));
    for (int k = 0; k < count; ++k) prediction[e[k]->segment] = {predicted.x[k], predicted.y[k], predicted.z[k]};
  });
}

// d phi = J (theta_b - theta_a), see newton/kernels.h; all in the frame of a
template <class T>
[[gnu::always_inline]] inline Vec3<T> predicted_angle(const Vec3<T>& phi, const Vec3<T>& turn) {
  const T a2 = dot(phi, phi), c = jacobian_factor(a2).c;
  return phi + (T(1) - c * a2) * turn - T(0.5) * cross(phi, turn) + (c * dot(phi, turn)) * phi;
}

void look_at_bends(const Part& part, const Problem& p, const Step& step, std::vector<Vec3d>* angles, Look& look) {
  static const Vec3d still;
  const auto turn = [&](const BendElement& e) {
    const std::vector<Vec3d>& u = step.system.direction();
    return step.share * ((e.b >= 0 ? u[e.b] : still) - (e.a >= 0 ? u[e.a] : still));
  };
  const auto look_at_swing = [&](const BendElement& e) {
    const Swing old = swing(p, e.bend, frames(p, e.bend, step.before)),
                now = swing(p, e.bend, frames(p, e.bend, step.after));
    const Vec3d off = now.angle - old.angle - old.by_turn * turn(e);
    look.energy += now.energy;
    take(off, look);
    if (angles) (*angles)[e.bend] = now.angle - off;
  };
  by_fours(part.bends, [&](const BendElement* const(&e)[P::lanes], int count) {
    Frames old[P::lanes], now[P::lanes];
    Vec3d turns[P::lanes];
    bool some_swing = false;
    for (int k = 0; k < P::lanes; ++k) {
      old[k] = frames(p, e[k]->bend, step.before), now[k] = frames(p, e[k]->bend, step.after);
      turns[k] = rotate(conjugate(old[k].a), turn(*e[k]));
      some_swing |= p.bends[e[k]->bend].swings;
    }
    const auto term = [&](int k) -> const Bend<double>& { return p.bends[e[k]->bend].bend; };
    if (some_swing) {
      for (int k = 0; k < count; ++k) {
        if (p.bends[e[k]->bend].swings) {
          look_at_swing(*e[k]);
          continue;
        }
        const Vec3d reached = newton::bend_angle(term(k), now[k].a, now[k].b);
        const Vec3d predicted = predicted_angle(newton::bend_angle(term(k), old[k].a, old[k].b), turns[k]),
                    off = reached - predicted;
        look.energy += bend_energy(term(k), reached);
        take(off, look);
        if (angles) (*angles)[e[k]->bend] = predicted;
      }
      return;
    }
    const Bend<P> bend{vectors([&](int k) -> const Vec3d& { return term(k).K; }),
                       vectors([&](int k) -> const Vec3d& { return term(k).rest; }),
                       quaternions([&](int k) -> const Quatd& { return term(k).side; })};
    const auto angle = [&](const Frames(&f)[P::lanes]) {
      return bend_angle(bend, quaternions([&](int k) -> const Quatd& { return f[k].a; }),
                        quaternions([&](int k) -> const Quatd& { return f[k].b; }));
    };
    const Vec3<P> predicted = predicted_angle(angle(old), vectors([&](int k) -> const Vec3d& { return turns[k]; })),
                  reached = angle(now);
    look.energy += sum(bend_energy(bend, reached), count);
    look.residual = std::max(look.residual, largest_of(reached - predicted));
    for (int k = 0; angles && k < count; ++k) (*angles)[e[k]->bend] = {predicted.x[k], predicted.y[k], predicted.z[k]};
  });
}

}  // namespace

Mat3d angle_by_turn(const Bend<double>& bend, const Quatd& a, const Quatd& b) {
  const Vec3d phi = bend_angle(bend, a, b);
  const double a2 = dot(phi, phi), c = jacobian_factor(a2).c;
  const Mat3d J = (1 - c * a2) * Mat3d::identity() + (-0.5) * skew(phi) + c * outer(phi, phi);
  return J * transpose(rotation_matrix(a));
}

Look look(const Part& part, const Problem& p, const Step& step, Prediction& prediction, std::vector<Vec3d>* angles) {
  Look out;
  look_at_stretches(part, p, step, prediction, out);
  look_at_bends(part, p, step, angles, out);
  step.system.predict_slaved(step.before, step.share, prediction);
  for (int s : part.slaved_segments) {
    const auto [i, j] = p.model->segments[s].vertex;
    take(strain(p.stretch[s], stretch_state(p, s, i, j, step.after)) - prediction[s], out);
  }
  for (const Unknown& unknown : part.unknowns)
    if (unknown.kind != Kind::segment) out.energy += inertial_energy(p, unknown, step.after);
  out.energy += slaved_energy(part, p, step.after);
  return out;
}

}  // namespace tendril::direct
