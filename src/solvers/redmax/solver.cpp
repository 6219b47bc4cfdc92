#include "solvers/redmax/solver.h"

#include <algorithm>
#include <cmath>

#include "math/stopwatch.h"
#include "math/thread_team.h"
#include "solvers/inertia.h"

namespace tendril::solvers::redmax {
namespace {

double dot(const Rates& a, const Rates& b) {
  double sum = math::dot(a.root, b.root);
  for (std::size_t j = 0; j < a.joint.size(); ++j) sum += math::dot(a.joint[j], b.joint[j]);
  return sum;
}
void add(double s, const Rates& b, Rates& a) {  // a += s b
  a.root += s * b.root;
  for (std::size_t j = 0; j < a.joint.size(); ++j) a.joint[j] += s * b.joint[j];
}

// Of its residual to the tolerance: the error of a solution is larger than its residual, by the condition of the
// matrix.
constexpr double margin = 1e-2;

double drag_at(const Instant& end, int i) { return end.drag.empty() ? 0 : end.drag[i]; }  // [kg/s]

}  // namespace

// how the root of a chain goes through the step, where it is held
struct RedMaxSolver::Root {
  Twist begin, end;
  Vec3d x;  // at the end
};

// (Jᵀ (M + h D) J + h² d²U/dQ²) Q' = right
struct RedMaxSolver::Equations {
  const Configuration& at;
  double h;
  std::vector<double> mass;  // M + h D [kg] (vertex)
  double spin_factor;        // of the inertia of segments, likewise [-]
  Configuration::Diagonal diagonal;

  // d²U/dQ² is diagonal (Eq. 36 [zhao2022])
  Vec3d stiffness(std::size_t j) const { return (h * h) * at.chain().joints[j].K; }
  Rates times(const Rates& p) const {
    Rates out = at.pull_back(at.weighed(at.velocities(p, {}), mass, spin_factor));
    for (std::size_t j = 0; j < p.joint.size(); ++j) out.joint[j] += scale(stiffness(j), p.joint[j]);
    return out;
  }
  // the blocks on the diagonal, as in [wang2019]
  Rates preconditioned(const Rates& r) const {
    Rates out{r.root / diagonal.root, std::vector<Vec3d>(r.joint.size())};
    for (std::size_t j = 0; j < r.joint.size(); ++j)
      out.joint[j] = solve_symmetric(diagonal.joint[j] + Mat3d::diagonal(stiffness(j)), r.joint[j]);
    return out;
  }
};

void RedMaxSolver::reset(const Model& model, const State&, ThreadTeam& team) {
  team.employ(1);
  model_ = &model;
  chains_ = chains_of(model);
  damped_mass_ = damped_mass(model);
}

StepReport RedMaxSolver::step(const Inputs& inputs, Contact&, double h, State& state) {
  StepReport report;
  report.failure = chains_.refusal;
  if (!report.failure.empty()) return report;
  start_ = inputs.start ? *inputs.start : state;
  for (std::size_t b = 0; b < inputs.end.body_pose.size(); ++b) {
    state.body_x[b] = inputs.end.body_pose[b].x, state.body_q[b] = inputs.end.body_pose[b].q;
    state.body_v[b] = inputs.end.body_twist[b].v, state.body_omega[b] = inputs.end.body_twist[b].omega;
  }
  Stopwatch solving;
  solving.time([&] {
    for (const Chain& chain : chains_.all) advance(chain, inputs, h, state, report);
  });
  report.is_stopped = inputs.stops();
  report.converged = report.residual <= options_.tolerance;
  report.stages = {{"solve", solving.seconds()}};
  return report;
}

void RedMaxSolver::advance(const Chain& chain, const Inputs& inputs, double h, State& state, StepReport& report) {
  const Root root = root_of(chain, inputs.end);
  const Configuration at(chain, *model_, start_);
  const Equations equations = equations_of(at, inputs.end, h);
  const Rates rates = solve(equations, right_side(equations, root, inputs.end), inputs, report);
  go(at, rates, root, h, state);  // Q <- Q + h Q'
}

auto RedMaxSolver::root_of(const Chain& chain, const Instant& end) const -> Root {
  if (chain.is_free()) return {};
  const Tie& tie = model_->ties[chain.tie];
  const int b = tie.body;
  const auto twist_at = [&](const Quatd& q, const Vec3d& v, const Vec3d& omega) {
    return Twist{v + cross(omega, rotate(q, tie.offset)), omega};
  };
  const Pose& pose = end.body_pose[b];
  return {twist_at(start_.body_q[b], start_.body_v[b], start_.body_omega[b]),
          twist_at(pose.q, end.body_twist[b].v, end.body_twist[b].omega), pose.x + rotate(pose.q, tie.offset)};
}

auto RedMaxSolver::equations_of(const Configuration& at, const Instant& end, double h) const -> Equations {
  const Chain& chain = at.chain();
  Equations out{at, h, std::vector<double>(model_->vertices.size()), 0, {}};
  const auto set_mass = [&](int i) {
    out.mass[i] = model_->vertices[i].mass + h * (damped_mass_[i] + drag_at(end, i));
  };
  set_mass(chain.root);
  for (const Joint& joint : chain.joints) set_mass(joint.far);
  out.spin_factor = 1 + h * model_->segments[chain.joints[0].segment].damping;
  out.diagonal = at.diagonal(out.mass, out.spin_factor);
  return out;
}

//   Jᵀ (M v + h (f - M J' Q') - (M + h D) v_root) - h dU/dQ,   v_root: of all when nothing but a held root moves
Rates RedMaxSolver::right_side(const Equations& equations, const Root& root, const Instant& end) const {
  const Configuration& at = equations.at;
  const Chain& chain = at.chain();
  const double h = equations.h;
  const Maximal bias = at.accelerations(at.rates(start_), root.begin);
  const Maximal led = at.weighed(at.velocities(at.zero(), root.end), equations.mass, equations.spin_factor);
  const auto impulse_at = [&](int i, const Vec3d& acceleration) {
    const double m = model_->vertices[i].mass;
    return (m + h * drag_at(end, i)) * start_.v[i] + h * (end.force[i] - m * acceleration);
  };
  Maximal impulse;
  impulse.root = impulse_at(chain.root, {}) - led.root;
  for (std::size_t j = 0; j < chain.joints.size(); ++j) {
    const int s = chain.joints[j].segment;
    const Vec3d spin = at.turned(j, start_.omega[s]), moment = end.moment.empty() ? Vec3d{} : end.moment[s];
    impulse.far.push_back(impulse_at(chain.joints[j].far, bias.far[j]) - led.far[j]);
    impulse.turn.push_back(spin + h * (moment - at.turned(j, bias.turn[j]) - cross(start_.omega[s], spin)) -
                           led.turn[j]);
  }
  Rates right = at.pull_back(impulse);
  for (std::size_t j = 0; j < chain.joints.size(); ++j)  // dU/dQ (Eq. 36 [zhao2022])
    right.joint[j] -= h * scale(chain.joints[j].K, at.Q(j) - chain.joints[j].rest);
  return right;
}

// preconditioned conjugate gradients
Rates RedMaxSolver::solve(const Equations& equations, const Rates& right, const Inputs& inputs,
                          StepReport& report) const {
  Rates x = equations.at.zero(), r = right, z = equations.preconditioned(r), p = z;
  double rz = dot(r, z), left = rz > 0 ? 1 : 0;
  const double first = rz;
  int n = 0;
  while (left > margin * options_.tolerance && n < options_.iterations && !inputs.stops()) {
    const Rates Ap = equations.times(p);
    const double length = rz / dot(p, Ap);
    add(length, p, x), add(-length, Ap, r);
    z = equations.preconditioned(r);
    const double next = dot(r, z);
    Rates turned = z;
    add(next / rz, p, turned);
    p = std::move(turned), rz = next;
    left = std::sqrt(std::abs(rz / first));
    if (!(left < forever)) break;
    if (options_.residuals) {
      if (report.residuals.size() <= static_cast<std::size_t>(n)) report.residuals.push_back(report.residual);
      report.residuals[n] = std::max(report.residuals[n], left);
    }
    ++n;
  }
  for (std::size_t k = n; k < report.residuals.size(); ++k)  // of chains that take longer
    report.residuals[k] = std::max(report.residuals[k], left);
  report.iterations = report.linear_iterations = std::max(report.iterations, n);
  report.residual = left < forever ? std::max(report.residual, left) : forever;
  return x;
}

void RedMaxSolver::go(const Configuration& from, const Rates& rates, const Root& root, double h, State& state) const {
  const Chain& chain = from.chain();
  std::vector<Vec3d> Q;
  for (std::size_t j = 0; j < chain.joints.size(); ++j) Q.push_back(from.Q(j) + h * rates.joint[j]);
  Vec3d& x = state.x[chain.root];
  x = chain.is_free() ? x + h * rates.root : root.x;
  place(chain, Q, state);
  const Maximal v = Configuration(chain, *model_, state).velocities(rates, root.end);
  state.v[chain.root] = v.root;
  for (std::size_t j = 0; j < chain.joints.size(); ++j)
    state.v[chain.joints[j].far] = v.far[j], state.omega[chain.joints[j].segment] = v.turn[j];
}

}  // namespace tendril::solvers::redmax
