#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "compact_helix.h"
#include "solvers/compact/elimination.h"
#include "solvers/compact/pcg.h"
#include "solvers/newton/problem.h"

// Fig. 3 to 5 [zhao2022]: the linear equations of the falling helix by conjugate gradients, by the exact elimination,
// and by a dense factorisation; and the time of a step, over the number of segments

namespace tendril::app {
namespace {

using namespace compact;

constexpr double tolerance = 1e-9;  // of conjugate gradients, over the right-hand side

// the first Newton step of the time step that begins in this state, as the solver has it
Equations equations_of(const Model& model, const State& state, double h) {
  Inputs inputs;
  Instant& end = inputs.end;
  for (const Vertex& vertex : model.vertices) end.force.push_back(vertex.mass * model.gravity);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) end.body_pose.push_back({state.body_x[b], state.body_q[b]});
  end.body_twist.resize(model.bodies.size());
  newton::Problem problem;
  newton::Accelerations none;
  problem.reset(model), none.forget(model, 1);
  problem.begin_step(inputs, newton::Scheme::implicit_euler(h), state, none);
  problem.set_vertices(inputs, state, none, {0, int(state.x.size())});
  problem.set_segments(state, none, {0, newton::Problem::pack_count(state.q.size())});

  Equations out;
  out.root_free = {};
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    Sym3<double> H;
    H += problem.weight[i];
    out.vertices.push_back({H, problem.weight[i] * (problem.goal[i] - state.x[i])});
  }
  for (int s = 0; s < int(state.q.size()); ++s) {
    const newton::Spin<double> spin = problem.spin(s);
    const auto inertia = newton::derivatives(spin, newton::half_turn(spin, state.q[s]));
    out.links.push_back({state.x[s + 1] - state.x[s], inertia.theta_theta, -inertia.torque, {}, {}, -1});
  }
  for (int b = 0; b < int(model.bends.size()); ++b) {
    const FrameId& from = model.bends[b].a;
    const Quatd& before = from.is_body ? state.body_q[from.index] : state.q[from.index];
    Equations::Link& link = out.links[model.bends[b].b.index];
    const newton::Bend<double> bend = problem.bend(b);
    const auto d =
        newton::derivatives(bend, before, newton::bend_angle(bend, before, state.q[model.bends[b].b.index]), 0.0);
    link.right -= d.moment;
    if (from.is_body)
      link.theta += d.S;
    else
      link.S = d.S, out.links[from.index].right += d.moment;
  }
  return out;
}

// of the helix on its fall: a state in every tenth of a second
std::vector<Equations> sample(const Helix& helix, int count) {
  const auto simulation = start_helix(helix, {"compact", {}});
  std::vector<Equations> out;
  for (int n = 0; n < count; ++n) {
    for (int k = 0; k < 10; ++k) simulation->step();
    out.push_back(equations_of(simulation->model(), simulation->state(), helix.time_step));
  }
  return out;
}

// means of a system; times are those of the fastest of three
struct Cost {
  double construction = 0, solving = 0;  // [ms]
  double iterations = 0;
};

Cost cost_of(const std::vector<Equations>& systems, Preconditioner kind) {
  Cost cost;
  for (const Equations& equations : systems) {
    double construction = forever, whole = forever;
    int iterations = 0;
    for (int n = 0; n < 3; ++n) {
      Preconditioning preconditioning;
      double begin = cpu_seconds();
      preconditioning.factorise(equations, kind);
      construction = std::min(construction, cpu_seconds() - begin);
      Pcg pcg(kind, tolerance);
      begin = cpu_seconds();
      pcg.factorise(equations);  // and solves for its right-hand side
      whole = std::min(whole, cpu_seconds() - begin), iterations = pcg.iterations();
    }
    cost.construction += 1e3 * construction / double(systems.size());
    cost.solving += 1e3 * (whole - construction) / double(systems.size());
    cost.iterations += double(iterations) / double(systems.size());
  }
  return cost;
}

Cost cost_of_elimination(const std::vector<Equations>& systems) {
  Cost cost;
  for (const Equations& equations : systems) {
    double construction = forever, solving = forever;
    for (int n = 0; n < 3; ++n) {
      Elimination elimination;
      Vectors u;
      double begin = cpu_seconds();
      elimination.factorise(equations);
      construction = std::min(construction, cpu_seconds() - begin), begin = cpu_seconds();
      elimination.solve({}, u);
      solving = std::min(solving, cpu_seconds() - begin);
    }
    cost.construction += 1e3 * construction / double(systems.size());
    cost.solving += 1e3 * solving / double(systems.size());
  }
  return cost;
}

// Jᵀ H J by its columns, of the turns: the root is held
Eigen::MatrixXd dense_matrix(const Equations& equations) {
  const int links = equations.count();
  Eigen::MatrixXd A(3 * links, 3 * links);
  for (int column = 0; column < 3 * links; ++column) {
    Vectors u{std::vector<Vec3d>(links + 1), std::vector<Vec3d>(links)}, f;
    u.theta[column / 3][column % 3] = 1;
    follow(equations, u), multiply(equations, u, f), gather(equations, f);
    for (int row = 0; row < 3 * links; ++row) A(row, column) = f.theta[row / 3][row % 3];
  }
  return A;
}

// A is given: its columns, n products in O(n), would only add to the time
Cost cost_of_dense(const Equations& equations) {
  Vectors right{std::vector<Vec3d>(equations.vertices.size()), std::vector<Vec3d>(equations.links.size())};
  for (std::size_t i = 0; i < right.x.size(); ++i) right.x[i] = equations.vertices[i].right;
  for (std::size_t k = 0; k < right.theta.size(); ++k) right.theta[k] = equations.links[k].right;
  gather(equations, right);
  const Eigen::MatrixXd A = dense_matrix(equations);
  const Eigen::Map<const Eigen::VectorXd> b(&right.theta[0].x, A.rows());
  double begin = cpu_seconds();
  const Eigen::LLT<Eigen::MatrixXd> factors(A);
  Cost cost;
  cost.construction = 1e3 * (cpu_seconds() - begin), begin = cpu_seconds();
  const Eigen::VectorXd u = factors.solve(b);
  cost.solving = 1e3 * (cpu_seconds() - begin);
  return cost;
}

struct Kind {
  const char* name;
  Preconditioner kind;
};
constexpr Kind kinds[] = {{"diagonal", Preconditioner::diagonal},
                          {"block-diagonal", Preconditioner::block_diagonal},
                          {"hybrid", Preconditioner::hybrid}};

void print(const BenchOptions& options, int segments, const char* name, const Cost& cost) {
  if (!options.quiet)
    fmt::print("{:>8} {:<16} {:>14.5f} {:>12} {:>12.5f}\n", segments, name, cost.construction,
               cost.iterations > 0 ? fmt::format("{:.1f}", cost.iterations) : "", cost.solving);
}
void note(BenchResults& results, const std::string& figure, const Cost& cost) {
  results.push_back(compact_entry(figure, "compact", cost.construction + cost.solving, "ms"));
  results.back()["ms_construction"] = cost.construction, results.back()["ms_solving"] = cost.solving;
  results.back()["iterations"] = cost.iterations;
}

void fig_3(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "\nFig. 3: one linear system of the falling helix, conjugate gradients to {} of the right-hand side\n\n"
        "{:>8} {:<16} {:>14} {:>12} {:>12}\n",
        tolerance, "segments", "", "construct, ms", "iterations", "solve, ms");
  for (int segments : {50, 100, 200, 400, 800}) {
    Helix helix;
    helix.segments = segments;
    const std::vector<Equations> systems = sample(helix, 10);
    const auto take = [&](const char* name, const Cost& cost) {
      print(options, segments, name, cost);
      note(results, fmt::format("Fig. 3, {} segments, {}", segments, name), cost);
    };
    for (const Kind& kind : kinds) take(kind.name, cost_of(systems, kind.kind));
    take("elimination", cost_of_elimination(systems));
    take("dense", cost_of_dense(systems.back()));
  }
}

void fig_5(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "\nFig. 5: iterations of conjugate gradients over Young's modulus, as a factor; 200 segments\n\n"
        "{:>8} {:>12} {:>16} {:>12}\n",
        "factor", "diagonal", "block-diagonal", "hybrid");
  for (double factor : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 1e4}) {
    Helix helix;
    helix.stiffness = factor;
    const std::vector<Equations> systems = sample(helix, 5);
    std::vector<double> iterations;
    for (const Kind& kind : kinds) {
      const Cost cost = cost_of(systems, kind.kind);
      iterations.push_back(cost.iterations);
      note(results, fmt::format("Fig. 5, Young's modulus times {:g}, {}", factor, kind.name), cost);
    }
    if (!options.quiet)
      fmt::print("{:>8g} {:>12.1f} {:>16.1f} {:>12.1f}\n", factor, iterations[0], iterations[1], iterations[2]);
  }
}

// the fastest step on the way, and the mean of its Newton steps [ms]
double time_of_step(int segments, const Way& way, double seconds, double& newton_steps) {
  Helix helix;
  helix.segments = segments;
  const auto simulation = start_helix(helix, way);
  double passed = 0, best = forever;
  int steps = 0;
  newton_steps = 0;
  while (steps < 5 || (passed < seconds && steps < 100)) {
    const double begin = cpu_seconds();
    const StepReport report = simulation->step();
    const double time = cpu_seconds() - begin;
    passed += time, ++steps, newton_steps += report.iterations;
    best = std::min(best, time / std::max(1, report.iterations));
  }
  newton_steps /= steps;
  return 1e3 * best * newton_steps;
}

void fig_4(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "\nFig. 4: a time step of the helix over its segments: the fastest Newton step times their mean "
        "number\n\n{:<20} {:>10} {:>12} {:>14} {:>8}\n",
        "", "segments", "ms", "us / segment", "slope");
  for (const Way& way : {Way{"compact", {"linear_solver=\"exact\""}}, Way{"compact", {"linear_solver=\"pcg\""}}}) {
    const bool is_exact = way.sets[0].find("exact") != std::string::npos;
    double last = 0;
    int last_count = 0;
    for (int segments : {100, 200, 400, 800, 1600, 3200, 10'000, 100'000}) {
      if (!is_exact && segments > 3200) continue;
      double newton_steps = 0;
      const double ms = time_of_step(segments, way, options.seconds, newton_steps);
      const double slope = last > 0 ? std::log(ms / last) / std::log(double(segments) / last_count) : 0;
      const char* name = is_exact ? "elimination" : "pcg, hybrid";
      if (!options.quiet)
        fmt::print("{:<20} {:>10} {:>12.4f} {:>14.4f} {:>8}\n", name, segments, ms, 1e3 * ms / segments,
                   last > 0 ? fmt::format("{:.2f}", slope) : "");
      results.push_back(compact_entry(fmt::format("Fig. 4, {} segments, {}", segments, name), "compact", ms, "ms"));
      results.back()["newton_steps"] = newton_steps;
      last = ms, last_count = segments;
    }
  }
}

}  // namespace

void compare_linear_solvers(const BenchOptions& options, BenchResults& results) {
  fig_3(options, results);
  fig_4(options, results);
  fig_5(options, results);
}

}  // namespace tendril::app
