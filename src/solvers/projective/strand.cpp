#include "solvers/projective/strand.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace tendril::solvers::projective {
namespace {

using newton::Problem;

// the segments at each vertex, -1: none
std::vector<std::array<int, 2>> neighbours(const Model& model) {
  std::vector<std::array<int, 2>> at(model.vertices.size(), {-1, -1});
  for (std::size_t s = 0; s < model.segments.size(); ++s)
    for (int i : model.segments[s].vertex) at[i][at[i][0] < 0 ? 0 : 1] = static_cast<int>(s);
  return at;
}

Strand strand_from(int vertex, const Model& model, const std::vector<std::array<int, 2>>& at) {
  Strand strand;
  strand.vertices.push_back(vertex);
  for (int segment = at[vertex][0]; segment >= 0;) {
    const auto& ends = model.segments[segment].vertex;
    const bool is_forward = ends[0] == vertex;
    vertex = ends[is_forward ? 1 : 0];
    strand.segments.push_back(segment), strand.is_forward.push_back(is_forward);
    strand.vertices.push_back(vertex);
    segment = at[vertex][0] == segment ? at[vertex][1] : at[vertex][0];
  }
  strand.joints.resize(strand.segments.size());
  return strand;
}

// where a segment is
struct Place {
  int strand = -1, link = 0;
};

void add_bends(const Problem& problem, const std::vector<Place>& places, std::vector<Strand>& strands) {
  const Model& model = *problem.model;
  for (std::size_t n = 0; n < model.bends.size(); ++n) {
    const rod::Bend& bend = model.bends[n];
    const int b = static_cast<int>(n);
    if (bend.a.is_body && bend.b.is_body) continue;
    if (bend.a.is_body || bend.b.is_body) {
      const Place& place = places[bend.a.is_body ? bend.b.index : bend.a.index];
      strands[place.strand].clamps.push_back(
          {b, place.link, bend.a.is_body, problem.bends[n].scalar || (problem.bends[n].turns && bend.a.is_body)});
      continue;
    }
    const Place &first = places[bend.a.index], &second = places[bend.b.index];
    assert(first.strand == second.strand && std::abs(first.link - second.link) == 1);
    strands[first.strand].joints[std::max(first.link, second.link)] = {b, first.link > second.link};
  }
}

}  // namespace

std::vector<Strand> find_strands(const Problem& problem) {
  const Model& model = *problem.model;
  const auto at = neighbours(model);
  std::vector<Strand> strands;
  std::vector<Place> places(model.segments.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const bool is_end = at[i][0] >= 0 && at[i][1] < 0;
    if (!is_end || places[at[i][0]].strand >= 0) continue;
    Strand strand = strand_from(static_cast<int>(i), model, at);
    for (int k = 0; k < strand.count(); ++k) places[strand.segments[k]] = {static_cast<int>(strands.size()), k};
    strands.push_back(std::move(strand));
  }
  add_bends(problem, places, strands);
  for (Strand& strand : strands)
    std::stable_sort(strand.clamps.begin(), strand.clamps.end(),
                     [](const auto& a, const auto& b) { return a.shape() < b.shape(); });
  return strands;
}

std::vector<int> shape_of(const Strand& strand, const Problem& problem) {
  std::vector<int> numbers{strand.count()};
  for (int i : strand.vertices) numbers.push_back(problem.held_axes[i]);
  for (const Strand::Joint& joint : strand.joints) {
    const bool turns = joint.bend >= 0 && problem.bends[joint.bend].turns;
    numbers.push_back(joint.bend < 0 ? 0 : turns ? 2 : 1);
  }
  for (const Strand::Clamp& clamp : strand.clamps) {
    const auto [link, holder_is_a, is_scalar] = clamp.shape();
    numbers.insert(numbers.end(), {link, holder_is_a, is_scalar});
  }
  return numbers;
}

}  // namespace tendril::solvers::projective
