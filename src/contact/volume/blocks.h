#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace tendril::math {
class ThreadTeam;
}

namespace tendril::contact {

namespace volume {

constexpr int block_edge = 4;                                      // cells, and nodes of its own, along each axis
constexpr int block_nodes = block_edge * block_edge * block_edge;  // at the lower corners of its cells
constexpr int tile_edge = block_edge + 1;                          // nodes that its cells touch, along each axis
constexpr int tile_nodes = tile_edge * tile_edge * tile_edge;

using Cell = std::array<std::int64_t, 3>;

constexpr int node_of(int i, int j, int k) { return i + block_edge * (j + block_edge * k); }
constexpr int tile_node_of(int i, int j, int k) { return i + tile_edge * (j + tile_edge * k); }

// vertices that follow each other in number, all in one block
struct Run {
  int first, count;
};

// A table of keys, each with the number at which it came.
class KeyTable {
 public:
  void clear(std::size_t expected);
  int number_of(std::uint64_t key);   // a new one gets the next number
  int find(std::uint64_t key) const;  // -1: it is not there
  const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  std::size_t slot_of(std::uint64_t key) const;
  void grow();

  std::vector<std::uint64_t> keys_;  // (number)
  std::vector<int> slots_;           // number, or -1; a power of two of them, at most half of them taken
};

// The grid, as far as there is hair: blocks of 4 x 4 x 4 cells, and in each the vertices that are in it, in an order
// that does not depend on threads. The nodes that the cells of a block touch lie in it and in the seven blocks above
// it, which exist too, though they may be empty.
class Blocks {
 public:
  void sort(std::span<const Vec3d> x, double cell, ThreadTeam& team);

  int count() const { return int(table_.keys().size()); }
  Cell first_cell(int block) const;  // in cells from the origin
  std::span<const Run> runs(int block) const {
    return {runs_.data() + first_run_[block], runs_.data() + first_run_[block + 1]};
  }
  // visit(vertex) for those in a block; what `arrays` hold of vertices is fetched some runs ahead, since runs lie far
  // apart
  template <class Visit, class... Arrays>
  void for_vertices(int block, Visit visit, const Arrays&... arrays) const {
    constexpr int ahead = 6, line = 64;  // runs; bytes of a cache line
    const std::span<const Run> all = runs(block);
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (r + ahead < all.size()) {
        const Run& later = all[r + ahead];
        const auto fetch = [&](const auto* of) {
          const char *begin = reinterpret_cast<const char*>(of + later.first),
                     *end = reinterpret_cast<const char*>(of + later.first + later.count);
          for (; begin < end; begin += line) __builtin_prefetch(begin);
          __builtin_prefetch(end - 1);
        };
        (fetch(arrays.data()), ...);
      }
      for (int i = all[r].first; i < all[r].first + all[r].count; ++i) visit(i);
    }
  }
  // steps of -1, 0, 1 along the axes; -1: there is none
  int neighbour(int block, int i, int j, int k) const {
    return neighbours_[27 * std::size_t(block) + std::size_t(13 + i + 3 * j + 9 * k)];
  }

 private:
  // the runs of some vertices, and where those of one block among them begin
  struct Chunk {
    struct Group {
      std::uint64_t key;
      int first, block;
    };
    std::vector<std::pair<std::uint64_t, Run>> runs;
    std::vector<Group> groups;
  };

  void gather(std::span<const Vec3d> x, double cell, int first, int count, Chunk& chunk) const;
  void number_blocks();
  void list_runs(ThreadTeam& team);
  void find_neighbours(ThreadTeam& team);

  std::vector<Chunk> chunks_;
  KeyTable table_;
  std::vector<int> first_run_;  // (block), and the end
  std::vector<Run> runs_;
  std::vector<int> neighbours_;  // 27 of each (block)
};

}  // namespace volume
}  // namespace tendril::contact
