#include "solvers/stable/sweeps.h"

#include <algorithm>

#include "contact/for_all.h"
#include "math/thread_team.h"
#include "solvers/stable/bodies.h"
#include "solvers/stable/contact_sweep.h"
#include "solvers/stable/free_motion.h"
#include "solvers/stable/orientation_sweep.h"
#include "solvers/stable/position_sweep.h"

namespace tendril::solvers::stable {

namespace {

// calls visit(group, packs) for the groups of a worker's part, or of all parts when it is alone
template <class Visit, class... Colour>
void visit_packs(const Groups& groups, Worker worker, Visit visit, Colour... colour) {
  const Share parts = worker.share_of(groups.parts);
  for (int part = parts.begin; part < parts.end; ++part) {
    const Share range = groups.of(part, colour...);
    for (int g = range.begin; g < range.end; ++g) {
      const Group& group = groups.all[g];
      visit(group, Share{group.first_pack, group.first_pack + group.pack_count});
    }
  }
}

template <class S, Lambda rule>
class PackedSweeps final : public Sweeps {
 public:
  using P = Pack<S>;
  explicit PackedSweeps(ContactRule contact) : contact_(contact) {}

  void load_model(const StepProblem& problem, int workers) override {
    layout_ = make_layout(problem, P::lanes, workers);
    packs_.load_model(problem, layout_);
    bodies_.reset(problem, layout_);
    free_motion_.reset(problem, layout_);
    contact_sweep_.reset(layout_, contact_);
    rows_.u.assign(layout_.vertex_row_count, {});
    rows_.q.assign(layout_.frame_row_count, {{S(1), S(0), S(0), S(0)}});
    rows_.w.assign(layout_.frame_row_count, {});
    rows_.y.assign(rule == Lambda::stored ? layout_.frame_row_count : 0, S(1));
    last_u_ = rows_.u, last_q_ = rows_.q;
    stiffness_.assign(layout_.vertex_row_count, 0);
    for (std::size_t s = 0; s < problem.stretch.size(); ++s)
      for (int i : problem.model->segments[s].vertex)
        stiffness_[layout_.vertex_row[i]] += problem.stretch[s].GA / problem.stretch[s].length;
    is_damped_ = std::any_of(problem.bends.begin(), problem.bends.end(), [](const BendTerm& b) { return b.ratio > 0; });
  }

  void load_step(const StepProblem& problem, const State& guess) override;
  void load_rows(const StepProblem& problem, const State& guess, Worker worker) override {
    visit_packs(layout_.vertex_groups, worker, [&](const Group&, Share p) { load_vertices(problem, guess, p); });
    visit_packs(layout_.segment_groups, worker, [&](const Group&, Share p) { load_segments(problem, guess, p); });
  }

  void begin_substep(const Regions& regions, const StepProblem& problem, const State& start, ThreadTeam& team) override;
  bool touching() const override { return contact_sweep_.pair_count() > 0; }
  bool needs_a_look() const override { return contact_sweep_.needs_a_look(); }
  void evaluate_contact(Worker worker) override {
    contact_sweep_.evaluate(rows_, worker.share_of(contact_sweep_.pair_count()));
  }
  Vec3d cut_off(int vertex) const override { return contact_sweep_.cut_off(layout_.vertex_row[vertex]); }

  Pose aim(int body) const override { return contact_sweep_.aim(body); }

  void update_positions(int colour, Worker worker, Remainder* met) override {
    PackMet<P> pack_met;
    const auto update = [&](const Group& group, Share packs) {
      contact_sweep_.split(
          packs, [&](Share free) { update_free(group, free, met, pack_met); },
          [&](int pack) { update_touched(group, pack, met, pack_met); });
    };
    visit_packs(layout_.vertex_groups, worker, update, colour);
    if (met) collect(pack_met, *met);
  }

  void update_orientations(int colour, Worker worker, Remainder* met) override {
    PackMet<P> pack_met;
    const auto update = [&](const Group& group, Share packs) {
      if (group.plain)
        met ? update_plain_orientations<rule, true>(group, packs, packs_, rows_, pack_met)
            : update_plain_orientations<rule, false>(group, packs, packs_, rows_, pack_met);
      else
        met ? update_general_orientations<true>(group, packs, packs_, rows_, pack_met)
            : update_general_orientations<false>(group, packs, packs_, rows_, pack_met);
    };
    visit_packs(layout_.segment_groups, worker, update, colour);
    if (met) collect(pack_met, *met);
  }

  void update_bodies(const StepProblem& problem, State& iterate, Remainder* met) override {
    bodies_.update(problem, contact_sweep_, rows_, iterate, met);
  }

  void extrapolate(double beta, Worker worker) override;

  bool balance_free_motion(const StepProblem& problem, State& iterate) override {
    return free_motion_.balance(problem, contact_sweep_, rows_, iterate);
  }

  void store(const StepProblem& problem, State& iterate, Worker worker) const override;
  void load_shares(const std::vector<double>& shares) override {
    for (std::size_t s = 0; s < shares.size() && !rows_.y.empty(); ++s) rows_.y[layout_.segment_row[s]] = S(shares[s]);
  }
  std::vector<double> shares() const override {
    std::vector<double> out(rows_.y.empty() ? 0 : layout_.segment_row.size());
    for (std::size_t s = 0; s < out.size(); ++s) out[s] = rows_.y[layout_.segment_row[s]];
    return out;
  }
  const Layout& layout() const override { return layout_; }
  double round_off() const override { return math::round_off<S>(); }

 private:
  static void collect(const PackMet<P>& from, Remainder& to) {
    to.take({largest(from.force), largest(from.force_scale), largest(from.torque), largest(from.torque_scale),
             largest(from.displacement)});
  }
  // vertices that nothing is near
  void update_free(const Group& group, Share packs, bool measured, PackMet<P>& met) {
    if (group.plain)
      measured ? update_plain_positions<true>(group, packs, packs_, rows_, met)
               : update_plain_positions<false>(group, packs, packs_, rows_, met);
    else
      measured ? update_general_positions<true>(group, packs, packs_, rows_, met)
               : update_general_positions<false>(group, packs, packs_, rows_, met);
  }
  // and others
  void update_touched(const Group& group, int pack, bool measured, PackMet<P>& met) {
    const ContactPull<P> pull = contact_sweep_.pull_at(pack);
    const RowPack<P> before = solvers::load_rows(&rows_.u[static_cast<std::size_t>(pack) * P::lanes]);
    const Share one{pack, pack + 1};
    measured ? update_general_positions<true>(group, one, packs_, rows_, met, &pull)
             : update_general_positions<false>(group, one, packs_, rows_, met, &pull);
    contact_sweep_.keep_in_region(pack, before, rows_);
  }
  void load_vertices(const StepProblem& problem, const State& guess, Share packs);
  void load_segments(const StepProblem& problem, const State& guess, Share packs);
  void extrapolate_positions(P beta, Share packs);
  void extrapolate_frames(P beta, Share packs);

  const ContactRule contact_;
  Layout layout_;
  Packs<S> packs_;
  Rows<S> rows_;
  std::vector<Row<S>> last_u_, last_q_;  // after the last sweep
  Bodies bodies_;
  FreeMotion free_motion_;
  ContactSweep<S> contact_sweep_;
  std::vector<double> stiffness_;  // sum of GA/l [N/m] (vertex row)
  bool is_damped_ = false;         // some bend is
};

template <class S, Lambda rule>
void PackedSweeps<S, rule>::load_step(const StepProblem& problem, const State& guess) {
  packs_.moments.resize(problem.moment.empty() ? 0 : packs_.segments.size());
  if (is_damped_) packs_.load_bends(problem, layout_, true);
  for (const Tie& tie : problem.model->ties)
    rows_.set_displacement(layout_.vertex_row[tie.vertex], guess.x[tie.vertex] - problem.begin.x[tie.vertex]);
  bodies_.place(problem, layout_, guess, rows_);
}

template <class S, Lambda rule>
void PackedSweeps<S, rule>::begin_substep(const Regions& regions, const StepProblem& problem, const State& start,
                                          ThreadTeam& team) {
  contact_sweep_.begin_substep(regions, problem, layout_, start, team);
  for_all(&team, start.x.size(), [&](std::size_t i) {
    if (problem.role[i] != Role::slaved) rows_.set_displacement(layout_.vertex_row[i], start.x[i] - problem.begin.x[i]);
  });
  bodies_.place(problem, layout_, start, rows_);
}

template <class S, Lambda rule>
void PackedSweeps<S, rule>::load_vertices(const StepProblem& problem, const State& guess, Share packs) {
  for (int row = packs.begin * P::lanes; row < packs.end * P::lanes; ++row) {
    const int i = layout_.vertex_at[row], lane = row % P::lanes;
    if (i < 0) continue;
    VertexPack<P>& pack = packs_.vertices[row / P::lanes];
    const Vec3d pull = problem.weight[i] * problem.goal[i];
    pack.pull.x.v[lane] = pull.x, pack.pull.y.v[lane] = pull.y, pack.pull.z.v[lane] = pull.z;
    pack.weight.v[lane] = problem.weight[i];
    const double stiffness = problem.weight[i] + stiffness_[row];
    pack.inverse.v[lane] = stiffness > 0 ? 1 / stiffness : 0;
    rows_.set_displacement(row, guess.x[i] - problem.begin.x[i]);
  }
}

template <class S, Lambda rule>
void PackedSweeps<S, rule>::load_segments(const StepProblem& problem, const State& guess, Share packs) {
  for (int row = packs.begin * P::lanes; row < packs.end * P::lanes; ++row) {
    const int s = layout_.segment_at[row], lane = row % P::lanes;
    if (s < 0) continue;
    const Vec3d& edge = problem.edge[s];
    SegmentPack<P>& pack = packs_.segments[row / P::lanes];
    pack.edge.x.v[lane] = edge.x, pack.edge.y.v[lane] = edge.y, pack.edge.z.v[lane] = edge.z;
    const StretchTerm& term = problem.stretch[s];
    const Vec3d wanted = wanted_edge(guess.q[s], term.p, term.length) - edge;
    rows_.set_frame(row, guess.q[s]);
    rows_.w[row] = {{S(wanted.x), S(wanted.y), S(wanted.z), S(term.GA / term.length)}};
    Vec3<P>& p = packs_.segment_extras[row / P::lanes].p;
    p.x.v[lane] = term.p.x, p.y.v[lane] = term.p.y, p.z.v[lane] = term.p.z;
    if (packs_.moments.empty()) continue;
    Vec3<P>& moment = packs_.moments[row / P::lanes];
    const Vec3d& m = problem.moment[s];
    moment.x.v[lane] = m.x, moment.y.v[lane] = m.y, moment.z.v[lane] = m.z;
  }
}

template <class S, Lambda rule>
void PackedSweeps<S, rule>::extrapolate(double beta, Worker worker) {
  const P b = P(S(beta));
  visit_packs(layout_.vertex_groups, worker, [&](const Group&, Share packs) { extrapolate_positions(b, packs); });
  visit_packs(layout_.segment_groups, worker, [&](const Group&, Share packs) { extrapolate_frames(b, packs); });
}

template <class S, Lambda rule>
[[gnu::flatten]] void PackedSweeps<S, rule>::extrapolate_positions(P b, Share packs) {
  for (int p = packs.begin; p < packs.end; ++p) {
    const std::size_t row = static_cast<std::size_t>(p) * P::lanes;
    const Vec3<P> now = vector_of(solvers::load_rows(&rows_.u[row])),
                  last = vector_of(solvers::load_rows(&last_u_[row]));
    const Vec3<P> next = now + b * (now - last);
    const RowPack<P> here{now.x, now.y, now.z, P(0)};
    store_rows(&last_u_[row], here);
    store_rows(&rows_.u[row], {next.x, next.y, next.z, P(0)});
    if (contact_sweep_.concerns(p)) contact_sweep_.keep_in_region(p, here, rows_);
  }
}

template <class S, Lambda rule>
[[gnu::flatten]] void PackedSweeps<S, rule>::extrapolate_frames(P b, Share packs) {
  for (int p = packs.begin; p < packs.end; ++p) {
    const std::size_t row = static_cast<std::size_t>(p) * P::lanes;
    const Quat<P> now = quaternion_of(solvers::load_rows(&rows_.q[row])),
                  last = quaternion_of(solvers::load_rows(&last_q_[row]));
    const Quat<P> next = normalized(now + b * (now - last));
    store_rows(&last_q_[row], {now.w, now.x, now.y, now.z});
    const SegmentPack<P>& segment = packs_.segments[p];
    const Vec3<P> wanted = wanted_edge(next, packs_.segment_extras[p].p, segment.length) - segment.edge;
    store_orientations(p, next, wanted, segment.stiffness, rows_);
  }
}

template <class S, Lambda rule>
void PackedSweeps<S, rule>::store(const StepProblem& problem, State& iterate, Worker worker) const {
  const Share vertices = worker.share_of(iterate.x.size());
  for (int i = vertices.begin; i < vertices.end; ++i)
    iterate.x[i] = problem.begin.x[i] + rows_.displacement(layout_.vertex_row[i]);
  const Share segments = worker.share_of(iterate.q.size());
  for (int s = segments.begin; s < segments.end; ++s) iterate.q[s] = normalized(rows_.frame(layout_.segment_row[s]));
}

template <class S>
std::unique_ptr<Sweeps> make(Lambda lambda, ContactRule contact) {
  switch (lambda) {
    case Lambda::exact:
      return std::make_unique<PackedSweeps<S, Lambda::exact>>(contact);
    case Lambda::stored:
      return std::make_unique<PackedSweeps<S, Lambda::stored>>(contact);
    default:
      return std::make_unique<PackedSweeps<S, Lambda::approximate>>(contact);
  }
}

}  // namespace

std::unique_ptr<Sweeps> make_sweeps(bool single_precision, Lambda lambda, ContactRule contact) {
  return single_precision ? make<float>(lambda, contact) : make<double>(lambda, contact);
}

}  // namespace tendril::solvers::stable
