#pragma once

#include <cstdint>
#include <vector>

#include "math/thread_team.h"
#include "rod/model.h"
#include "sim/gust.h"
#include "sim/neighbours.h"
#include "solvers/solver.h"

namespace tendril::sim {

// the winds and viscous media of a Model
class Fields {
 public:
  Fields(const Model& model, const Neighbours& neighbours, std::uint64_t seed);

  bool empty() const { return fields_.empty(); }

  // adds what they do to these vertices at `time`: force, and drag as in Instant. Segments stand as their velocities
  // will have turned them after `lead` [s].
  void add(Share vertices, const State& now, double lead, double time, Instant& out) const;

 private:
  // half a segment, as its vertex sees it
  struct Half {
    int other;              // vertex at the segment's other end
    double length, radius;  // [m]
  };
  void add_wind(const Field& field, const Gust& gust, Share vertices, const State& now, double lead, double time,
                Instant& out) const;
  void add_drag(const Field& field, Share vertices, const State& now, Instant& out) const;

  std::vector<Field> fields_;
  std::vector<Gust> gusts_;  // (field)
  std::vector<int> first_;   // half of each vertex, and the end
  std::vector<Half> halves_;
};

}  // namespace tendril::sim
