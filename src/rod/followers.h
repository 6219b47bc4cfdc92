#pragma once

#include <span>
#include <string>
#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::rod {

// A vertex that a follower's point goes with, and how: the point is the weighted mean of
//   x_vertex + R offset
// over its guides, where R is the section's frame at the vertex. With one guide of weight 1 it is a fibre of a tress;
// with several, of weights that add up to 1, it lies between them.
struct FollowerGuide {
  int vertex = 0;
  int segment_before = -1, segment_after = -1;  // of its rod, whose mean frame is R; -1: there is none
  double weight = 1;
  Vec3d offset;  // in the section's frame [m]
};

// one strand that follows
struct FollowerStrand {
  std::string name;
  int rod = 0;  // that it belongs to, for its colour
  int first_point = 0, point_count = 0;
  bool closed = false;

  int segment_count() const { return point_count - (closed ? 0 : 1); }
};

// Strands that follow simulated ones and have no degrees of freedom: solvers do not know of them. They are drawn,
// exported and counted like strands.
struct Followers {
  std::vector<FollowerStrand> strands;
  std::vector<int> first_guide;       // of each point, and one more at the end
  std::vector<FollowerGuide> guides;  // of all points in turn
  std::vector<double> radius;         // (point) [m]

  bool empty() const { return strands.empty(); }
  int point_count() const { return static_cast<int>(radius.size()); }
};

// where their points are, and how fast they move
std::vector<Vec3d> follower_positions(const Followers& followers, const State& state);
std::vector<Vec3d> follower_velocities(const Followers& followers, const State& state);

// `count` fibres over a circular section of radius `spread`, each a point of it: a sunflower's seeds,
//   r_k = spread sqrt((k + 1/2) / count) at the angle k pi (3 - sqrt(5)),
// as many on every part of the section as it is large
std::vector<Vec3d> fibres_of_section(int count, double spread);

// adds strands along a rod that is one chain; `spread` [m] is that at each of its vertices
void add_followers(const Model& model, int rod, int count, const std::vector<double>& spread, Followers& followers);

// adds a strand that starts at the points x and lies between guides: strands of a rod, each by its share of the whole,
// compared point for point by the fraction of their numbers
struct GuideStrand {
  std::vector<int> vertices;  // in order
  int first_segment = 0;      // the others follow
  double weight = 1;
};
void add_follower(const Model& model, const State& start, const std::string& name, int rod, std::span<const Vec3d> x,
                  std::span<const GuideStrand> guides, Followers& followers);

// A Model and its States with the followers as rods behind those that are there, for whoever draws or writes strands. A
// follower's segment takes its stiffness, its bends, its colour and its turning from the segment of its first guide.
struct FollowedModel {
  Model model;
  std::vector<int> guide;  // the segment that a follower's segment goes with (segment beyond those of the Model)
};
FollowedModel with_followers(const Model& model, const Followers& followers, const State& start);
State with_followers(const Followers& followers, const FollowedModel& followed, State state);
// and what has broken: a follower's segment breaks with its guide's
std::vector<int> with_followers(const FollowedModel& followed, std::vector<int> broken);

}  // namespace tendril::rod
