#include "solvers/direct/residual.h"

#include <algorithm>
#include <cmath>

#include "solvers/newton/lanes.h"

namespace tendril::direct {
namespace {

using P = Lanes;

double largest_of(const Vec3<P>& v) { return largest(max(max(abs(v.x), abs(v.y)), abs(v.z))); }
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

void look_at_stretches(const Part& part, const Problem& p, const Iterate& before, const std::vector<Vec3d>& u,
                       double share, const Iterate& after, Prediction& prediction, Look& look) {
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
    const StretchState<P> old = state(before);
    const Vec3<P> longer = (P(share) * per_length) * (vectors([&](int k) -> const Vec3d& { return u[e[k]->x1]; }) -
                                                      vectors([&](int k) -> const Vec3d& { return u[e[k]->x0]; }));
    const Vec3<P> theta = P(share) * vectors([&](int k) -> const Vec3d& { return u[e[k]->theta]; });
    const Vec3<P> predicted = rotate(conjugate(old.q), old.e + longer + cross(old.e, theta)) - stretch.p;
    const StretchState<P> now = state(after);
    const Vec3<P> gamma = strain(stretch, now);
    const Spin<P> spin{vectors([&](int k) -> const Vec3d& { return p.spin[e[k]->segment].weight; }),
                       quaternions([&](int k) -> const Quatd& { return p.spin[e[k]->segment].goal; })};
    look.energy += sum(stretch_energy(stretch, gamma) + spin_energy(spin, half_turn(spin, now.q)), count);
    look.residual = std::max(look.residual, largest_of(gamma - predicted));
    for (int k = 0; k < count; ++k) prediction[e[k]->segment] = {predicted.x[k], predicted.y[k], predicted.z[k]};
  });
}

void look_at_bends(const Part& part, const Problem& p, const Iterate& before, const std::vector<Vec3d>& u, double share,
                   const Iterate& after, Look& look) {
  static const Vec3d still;
  by_fours(part.bends, [&](const BendElement* const(&e)[P::lanes], int count) {
    Frames old[P::lanes], now[P::lanes];
    bool some_swing = false;
    for (int k = 0; k < P::lanes; ++k) {
      old[k] = frames(p, e[k]->bend, before), now[k] = frames(p, e[k]->bend, after);
      some_swing |= p.bends[e[k]->bend].swings;
    }
    if (some_swing) {
      for (int k = 0; k < count; ++k) look.energy += bend_energy(p, e[k]->bend, after);
      return;
    }
    const auto term = [&](int k) -> const Bend<double>& { return p.bends[e[k]->bend].bend; };
    const Bend<P> bend{vectors([&](int k) -> const Vec3d& { return term(k).K; }),
                       vectors([&](int k) -> const Vec3d& { return term(k).rest; }),
                       quaternions([&](int k) -> const Quatd& { return term(k).side; })};
    const auto angle = [&](const Frames(&f)[P::lanes]) {
      return bend_angle(bend, quaternions([&](int k) -> const Quatd& { return f[k].a; }),
                        quaternions([&](int k) -> const Quatd& { return f[k].b; }));
    };
    const auto turn = [&](int row) -> const Vec3d& { return row >= 0 ? u[row] : still; };
    const Vec3<P> turned = P(share) * (vectors([&](int k) -> const Vec3d& { return turn(e[k]->b); }) -
                                       vectors([&](int k) -> const Vec3d& { return turn(e[k]->a); }));
    // d phi = J (theta_b - theta_a), see newton/kernels.h, in the frame of a
    const Vec3<P> phi = angle(old),
                  by = rotate(conjugate(quaternions([&](int k) -> const Quatd& { return old[k].a; })), turned);
    const P a2 = dot(phi, phi), c = jacobian_factor(a2).c;
    const Vec3<P> predicted = phi + (P(1) - c * a2) * by - P(0.5) * cross(phi, by) + (c * dot(phi, by)) * phi;
    const Vec3<P> reached = angle(now);
    look.energy += sum(bend_energy(bend, reached), count);
    look.residual = std::max(look.residual, largest_of(reached - predicted));
  });
}

}  // namespace

Look look(const Part& part, const Problem& p, const Iterate& before, const std::vector<Vec3d>& u, double share,
          const Iterate& after, Prediction& prediction) {
  Look out;
  look_at_stretches(part, p, before, u, share, after, prediction, out);
  look_at_bends(part, p, before, u, share, after, out);
  for (const Unknown& unknown : part.unknowns)
    if (unknown.kind != Kind::segment) out.energy += inertial_energy(p, unknown, after);
  out.energy += slaved_energy(part, p, after);
  return out;
}

}  // namespace tendril::direct
