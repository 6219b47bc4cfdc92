#pragma once

#include <vector>

#include "solvers/newton/parts.h"

namespace tendril::solvers::newton {

// the strain of each segment that the last linear solution led to, in its own frame; kept from step to step
using Prediction = std::vector<Vec3d>;

// the strains that a share of the direction u leads to, of all stretches of a part; u by rows
void predict_strains(const Part& part, const Problem& problem, const Iterate& at, double share,
                     const std::vector<Vec3d>& u, std::vector<Vec3d>& strains);

StretchState<double> stretch_state(const Problem& problem, int segment, int i, int j, const Iterate& at);

// the frames of a bend; b's with its fixed turn
struct Frames {
  Quatd a, b;
};
inline Frames frames(const Problem& problem, int bend, const Iterate& at) {
  const rod::Bend& ends = problem.model->bends[bend];
  const Quatd& b = problem.frame(at, ends.b);
  return {problem.frame(at, ends.a), problem.bends[bend].turns ? b * ends.turn : b};
}

// a bend that is measured by itself, see Problem::scalar_strain
struct ScalarBend {
  Vec3d angle;
  Mat3d by_turn;   // how it changes with the turn of one frame against the other
  Sym3<double> S;  // second derivatives by that turn, semi-definite
  Vec3d moment;
  double energy = 0;
};
ScalarBend scalar_bend(const Problem& problem, int bend, const Frames& frames);

double bend_energy(const Problem& problem, int bend, const Iterate& at);

// of an unknown, and of what moves with bodies: the inertia of its vertices and the stretching of its segments [J]
double inertial_energy(const Problem& problem, const Unknown& unknown, const Iterate& at);
double slaved_energy(const Part& part, const Problem& problem, const Iterate& at);

// the energy of a part of the incremental potential, without the work of external moments [J]
double energy(const Part& part, const Problem& problem, const Iterate& at);

}  // namespace tendril::solvers::newton
