#include "solvers/stable/regions/entries.h"

#include <utility>

#include "contact/for_all.h"

namespace tendril::solvers::stable {

void Entries::list(std::span<const Pair> pairs, std::span<const char> planes, std::size_t vertices, ThreadTeam& team) {
  const int count = static_cast<int>(pairs.size());
  const int shares = shares_for(&team, pairs.size()) > 1 ? team.size() : 1;  // few: each looks at every vertex
  std::vector<std::vector<int>> next(shares, std::vector<int>(vertices));    // entry of each vertex (share, vertex)
  const auto visit = [&](auto take) {
    const auto visit_share = [&](int number, int) {
      const Share share = share_of(count, number, shares);
      for (int p = share.begin; p < share.end; ++p)
        for (int k = 0; k < 4; ++k)
          if (const int i = pairs[p].vertex[k]; i >= 0)
            take(4 * static_cast<std::size_t>(p) + k, std::exchange(next[number][i], next[number][i] + planes[p]));
    };
    shares > 1 ? team.run(shares, visit_share) : visit_share(0, 0);
  };
  visit([](std::size_t, int) {});  // how many
  first.resize(vertices + 1), of_pair.resize(4 * pairs.size());
  int sum = 0;
  for (std::size_t i = 0; i < vertices; ++i) {
    first[i] = sum;
    for (std::vector<int>& of_share : next) sum += std::exchange(of_share[i], sum);
  }
  first[vertices] = sum;
  visit([&](std::size_t place, int entry) { of_pair[place] = entry; });
}

}  // namespace tendril::solvers::stable
