#pragma once

#include <cstddef>

#include "math/thread_team.h"

namespace tendril {

// visit(i) for all i below count, on the threads of a team where that is worth while
template <class Visit>
void for_all(ThreadTeam* team, std::size_t count, Visit visit) {
  constexpr std::size_t worth_sharing = 2000;  // fewer are done sooner than shared
  if (!team || team->size() == 1 || count < worth_sharing) {
    for (std::size_t i = 0; i < count; ++i) visit(i);
    return;
  }
  team->run([&](int worker) {
    const Share share = share_of(static_cast<int>(count), worker, team->size());
    for (int i = share.begin; i < share.end; ++i) visit(static_cast<std::size_t>(i));
  });
}

}  // namespace tendril
