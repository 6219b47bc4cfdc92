#pragma once

#include <span>

#include "solvers/newton/strains.h"

namespace tendril::solvers::newton {

// Where a Newton step leads. A step (u, theta) that was taken as x + u, exp(theta) q would stretch every segment that
// turns by theta²/2: of a hair, a thousand times the energy of its motion. The line search would halve good steps, and
// the next matrix would be indefinite. So frames turn, strains change as the linear equations say, and positions
// follow from both (Skeleton):
//
//   q' = exp(s theta) q,   gamma' = gamma + s d gamma,   x1' - x0' = l R(q') (p + gamma')
//
// outwards from the vertex that is held. Where nothing is held along an axis the centre of mass goes where x + s u has
// it, so momentum is kept. The first guess of a step is made in the same way, from frames and strains that go on as
// they did.

// Where steps are so short that sound crosses no segment in one, inertia is stiffer than any stretch: then x + u is
// better, which balances the momenta.
inline bool retracts(const Part& part, const Problem& problem) {
  return part.sound_time * part.sound_time * problem.scheme.weight() < 1;
}

// Positions of an open part from the frames and positions of `at`, where the anchor stays and the centre of mass
// counts; strains by element: those of the stretches, then those of the slaved segments.
void place_by_strains(const Part& part, const Problem& problem, std::span<const Vec3d> strains, Iterate& at);

// The strain of a segment a share of the step ahead if it goes on as it did. The velocities of implicit Euler are
// chords: x - h v and exp(-h omega) q = q_old are where the segment was. Those of a scheme of second order are rates,
// and those of stiff strains are noise in long steps: they count where frames hardly turn, beside the strain with which
// the last step ended.
template <class T>
[[gnu::always_inline]] inline Vec3<T> strain_ahead_by_chord(const StretchState<T>& at, const Vec3<T>& p,
                                                            const Vec3<T>& de, const Quat<T>& q_old) {
  return T(2) * rotate(conjugate(at.q), at.e) - rotate(conjugate(q_old), at.e - de) - p;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> strain_ahead_by_rate(const StretchState<T>& at, const Vec3<T>& last,
                                                           const Vec3<T>& de, const Vec3<T>& theta) {
  constexpr double little = 1e-8;  // [rad²]
  const T share = T(little) / (T(little) + norm_squared(theta));
  return last + rotate(conjugate(at.q), share * (de + cross(at.e, theta)));
}

// The first guess of an open part: from x + h v, exp(h omega) q and strains that go on; `prediction` is what the last
// step ended with.
void place_by_guess(const Part& part, const Problem& problem, const State& start, const Prediction& prediction,
                    Iterate& at);

}  // namespace tendril::solvers::newton
