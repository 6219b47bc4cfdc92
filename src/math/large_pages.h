#pragma once

#include <cstdint>
#include <vector>

#if defined(__linux__)
#include <linux/mman.h>
#include <sys/mman.h>
#endif

#include "layers.h"

namespace tendril::math {

// Large arrays that are read from end to end in every step, in pages of 2 MB in place of 4 kB: where these are in
// memory need not be looked up so often. What lies beside them in the same pages comes along. Where the system has
// none, nothing happens.
template <class Item>
void move_to_large_pages([[maybe_unused]] const std::vector<Item>& items) {
#if defined(MADV_COLLAPSE)
  constexpr std::uintptr_t page = 2 << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(items.data()), end = begin + items.size() * sizeof(Item);
  if (end - begin < page / 4) return;
  // one by one: the first and the last may not be all ours, and then they stay as they are
  for (std::uintptr_t at = begin / page * page; at < end; at += page)
    madvise(reinterpret_cast<void*>(at), page, MADV_COLLAPSE);
#endif
}

template <class Item>
void resize_in_large_pages(std::vector<Item>& items, std::size_t count) {
  const Item* const before = items.data();
  items.resize(count);
  if (items.data() != before) move_to_large_pages(items);
}

}  // namespace tendril::math
