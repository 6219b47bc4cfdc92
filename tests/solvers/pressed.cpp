#include "solvers/pressed.h"

namespace tendril::solvers::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using newton::ContactTerms;
using newton::Kind;
using newton::Unknown;

namespace {

constexpr double radius = 0.02, reach = 0.02;

Eigen::Vector3d eigen(const Vec3d& v) { return {v.x, v.y, v.z}; }

Eigen::Matrix3d eigen(const Mat3d& m) {
  Eigen::Matrix3d out;
  for (int k = 0; k < 3; ++k) {
    const Vec3d column = m * Vec3d{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    out.col(k) = eigen(column);
  }
  return out;
}

RodOptions soft() {
  RodOptions o;
  o.segments = 4;
  o.EA = 30, o.GA = 20, o.EI1 = 1, o.EI2 = 2, o.GJ = 0.7, o.linear_density = 2;
  return o;
}

void thicken(Scene& s, double friction) {
  for (Segment& g : s.model.segments) g.radius = radius, g.friction = friction, g.linear_inertia = {0.1, 0.2, 0.3};
  for (Vertex& v : s.model.vertices) v.radius = radius;
}

int add_solid(Scene& s, const Shape& shape, const Vec3d& at, double friction) {
  Body body;
  body.kind = BodyKind::dynamic, body.mass = 5e-3, body.inertia = {0.02, 0.03, 0.04};
  body.shape = shape, body.friction = friction;
  return s.add_body(body, {at, quaternion_exp({0.1, 0.2, -0.1})});
}

}  // namespace

Scene crossing_rods(double friction) {
  Scene s;
  RodOptions o = soft();
  s.add_chain(o);
  o.from = {0.03, -0.04, 2 * radius + 0.6 * reach}, o.along = normalized(Vec3d{1, 0.08, 0.005});
  s.add_chain(o);
  thicken(s, friction);
  s.fill_inputs();
  return s;
}

Scene rod_on_ball(double friction) {
  Scene s;
  s.add_chain(soft());
  thicken(s, friction);
  const double R = 0.1, away = R + radius + 0.5 * reach;
  add_solid(s, Sphere{{}, R}, {0.4, 0.6 * away, -0.8 * away}, friction);
  s.fill_inputs();
  return s;
}

Scene box_on_ball(double friction) {
  Scene s;
  RodOptions o = soft();
  o.from = {0, 3, 0};
  s.add_chain(o);
  thicken(s, friction);
  const double R = 0.1;
  add_solid(s, Sphere{{}, R}, {0, 0, 0}, friction);
  const int box = add_solid(s, Box{{}, {0.2, 0.16, 0.1}, {}}, {}, friction);
  s.state.body_x[box] = rotate(s.state.body_q[box], {0.03, -0.02, 0.05 + R + 0.5 * reach});
  s.fill_inputs();
  return s;
}

Pressed::Pressed(Scene made, const std::vector<Vec3d>& apart)
    : scene(std::move(made)), contact({true, reach}, scene.state) {
  State& s = scene.state;
  problem.reset(scene.model);
  parts.reset(problem);
  newton::Accelerations none;
  none.forget(scene.model);
  problem.begin_step(scene.inputs, newton::Scheme::implicit_euler(0.02), s, none);
  problem.set_vertices(scene.inputs, s, none, {0, static_cast<int>(s.x.size())});
  problem.set_segments(s, none, {0, static_cast<int>(s.q.size())});
  problem.set_bends(s, {0, static_cast<int>(scene.model.bends.size())});
  first_.push_back(0);
  for (const newton::Part& part : parts.all()) first_.push_back(first_.back() + 3 * part.row_count());

  State start = s;
  for (std::size_t i = 0; i < s.x.size(); ++i) start.x[i] += apart[parts.part_of_vertex(static_cast<int>(i))];
  for (std::size_t b = 0; b < s.body_x.size(); ++b) start.body_x[b] += apart[parts.part_of_body(static_cast<int>(b))];
  contact.reset(scene.model);
  contact.find_candidates(scene.model, start, scene.inputs.end.body_pose, 0.02, team);
  contact.end_substep(s);
  at = s;
  contact_terms.evaluate(contact, problem, parts, at);
}

newton::Iterate Pressed::moved(const VectorXd& u) const {
  newton::Iterate out = at;
  for (int p = 0; p < parts.count(); ++p)
    for (int row = 0; row < parts[p].row_count(); ++row) {
      const Unknown& unknown = parts[p].unknowns[row];
      const int k = first_[p] + 3 * row, i = unknown.index;
      const Vec3d d{u[k], u[k + 1], u[k + 2]};
      if (unknown.kind == Kind::vertex) out.x[i] += d;
      if (unknown.kind == Kind::segment) out.q[i] = quaternion_exp(d) * at.q[i];
      if (unknown.kind == Kind::body_place) out.body_x[i] += d;
      if (unknown.kind == Kind::body_turn) out.body_q[i] = quaternion_exp(d) * at.body_q[i];
    }
  return out;
}

double Pressed::energy_at(const VectorXd& u) {
  const newton::Iterate there = moved(u);
  contact.set_trial(there);
  return contact_terms.energy(contact, there);
}

MatrixXd Pressed::motion(const ContactTerms::Term& term, int side, bool surface) const {
  MatrixXd J = MatrixXd::Zero(3, size());
  if (term.part[side] < 0) return J;
  const auto column = [&](int row) { return J.middleCols<3>(first_[term.part[side]] + 3 * row); };
  if (const int b = term.body[side]; b >= 0) {
    const double sign = side == 0 ? 1 : -1;
    column(parts.row_of_body(b)) += sign * Eigen::Matrix3d::Identity();
    column(parts.row_of_turn(b)) -= sign * eigen(skew(surface ? term.arm[side] : term.core[side]));
    return J;
  }
  for (int k : {2 * side, 2 * side + 1})
    column(parts.row_of_vertex(term.vertex[k])) += term.weight[k] * Eigen::Matrix3d::Identity();
  if (surface && term.segment[side] >= 0) column(parts.row_of_segment(term.segment[side])) += eigen(term.lever[side]);
  return J;
}

MatrixXd Pressed::turn(const ContactTerms::Term& term, int side) const {
  MatrixXd T = MatrixXd::Zero(1, size());
  if (term.part[side] < 0) return T;
  const int first = first_[term.part[side]];
  if (const int b = term.body[side]; b >= 0) {
    T.middleCols<3>(first + 3 * parts.row_of_turn(b)) = eigen(cross(term.edge[side], term.normal)).transpose();
    return T;
  }
  T.middleCols<3>(first + 3 * parts.row_of_vertex(term.vertex[2 * side + 1])) += eigen(term.normal).transpose();
  T.middleCols<3>(first + 3 * parts.row_of_vertex(term.vertex[2 * side])) -= eigen(term.normal).transpose();
  return T;
}

VectorXd Pressed::gradient() const {
  VectorXd g = VectorXd::Zero(size());
  for (const ContactTerms::Term& term : contact_terms.terms())
    g -= (motion(term, 0, true) + motion(term, 1, true)).transpose() * eigen(term.force);
  return g;
}

// an arm r that turns by theta under a force f: its end moves by theta x (theta x r) / 2 more; the gap follows the
// core, friction the surface
MatrixXd Pressed::stiffness() const {
  MatrixXd H = MatrixXd::Zero(size(), size());
  for (const ContactTerms::Term& term : contact_terms.terms()) {
    const MatrixXd surface = motion(term, 0, true) + motion(term, 1, true);
    const MatrixXd J = motion(term, 0, false) + motion(term, 1, false), ta = turn(term, 0), tb = turn(term, 1);
    H += surface.transpose() * eigen(term.K) * surface;
    for (int side : {0, 1}) {
      if (term.body[side] < 0) continue;
      const int k = first_[term.part[side]] + 3 * parts.row_of_turn(term.body[side]);
      const auto add = [&](const Eigen::Vector3d& f, const Eigen::Vector3d& r) {
        H.block<3, 3>(k, k) += f.dot(r) * Eigen::Matrix3d::Identity() - 0.5 * (f * r.transpose() + r * f.transpose());
      };
      const Vec3d force = side == 0 ? term.force : -term.force, along = dot(force, term.normal) * term.normal;
      add(eigen(along), eigen(term.core[side])), add(eigen(force - along), eigen(term.arm[side]));
    }
    const GapCurvature& c = term.curvature;
    const MatrixXd sliding = J.transpose() * (eigen(c.a) * ta + eigen(c.b) * tb);
    H += J.transpose() * eigen(c.slide) * J + sliding + sliding.transpose() + c.aa * ta.transpose() * ta +
         c.bb * tb.transpose() * tb + c.ab * (ta.transpose() * tb + tb.transpose() * ta);
  }
  return H;
}

}  // namespace tendril::solvers::testing
