#pragma once

#include <algorithm>
#include <cstddef>

#include "math/prefetch.h"
#include "solvers/direct/structure.h"
#include "solvers/newton/lanes.h"
#include "solvers/newton/strains.h"

// Elements side by side, one in each lane of a register, gathered from where they stand.

namespace tendril::solvers::direct {

using JointNumber = WideLanes;
constexpr int joint_lanes = JointNumber::lanes;

// numbers that follow each other in memory, four of each lane: those at the same place side by side
struct FourNumbers {
  JointNumber at[4];
};
template <class First>
[[gnu::always_inline]] inline FourNumbers four_numbers(First first) {
  return from_records<FourNumbers>([&](int k) -> const double& { return *first(k); });
}

// of segments segment(0), segment(1), …, as Problem has them one by one
template <class Segments>
[[gnu::always_inline]] inline Stretch<JointNumber> stretches(const Problem& p, Segments segment) {
  static_assert(offsetof(Segment, GA) == offsetof(Segment, rest_length) + 2 * sizeof(double));
  const auto in_model = [&](int k) -> const Segment& { return p.model->segments[segment(k)]; };
  const FourNumbers a = four_numbers([&](int k) { return &in_model(k).rest_length; });
  Stretch<JointNumber> out{a.at[0], a.at[2], a.at[1], {JointNumber(0), JointNumber(0), JointNumber(1)}};
  if (p.rest_moves()) {
    const JointNumber more = p.stiffening(numbers<JointNumber>([&](int k) { return in_model(k).internal_damping; }));
    out.GA *= more, out.EA *= more;
  }
  if (!p.stretch_rest.empty())
    out.p = vectors<JointNumber>([&](int k) -> const Vec3d& { return p.stretch_rest[segment(k)]; });
  return out;
}
template <class Segments>
[[gnu::always_inline]] inline Spin<JointNumber> spins(const Problem& p, Segments segment, const JointNumber& length) {
  const auto in_model = [&](int k) -> const Segment& { return p.model->segments[segment(k)]; };
  const Vec3<JointNumber> inertia =
      vectors<JointNumber>([&](int k) -> const Vec3d& { return in_model(k).linear_inertia; });
  const JointNumber damping = numbers<JointNumber>([&](int k) { return in_model(k).damping; });
  return {p.spin_weight(length, damping, inertia),
          quaternions<JointNumber>([&](int k) -> const Quatd& { return p.frame_goal[segment(k)]; })};
}

struct BendLanes {
  const BendElement* element[joint_lanes];
  const rod::Bend* bend[joint_lanes];
  bool bent = false, turns = false, scalar = false;  // some do or are

  void set(int lane, const BendElement& e, const Problem& p) { set(lane, e, p.bends[e.bend], p.model->bends[e.bend]); }
  void set(int lane, const BendElement& e, const BendTraits& traits, const rod::Bend& b) {
    element[lane] = &e, bend[lane] = &b;
    bent |= traits.bent, turns |= traits.turns, scalar |= traits.scalar;
  }
};
[[gnu::always_inline]] inline Bend<JointNumber> bends_of(const BendLanes& lanes, const Problem& p) {
  static constexpr Vec3d none;
  static_assert(offsetof(rod::Bend, GJ) == offsetof(rod::Bend, length) + 3 * sizeof(double));
  const FourNumbers a = four_numbers([&](int k) { return &lanes.bend[k]->length; });
  JointNumber more(1);
  if (p.rest_moves()) more = p.stiffening(numbers<JointNumber>([&](int k) { return lanes.bend[k]->internal_damping; }));
  Vec3<JointNumber> rest{JointNumber(0), JointNumber(0), JointNumber(0)};
  if (lanes.bent && p.bend_rest.empty())
    rest = turn_angle(quaternions<JointNumber>([&](int k) -> const Quatd& { return lanes.bend[k]->rest; }));
  if (!p.bend_rest.empty())
    rest = vectors<JointNumber>([&](int k) -> const Vec3d& {
      const int b = lanes.element[k]->bend;
      return b >= 0 ? p.bend_rest[b] : none;
    });
  return make_bend((more / a.at[0]) * Vec3<JointNumber>{a.at[1], a.at[2], a.at[3]}, rest);
}

// So long before their turn elements, and before these the lists that name them, are asked for: a tree does not lie in
// memory as it is eliminated, and there are more lists than the processor follows by itself.
constexpr int elements_ahead = 32, lists_ahead = 96;
[[gnu::always_inline]] inline void ask_for_bend(const BendElement& e, const Problem& p) {
  const rod::Bend& bend = p.model->bends[e.bend];
  ask_for(bend.rest), ask_for(bend.GJ);
}
[[gnu::always_inline]] inline void ask_for_segment(const StretchElement& e, const Problem& p) {
  const Segment& segment = p.model->segments[e.segment];
  ask_for(segment.rest_length), ask_for(segment.damping), ask_for(p.frame_goal[e.segment]);
}
[[gnu::always_inline]] inline void ask_for_places(const StretchElement& e, const Iterate& at) {
  ask_for(at.q[e.segment]);
  for (int i : e.vertex) ask_for(at.x[i]), ask_for(at.x[i].z);  // it may lie in two lines
}

// Behind the last there are copies of it.
inline BendLanes loose_bends_from(int first, const Structure& s, const Part& part, const Problem& p) {
  BendLanes out;
  for (int k = 0; k < joint_lanes; ++k) {
    const int element = s.bends[std::min<std::size_t>(first + k, s.bends.size() - 1)].bend;
    out.set(k, part.bends[element], p);
    if (k == 0)
      ask_for(s.bends, first + lists_ahead, joint_lanes), ask_for(part.bends, element + lists_ahead, joint_lanes);
    if (const std::size_t ahead = first + k + elements_ahead; ahead < s.bends.size())
      ask_for_bend(part.bends[s.bends[ahead].bend], p);
  }
  return out;
}

struct JointLanes {
  const Joint* joint[joint_lanes];
  const StretchElement* stretch[joint_lanes];
  int count = 0;  // of joints, the rest are copies
  BendElement none[joint_lanes];
  BendLanes bend;
};
// Two frames that are one, which nothing joins, stand for the bend of a joint without. ask(stretch) asks for what else
// is read of a segment.
template <class Ask>
inline void gather_joints(int first, const Structure& s, const Part& part, const Problem& p, JointLanes& out, Ask ask) {
  static const rod::Bend no_bend = [] {
    rod::Bend bend;
    bend.length = 1;
    return bend;
  }();
  const int joints = static_cast<int>(s.joints.size());
  out.count = std::min(joint_lanes, joints - first);
  out.bend.bent = out.bend.turns = out.bend.scalar = false;
  ask_for(s.joints, first + lists_ahead, joint_lanes);
  ask_for(part.stretches, s.joints[first].stretch + lists_ahead, joint_lanes);
  if (s.joints[first].bend >= 0) ask_for(part.bends, s.joints[first].bend + lists_ahead, joint_lanes);
  for (int k = 0; k < joint_lanes; ++k) {
    const Joint& joint = s.joints[std::min(first + k, joints - 1)];
    const StretchElement& e = part.stretches[joint.stretch];
    out.joint[k] = &joint, out.stretch[k] = &e;
    if (first + k + elements_ahead < joints) {
      const Joint& ahead = s.joints[first + k + elements_ahead];
      ask_for_segment(part.stretches[ahead.stretch], p), ask(part.stretches[ahead.stretch]);
      if (ahead.bend >= 0) ask_for_bend(part.bends[ahead.bend], p);
    }
    if (joint.bend >= 0) {
      out.bend.set(k, part.bends[joint.bend], p);
    } else {
      out.none[k] = {-1, -1, -1, e.segment, e.segment};
      out.bend.set(k, out.none[k], BendTraits(), no_bend);
    }
  }
}

struct FrameLanes {
  Quat<JointNumber> a, b;  // b's with its fixed turn
};
[[gnu::always_inline]] inline FrameLanes frames_of(const BendLanes& lanes, const Iterate& at) {
  const auto frame = [&](int id) -> const Quatd& { return id >= 0 ? at.q[id] : at.body_q[~id]; };
  FrameLanes f{quaternions<JointNumber>([&](int k) -> const Quatd& { return frame(lanes.element[k]->frame_a); }),
               quaternions<JointNumber>([&](int k) -> const Quatd& { return frame(lanes.element[k]->frame_b); })};
  if (lanes.turns) f.b = f.b * quaternions<JointNumber>([&](int k) -> const Quatd& { return lanes.bend[k]->turn; });
  return f;
}

}  // namespace tendril::solvers::direct
