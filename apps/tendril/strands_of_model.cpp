#include "strands_of_model.h"

#include <algorithm>
#include <unordered_set>

#include "io/file.h"
#include "render/chains.h"

namespace tendril::app {

namespace {

std::vector<double> vertex_radii(const Model& model) {
  std::vector<double> radii;
  for (const Vertex& vertex : model.vertices) radii.push_back(vertex.radius);
  return radii;
}

}  // namespace

StrandsOfModel::StrandsOfModel(const Model& model, const State& start, const std::vector<int>& ever_broken)
    : model_(&model),
      breaks_(model.segments.size(), false),
      vertex_count_(model.vertices.size()),
      segment_count_(model.segments.size()) {
  for (const int s : ever_broken)
    if (s >= 0 && s < int(segment_count_)) breaks_[s] = true;
  strands_.radius = vertex_radii(model);
  std::vector<char> plain;
  for (const Rod& rod : model.rods) {
    plain.push_back(is_plain(rod));
    if (plain.back()) add_plain_rod(rod);
  }
  if (std::find(plain.begin(), plain.end(), false) != plain.end()) add_branched_rods(start, plain);
  strands_.points = moment(start, {}).x;
  model_ = nullptr;
}

// its segments lead from each of its vertices to the next
bool StrandsOfModel::is_plain(const Rod& rod) const {
  const int count = int(rod.vertices.size());
  if (rod.segment_count != count - (rod.closed ? 0 : 1) || rod.segment_count < 1) return false;
  for (int k = 0; k < rod.segment_count; ++k) {
    const Segment& segment = model_->segments[rod.first_segment + k];
    if (segment.vertex[0] != rod.vertices[k] || segment.vertex[1] != rod.vertices[(k + 1) % count]) return false;
  }
  return true;
}

// cut at the segments that break; a loop with such a one begins behind it
void StrandsOfModel::add_plain_rod(const Rod& rod) {
  const auto at = [&](int k) { return rod.first_segment + k % rod.segment_count; };
  int begin = 0;
  while (begin < rod.segment_count && !breaks_[at(begin)]) ++begin;
  const bool whole = begin == rod.segment_count;
  if (!rod.closed || whole) begin = 0;
  Path path{{}, rod.closed && whole};
  for (int k = begin; k < begin + rod.segment_count; ++k) {
    if (!breaks_[at(k)]) {
      path.walks.push_back({at(k), false});
      continue;
    }
    add_strand(rod, path);
    path.walks.clear();
    add_breaking(rod, at(k));
  }
  add_strand(rod, path);
}

// smooth paths through what is left of the graph, each within one rod
void StrandsOfModel::add_branched_rods(const State& start, const std::vector<char>& is_plain) {
  Model graph = *model_;
  for (int s = 0; s < int(segment_count_); ++s)
    if (breaks_[s] || is_plain[graph.segments[s].rod]) graph.segments[s].EA = 0;  // no part of a chain
  const Chains chains = find_chains(graph, start);
  for (const Chains::Chain& chain : chains.chains) {
    Path path{{}, chain.closed};
    int rod = model_->segments[chains.segments[chain.first]].rod;
    for (int slot = chain.first; slot < chain.first + chain.count; ++slot) {
      const int s = chains.segments[slot];
      if (model_->segments[s].rod != rod) {
        path.closed = false;
        add_strand(model_->rods[rod], path);
        path.walks.clear();
        rod = model_->segments[s].rod;
      }
      path.walks.push_back({s, model_->segments[s].vertex[0] != chains.from[slot]});
    }
    add_strand(model_->rods[rod], path);
  }
  for (int s = 0; s < int(segment_count_); ++s)
    if (breaks_[s] && !is_plain[model_->segments[s].rod]) add_breaking(model_->rods[model_->segments[s].rod], s);
}

void StrandsOfModel::add_strand(const Rod& rod, const Path& path) {
  if (path.walks.empty()) return;
  Strand strand{rod.name, {}, path.closed, rod.color};
  for (const Walk& walk : path.walks) {
    strand.points.push_back(model_->segments[walk.segment].vertex[walk.backwards]);
    walks_.push_back(walk);
  }
  const Walk& last = path.walks.back();
  if (!path.closed) strand.points.push_back(model_->segments[last.segment].vertex[!last.backwards]);
  strands_.strands.push_back(std::move(strand));
}

void StrandsOfModel::add_breaking(const Rod& rod, int s) {
  const int* ends = model_->segments[s].vertex;
  const int far = int(vertex_count_ + far_points_.size());
  far_points_.push_back({s, ends[0], ends[1]});
  strands_.radius.push_back(model_->vertices[ends[1]].radius);
  strands_.strands.push_back({rod.name, {ends[0], far}, false, rod.color});
  walks_.push_back({s, false});
}

Moment StrandsOfModel::moment(const State& state, const std::vector<int>& broken) const {
  if (state.x.size() != vertex_count_ || state.v.size() != vertex_count_ || state.q.size() != segment_count_)
    throw FileError("a frame does not belong to the scene of its run");
  Moment moment{state.time, state.x, state.v, {}};
  const std::unordered_set<int> gone(broken.begin(), broken.end());
  for (const FarPoint& far : far_points_) {
    const int i = gone.contains(far.segment) ? far.first : far.second;
    moment.x.push_back(state.x[i]);
    moment.v.push_back(state.v[i]);
  }
  const Quatd half_turn{0, 1, 0, 0};  // about d1: d3 the other way
  for (const Walk& walk : walks_)
    moment.q.push_back(walk.backwards ? state.q[walk.segment] * half_turn : state.q[walk.segment]);
  return moment;
}

Strands vertices_of_rods(const Model& model) {
  Strands strands;
  for (const Rod& rod : model.rods) strands.strands.push_back({rod.name, rod.vertices, false, rod.color});
  strands.radius = vertex_radii(model);
  return strands;
}

}  // namespace tendril::app
