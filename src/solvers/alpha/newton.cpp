#include "solvers/alpha/newton.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::alpha {
namespace {

constexpr double longest_turn = 1;  // of a Newton step [rad]: farther off the linear equations tell nothing
constexpr double far_off = 0.05;    // a step of this size that is longer than the last whole one was led astray
constexpr double least_fraction = 1.0 / 64;

}  // namespace

// while |F(x)| >= epsilon: J delta = -F, x <- x + mu delta, turn frames and loads                Eq. 22, lines 10 to 23
Outcome ChainNewton::solve(const Equations& equations, const Chain& chain, const NewtonLimits& limits,
                           const State& start, Trial& at) {
  Outcome out;
  double last_size = forever, fraction = 1;
  bool is_cut = false;  // `fraction`, since the last step was led astray
  while (out.iterations < limits.iterations && !limits.inputs->stops()) {
    ++out.iterations;
    const bool solved = find_direction(equations, chain, at);
    const double size = solved ? size_of_direction(equations, chain) : forever;
    if (limits.keeps_residuals) out.residuals.push_back(std::isfinite(size) ? size : last_size);
    const bool was_whole = fraction == 1 || is_cut;
    const bool is_led_astray = !std::isfinite(size) || (was_whole && size > far_off && size > last_size);
    if (is_led_astray && std::isfinite(last_size) && fraction > least_fraction) {
      fraction *= 0.5, is_cut = true;
      go_back(chain, start, at), direction_ = last_direction_;
      go(chain, fraction, start, at);
      continue;
    }
    if (!std::isfinite(size)) return out;
    is_cut = false;
    out.residual = size, last_size = size;
    fraction = std::min(1.0, longest_turn / size);
    remember(chain, at), last_direction_ = direction_;
    go(chain, fraction, start, at);
    if (size <= limits.tolerance) return out.converged = true, out;
  }
  return out;
}

bool ChainNewton::find_direction(const Equations& equations, const Chain& chain, const Trial& at) {
  const int nodes = static_cast<int>(chain.vertices.size());
  done_.resize(nodes), direction_.resize(nodes);
  NodeRows rows;
  for (int n = 0; n < nodes; ++n) {
    equations.rows(chain, n, at, rows);
    if (!eliminate(rows, n > 0 ? &done_[n - 1] : nullptr, done_[n])) return false;
  }
  for (int n = nodes - 1; n >= 0; --n)
    direction_[n] = alpha::solve_backwards(done_[n], n + 1 < nodes ? &direction_[n + 1] : nullptr);
  return true;
}

// the largest turn of a segment, or change of its edge over its length
double ChainNewton::size_of_direction(const Equations& equations, const Chain& chain) const {
  const int segments = chain.segment_count();
  double largest = segments == 0 ? norm(direction_[0].x) : 0;
  for (int n = 0; n < segments; ++n) {
    const double stretch = norm(direction_[n + 1].x - direction_[n].x) / equations.rest_length(chain, n);
    const double size = std::max(norm(direction_[n].w), stretch);
    if (!(size <= largest)) largest = size;  // not-a-number, too
  }
  return largest;
}

void ChainNewton::remember(const Chain& chain, const Trial& at) {
  before_.way.clear(), before_.q.clear(), before_.turn.clear(), before_.force.clear();
  for (int i : chain.vertices) before_.way.push_back(at.way[i]);
  for (int s : chain.segments)
    before_.q.push_back(at.q[s]), before_.turn.push_back(at.turn[s]), before_.force.push_back(at.force[s]);
}

void ChainNewton::go_back(const Chain& chain, const State& start, Trial& at) const {
  for (std::size_t n = 0; n < chain.vertices.size(); ++n) {
    const int i = chain.vertices[n];
    at.way[i] = before_.way[n], at.x[i] = start.x[i] + at.way[i];
  }
  for (std::size_t n = 0; n < chain.segments.size(); ++n) {
    const int s = chain.segments[n];
    at.q[s] = before_.q[n], at.turn[s] = before_.turn[n], at.force[s] = before_.force[n];
  }
}

// frames by Rodrigues' formula, Eq. 23
void ChainNewton::go(const Chain& chain, double fraction, const State& start, Trial& at) const {
  for (std::size_t n = 0; n < chain.vertices.size(); ++n) {
    const int i = chain.vertices[n];
    at.way[i] += fraction * direction_[n].x, at.x[i] = start.x[i] + at.way[i];
  }
  for (std::size_t n = 0; n < chain.segments.size(); ++n) {
    const int s = chain.segments[n];
    const Vec3d w = fraction * direction_[n].w;
    at.q[s] = normalized(quaternion_exp(w) * at.q[s]);
    at.turn[s] = gibbs_turn(conjugate(start.q[s]) * at.q[s]);
    at.force[s] += fraction * direction_[n].N;
  }
}

}  // namespace tendril::solvers::alpha
