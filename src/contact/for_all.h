#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "math/thread_team.h"

namespace tendril::contact {

// fewer small things are done sooner than shared
constexpr std::size_t worth_sharing = 2000;

// into how many shares for_shares divides so many things
inline int shares_for(const ThreadTeam* team, std::size_t count, std::size_t least = worth_sharing) {
  return !team || count < least ? 1 : team->chunks_of(static_cast<int>(count));
}

// visit(share of count, its number) on the threads of a team where that is worth while; shares follow one another
template <class Visit>
void for_shares(ThreadTeam* team, std::size_t count, Visit visit, std::size_t least = worth_sharing) {
  const int shares = shares_for(team, count, least), all = static_cast<int>(count);
  if (shares == 1) return visit(Share{0, all}, 0);
  team->run(shares, [&](int share, int) { visit(share_of(all, share, shares), share); });
}

// visit(i) for all i below count
template <class Visit>
void for_all(ThreadTeam* team, std::size_t count, Visit visit, std::size_t least = worth_sharing) {
  for_shares(
      team, count,
      [&](Share share, int) {
        for (int i = share.begin; i < share.end; ++i) visit(static_cast<std::size_t>(i));
      },
      least);
}

// whether something is so for all i below count
template <class Holds>
bool holds_for_all(ThreadTeam* team, std::size_t count, Holds holds) {
  std::atomic<bool> all = true;
  for_shares(team, count, [&](Share share, int) {
    for (int i = share.begin; i < share.end; ++i)
      if (!holds(static_cast<std::size_t>(i))) return all.store(false, std::memory_order_relaxed);
  });
  return all;
}

// the i below count for which something is so, ascending
template <class Holds>
std::vector<int> all_where(ThreadTeam* team, std::size_t count, Holds holds, std::size_t least = worth_sharing) {
  std::vector<std::vector<int>> found(shares_for(team, count, least));  // (share)
  for_shares(
      team, count,
      [&](Share share, int number) {
        for (int i = share.begin; i < share.end; ++i)
          if (holds(static_cast<std::size_t>(i))) found[number].push_back(i);
      },
      least);
  if (found.size() == 1) return std::move(found[0]);
  std::vector<int> all;
  for (const std::vector<int>& part : found) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace tendril::contact
