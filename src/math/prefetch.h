#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "layers.h"

namespace tendril::math {

constexpr std::size_t cache_line = 64;  // [B]

// What is needed soon is asked for now, into the second level of the cache: the first has room for few requests at a
// time, with which memory is half as fast. Nothing but the time depends on it, so all that asks has to be inlined: the
// compiler leaves out calls that do nothing else.
template <class Item>
[[gnu::always_inline]] inline void ask_for(const Item& item) {
  __builtin_prefetch(&item, 0, 2);
}
// all lines of it
template <class Item>
[[gnu::always_inline]] inline void ask_for_all_of(const Item& item) {
  const char* const first = reinterpret_cast<const char*>(&item);
#pragma GCC unroll 64
  for (std::size_t at = 0; at < sizeof item; at += cache_line) ask_for(first[at]);
}
// an address, not an item: behind the end of the list nothing is read
template <class Item>
[[gnu::always_inline]] inline void ask_for(const std::vector<Item>& list, std::size_t n) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(list.data()) + n * sizeof(Item)), 0,
                     2);
}
// count items from n on
template <class Item>
[[gnu::always_inline]] inline void ask_for(const std::vector<Item>& list, std::size_t n, int count) {
  for (int k = 0; k < count; k += std::max<int>(cache_line / sizeof(Item), 1)) ask_for(list, n + k);
}

}  // namespace tendril::math
