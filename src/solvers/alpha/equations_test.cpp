#include "solvers/alpha/equations.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "solvers/alpha/newton.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::alpha {
namespace {

using testing::Dice;
using testing::RodOptions;
using testing::Scene;

constexpr int per_node = 9;

// a step of a bent, moving, damped rod with a driven clamp at one end, a held axis in space at the other and moments;
// in some of its segments the vertices are the other way round
struct Problem {
  Scene scene;
  Equations equations;
  Memory memory;
  Trial at;
  Scheme scheme;
  double h = 0.02;

  explicit Problem(int seed, bool begins = false) {
    Dice dice(seed);
    RodOptions o;
    o.segments = 5, o.length = 0.8, o.EA = 300, o.GA = 100, o.EI1 = 0.5, o.EI2 = 0.8, o.GJ = 0.3;
    o.damping = 0.7, o.internal_damping = 0.01, o.linear_density = 0.2;
    scene.add_chain(o), scene.clamp(0, 0, o);
    std::swap(scene.model.segments[2].vertex[0], scene.model.segments[2].vertex[1]);
    scene.state.q[2] = scene.state.q[2] * Quatd{0, 1, 0, 0};
    for (rod::Bend& b : scene.model.bends)
      if (!b.a.is_body && (b.a.index == 2 || b.b.index == 2)) b.turn = {0, 1, 0, 0};
    for (rod::Bend& b : scene.model.bends)
      if (!b.a.is_body) b.rest = shorter_turn(conjugate(scene.state.q[b.a.index]) * scene.state.q[b.b.index] * b.turn);
    for (Segment& s : scene.model.segments) s.linear_inertia = {1e-3, 2e-3, 3e-3};
    for (rod::Bend& b : scene.model.bends) b.rest = shorter_turn(b.rest * dice.turn(0.3));
    Body hand;
    const int body = scene.add_body(hand, {scene.state.x.back(), scene.state.q.back()});
    Tie tie;
    tie.vertex = 5, tie.body = body, tie.held[1] = false;
    scene.model.ties.push_back(tie);
    const auto shift = [&] { return dice.between(0.01, 0.1) * dice.direction(); };
    for (Vec3d& x : scene.state.x) x += shift();
    for (Quatd& q : scene.state.q) q = dice.turn(0.6) * q;
    for (auto* rates : {&scene.state.v, &scene.state.omega})
      for (Vec3d& v : *rates) v = 10.0 * shift();
    scene.fill_inputs();
    for (Instant* border : {&scene.inputs.begin, &scene.inputs.end}) {
      border->moment.resize(5), border->drag.assign(6, 0.3);
      for (Vec3d& m : border->moment) m = shift();
      for (Vec3d& f : border->force) f = 20.0 * shift();
      for (Pose& pose : border->body_pose) pose.x += 0.1 * shift(), pose.q = dice.turn(0.1) * pose.q;
    }
    const auto random = [&](int count) {
      std::vector<Vec3d> all(count);
      for (Vec3d& a : all) a = 5.0 * shift();
      return all;
    };
    memory = {random(6), random(6), random(5), random(5), random(5)};
    scheme = {Weights::of_rho(0.8), Weights::of_rho(0.3), begins, h};
    equations.reset(scene.model);
    equations.begin_step(scene.inputs, scene.state, memory);
    equations.prepare(chain(), scheme);
    at = {scene.state.x, std::vector<Vec3d>(6), scene.state.q, std::vector<Vec3d>(5), std::vector<Vec3d>(5)};
    equations.guess(chain(), Equations::Guess::moving, at);
    for (int n = 0; n < 6; ++n)
      for (int k = 0; k < per_node; ++k) move(at, n, k, dice.between(-0.1, 0.1));
  }

  const Chain& chain() const { return equations.chain(0); }
  int size() const { return per_node * 6; }

  // one unknown of a node
  void move(Trial& to, int node, int unknown, double by) const {
    Vec3d step;
    step[unknown % 3] = by;
    if (unknown < 3) to.way[chain().vertices[node]] += step, to.x[chain().vertices[node]] += step;
    if (unknown < 3 || node == 5) return;
    const int s = chain().segments[node];
    if (unknown >= 6) return void(to.force[s] += 10.0 * step);
    const Quatd q = quaternion_exp(step) * to.q[s];
    to.turn[s] = gibbs_turn(conjugate(scene.state.q[s]) * q), to.q[s] = q;
  }
  static double size_of(int unknown) { return unknown >= 6 ? 10 : 1; }  // of a step of 1 in move()

  Eigen::VectorXd residual(const Trial& of) const {
    Eigen::VectorXd out(size());
    NodeRows rows;
    for (int n = 0; n < 6; ++n) {
      equations.rows(chain(), n, of, rows);
      for (int r = 0; r < per_node; ++r) out[per_node * n + r] = -rows.left[r / 3][r % 3];
    }
    return out;
  }

  Eigen::MatrixXd matrix() const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(size(), size());
    const auto put = [&](int row, int column, const Mat3d& m) {
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) out(row + i, column + k) += (&m.c0)[k][i];
    };
    NodeRows rows;
    for (int n = 0; n < 6; ++n) {
      equations.rows(chain(), n, at, rows);
      const int own = per_node * n, next = own + per_node, last = own - per_node;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) put(own + 3 * r, own + 3 * c, rows.own[r][c]);
        for (int c = 0; c < 2 && n < 5; ++c) put(own + 3 * r, next + 3 * c, rows.next[r][c]);
      }
      if (n == 0) continue;
      put(own, last + 6, rows.vertex_by_last_N);
      put(own + 3, last + 3, rows.segment_by_last_w);
    }
    return out;
  }
};

// every number of the Jacobian is the slope of its residual
TEST(AlphaEquations, TheJacobianIsTheDerivativeOfTheResidual) {
  for (const bool begins : {false, true})
    for (int seed = 0; seed < 20; ++seed) {
      const Problem p(seed, begins);
      const Eigen::MatrixXd matrix = p.matrix();
      int checked = 0;
      for (int node = 0; node < 6; ++node)
        for (int k = 0; k < per_node; ++k) {
          if (node == 5 && k >= 3) continue;
          const double d = 1e-5;
          Trial ahead = p.at, back = p.at;
          p.move(ahead, node, k, d), p.move(back, node, k, -d);
          const Eigen::VectorXd slope = (p.residual(ahead) - p.residual(back)) / (2 * d * Problem::size_of(k));
          const Eigen::VectorXd column = matrix.col(per_node * node + k);
          for (int r = 0; r < p.size(); ++r) {
            EXPECT_NEAR(column[r], slope[r], 1e-7 * (1 + column.lpNorm<Eigen::Infinity>()))
                << "row " << r << " by unknown " << k << " of node " << node << ", seed " << seed;
            checked += std::abs(slope[r]) > 1e-3;
          }
        }
      EXPECT_GT(checked, 200) << "the derivatives must not be trivial";
    }
}

// block elimination gives what a dense solver gives
TEST(AlphaEquations, EliminationSolvesThem) {
  for (int seed = 0; seed < 20; ++seed) {
    const Problem p(seed);
    const Eigen::VectorXd exact = p.matrix().fullPivLu().solve(-p.residual(p.at));
    std::vector<DoneNode> done(6);
    std::vector<NodeSolution> u(6);
    NodeRows rows;
    for (int n = 0; n < 6; ++n) {
      p.equations.rows(p.chain(), n, p.at, rows);
      ASSERT_TRUE(eliminate(rows, n > 0 ? &done[n - 1] : nullptr, done[n]));
    }
    for (int n = 5; n >= 0; --n) {
      u[n] = solve_backwards(done[n], n < 5 ? &u[n + 1] : nullptr);
      for (int k = 0; k < per_node; ++k) {
        const Vec3d& of = k < 3 ? u[n].x : k < 6 ? u[n].w : u[n].N;
        EXPECT_NEAR(of[k % 3], exact[per_node * n + k], 1e-9 * (1 + exact.lpNorm<Eigen::Infinity>()));
      }
    }
  }
}

// and Newton's method, whose errors are squared from step to step, ends where nothing is left
TEST(AlphaEquations, NewtonConvergesQuadratically) {
  int seen = 0;
  for (int seed = 0; seed < 20; ++seed) {
    Problem p(seed);
    p.equations.guess(p.chain(), Equations::Guess::moving, p.at);
    ChainNewton newton;
    const Inputs inputs;
    const Outcome out = newton.solve(p.equations, p.chain(), {50, 1e-10, true, &inputs}, p.scene.state, p.at);
    std::string all;
    for (double r : out.residuals) all += std::to_string(r) + " ";
    ASSERT_TRUE(out.converged) << seed << ": " << all;
    EXPECT_LT(out.iterations, 12);
    EXPECT_LT(p.residual(p.at).lpNorm<Eigen::Infinity>(), 1e-10);
    for (std::size_t n = 1; n < out.residuals.size(); ++n) {
      const double last = out.residuals[n - 1];
      if (last > 1e-2 || last < 1e-6) continue;
      EXPECT_LT(out.residuals[n], 10 * last * last + 1e-12);
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace tendril::solvers::alpha
