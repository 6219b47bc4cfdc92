#pragma once

#include "solvers/block/obstacle_terms.h"

namespace tendril::solvers::block {

// Which strands of bundles may come near nothing but what is driven, and knows its inside from its outside, as the list
// of pairs tells, where rods do not meet rods nor bodies that move freely; and these pairs side by side: those of a
// bundle have as many slots as the lane with the most pairs at a segment needs.
class ObstacleSlots {
 public:
  void reset(const std::vector<Bundle<StrandLanes>>& bundles, const Parts& parts, const Model& model);
  // whether there are any; a new list is looked through
  bool look(const Contact& contact, const Problem& problem, const Parts& parts, ThreadTeam& team);

  const std::vector<ObstacleSlot>& of_bundle(int bundle) const { return slots_[bundle]; }
  bool is_alone(int part) const { return is_alone_[part]; }

 private:
  bool takes(const Pair& pair, const Contact& contact) const;
  bool is_on_back(int pair, const Contact& contact) const;
  void measure_cones(std::span<const Solid> solids);
  void fill(int bundle, const Bundle<StrandLanes>& of, const Contact& contact);

  const std::vector<Bundle<StrandLanes>>* bundles_ = nullptr;
  // Least cosine between the normal of a triangle and that of one which shares a corner with it: a place that has its
  // nearest point of a mesh at a corner or an edge of a triangle is, from there, between such normals.
  std::vector<double> cones_;                     // (solid)
  std::vector<char> is_closed_;                   // driven, and no open mesh (body)
  std::vector<int> bundle_;                       // -1: in none (part)
  std::vector<char> is_alone_;                    // (part)
  std::vector<std::vector<ObstacleSlot>> slots_;  // (bundle)
  std::vector<int> first_pair_;  // of a segment with what is driven, by its number (segment, and the end)
  int list_number_ = -1;         // of Contact, that they come from
  bool any_ = false;
};

}  // namespace tendril::solvers::block
