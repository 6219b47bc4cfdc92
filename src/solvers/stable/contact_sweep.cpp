#include "solvers/stable/contact_sweep.h"

#include <algorithm>

#include "contact/for_all.h"

namespace tendril::solvers::stable {

template <class S>
void ContactSweep<S>::reset(const Layout& layout, ContactRule rule) {
  rule_ = rule, regions_ = nullptr;
  vertex_of_row_.assign(layout.vertex_row_count, -1), colour_of_row_.assign(layout.vertex_row_count, -1);
  for (std::size_t i = 0; i < layout.vertex_row.size(); ++i) vertex_of_row_[layout.vertex_row[i]] = static_cast<int>(i);
  for (const Group& group : layout.vertex_groups.all)
    std::fill_n(colour_of_row_.begin() + group.first_pack * P::lanes, group.pack_count * P::lanes, group.colour);
  waypoint_.assign(layout.vertex_row_count, {}), cut_off_.assign(layout.vertex_row_count, {});
  free_.assign(layout.vertex_row_count, {});
  concerned_.assign(layout.vertex_at.size() / P::lanes, 0);
  pairs_.clear(), entries_.clear();
  first_entry_.assign(layout.vertex_row_count + 1, 0);
}

template <class S>
void ContactSweep<S>::begin_substep(const Regions& regions, const StepProblem& problem, const Layout& layout,
                                    const State& start, ThreadTeam& team) {
  regions_ = &regions;
  was_cut_ = false;
  for_all(&team, concerned_.size(), [&](std::size_t pack) {
    concerned_[pack] = 0;
    for (std::size_t row = pack * P::lanes; row < (pack + 1) * P::lanes; ++row)
      if (const int i = vertex_of_row_[row]; i >= 0 && regions.is_bounded(i)) concerned_[pack] = 1;
  });
  for_all(&team, vertex_of_row_.size(), [&](std::size_t row) {
    cut_off_[row] = {};
    const int i = vertex_of_row_[row];
    if (i < 0) return;
    waypoint_[row] = regions.contact().waypoint(i) - problem.begin.x[i];
    free_[row] = {start.x[i] - problem.begin.x[i], regions.room(i)};
  });
  poses_.resize(start.body_x.size()), body_entries_.assign(start.body_x.size(), {});
  for (std::size_t b = 0; b < poses_.size(); ++b) poses_[b] = {start.body_x[b], start.body_q[b]};
  aims_ = poses_;
  find_near_pairs(problem, layout, start, team);
  list_entries();
}

// that push, or soon will
template <class S>
void ContactSweep<S>::find_near_pairs(const StepProblem& problem, const Layout& layout, const State& start,
                                      ThreadTeam& team) {
  const auto free_body = [&](int body) {
    return body >= 0 && problem.model->bodies[body].kind == BodyKind::dynamic ? body : -1;
  };
  const Contact& contact = regions_->contact();
  const std::span<const Pair> all = contact.pairs();
  found_.resize(shares_for(&team, all.size()));
  for_shares(&team, all.size(), [&](Share share, int number) {
    found_[number].clear();
    for (int p = share.begin; p < share.end; ++p) {
      const Pair& pair = all[p];
      NearPair near{&pair, {-1, -1, -1, -1}, {free_body(pair.body_a), free_body(pair.body)}, {}, {}, {}, {}};
      near.base = contact.driven(pair);
      const Vec3d relative = pair.relative([&](int i) { return start.x[i] - contact.waypoint(i); }) - near.base +
                             shifted(near.body[0], pair.point_a) - shifted(near.body[1], pair.point);
      if (std::min(pair.gap, pair.gap + dot(pair.normal, relative)) > 3 * pair.barrier.reach) continue;
      for (int k = 0; k < 4; ++k) {
        if (pair.vertex[k] < 0) continue;
        near.row[k] = layout.vertex_row[pair.vertex[k]];
        near.base += pair.weight[k] * waypoint_[near.row[k]];
      }
      near.before = moved_before(near, problem);
      if (const double force = pair.normal_force(); force > 0 && rule_ == ContactRule::lasting)
        near.turning = force / pair.slope * contact.curvature(pair);
      found_[number].push_back(near);
    }
  });
  pairs_.clear();
  for (const auto& found : found_) pairs_.insert(pairs_.end(), found.begin(), found.end());
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    for (int b : pairs_[p].body)
      if (b >= 0) body_entries_[b].push_back(static_cast<int>(p));
}

// row by row
template <class S>
void ContactSweep<S>::list_entries() {
  std::fill(first_entry_.begin(), first_entry_.end(), 0);
  for (const NearPair& near : pairs_)
    for (int row : near.row)
      if (row >= 0) ++first_entry_[row + 1];
  for (std::size_t row = 1; row < first_entry_.size(); ++row) first_entry_[row] += first_entry_[row - 1];
  std::vector<int> next(first_entry_.begin(), first_entry_.end() - 1);
  entries_.resize(first_entry_.back());
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const NearPair& near = pairs_[p];
    for (int k = 0; k < 4; ++k) {
      if (near.row[k] < 0) continue;
      double crowd = 0;
      for (int j = 0; j < 4; ++j)
        if (near.row[j] >= 0 && colour_of_row_[near.row[j]] == colour_of_row_[near.row[k]])
          crowd += std::abs(near.pair->weight[j]);
      entries_[next[near.row[k]]++] = {static_cast<int>(p), near.pair->weight[k], crowd, k};
    }
  }
}

template <class S>
void ContactSweep<S>::evaluate(const Rows<S>& rows, Share pairs) {
  for (int p = pairs.begin; p < pairs.end; ++p) evaluate(rows, pairs_[p]);
}

template <class S>
void ContactSweep<S>::evaluate(const Rows<S>& rows, NearPair& near) const {
  Vec3d relative = -near.base;
  for (int k = 0; k < 4; ++k)
    if (near.row[k] >= 0) relative += near.pair->weight[k] * rows.displacement(near.row[k]);
  if (near.body[0] >= 0) relative += shifted(near.body[0], near.pair->point_a);
  if (near.body[1] >= 0) relative -= shifted(near.body[1], near.pair->point);
  near.now = push(near, relative);
  for (int side = 0; side < 2; ++side) {
    const int* row = near.row + 2 * side;
    if (row[0] < 0) continue;
    near.turn[side] = dot(near.pair->normal, rows.displacement(row[1]) - waypoint_[row[1]] -
                                                 (rows.displacement(row[0]) - waypoint_[row[0]]));
  }
}

template <class S>
Vec3d ContactSweep<S>::moved_before(const NearPair& near, const StepProblem& problem) const {
  const Pair& pair = *near.pair;
  const auto carried = [&](int body, const Vec3d& point) {
    const Pose& to = regions_->contact().body_waypoint(body);
    return to.x - problem.begin.body_x[body] + rotate(to.q, point) - rotate(problem.begin.body_q[body], point);
  };
  Vec3d moved;
  for (int k = 0; k < 4; ++k)
    if (near.row[k] >= 0) moved += pair.weight[k] * waypoint_[near.row[k]];
  if (pair.body_a >= 0) moved += carried(pair.body_a, pair.point_a);
  if (pair.body >= 0) moved -= carried(pair.body, pair.point);
  return moved;
}

// how far a body has taken one of its points since the waypoint
template <class S>
Vec3d ContactSweep<S>::shifted(int body, const Vec3d& point) const {
  if (body < 0) return {};
  const Pose &from = regions_->contact().body_waypoint(body), &to = poses_[body];
  return to.x - from.x + rotate(to.q, point) - rotate(from.q, point);
}

template <class S>
void ContactSweep<S>::evaluate_body(const Rows<S>& rows, int body) {
  if (!regions_) return;
  for (int p : body_entries_[body]) evaluate(rows, pairs_[p]);
}

template <class S>
std::vector<typename ContactSweep<S>::BodyPush> ContactSweep<S>::pushes_at(int body) const {
  std::vector<BodyPush> out;
  if (!regions_) return out;
  for (int p : body_entries_[body]) {
    const NearPair& near = pairs_[p];
    if (near.now.normal_stiffness == 0) continue;
    const bool is_a = near.body[0] == body;
    out.push_back(
        {is_a ? near.pair->point_a : near.pair->point, is_a ? near.now.force : -near.now.force, stiffness_of(near)});
  }
  return out;
}

// Vertices of one colour move at the same time. With |w| times the sum of all |w| that move in place of w² each step
// still lowers the energy of the pair: (sum w u)² <= sum |w| · sum |w| u².
template <class S>
typename ContactSweep<S>::Pull ContactSweep<S>::pull_at_row(int row) const {
  Pull pull;
  for (int e = first_entry_[row]; e < first_entry_[row + 1]; ++e) {
    const Entry& entry = entries_[e];
    const NearPair& near = pairs_[entry.pair];
    const PairForce& now = near.now;
    if (now.normal_stiffness == 0) continue;
    const Vec3d& n = near.pair->normal;
    const double weight = std::abs(entry.weight) * entry.crowd, t = weight * now.tangent_stiffness;
    pull.force += entry.weight * now.force;
    pull.stiffness += (weight * now.normal_stiffness - t) * outer(n, n);
    pull.stiffness += Mat3d::diagonal({t, t, t});
    pull.scale += std::abs(entry.weight) * norm(now.force);
    const bool is_a = entry.number < 2, is_end = entry.number % 2 == 1;
    const GapCurvature& k = near.turning;
    const double resistance =
        is_a ? k.aa * near.turn[0] + k.ab * near.turn[1] : k.ab * near.turn[0] + k.bb * near.turn[1];
    pull.force += (is_end ? -resistance : resistance) * n;
    pull.stiffness += ((is_a ? k.aa : k.bb) + std::abs(k.ab)) * outer(n, n);  // one of the other side may move, too
  }
  return pull;
}

template <class S>
ContactPull<Pack<S>> ContactSweep<S>::pull_at(int pack) const {
  ContactPull<P> out;
  for (int lane = 0; lane < P::lanes; ++lane) {
    const int row = pack * P::lanes + lane;
    if (first_entry_[row] == first_entry_[row + 1]) continue;
    const Pull pull = pull_at_row(row);
    const auto set = [lane](Vec3<P>& to, const Vec3d& from) {
      to.x.v[lane] = from.x, to.y.v[lane] = from.y, to.z.v[lane] = from.z;
    };
    set(out.force, pull.force);
    set(out.stiffness.c0, pull.stiffness.c0), set(out.stiffness.c1, pull.stiffness.c1);
    set(out.stiffness.c2, pull.stiffness.c2);
    out.scale.v[lane] = pull.scale;
  }
  return out;
}

template <class S>
void ContactSweep<S>::keep_in_region(int pack, const RowPack<P>& before, Rows<S>& rows) {
  for (int lane = 0; lane < P::lanes; ++lane) {
    const int row = pack * P::lanes + lane, i = vertex_of_row_[row];
    if (i < 0 || !regions_->is_bounded(i)) continue;
    if (norm_squared(rows.displacement(row) - free_[row].u) < free_[row].radius * free_[row].radius) {
      cut_off_[row] = {};
      continue;
    }
    const Vec3d old{before.x.v[lane], before.y.v[lane], before.z.v[lane]};
    const Vec3d from = old - waypoint_[row], to = rows.displacement(row) - waypoint_[row];
    const VertexRegion region = regions_->region(i);
    const Vec3d allowed = region.towards(from, to);
    cut_off_[row] = to - allowed;
    if (allowed == to) continue;
    was_cut_.store(true, std::memory_order_relaxed);
    rows.set_displacement(row, allowed + waypoint_[row]);
    if (sizeof(S) < sizeof(double) && !region.contains(rows.displacement(row) - waypoint_[row]))
      rows.set_displacement(row, old);
  }
}

template class ContactSweep<float>;
template class ContactSweep<double>;

}  // namespace tendril::solvers::stable
