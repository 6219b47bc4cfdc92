#include "render/chains.h"

#include <algorithm>

#include "render/bounds.h"

namespace tendril::render {

namespace {

constexpr int none = -1;
constexpr std::size_t hub = 16;            // more segments at a vertex are a brush, not a crossing of paths
constexpr double least_continuity = 0.35;  // cosine of the sharpest turn that is still drawn smooth

// an end of a segment is 2 s + side; `partner` is the end that continues it through their vertex
class Pairing {
 public:
  Pairing(const Model& model, const State& state) : model_(model), state_(state) {
    list_ends();
    partner_.assign(2 * model.segments.size(), none);
    for (std::size_t i = 0; i < model.vertices.size(); ++i) pair_at(int(i));
  }
  int partner(int end) const { return partner_[end]; }
  int degree(int vertex) const { return first_[vertex + 1] - first_[vertex]; }
  int vertex(int end) const { return model_.segments[end / 2].vertex[end % 2]; }

 private:
  void list_ends() {
    first_.assign(model_.vertices.size() + 1, 0);
    for (const Segment& segment : model_.segments)
      if (!is_broken(segment)) ++first_[segment.vertex[0] + 1], ++first_[segment.vertex[1] + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<int> next = first_;
    ends_.resize(first_.back());
    for (int end = 0; end < 2 * int(model_.segments.size()); ++end)
      if (!is_broken(model_.segments[end / 2])) ends_[next[vertex(end)]++] = end;
  }

  Vec3d direction_away(int end) const {
    const Vec3d d = state_.x[vertex(end ^ 1)] - state_.x[vertex(end)];
    const double length = norm(d);
    return length > 0 ? d / length : Vec3d{};
  }

  // 1 for a straight path of one thickness, negative for one that turns back
  double continuity(int a, int b) const {
    const double ra = drawn_radius(model_, model_.segments[a / 2]), rb = drawn_radius(model_, model_.segments[b / 2]);
    const double likeness = std::max(ra, rb) > 0 ? std::min(ra, rb) / std::max(ra, rb) : 1;
    return -dot(direction_away(a), direction_away(b)) * likeness;
  }

  void join(int a, int b) { partner_[a] = b, partner_[b] = a; }

  void pair_at(int vertex) {
    const std::vector<int> here(ends_.begin() + first_[vertex], ends_.begin() + first_[vertex + 1]);
    if (here.size() < 2 || here.size() > hub) return;
    if (here.size() == 2) {
      if (-dot(direction_away(here[0]), direction_away(here[1])) > least_continuity) join(here[0], here[1]);
      return;
    }
    struct Candidate {
      double continuity;
      int a, b;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < here.size(); ++i)
      for (std::size_t j = i + 1; j < here.size(); ++j) {
        const double c = continuity(here[i], here[j]);
        if (c > least_continuity) candidates.push_back({c, here[i], here[j]});
      }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& p, const Candidate& q) { return p.continuity > q.continuity; });
    for (const Candidate& c : candidates)
      if (partner_[c.a] == none && partner_[c.b] == none) join(c.a, c.b);
  }

  const Model& model_;
  const State& state_;
  std::vector<int> first_, ends_;  // ends at each vertex
  std::vector<int> partner_;
};

}  // namespace

Chains find_chains(const Model& model, const State& state) {
  const Pairing pairing(model, state);
  const int segment_count = int(model.segments.size());
  std::vector<char> taken(segment_count, false);
  Chains result;

  // walks from one end of a segment until a path stops or closes
  const auto walk = [&](int start, bool closed) {
    Chains::Chain chain{.first = int(result.segments.size()), .closed = closed};
    int last = none;
    for (int end = start; end != none && !taken[end / 2]; end = pairing.partner(end ^ 1)) {
      taken[end / 2] = true;
      result.segments.push_back(end / 2);
      result.from.push_back(pairing.vertex(end));
      last = end ^ 1;
    }
    chain.count = int(result.segments.size()) - chain.first;
    chain.joins_start = !closed && pairing.degree(pairing.vertex(start)) > 1;
    chain.joins_end = !closed && pairing.degree(pairing.vertex(last)) > 1;
    result.chains.push_back(chain);
  };

  for (int end = 0; end < 2 * segment_count; ++end)
    if (!is_broken(model.segments[end / 2]) && !taken[end / 2] && pairing.partner(end) == none) walk(end, false);
  for (int s = 0; s < segment_count; ++s)
    if (!is_broken(model.segments[s]) && !taken[s]) walk(2 * s, true);
  return result;
}

}  // namespace tendril::render
