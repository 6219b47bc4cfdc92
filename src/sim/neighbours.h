#pragma once

#include <span>
#include <vector>

#include "rod/model.h"

namespace tendril::sim {

// the segments that meet at each vertex
class Neighbours {
 public:
  explicit Neighbours(const Model& model) : first_(model.vertices.size() + 1) {
    for (const Segment& segment : model.segments)
      for (int i : segment.vertex) ++first_[i + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    segments_.resize(first_.back());
    std::vector<int> next = first_;
    for (std::size_t s = 0; s < model.segments.size(); ++s)
      for (int i : model.segments[s].vertex) segments_[next[i]++] = int(s);
  }
  std::span<const int> of(int vertex) const {
    return {segments_.data() + first_[vertex], std::size_t(first_[vertex + 1] - first_[vertex])};
  }

 private:
  std::vector<int> first_, segments_;
};

}  // namespace tendril::sim
