#include "solvers/compact/system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/compact/elimination.h"
#include "solvers/compact/factors.h"
#include "solvers/compact/kernels.h"
#include "solvers/compact/pcg.h"

namespace tendril::solvers::compact {

System::System(const Problem& problem, const Parts& parts, const std::vector<Chain>& chains, const Options& options,
               std::vector<Vec3d>& reactions)
    : newton::System(problem, parts),
      chains_(&chains),
      quaternion_strain_(options.quaternion_strain),
      reactions_(&reactions) {
  if (options.linear_solver == Method::pcg)
    solver_ = std::make_unique<Pcg>(options.preconditioner, options.pcg_tolerance);
  else
    solver_ = std::make_unique<Elimination>();
}

void System::begin(const Part& part) {
  part_ = &part, chain_ = &(*chains_)[&part - parts_->all().data()];
  const int count = chain_->count();
  place_.resize(part.row_count());
  for (int k = 0; k <= count; ++k)
    if (const int row = chain_->vertices[k].row; row >= 0) place_[row] = k;
  for (int k = 0; k < count; ++k) place_[chain_->links[k].row] = k;
  for (std::size_t c = 0; c < chain_->centres.size(); ++c) place_[chain_->centres[c].row] = static_cast<int>(c);
  at_centres_.assign(chain_->centres.size(), {});
  equations_.vertices.assign(count + 1, {}), equations_.links.assign(count, {});
  equations_.couplings.clear();
  equations_.root_free = chain_->root_free;
  driven_.clear(), second_order_.clear();
  ways_.assign(chain_->holds.size(), 0), root_way_ = {};
  u_.resize(part.row_count());
}

// what is held, and is not yet where it must be
void System::add_drive(const Iterate& at, const Prediction&, double) {
  driven_.clear();
  const auto way_of = [&](const Chain::Vertex& v) {
    return problem_->held_place(v.vertex, at.x[v.vertex]) - at.x[v.vertex];
  };
  if (!(chain_->root_free == Vec3d{1, 1, 1})) {
    root_way_ = way_of(chain_->vertices[0]);
    if (!(root_way_ == Vec3d{})) driven_.push_back({chain_->vertices[0].row, root_way_});
  }
  for (std::size_t j = 0; j < ways_.size(); ++j) {
    const auto [place, axis] = chain_->holds[j];
    const Vec3d way = way_of(chain_->vertices[place]);
    ways_[j] = way[axis];
    const int row = chain_->vertices[place].row;
    if (way == Vec3d{} || (!driven_.empty() && driven_.back().first == row)) continue;
    driven_.push_back({row, way});
  }
}

void System::add_to_diagonal(int row, const Mat3d& H) {
  if (is_vertex(row))
    equations_.vertices[place_[row]].H += lower_half(H);
  else if (kind(row) == Kind::body_place)
    at_centres_[place_[row]].H += lower_half(H);
  else
    equations_.links[place_[row]].theta += lower_half(H);
}

Equations::Coupling& System::coupling(int link) {
  int& number = equations_.links[link].coupling;
  if (number < 0) {
    number = static_cast<int>(equations_.couplings.size());
    equations_.couplings.emplace_back();
  }
  return equations_.couplings[number];
}

// of two vertices, or a vertex and a turn, of one segment: the rows of turns are later than those of vertices
void System::add_to_coupling(int later, int earlier, const Mat3d& H) {
  if (is_body(later) || is_body(earlier)) return add_to_body(later, earlier, H);
  const int at_earlier = place_[earlier], at_later = place_[later];
  Equations::Coupling& c = coupling(is_vertex(later) ? std::min(at_earlier, at_later) : at_later);
  if (is_vertex(later))
    c.near_far += at_later < at_earlier ? H : transpose(H);
  else if (at_earlier == at_later)
    c.near_theta += transpose(H);
  else
    c.far_theta += transpose(H);
}

// Of a body with itself; or of one with the segment before or after it, by the vertex that follows the body. What comes
// in the two rows of the body, X and its turn, is then of that vertex as a whole: the block of X says all.
void System::add_to_body(int later, int earlier, const Mat3d& H) {
  if (is_body(later) && is_body(earlier)) {
    const bool is_turn_later = kind(later) == Kind::body_turn;
    at_centres_[place_[is_turn_later ? earlier : later]].with_turn += is_turn_later ? transpose(H) : H;
    return;
  }
  const int body = is_body(later) ? later : earlier, other = is_body(later) ? earlier : later;
  if (kind(body) == Kind::body_turn) return;
  const Mat3d by_other = is_body(later) ? H : transpose(H);  // dxᵀ by_other (way or turn of the other)
  const int link = chain_->centres[place_[body]].link, at_other = place_[other];
  if (is_vertex(other) && at_other <= link)
    coupling(link - 1).near_far += transpose(by_other);
  else if (is_vertex(other))
    coupling(link + 1).near_far += by_other;
  else if (at_other < link)
    coupling(link - 1).far_theta += by_other;
  else
    coupling(link + 1).near_theta += by_other;
}

void System::add_to_right(int row, const Vec3d& force) {
  if (is_vertex(row))
    equations_.vertices[place_[row]].right += force;
  else if (kind(row) == Kind::body_place)
    at_centres_[place_[row]].right += force;
  else
    equations_.links[place_[row]].right += force;
}

System::Pass System::factorise(const Iterate& at, const Prediction&, double exact) {
  stages_.evaluation.start();
  for (int k = 0; k < chain_->count(); ++k) equations_.links[k].arm = arm(chain_->links[k], at);
  Pass pass;
  pass.energy = add_inertia(at, exact) + add_bodies(at, exact) + add_bends(at, exact);
  put_centres_on_links(at, exact);
  add_arms(exact);
  stiffen_holds();
  stages_.evaluation.stop();
  stages_.precomputation.time([&] {
    pass.is_definite = solver_->factorise(equations_);
    if (pass.is_definite) holds_.prepare(chain_->holds, *solver_);
  });
  return pass;
}

double System::add_inertia(const Iterate& at, double exact) {
  const Problem& p = *problem_;
  double sum = 0;
  for (std::size_t k = 0; k < chain_->vertices.size(); ++k) {
    const int i = chain_->vertices[k].vertex;
    if (i < 0) continue;
    Equations::Vertex& vertex = equations_.vertices[k];
    const Vec3d away = at.x[i] - p.goal[i];
    vertex.H += p.weight[i], vertex.right -= p.weight[i] * away;
    sum += 0.5 * p.weight[i] * norm_squared(away);
  }
  for (int k = 0; k < chain_->count(); ++k) {
    const int s = chain_->links[k].segment;
    if (s < 0) continue;
    const SpinBlock spin = spin_block(p.spin(s), at.q[s], exact);
    equations_.links[k].theta += spin.theta, equations_.links[k].right -= spin.torque;
    if (!p.moment.empty()) equations_.links[k].right += p.moment[s];
    sum += spin.energy;
  }
  return sum;
}

double System::add_bodies(const Iterate& at, double exact) {
  double sum = 0;
  for (std::size_t c = 0; c < chain_->centres.size(); ++c) {
    const Chain::Centre& centre = chain_->centres[c];
    const int b = chain_->body(centre);
    const BodyTerm& body = problem_->bodies[b];
    const Vec3d away = at.body_x[b] - body.goal;
    at_centres_[c].H += body.weight, at_centres_[c].right -= body.weight * away;
    const SpinBlock spin = spin_block(body.spin, at.body_q[b], exact);
    Equations::Link& link = equations_.links[centre.link];
    link.theta += spin.theta, link.right += body.moment - spin.torque;
    sum += 0.5 * body.weight * norm_squared(away) + spin.energy;
  }
  return sum;
}

// dX = dx + B w, B w = w x arm, and the second order of X, which is that of a vertex at its place
void System::put_centres_on_links(const Iterate& at, double exact) {
  for (std::size_t c = 0; c < chain_->centres.size(); ++c) {
    const Chain::Centre& centre = chain_->centres[c];
    AtCentre& term = at_centres_[c];
    term.arm = arm(*chain_, centre, at);
    const Mat3d B = skew(-term.arm), by_turn = full(term.H) * B + term.with_turn;
    Equations::Link& link = equations_.links[centre.link];
    equations_.vertices[centre.link].H += term.H, equations_.vertices[centre.link].right += term.right;
    coupling(centre.link).near_theta += by_turn;
    link.theta += lower_half(transpose(B) * by_turn + transpose(term.with_turn) * B);
    if (!(term.arm == Vec3d{})) link.theta += arm_stiffness(term.arm, -term.right, exact);
    link.right += cross(term.arm, term.right);
  }
}

System::BendTerm System::bend_term(int bend, const Iterate& at, double exact) const {
  const Problem& p = *problem_;
  const Frames f = frames(p, bend, at);
  const Bend<double> b = p.bend(bend);
  BendTerm out;
  if (p.model->bends[bend].holds_an_axis()) {
    const ScalarBend s = scalar_bend(p, bend, f);
    return {{s.moment, s.S, {}}, s.energy};
  }
  if (quaternion_strain_) {
    static_cast<BendDerivatives<double>&>(out) = quaternion_bend(b, f.a, f.b, exact, out.energy);
    return out;
  }
  const Vec3d angle = bend_angle(b, f.a, f.b);
  static_cast<BendDerivatives<double>&>(out) = derivatives(b, f.a, angle, exact);
  out.energy = bend_energy(b, angle);
  return out;
}

double System::add_bends(const Iterate& at, double exact) {
  double sum = 0;
  for (int k = 1; k < chain_->count(); ++k) {
    const Chain::Link& link = chain_->links[k];
    if (link.bend < 0) continue;
    const BendTerm term = bend_term(part_->bends[link.bend].bend, at, exact);
    const double sign = link.bend_is_reversed ? -1 : 1;
    Equations::Link &here = equations_.links[k], &before = equations_.links[k - 1];
    here.S = term.S, here.half_moment = sign * term.half_moment;
    here.right -= sign * term.moment, before.right += sign * term.moment;
    sum += term.energy;
  }
  for (const Chain::GroundBend& ground : chain_->ground) {
    const BendTerm term = bend_term(part_->bends[ground.bend].bend, at, exact);
    equations_.links[ground.link].theta += term.S;
    equations_.links[ground.link].right -= (ground.is_b ? 1.0 : -1.0) * term.moment;
    sum += term.energy;
  }
  return sum;
}

// dJ/ds : dE/dx by one suffix sum, of forces that act from outside and of those that hold
void System::add_arms(double exact) {
  Vec3d gradient;
  for (int k = chain_->count() - 1; k >= 0; --k) {
    const auto [i, row] = chain_->vertices[k + 1];
    gradient -= equations_.vertices[k + 1].right;
    if (row >= 0 && problem_->role[i] != Role::free) gradient -= (*reactions_)[i];
    if (equations_.links[k].arm == Vec3d{}) continue;
    equations_.links[k].theta += arm_stiffness(equations_.links[k].arm, gradient, exact);
  }
}

// rho: about what a vertex weighs with all that hangs on it, and what it takes to bend the chain
void System::stiffen_holds() {
  if (chain_->holds.empty()) return;
  double length = 0, stiffest = 0, weight = 0;
  for (const Chain::Vertex& v : chain_->vertices)
    if (v.vertex >= 0) weight += problem_->weight[v.vertex];
  for (const Chain::Centre& centre : chain_->centres) weight += problem_->bodies[chain_->body(centre)].weight;
  for (const Equations::Link& link : equations_.links) {
    length += norm(link.arm);
    stiffest = std::max({stiffest, link.S.xx, link.S.yy, link.S.zz});
  }
  stiffness_ = weight + stiffest / (length * length);
  for (const auto [place, axis] : chain_->holds) {
    Sym3<double>& H = equations_.vertices[place].H;
    (axis == 0 ? H.xx : axis == 1 ? H.yy : H.zz) += stiffness_;
  }
}

void System::solve() {
  stages_.solving.start();
  solver_->solve(root_way_, u_of_chain_);
  if (!holds_.empty()) {
    const Holds::Numbers multipliers = holds_.multipliers(holds_.left(ways_, u_of_chain_));
    holds_.add(multipliers, u_of_chain_);
    for (const auto [place, axis] : chain_->holds) (*reactions_)[chain_->vertices[place].vertex] = {};
    for (std::size_t j = 0; j < ways_.size(); ++j) {
      const auto [place, axis] = chain_->holds[j];
      (*reactions_)[chain_->vertices[place].vertex][axis] = multipliers[j] - stiffness_ * ways_[j];
    }
  }
  put(u_of_chain_, u_);
  leave_out_drive();
  stages_.solving.stop();
}

void System::precondition(std::vector<Vec3d>& r) const {
  stages_.solving.start();
  Vectors u = taken(r);
  solver_->solve_for(u);
  if (!holds_.empty()) {
    const std::vector<double> none(ways_.size(), 0);
    holds_.add(holds_.multipliers(holds_.left(none, u)), u);
  }
  put(u, r);
  stages_.solving.stop();
}

// forces on rows, as those on vertices and turns
Vectors System::taken(const std::vector<Vec3d>& of_rows) const {
  Vectors out = zero();
  for (std::size_t k = 0; k < out.x.size(); ++k)
    if (const int row = chain_->vertices[k].row; row >= 0) out.x[k] = of_rows[row];
  for (std::size_t k = 0; k < out.theta.size(); ++k) out.theta[k] = of_rows[chain_->links[k].row];
  for (std::size_t c = 0; c < chain_->centres.size(); ++c) {
    const auto& [link, row, arm] = chain_->centres[c];
    out.x[link] += of_rows[row], out.theta[link] += cross(at_centres_[c].arm, of_rows[row]);
  }
  return out;
}

// ways and turns, as those of rows
void System::put(const Vectors& u, std::vector<Vec3d>& into) const {
  for (std::size_t k = 0; k < u.x.size(); ++k)
    if (const int row = chain_->vertices[k].row; row >= 0) into[row] = u.x[k];
  for (std::size_t k = 0; k < u.theta.size(); ++k) into[chain_->links[k].row] = u.theta[k];
  for (std::size_t c = 0; c < chain_->centres.size(); ++c) {
    const auto& [link, row, arm] = chain_->centres[c];
    into[row] = u.x[link] + cross(u.theta[link], at_centres_[c].arm);
  }
}

double System::penalty() const {
  double force = 0, away = 0;
  for (std::size_t j = 0; j < ways_.size(); ++j) {
    const auto [place, axis] = chain_->holds[j];
    force = std::max(force, std::abs((*reactions_)[chain_->vertices[place].vertex][axis]));
    away += std::abs(ways_[j]);
  }
  constexpr double beyond_the_largest = 2;
  return beyond_the_largest * force * away;
}

void System::advance(double share, const Iterate& from, Iterate& to) {
  const bool bends = !second_order_.empty();
  const auto way = [&](int row) {
    return bends ? share * u_[row] + (share * share) * second_order_[row] : share * u_[row];
  };
  Vec3d root_way;
  const auto [root, row] = chain_->vertices[0];
  if (row >= 0)
    root_way = way(row);
  else  // it follows a body
    root_way = way(chain_->centres[0].row) - cross(way(chain_->links[0].row), arm(*chain_, chain_->centres[0], from));
  for (const Chain::Link& link : chain_->links) frame(link, to) = turned(way(link.row), frame(link, from));
  Vec3d start = root_place(*chain_, from) + root_way;
  if (share == 1 && row >= 0) start = problem_->held_place(root, start);
  place(*chain_, start, to);
  holds_are_met_ = chain_->holds.empty() || meet_holds(share, from, to);
  strains_.assign(part_->stretches.size(), {});
}

Vectors System::zero() const {
  return {std::vector<Vec3d>(chain_->vertices.size()), std::vector<Vec3d>(chain_->links.size())};
}

void System::turn_by(double share, const Vectors& way, Iterate& at) const {
  for (int k = 0; k < chain_->count(); ++k) {
    Quatd& q = frame(chain_->links[k], at);
    q = turned(share * way.theta[k], q);
  }
  place(*chain_, root_place(*chain_, at) + share * way.x[0], at);
}

// Back to the constraints, which are met to first order: frames turn as is cheapest, by the factors that are there.
bool System::meet_holds(double share, const Iterate& from, Iterate& to) {
  constexpr int most = 60;
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), longest_turn = 0.5;
  const std::size_t count = chain_->holds.size();
  const auto coordinate = [&](std::size_t j, Iterate& at) -> double& {
    const auto [place, axis] = chain_->holds[j];
    return at.x[chain_->vertices[place].vertex][axis];
  };
  Holds::Numbers target(count), left(count);
  double size = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const auto [place, axis] = chain_->holds[j];
    const int i = chain_->vertices[place].vertex;
    target[j] = share == 1 ? problem_->held_place(i, to.x[i])[axis] : from.x[i][axis] + share * ways_[j];
    size = std::max({size, norm(from.x[i]), norm(to.x[i])});
  }
  const auto measure = [&] {
    double most_left = 0;
    for (std::size_t j = 0; j < count; ++j)
      left[j] = target[j] - coordinate(j, to), most_left = std::max(most_left, std::abs(left[j]));
    return most_left;
  };
  const double enough = 2 * epsilon * size, good_enough = 2e-13 * part_->shortest + enough;
  Holds::Following following(holds_);
  double best = measure();
  for (int n = 0; n < most && best > enough; ++n) {
    Holds::Numbers step = following.multipliers(left);
    Vectors way = zero();
    holds_.add(step, way);
    double turn = 0;
    for (const Vec3d& theta : way.theta) turn = std::max(turn, norm(theta));
    if (!std::isfinite(turn)) return false;
    const double part = std::min(1.0, longest_turn / turn);
    for (double& s : step) s *= part;
    turn_by(part, way, to);
    Holds::Numbers gained = left;
    const double now = measure();
    if (now <= good_enough && now >= 0.5 * best) break;
    best = now;
    for (std::size_t j = 0; j < count; ++j) gained[j] -= left[j];
    following.learn(step, gained);
  }
  if (!(measure() <= good_enough)) return false;
  for (std::size_t j = 0; j < count; ++j) coordinate(j, to) = target[j];
  return true;
}

double energy(const Part& part, const Chain& chain, const Problem& p, const Iterate& at) {
  double sum = 0;
  for (const Chain::Vertex& v : chain.vertices)
    if (v.vertex >= 0) sum += inertial_energy(p, {Kind::vertex, v.vertex}, at);
  for (const Chain::Link& link : chain.links)
    if (link.segment >= 0) sum += inertial_energy(p, {Kind::segment, link.segment}, at);
  for (const Chain::Centre& centre : chain.centres)
    for (Kind kind : {Kind::body_place, Kind::body_turn}) sum += inertial_energy(p, {kind, chain.body(centre)}, at);
  for (const BendElement& e : part.bends) sum += bend_energy(p, e.bend, at);
  return sum;
}

}  // namespace tendril::solvers::compact
