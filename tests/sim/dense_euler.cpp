#include "sim/dense_euler.h"

#include <Eigen/Dense>
#include <limits>

#include "math/thread_team.h"
#include "rod/stream.h"
#include "sim/balance.h"
#include "sim/reaction.h"

namespace tendril::sim {
namespace {

class DenseEuler : public Solver {
 public:
  void reset(const Model& model, const State&, ThreadTeam&) override {
    model_ = &model;
    held_ = held_axes(model);
    last_.assign(3 * (model.vertices.size() + model.segments.size()), 0);
    rounding_ = 0;
    for (const Segment& s : model.segments) rounding_ += 1e-15 * (s.EA + s.GA);
  }

  // unknowns: displacement of each free axis, then rotation vector of each frame, over the step
  StepReport step(const Inputs& inputs, Contact&, double h, State& state) override {
    const State old = state;
    const std::size_t n = 3 * (state.x.size() + state.q.size());
    Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(last_.data(), Eigen::Index(n));
    const auto residual = [&](const Eigen::VectorXd& increment) {
      return imbalance(increment, old, inputs.end, h, state);
    };
    StepReport report;
    Eigen::VectorXd r = residual(u);
    const double scale = 1e-300 + imbalance_scale_;
    while (r.norm() > 1e-11 * scale + rounding_ && report.iterations < 30) {
      Eigen::MatrixXd jacobian(n, n);
      for (Eigen::Index k = 0; k < Eigen::Index(n); ++k) {
        Eigen::VectorXd plus = u, minus = u;
        plus[k] += 1e-7, minus[k] -= 1e-7;
        jacobian.col(k) = (residual(plus) - residual(minus)) / 2e-7;
      }
      u -= jacobian.partialPivLu().solve(r);
      r = residual(u);
      ++report.iterations;
    }
    report.residual = r.norm() / scale;
    report.converged = r.norm() < 1e-8 * scale + 100 * rounding_;
    for (std::size_t k = 0; k < n; ++k) last_[k] = u[Eigen::Index(k)];
    return report;
  }

  void save(Writer& out) const override { out.put(last_); }
  void load(Reader& in) override { in.get(last_); }

 private:
  Eigen::VectorXd imbalance(const Eigen::VectorXd& u, const State& old, const Instant& end, double h, State& state) {
    const Model& model = *model_;
    const std::size_t vertices = old.x.size(), segments = old.q.size();
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      state.body_x[b] = end.body_pose[b].x, state.body_q[b] = end.body_pose[b].q;
      state.body_v[b] = end.body_twist[b].v, state.body_omega[b] = end.body_twist[b].omega;
    }
    for (std::size_t i = 0; i < vertices; ++i) {
      const Vec3d step{u[Eigen::Index(3 * i)], u[Eigen::Index(3 * i + 1)], u[Eigen::Index(3 * i + 2)]};
      state.x[i] = old.x[i] + step;
      state.v[i] = step / h;
    }
    for (const Tie& tie : model.ties) {
      const Vec3d arm = rotate(state.body_q[tie.body], tie.offset);
      for (int k = 0; k < 3; ++k)
        if (tie.held[k]) {
          state.x[tie.vertex][k] = (state.body_x[tie.body] + arm)[k];
          state.v[tie.vertex][k] = (state.body_v[tie.body] + cross(state.body_omega[tie.body], arm))[k];
        }
    }
    for (std::size_t s = 0; s < segments; ++s) {
      const auto k = Eigen::Index(3 * (vertices + s));
      const Vec3d turn{u[k], u[k + 1], u[k + 2]};
      state.q[s] = normalized(quaternion_exp(turn) * old.q[s]);
      state.omega[s] = turn / h;
    }

    const Forces internal = internal_forces(model, state);
    Eigen::VectorXd r(u.size());
    imbalance_scale_ = 0;
    for (std::size_t i = 0; i < vertices; ++i) {
      const Vec3d change = state.v[i] - old.v[i];
      Vec3d force = internal.force[i] + end.force[i];
      if (!end.drag.empty()) force -= end.drag[i] * change;
      const Vec3d inertia = (model.vertices[i].mass / h) * change;
      imbalance_scale_ += norm(internal.force[i]) + norm(end.force[i]) + norm(inertia);
      for (int k = 0; k < 3; ++k) {
        const auto at = Eigen::Index(3 * i) + k;
        r[at] = held_[i][k] != 0 ? u[at] - (state.x[i][k] - old.x[i][k]) : inertia[k] - force[k];
      }
    }
    for (std::size_t s = 0; s < segments; ++s) {
      const Vec3d change = rotate(conjugate(old.q[s]), state.omega[s] - old.omega[s]);
      const Vec3d momentum = model.segments[s].rest_length * scale(model.segments[s].linear_inertia, change);
      const Vec3d moment = internal.moment[s] + (end.moment.empty() ? Vec3d{} : end.moment[s]);
      const Vec3d rest = rotate(old.q[s], momentum / h) - moment;
      for (int k = 0; k < 3; ++k) r[Eigen::Index(3 * (vertices + s)) + k] = rest[k];
    }
    return r;
  }

  const Model* model_ = nullptr;
  std::vector<Vec3d> held_;
  std::vector<double> last_;
  double imbalance_scale_ = 0, rounding_ = 0;  // [N]
};

class FailingSolver : public Solver {
 public:
  FailingSolver(int failing_step, int vertex) : failing_step_(failing_step), vertex_(vertex) {}
  void reset(const Model&, const State&, ThreadTeam&) override {}
  StepReport step(const Inputs&, Contact&, double h, State& state) override {
    for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] += h * state.v[i];
    if (++count_ == failing_step_) state.x[std::size_t(vertex_)].y = std::numeric_limits<double>::quiet_NaN();
    return {};
  }
  void save(Writer& out) const override { out.put(count_); }
  void load(Reader& in) override { in.get(count_); }

 private:
  int failing_step_, vertex_, count_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_dense_euler() { return std::make_unique<DenseEuler>(); }
std::unique_ptr<Solver> make_failing_solver(int failing_step, int vertex) {
  return std::make_unique<FailingSolver>(failing_step, vertex);
}

}  // namespace tendril::sim
