#include "solvers/redmax/chain.h"

#include <algorithm>

#include "rod/strain.h"

namespace tendril::solvers::redmax {
namespace {

class Builder {
 public:
  explicit Builder(const Model& model)
      : model_(model),
        segments_(model.vertices.size()),
        bends_(model.segments.size()),
        tie_(model.vertices.size(), -1) {
    for (int s = 0; s < static_cast<int>(model.segments.size()); ++s)
      for (int i : model.segments[s].vertex) segments_[i].push_back(s);
    for (int b = 0; b < static_cast<int>(model.bends.size()); ++b)
      for (const FrameId& frame : {model.bends[b].a, model.bends[b].b})
        if (!frame.is_body) bends_[frame.index].push_back(b);
    for (int t = 0; t < static_cast<int>(model.ties.size()); ++t) take(t);
  }

  Chains chains() {
    for (const auto& touching : segments_)
      if (touching.size() > 2) refuse("branches");
    std::vector<bool> is_done(model_.segments.size(), false);
    for (bool held : {true, false})
      for (int i = 0; i < static_cast<int>(segments_.size()); ++i) {
        if (segments_[i].size() != 1 || is_done[segments_[i][0]] || (tie_[i] >= 0) != held) continue;
        out_.all.push_back(chain_from(i));
        for (const Joint& joint : out_.all.back().joints) is_done[joint.segment] = true;
      }
    if (std::find(is_done.begin(), is_done.end(), false) != is_done.end()) refuse("closed loops");
    if (!out_.refusal.empty()) out_.all.clear();
    return std::move(out_);
  }

 private:
  void refuse(const char* what) { out_.refusal = std::string("redmax takes no ") + what; }

  void take(int t) {
    const Tie& tie = model_.ties[t];
    if (model_.bodies[tie.body].kind == BodyKind::dynamic) refuse("bodies");
    if (!(tie.held[0] && tie.held[1] && tie.held[2])) refuse("holds with free axes");
    if (tie_[tie.vertex] >= 0) refuse("vertices that are held twice");
    tie_[tie.vertex] = t;
  }

  Chain chain_from(int root) {
    Chain chain{root, tie_[root], {}};
    const int body = chain.is_free() ? -1 : model_.ties[chain.tie].body;
    FrameId base{body, true};
    for (int near = root, last = -1;;) {
      const auto next = std::find_if(segments_[near].begin(), segments_[near].end(), [&](int s) { return s != last; });
      if (next == segments_[near].end()) break;
      Joint joint = joint_of(*next, near, base);
      if (tie_[joint.far] >= 0) refuse("rods that are held anywhere but at one of their ends");
      near = joint.far, last = *next, base = {*next, false};
      chain.joints.push_back(joint);
    }
    return chain;
  }

  Joint joint_of(int s, int near, const FrameId& base) const {
    const Segment& segment = model_.segments[s];
    Joint joint;
    const bool forwards = segment.vertex[0] == near;
    joint.segment = s, joint.near = near, joint.far = segment.vertex[forwards ? 1 : 0];
    joint.arm = forwards ? segment.rest_length : -segment.rest_length;
    for (int b : bends_[s]) {
      const Bend& bend = model_.bends[b];
      const bool is_b = bend.b == FrameId{s, false};
      if (!((is_b ? bend.a : bend.b) == base)) continue;
      joint.bend = b, joint.sign = is_b ? 1 : -1;
      (is_b ? joint.post : joint.pre) = is_b ? conjugate(bend.turn) : bend.turn;
      joint.K = Vec3d{bend.EI1, bend.EI2, bend.GJ} / bend.length;
      joint.rest = joint.sign * shortest_angle(bend.rest);
      if (base.is_body) joint.body = base.index;
    }
    return joint;
  }

  const Model& model_;
  std::vector<std::vector<int>> segments_;  // (vertex)
  std::vector<std::vector<int>> bends_;     // (segment)
  std::vector<int> tie_;                    // (vertex)
  Chains out_;
};

}  // namespace

Chains chains_of(const Model& model) { return Builder(model).chains(); }

Vec3d coordinates(const Joint& joint, const Model& model, const Quatd& base, const Quatd& q) {
  if (joint.bend < 0) return shortest_angle(conjugate(base) * q);
  const Bend& bend = model.bends[joint.bend];
  const Quatd &a = joint.sign > 0 ? base : q, &b = joint.sign > 0 ? q : base;
  return joint.sign * bend_angle(a, b * bend.turn, bend.rest, {bend.EI1, bend.EI2, bend.GJ});
}

}  // namespace tendril::solvers::redmax
