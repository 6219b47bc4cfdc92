#include "solvers/stable/division.h"

#include <algorithm>
#include <cmath>

namespace tendril::stable {

namespace {

// how far a worker's border may be from an even one, as a part of a worker's packs
constexpr double unevenness = 0.15;

// the first pack of a group that stands after a place of the walk
int border(const Group& group, const Places& places, int place, int worker, int workers) {
  const auto first = places.of_pack.begin() + group.first_pack;
  const int by_place = static_cast<int>(std::lower_bound(first, first + group.pack_count, place) - first);
  const double even = double(group.pack_count) * worker / workers;
  const double slack = unevenness * group.pack_count / workers;
  return std::clamp(by_place, static_cast<int>(std::lround(even - slack)), static_cast<int>(std::lround(even + slack)));
}

}  // namespace

Division::Division(const std::vector<Group>& groups, const Places& places, int workers) : workers_(workers) {
  for (const Group& group : groups) {
    int begin = 0;
    for (int worker = 0; worker < workers; ++worker) {
      const int place = static_cast<int>(static_cast<long>(places.count) * (worker + 1) / workers);
      const int end = worker + 1 == workers ? group.pack_count : border(group, places, place, worker + 1, workers);
      shares_.push_back({group.first_pack + begin, group.first_pack + end});
      begin = end;
    }
  }
}

}  // namespace tendril::stable
