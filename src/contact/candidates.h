#pragma once

#include <span>
#include <vector>

#include "contact/broad_phase.h"
#include "contact/neighbourhood.h"
#include "contact/options.h"
#include "contact/pair.h"
#include "contact/solid.h"
#include "rod/model.h"
#include "rod/stream.h"

namespace tendril {

// Which pairs may touch while every vertex stays in its box, and every solid in its own. The boxes are wide enough for
// some steps, so that a search is seldom.
class Candidates {
 public:
  void reset(const Model& model, const std::vector<Vec3d>& start, const ContactOptions& options);

  // whether the list is complete for vertices that go from x to x + motion, and solids inside these boxes
  bool cover(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids) const;
  void search(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids,
              ThreadTeam& team);

  const std::vector<Solid>& solids() const { return solids_; }
  const Neighbourhood& neighbours() const { return neighbours_; }
  const Bounds& box(int vertex) const { return boxes_[vertex]; }

  // the pairs, those of two segments first, by number; constants only
  std::vector<Pair> pairs() const;

  void save(Writer& out) const;
  void load(Reader& in, ThreadTeam& team);

 private:
  struct Touchable {  // a segment
    int vertex[2];
    double radius, reach;
    double stiffness;  // of its surface [N/m]
    double friction;
  };
  Pair constants(const Touchable& a, const Touchable& b) const;
  void find_pairs(ThreadTeam& team);
  std::vector<double> roaming() const;
  bool may_touch(int a, int b, const std::vector<double>& roam) const;

  std::vector<Touchable> segments_;
  std::vector<double> margin_;  // of a vertex's box [m]
  std::vector<Solid> solids_;
  std::vector<double> solid_friction_;
  std::vector<int> fastened_;  // the body with solids that a vertex is tied to, -1: none (vertex)
  Neighbourhood neighbours_;
  BroadPhase broad_phase_;
  std::vector<Bounds> boxes_, solid_boxes_;
  std::vector<Vec3d> x_;  // where the vertices were at the search [m]
  std::vector<IndexPair> segment_pairs_, solid_pairs_;
};

}  // namespace tendril
