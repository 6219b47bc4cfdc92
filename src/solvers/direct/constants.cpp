#include "solvers/direct/constants.h"

#include <algorithm>

namespace tendril::direct {
namespace {

void set(Vec3<Lanes>& to, int lane, const Vec3d& v) { to.x.v[lane] = v.x, to.y.v[lane] = v.y, to.z.v[lane] = v.z; }
void set(Quat<Lanes>& to, int lane, const Quatd& q) {
  to.w.v[lane] = q.w, to.x.v[lane] = q.x, to.y.v[lane] = q.y, to.z.v[lane] = q.z;
}

int frame_number(const FrameId& id) { return id.is_body ? ~id.index : id.index; }

void set_bend(const BendElement& e, const Problem& p, int lane, BendPack& pack) {
  const BendTerm& term = p.bends[e.bend];
  const tendril::Bend& ends = p.model->bends[e.bend];
  set(pack.bend.K, lane, term.bend.K), set(pack.bend.rest, lane, term.bend.rest);
  set(pack.bend.side, lane, term.bend.side), set(pack.turn, lane, term.turn);
  pack.a[lane] = frame_number(ends.a), pack.b[lane] = frame_number(ends.b);
  pack.row_a[lane] = e.a, pack.row_b[lane] = e.b;
  pack.index[lane] = e.bend;
  pack.turns |= term.turns, pack.swings |= term.swings;
}

// two frames that are one, which nothing joins
void set_no_bend(int segment, int lane, BendPack& pack) {
  set(pack.bend.K, lane, {}), set(pack.bend.rest, lane, {});
  set(pack.bend.side, lane, {}), set(pack.turn, lane, {});
  pack.a[lane] = pack.b[lane] = segment;
  pack.row_a[lane] = pack.row_b[lane] = pack.index[lane] = -1;
}

void set_joint(const Joint& joint, const Part& part, const Problem& p, int lane, JointPack& pack) {
  const StretchElement& e = part.stretches[joint.stretch];
  const Stretch<double>& term = p.stretch[e.segment];
  pack.stretch.length.v[lane] = term.length, pack.stretch.GA.v[lane] = term.GA, pack.stretch.EA.v[lane] = term.EA;
  set(pack.stretch.p, lane, term.p), set(pack.spin, lane, p.spin[e.segment].weight);
  pack.forwards.v[lane] = joint.forwards ? 1 : -1, pack.is_a.v[lane] = joint.is_b ? -1 : 1;
  pack.segment[lane] = e.segment, pack.vertex[0][lane] = e.vertex[0], pack.vertex[1][lane] = e.vertex[1];
  pack.x0[lane] = e.x0, pack.x1[lane] = e.x1, pack.theta[lane] = e.theta;
  if (joint.bend >= 0)
    set_bend(part.bends[joint.bend], p, lane, pack.bend);
  else
    set_no_bend(e.segment, lane, pack.bend);
}

// packs of four of so many elements
template <class Pack, class Set>
void fill(std::size_t count, std::vector<Pack>& packs, Set set_lane) {
  packs.assign((count + joint_lanes - 1) / joint_lanes, {});
  for (std::size_t n = 0; n < packs.size(); ++n) {
    packs[n].count = static_cast<int>(std::min<std::size_t>(joint_lanes, count - joint_lanes * n));
    for (int lane = 0; lane < joint_lanes; ++lane)
      set_lane(std::min(joint_lanes * n + lane, count - 1), lane, packs[n]);
  }
}

}  // namespace

void load(const Structure& s, const Part& part, const Problem& p, Constants& constants) {
  fill(s.joints.size(), constants.joints,
       [&](std::size_t n, int lane, JointPack& pack) { set_joint(s.joints[n], part, p, lane, pack); });
  fill(s.bends.size(), constants.bends, [&](std::size_t n, int lane, LooseBendPack& pack) {
    set_bend(part.bends[s.bends[n].bend], p, lane, pack.bend);
  });
  constants.version = p.version;
}

}  // namespace tendril::direct
