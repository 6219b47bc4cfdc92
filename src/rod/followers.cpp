#include "rod/followers.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace tendril::rod {
namespace {

// half-way between the segments that meet at the vertex
Quatd section_frame(const FollowerGuide& guide, const State& state) {
  if (guide.segment_before < 0) return state.q[guide.segment_after];
  if (guide.segment_after < 0) return state.q[guide.segment_before];
  const Quatd &before = state.q[guide.segment_before], &after = state.q[guide.segment_after];
  return normalized(before + (dot(before, after) < 0 ? -after : after));
}

Vec3d section_spin(const FollowerGuide& guide, const State& state) {
  if (guide.segment_before < 0) return state.omega[guide.segment_after];
  if (guide.segment_after < 0) return state.omega[guide.segment_before];
  return 0.5 * (state.omega[guide.segment_before] + state.omega[guide.segment_after]);
}

// visit(guide) summed over the guides of each point
template <class Visit>
std::vector<Vec3d> sum_over_guides(const Followers& followers, Visit visit) {
  std::vector<Vec3d> sums(followers.radius.size());
  for (std::size_t p = 0; p < sums.size(); ++p)
    for (int g = followers.first_guide[p]; g < followers.first_guide[p + 1]; ++g)
      sums[p] += followers.guides[g].weight * visit(followers.guides[g]);
  return sums;
}

int segment_with(const FollowerGuide& guide) {
  return guide.segment_after >= 0 ? guide.segment_after : guide.segment_before;
}

// the frame of a guide turned by the least that takes its d3 along an edge
Quatd frame_along(const Quatd& guide, const Vec3d& edge) {
  const double length = norm(edge);
  if (!(length > 0)) return guide;
  return normalized(rotation_between(director3(guide), edge / length) * guide);
}

}  // namespace

std::vector<Vec3d> follower_positions(const Followers& followers, const State& state) {
  return sum_over_guides(followers, [&](const FollowerGuide& guide) {
    return state.x[guide.vertex] + rotate(section_frame(guide, state), guide.offset);
  });
}

std::vector<Vec3d> follower_velocities(const Followers& followers, const State& state) {
  return sum_over_guides(followers, [&](const FollowerGuide& guide) {
    return state.v[guide.vertex] + cross(section_spin(guide, state), rotate(section_frame(guide, state), guide.offset));
  });
}

std::vector<Vec3d> fibres_of_section(int count, double spread) {
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  std::vector<Vec3d> fibres;
  for (int k = 0; k < count; ++k) {
    const double r = spread * std::sqrt((k + 0.5) / count);
    fibres.push_back({r * std::cos(k * golden), r * std::sin(k * golden), 0});
  }
  return fibres;
}

void add_followers(const Model& model, int rod, int count, const std::vector<double>& spread, Followers& followers) {
  const Rod& guide = model.rods[rod];
  const int points = static_cast<int>(guide.vertices.size()), segments = guide.segment_count;
  assert(static_cast<int>(spread.size()) == points && segments == points - (guide.closed ? 0 : 1));
  if (followers.first_guide.empty()) followers.first_guide.push_back(0);
  const std::vector<Vec3d> fibres = fibres_of_section(count, 1);
  for (int k = 0; k < count; ++k) {
    followers.strands.push_back(
        {guide.name + "/" + std::to_string(k), rod, followers.point_count(), points, guide.closed});
    for (int n = 0; n < points; ++n) {
      FollowerGuide out;
      out.vertex = guide.vertices[n];
      if (n < segments) out.segment_after = guide.first_segment + n;
      if (n > 0) out.segment_before = guide.first_segment + n - 1;
      if (n == 0 && guide.closed) out.segment_before = guide.first_segment + segments - 1;
      out.offset = spread[n] * fibres[k];
      followers.guides.push_back(out);
      followers.first_guide.push_back(static_cast<int>(followers.guides.size()));
      followers.radius.push_back(model.vertices[out.vertex].radius);
    }
  }
}

void add_follower(const Model& model, const State& start, const std::string& name, int rod, std::span<const Vec3d> x,
                  std::span<const GuideStrand> guides, Followers& followers) {
  if (followers.first_guide.empty()) followers.first_guide.push_back(0);
  const int points = static_cast<int>(x.size());
  followers.strands.push_back({name, rod, followers.point_count(), points, false});
  for (int n = 0; n < points; ++n) {
    for (const GuideStrand& guide : guides) {
      const int last = static_cast<int>(guide.vertices.size()) - 1;
      const int k = static_cast<int>(std::lround(double(n) / (points - 1) * last));
      FollowerGuide out;
      out.vertex = guide.vertices[k], out.weight = guide.weight;
      if (k > 0) out.segment_before = guide.first_segment + k - 1;
      if (k < last) out.segment_after = guide.first_segment + k;
      out.offset = rotate(conjugate(section_frame(out, start)), x[n] - start.x[out.vertex]);
      followers.guides.push_back(out);
    }
    const int nearest = followers.first_guide.back();
    followers.first_guide.push_back(static_cast<int>(followers.guides.size()));
    followers.radius.push_back(model.vertices[followers.guides[nearest].vertex].radius);
  }
}

FollowedModel with_followers(const Model& model, const Followers& followers, const State& start) {
  FollowedModel out{model, {}};
  Model& m = out.model;
  std::vector<std::vector<int>> bends_behind(model.segments.size());  // between two segments, by the first (segment)
  for (std::size_t b = 0; b < model.bends.size(); ++b)
    if (const Bend& bend = model.bends[b]; !bend.a.is_body && !bend.b.is_body)
      bends_behind[bend.a.index].push_back(static_cast<int>(b));
  std::vector<int> own(model.segments.size(), -1);  // segment of the strand that goes with it (segment)
  const int first = static_cast<int>(model.vertices.size());
  const std::vector<Vec3d> x = follower_positions(followers, start);
  for (double radius : followers.radius) m.vertices.push_back({.mass = 0, .radius = radius});
  for (const FollowerStrand& strand : followers.strands) {
    Rod rod = model.rods[strand.rod];
    rod.name = strand.name, rod.closed = strand.closed, rod.vertices.clear();
    rod.first_segment = static_cast<int>(m.segments.size()), rod.segment_count = strand.segment_count();
    for (int n = 0; n < strand.point_count; ++n) rod.vertices.push_back(first + strand.first_point + n);
    for (int n = 0; n < strand.segment_count(); ++n) {
      const int a = strand.first_point + n, b = strand.first_point + (n + 1) % strand.point_count;
      const int guide = segment_with(followers.guides[followers.first_guide[a]]);
      Segment segment = model.segments[guide];
      segment.vertex[0] = first + a, segment.vertex[1] = first + b;
      segment.rest_length = norm(x[b] - x[a]), segment.radius = followers.radius[a];
      segment.rod = static_cast<int>(m.rods.size());
      m.segments.push_back(segment);
      out.guide.push_back(guide);
    }
    m.rods.push_back(rod);
    // the bends of its guide, so that it is drawn in the colours of what bends there
    const int begin = rod.first_segment - static_cast<int>(model.segments.size());
    for (int n = 0; n < strand.segment_count(); ++n) own[out.guide[begin + n]] = rod.first_segment + n;
    for (int n = 0; n < strand.segment_count(); ++n)
      for (int b : bends_behind[out.guide[begin + n]]) {
        Bend bend = model.bends[b];
        if (own[bend.b.index] < 0) continue;
        bend.a.index = own[bend.a.index], bend.b.index = own[bend.b.index];
        m.bends.push_back(bend);
      }
    for (int n = 0; n < strand.segment_count(); ++n) own[out.guide[begin + n]] = -1;
  }
  return out;
}

State with_followers(const Followers& followers, const FollowedModel& followed, State state) {
  if (followers.empty()) return state;
  const std::vector<Vec3d> x = follower_positions(followers, state), v = follower_velocities(followers, state);
  state.x.insert(state.x.end(), x.begin(), x.end()), state.v.insert(state.v.end(), v.begin(), v.end());
  const std::size_t first = state.q.size();
  for (std::size_t k = 0; k < followed.guide.size(); ++k) {
    const auto [a, b] = followed.model.segments[first + k].vertex;
    state.q.push_back(frame_along(state.q[followed.guide[k]], state.x[b] - state.x[a]));
    state.omega.push_back(state.omega[followed.guide[k]]);
  }
  return state;
}

std::vector<int> with_followers(const FollowedModel& followed, std::vector<int> broken) {
  if (followed.guide.empty() || broken.empty()) return broken;
  const std::vector<int> guides = broken;
  const int first = static_cast<int>(followed.model.segments.size() - followed.guide.size());
  for (std::size_t k = 0; k < followed.guide.size(); ++k)
    if (std::find(guides.begin(), guides.end(), followed.guide[k]) != guides.end())
      broken.push_back(first + static_cast<int>(k));
  return broken;
}

}  // namespace tendril::rod
