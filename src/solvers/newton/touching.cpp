#include <algorithm>
#include <cmath>

#include "solvers/newton/islands.h"

namespace tendril::newton {
namespace {

std::uint64_t key(const Pair& pair) {
  const std::uint64_t kind = (pair.body_a >= 0 ? 2 : 0) + (pair.body >= 0 ? 1 : 0);
  return kind << 62 | static_cast<std::uint64_t>(pair.a) << 31 | static_cast<std::uint64_t>(pair.b);
}

// none where nothing pressed
template <class Frictions>
auto* friction_of(const Pair& pair, Frictions& all) {
  const auto found = pair.grip.friction > 0 ? all.find(key(pair)) : all.end();
  return found != all.end() && found->second.normal_force > 0 ? &found->second : nullptr;
}

// how far the surfaces have gone because their segments turned
Vec3d rolled(const Contact& contact, const Pair& pair, const Iterate& at) {
  Vec3d sum;
  for (int side = 0; side < 2; ++side)
    if (const Contact::Rolling roll = contact.rolling(pair, side); !(roll.way == Vec3d{})) {
      const int segment = side == 0 ? pair.a : pair.b;
      sum += dot(roll.axis, contact.turned(segment, at.q[segment])) * roll.way;
    }
  return sum;
}

// the part that one side of a pair belongs to, -1: it does not yield
int part_of(const Pair& pair, int side, const Problem& problem, const Parts& parts) {
  const int body = side == 0 ? pair.body_a : pair.body;
  if (body < 0) return parts.part_of_vertex(pair.vertex[2 * side]);
  return problem.model->bodies[body].kind == BodyKind::kinematic ? -1 : parts.part_of_body(body);
}

// a change of the limits that asks for another solution
constexpr double much = 1e-2;

}  // namespace

bool Touching::freeze_friction(const Contact& contact) {
  bool changed = false;
  for (const Pair& pair : contact.pairs()) {
    if (pair.grip.friction == 0) continue;
    const double now = -pair.barrier.at(pair.gap).slope;
    if (now == 0 && !friction_of(pair, frictions_)) continue;
    double& frozen = frictions_[key(pair)].normal_force;
    changed |= std::abs(now - frozen) > much * std::max(now, frozen);
    frozen = now;
  }
  return changed;
}

// all of the caution where the whole of the last step would have turned the drag round, else less and less
void Touching::Friction::go_to(const Vec3d& next_drag, const LastStep& last) {
  const bool overshoots = last.share == 0 || dot(drag, last.share * drag + (next_drag - drag)) < 0;
  caution = overshoots ? 1 : caution > 2e-4 ? 0.1 * caution : 0;
  if (last.is_small) caution = 0;
  drag = next_drag;
}

void Touching::evaluate(const Contact& contact, const Problem& problem, const Parts& parts,
                        std::span<const LastStep> last) {
  terms_.clear();
  sides_.assign(parts.count(), {});
  is_cautious_.assign(parts.count(), false);
  couples_ = false;
  for (const Pair& pair : contact.pairs()) {
    Friction* friction = friction_of(pair, frictions_);
    if (!(pair.gap < pair.barrier.reach) && !friction) continue;  // what is frozen holds after they part, too
    const Barrier::Value value = pair.barrier.at(pair.gap);
    const double normal_force = -value.slope;
    Term term;
    std::copy(pair.vertex, pair.vertex + 4, term.vertex), std::copy(pair.weight, pair.weight + 4, term.weight);
    term.force = normal_force * pair.normal;
    term.K = value.curvature * outer(pair.normal, pair.normal);
    term.normal = pair.normal;
    term.turning = {normal_force * pair.turning.aa, normal_force * pair.turning.ab, normal_force * pair.turning.bb};
    for (int side = 0; side < 2; ++side) term.part[side] = part_of(pair, side, problem, parts);
    if (friction) {
      const Vec3d drag = tangential(pair.drag, pair.normal);
      const int part = std::max(term.part[0], term.part[1]);  // both are of one island, and took one share
      friction->go_to(drag, last.empty() || part < 0 ? LastStep{} : last[part]);
      add_friction(pair, *friction, term);
    }
    const int index = static_cast<int>(terms_.size());
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? pair.body_a : pair.body;
      if (term.part[side] < 0) continue;
      if (body >= 0) {
        term.body[side] = body;
        const Quatd& q = contact.body_corner(body).q;
        term.arm[side] = rotate(q, side == 0 ? pair.point_a : pair.point);
        term.core[side] = rotate(q, side == 0 ? pair.core_a : pair.core);
      } else if (pair.grip.friction > 0) {
        term.rolling[side] = contact.rolling(pair, side);
        if (!(term.rolling[side].way == Vec3d{})) term.segment[side] = side == 0 ? pair.a : pair.b;
      }
      sides_[term.part[side]].push_back({index, side});
    }
    couples_ |= term.couples();
    terms_.push_back(term);
  }
}

void Touching::add_friction(const Pair& pair, const Friction& friction, Term& term) {
  const Vec3d& drag = friction.drag;
  const double length = norm(drag), secant = pair.grip.secant(length, friction.normal_force);
  term.force -= secant * drag;
  term.K += secant * (Mat3d::identity() + (-1.0) * outer(pair.normal, pair.normal));
  if (length <= pair.grip.slip_length(friction.normal_force)) return;  // it holds
  term.K += ((friction.caution - 1) * secant / (length * length)) * outer(drag, drag);
  for (int part : term.part)
    if (part >= 0 && friction.caution > 0) is_cautious_[part] = true;
}

double Touching::energy(const Pair& pair, const Contact& contact, const Problem& problem, const Iterate& at) const {
  const auto carried = [&](int body, const Vec3d& point) {
    if (body < 0 || problem.model->bodies[body].kind == BodyKind::kinematic) return Vec3d{};
    const Pose& from = contact.body_corner(body);
    return at.body_x[body] + rotate(at.body_q[body], point) - from.x - rotate(from.q, point);
  };
  const Vec3d moved = pair.relative([&](int i) { return at.x[i] - contact.corner(i); });
  const Vec3d cores = moved + carried(pair.body_a, pair.core_a) - carried(pair.body, pair.core);
  const double gap = pair.gap + dot(pair.normal, cores), reach = pair.barrier.reach;
  const double barrier = gap < reach ? pair.barrier.at(std::max(gap, 1e-3 * std::min(reach, pair.gap))).energy : 0;
  const Friction* friction = friction_of(pair, frictions_);
  if (!friction) return barrier;
  const Vec3d surfaces = moved + carried(pair.body_a, pair.point_a) - carried(pair.body, pair.point);
  const Vec3d drag = pair.drag + surfaces + rolled(contact, pair, at);
  return barrier + pair.grip.energy(norm(tangential(drag, pair.normal)), friction->normal_force);
}

double Touching::energy(const Contact& contact, const Problem& problem, const Iterate& at) const {
  double sum = 0;
  for (const Pair& pair : contact.pairs()) sum += energy(pair, contact, problem, at);
  return sum;
}

// a pair that begins to touch counts for both
void Touching::add_energies(const Contact& contact, const Problem& problem, const Parts& parts, const Islands& islands,
                            const Iterate& at, std::vector<double>& energies) const {
  for (const Pair& pair : contact.pairs()) {
    int island[2] = {-1, -1};
    for (int side = 0; side < 2; ++side)
      if (const int p = part_of(pair, side, problem, parts); p >= 0 && islands.is_part_open(p))
        island[side] = islands.of(p);
    if (island[0] < 0 && island[1] < 0) continue;
    const double here = energy(pair, contact, problem, at);
    if (island[0] >= 0) energies[island[0]] += here;
    if (island[1] >= 0 && island[1] != island[0]) energies[island[1]] += here;
  }
}

std::vector<int> Touching::count_sides(const Contact& contact, const Problem& problem, const Parts& parts) const {
  std::vector<int> count(parts.count(), 0);
  for (const Pair& pair : contact.pairs())
    for (int side = 0; side < 2; ++side)
      if (pair.gap < pair.barrier.reach)
        if (const int p = part_of(pair, side, problem, parts); p >= 0) ++count[p];
  return count;
}

}  // namespace tendril::newton
