#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/strain.h"
#include "solvers/block/system.h"
#include "solvers/newton/contact_terms.h"
#include "solvers/newton/coupling.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::block {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

constexpr double r = 0.02, reach = 0.1 * r, h = 0.01;

// two rods of one segment that cross, with friction, after a substep on which both moved and turned about their axes
struct Crossed {
  Scene scene;
  ThreadTeam team{1};
  Contact contact;
  Problem problem;
  Parts parts;
  ContactTerms contact_terms;
  std::vector<std::unique_ptr<newton::System>> systems;
  Prediction prediction;
  Iterate at;

  Crossed(double friction, double spin) : scene(made(friction)), contact({}, scene.state) {
    contact.reset(scene.model);
    contact.find_candidates(scene.model, scene.state, {}, h, team);
    contact.roll_from(scene.state.q);
    at = scene.state;
    for (std::size_t s = 0; s < at.q.size(); ++s) at.q[s] = quaternion_exp({spin, -0.5 * spin, 0}) * at.q[s];
    at.x[0].y += 1e-4 * r, at.x[3].x -= 2e-4 * r;
    contact.end_substep(at);

    problem.reset(scene.model);
    parts.reset(problem);
    Accelerations none;
    none.forget(scene.model);
    scene.fill_inputs();
    problem.begin_step(scene.inputs, Scheme::implicit_euler(h), at, none);
    problem.set_vertices(scene.inputs, at, none, {0, static_cast<int>(at.x.size())});
    problem.set_segments(at, none, {0, static_cast<int>(at.q.size())});
    for (std::size_t s = 0; s < at.q.size(); ++s) {
      const auto [i, j] = scene.model.segments[s].vertex;
      prediction.push_back(strain(problem.stretch(s), {(at.x[j] - at.x[i]) / problem.stretch(s).length, at.q[s]}));
    }
    contact_terms.evaluate(contact, problem, parts, at);
  }

  static Scene made(double friction) {
    Scene s;
    RodOptions o;
    o.EA = 3000, o.GA = 2000, o.linear_density = 1;
    const int a0 = s.add_vertex({-0.1, 0.01, 2 * r + 0.4 * reach}), a1 = s.add_vertex({0.12, 0, 2 * r + 0.5 * reach});
    const int b0 = s.add_vertex({0.02, -0.1, 0}), b1 = s.add_vertex({0, 0.13, 0.01 * reach});
    o.normal = {0, 0, 1};
    s.add_segment(a0, a1, o), s.add_segment(b0, b1, o);
    for (Segment& g : s.model.segments) g.radius = r, g.friction = friction, g.linear_inertia = {1e-3, 1e-3, 2e-4};
    return s;
  }

  int size() const { return 3 * (parts[0].row_count() + parts[1].row_count()); }

  // of all, with the unknowns of both parts moved
  double energy_at(const VectorXd& u) const {
    Iterate moved = at;
    int k = 0;
    for (int p = 0; p < 2; ++p)
      for (const Unknown& unknown : parts[p].unknowns) {
        const Vec3d d{u[k], u[k + 1], u[k + 2]};
        k += 3;
        if (unknown.kind == Kind::vertex) moved.x[unknown.index] += d;
        if (unknown.kind == Kind::segment) moved.q[unknown.index] = quaternion_exp(d) * at.q[unknown.index];
      }
    double sum = contact_terms.energy(contact, moved);
    for (int p = 0; p < 2; ++p) sum += energy(parts[p], problem, moved);
    return sum;
  }

  // the directions of both parts together, -H⁻¹ gradient
  VectorXd direction() {
    VectorXd out(size());
    for (int p = 0; p < 2; ++p) {
      systems.push_back(std::make_unique<System>(problem, parts));
      systems[p]->begin(parts[p]);
      systems[p]->add_contact(contact_terms, p, at, 1);
      EXPECT_TRUE(systems[p]->factorise(at, prediction, 1).is_definite);
      systems[p]->solve();
    }
    Islands islands;
    islands.begin_step(parts.count());
    islands.find(contact_terms);
    Coupling coupling(problem, parts);
    const std::vector<int> both = {0, 1};
    const std::vector<double> hessian_share(parts.count(), 1);
    coupling.begin(both, contact_terms, at, hessian_share, systems);
    coupling.solve(contact_terms, islands, std::vector<char>(islands.count(), true), both, at, hessian_share, 1e-12,
                   systems, team);
    for (int p = 0, k = 0; p < 2; ++p)
      for (const Vec3d& u : systems[p]->direction())
        for (int axis = 0; axis < 3; ++axis) out[k++] = u[axis];
    return out;
  }
};

struct Derivatives {
  VectorXd gradient;
  MatrixXd H;
};
Derivatives by_differences(const Crossed& c) {
  const int n = c.size();
  Derivatives out{VectorXd(n), MatrixXd(n, n)};
  const double d = 1e-7, fine = 1e-8;
  const auto at = [&](int a, double u, int b, double v) {
    VectorXd moved = VectorXd::Zero(n);
    moved[a] += u, moved[b] += v;
    return c.energy_at(moved);
  };
  for (int a = 0; a < n; ++a) {
    out.gradient[a] = (at(a, fine, a, 0) - at(a, -fine, a, 0)) / (2 * fine);
    for (int b = 0; b <= a; ++b)
      out.H(a, b) = out.H(b, a) = (at(a, d, b, d) - at(a, d, b, -d) - at(a, -d, b, d) + at(a, -d, b, -d)) / (4 * d * d);
  }
  return out;
}

// Newton's direction of the two together solves H u = -gradient, H and the gradient those of the energy: of a grip that
// holds, and of one that slides
class Crossing : public ::testing::TestWithParam<double> {};

TEST_P(Crossing, HasTheDerivativesOfItsEnergy) {
  Crossed c(GetParam(), 1e-3);
  ASSERT_EQ(c.parts.count(), 2);
  ASSERT_EQ(c.contact_terms.terms().size(), 1u);
  const ContactTerms::Term& term = c.contact_terms.terms()[0];
  for (int side : {0, 1})
    ASSERT_NEAR(norm(term.lever[side] * any_perpendicular(term.normal)), r + 0.5 * c.contact.pairs()[0].apart,
                1e-6 * r);
  const Derivatives truth = by_differences(c);
  const VectorXd u = c.direction();
  ASSERT_GT(truth.gradient.norm(), 1e-3);
  EXPECT_LT((truth.H * u + truth.gradient).norm(), 1e-3 * truth.gradient.norm());
}
INSTANTIATE_TEST_SUITE_P(Block, Crossing, ::testing::Values(1.0, 0.02));

// what a turn drags along the surface is what a shift of the point would: the angle times the way to the point
TEST(Rolling, DragsTheSurface) {
  Crossed still(1, 0), turned(1, 1e-3);
  const Pair &a = still.contact.pairs()[0], &b = turned.contact.pairs()[0];
  const Vec3d turn{1e-3, -0.5e-3, 0};
  const Vec3d expected = -2 * r * cross(turn, a.normal);
  ASSERT_GT(norm(expected), 1e-4 * r);
  EXPECT_LT(norm(tangential(b.slip - a.slip - expected, a.normal)), (reach / r) * norm(expected));
}

// friction turns two rods that meet as much as it turns them back: forces that both feel at one point
TEST(Rolling, KeepsAngularMomentum) {
  Crossed c(0.3, 1e-3);
  Forces forces;
  forces.force.resize(c.at.x.size()), forces.moment.resize(c.at.q.size());
  c.contact.add_forces(forces);
  Vec3d force, moment;
  double size = 0;
  for (std::size_t i = 0; i < c.at.x.size(); ++i) {
    force += forces.force[i], moment += cross(c.at.x[i], forces.force[i]);
    size = std::max(size, norm(forces.force[i]));
  }
  for (const Vec3d& m : forces.moment) moment += m;
  ASSERT_GT(size, 1e-3);
  EXPECT_LT(norm(force), 1e-12 * size);
  EXPECT_LT(norm(moment), 1e-12 * size * r);
}

// without inertia about its axis a segment's surface does not give way
TEST(Rolling, NeedsInertia) {
  Crossed c(1, 1e-3);
  EXPECT_TRUE(c.contact.turns(c.contact.pairs()[0], 0));
  Scene thin = Crossed::made(1);
  for (Segment& g : thin.model.segments) g.linear_inertia.z = 0;
  Contact contact({}, thin.state);
  contact.reset(thin.model);
  contact.find_candidates(thin.model, thin.state, {}, h, c.team);
  contact.roll_from(thin.state.q);
  EXPECT_FALSE(contact.turns(contact.pairs()[0], 0));
}

}  // namespace
}  // namespace tendril::solvers::block
