#include "sim/untangle.h"

#include <algorithm>
#include <cmath>

#include "contact/near_pairs.h"

namespace tendril::sim {
namespace {

constexpr int most_rounds = 600;
constexpr int smooth_rounds = 300;      // the first ones, in which the rods' ways are smoothed, less and less
constexpr double smoothing = 0.25;      // of a vertex towards the mean of its neighbours
constexpr int length_sweeps = 4;        // in each round
constexpr double aim_over_reach = 0.5;  // the gap that a pair is pushed to, over the reach of its barrier

// the rods on their way out
class Tangle {
 public:
  Tangle(const Model& model, const ContactOptions& options, const State& start)
      : model_(model),
        start_(start),
        x_(start.x),
        near_(model, start, options),
        free_(model.vertices.size(), {1, 1, 1}) {
    for (const Tie& tie : model.ties)
      for (int k = 0; k < 3; ++k)
        if (tie.held[k]) free_[tie.vertex][k] = 0;
    for (std::size_t b = 0; b < start.body_x.size(); ++b) bodies_.push_back({start.body_x[b], start.body_q[b]});
    for (const Segment& s : model.segments) length_.push_back(norm(start.x[s.vertex[1]] - start.x[s.vertex[0]]));
    push_.resize(x_.size()), push_count_.resize(x_.size());
  }

  const std::vector<Vec3d>& x() const { return x_; }

  // lets all that overlaps push at once, each vertex by the mean of its pushes; how many pairs did
  int push_apart() {
    std::fill(push_.begin(), push_.end(), Vec3d{}), std::fill(push_count_.begin(), push_count_.end(), 0);
    int count = 0;
    for (const NearPair& pair : near_.find(x_, bodies_)) {
      if (!pair.overlaps()) continue;
      ++count;
      if (pair.body_a >= 0) continue;  // bodies stay where they are
      if (pair.body < 0)
        push_segments(pair);
      else
        push_from_solid(pair);
    }
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (push_count_[i] > 0) x_[i] += push_[i] / push_count_[i];
    return count;
  }

  // what a vertex has moved goes a little towards what its neighbours have
  void smooth(double strength) {
    std::vector<Vec3d> sum(x_.size());
    std::vector<double> count(x_.size(), 0);
    for (const Segment& s : model_.segments)
      for (int k = 0; k < 2; ++k) sum[s.vertex[k]] += moved(s.vertex[1 - k]), ++count[s.vertex[k]];
    std::vector<Vec3d> next = x_;
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (count[i] > 0) next[i] += strength * scale(free_[i], sum[i] / count[i] - moved(int(i)));
    x_ = std::move(next);
  }

  // segment by segment, both ways along the rods
  void restore_lengths() {
    const int last = int(model_.segments.size()) - 1;
    for (int s = 0; s <= last; ++s) restore_length(s);
    for (int s = last; s >= 0; --s) restore_length(s);
  }

  Vec3d moved(int i) const { return x_[i] - start_.x[i]; }
  double stretch(int s) const {
    const int* i = model_.segments[s].vertex;
    return length_[s] > 0 ? std::abs(norm(x_[i[1]] - x_[i[0]]) / length_[s] - 1) : 0;
  }

 private:
  // The points of a and b that are nearest go apart along the normal, as vertices with weights c; those that can move
  // share the way so that  Σ c dx = push  with the least Σ dx².
  void push_segments(const NearPair& pair) {
    const int *a = model_.segments[pair.a].vertex, *b = model_.segments[pair.b].vertex;
    const int vertex[4] = {a[0], a[1], b[0], b[1]};
    const double weight[4] = {1 - pair.s, pair.s, pair.t - 1, -pair.t};
    double mobility = 0;
    for (int k = 0; k < 4; ++k)
      mobility += weight[k] * weight[k] * dot(pair.normal, scale(free_[vertex[k]], pair.normal));
    if (mobility < 1e-12) return;
    const double way = (aim_over_reach * pair.reach - pair.gap) / mobility;
    for (int k = 0; k < 4; ++k)
      if (weight[k] != 0) push(vertex[k], weight[k] * way * pair.normal);
  }

  // both vertices go above the plane on the solid
  void push_from_solid(const NearPair& pair) {
    const int* a = model_.segments[pair.a].vertex;
    const double height[2] = {dot(pair.normal, x_[a[0]]), dot(pair.normal, x_[a[1]])};
    const double goal = std::min(height[0], height[1]) - pair.gap + aim_over_reach * pair.reach;
    for (int k = 0; k < 2; ++k)
      if (height[k] < goal) push(a[k], (goal - height[k]) * pair.normal);
  }

  void push(int i, const Vec3d& way) { push_[i] += scale(free_[i], way), ++push_count_[i]; }

  void restore_length(int s) {
    const int* i = model_.segments[s].vertex;
    const Vec3d along = x_[i[1]] - x_[i[0]];
    const double length = norm(along), mobility = norm(free_[i[0]]) + norm(free_[i[1]]);
    if (length == 0 || mobility == 0) return;
    const Vec3d way = ((length - length_[s]) / (length * mobility)) * along;
    x_[i[0]] += norm(free_[i[0]]) * scale(free_[i[0]], way);
    x_[i[1]] -= norm(free_[i[1]]) * scale(free_[i[1]], way);
  }

  const Model& model_;
  const State& start_;
  std::vector<Vec3d> x_;
  NearPairs near_;
  std::vector<Vec3d> free_;  // axes (vertex)
  std::vector<Pose> bodies_;
  std::vector<double> length_;  // at the start (segment) [m]
  std::vector<Vec3d> push_;     // sum in this round (vertex) [m]
  std::vector<double> push_count_;
};

// each frame turns as its segment does, and no more
void carry_frames(const Model& model, const std::vector<Vec3d>& x, State& state) {
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const int* i = model.segments[s].vertex;
    const Vec3d before = state.x[i[1]] - state.x[i[0]], after = x[i[1]] - x[i[0]];
    if (before == after || norm(before) == 0 || norm(after) == 0) continue;
    state.q[s] = normalized(rotation_between(normalized(before), normalized(after)) * state.q[s]);
  }
}

}  // namespace

UntangleReport untangle(const Model& model, const ContactOptions& options, State& state) {
  UntangleReport report;
  if (!options.enabled) return report.is_done = true, report;
  Tangle tangle(model, options, state);
  for (; report.rounds < most_rounds; ++report.rounds) {
    const int pairs = tangle.push_apart();
    if (report.rounds == 0) report.pairs = pairs;
    report.is_done = pairs == 0;
    if (report.is_done) break;
    const double strength = smoothing * (1 - double(report.rounds) / smooth_rounds);
    if (strength > 0) tangle.smooth(strength);
    for (int n = 0; n < length_sweeps; ++n) tangle.restore_lengths();
  }
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const double way = norm(tangle.moved(int(i)));
    report.farthest = std::max(report.farthest, way), report.moved_vertices += way > 0;
  }
  for (std::size_t s = 0; s < model.segments.size(); ++s)
    report.largest_stretch = std::max(report.largest_stretch, tangle.stretch(int(s)));
  carry_frames(model, tangle.x(), state);
  state.x = tangle.x();
  return report;
}

}  // namespace tendril::sim
