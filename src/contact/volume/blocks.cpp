#include "contact/volume/blocks.h"

#include <algorithm>
#include <cmath>

#include "math/thread_team.h"

namespace tendril::contact::volume {
namespace {

constexpr int chunk_size = 4096;                // vertices; whoever gathers them finds the same runs
constexpr int bits = 21;                        // of a key, along each axis
constexpr std::int64_t half = 1 << (bits - 1);  // blocks on either side of the origin
constexpr std::uint64_t nowhere = ~std::uint64_t(0);

// what a step of that many blocks adds to a key
std::uint64_t step_of(std::int64_t i, std::int64_t j, std::int64_t k) {
  return std::uint64_t(i + (j << bits) + (k << (2 * bits)));
}

std::uint64_t key_of(std::int64_t i, std::int64_t j, std::int64_t k) { return step_of(i + half, j + half, k + half); }

std::int64_t block_along(std::uint64_t key, int axis) {
  return std::int64_t(key >> (bits * axis) & ((1u << bits) - 1)) - half;
}

// the block around a point; what is further than half a million blocks from the origin has none
std::uint64_t block_around(const Vec3d& x, double blocks_per_metre) {
  constexpr double far = half - 1;
  const Vec3d b{std::floor(blocks_per_metre * x.x), std::floor(blocks_per_metre * x.y),
                std::floor(blocks_per_metre * x.z)};
  if (!(std::abs(b.x) < far && std::abs(b.y) < far && std::abs(b.z) < far)) return nowhere;
  return key_of(std::int64_t(b.x), std::int64_t(b.y), std::int64_t(b.z));
}

}  // namespace

void KeyTable::clear(std::size_t expected) {
  keys_.clear();
  std::size_t size = 64;
  while (size < 2 * expected) size *= 2;
  slots_.assign(size, -1);
}

// where a key is, or where it would be
std::size_t KeyTable::slot_of(std::uint64_t key) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = (key * 0x9e3779b97f4a7c15u >> 32) & last;  // Fibonacci's hash: neighbours go far apart
  while (slots_[slot] >= 0 && keys_[slots_[slot]] != key) slot = (slot + 1) & last;
  return slot;
}

int KeyTable::number_of(std::uint64_t key) {
  std::size_t slot = slot_of(key);
  if (slots_[slot] >= 0) return slots_[slot];
  if (2 * (keys_.size() + 1) > slots_.size()) grow(), slot = slot_of(key);
  keys_.push_back(key);
  return slots_[slot] = int(keys_.size()) - 1;
}

int KeyTable::find(std::uint64_t key) const { return slots_.empty() ? -1 : slots_[slot_of(key)]; }

void KeyTable::grow() {
  slots_.assign(2 * slots_.size(), -1);
  for (std::size_t k = 0; k < keys_.size(); ++k) slots_[slot_of(keys_[k])] = int(k);
}

void Blocks::sort(std::span<const Vec3d> x, double cell, ThreadTeam& team) {
  const int vertices = int(x.size());
  chunks_.resize(std::size_t((vertices + chunk_size - 1) / chunk_size));
  team.run(int(chunks_.size()), [&](int c, int) {
    gather(x, cell, c * chunk_size, std::min(chunk_size, vertices - c * chunk_size), chunks_[c]);
  });
  number_blocks();
  list_runs(team);
  find_neighbours(team);
}

// the runs of a chunk of vertices, those of a block together
void Blocks::gather(std::span<const Vec3d> x, double cell, int first, int count, Chunk& chunk) const {
  chunk.runs.clear(), chunk.groups.clear();
  const double blocks_per_metre = 1 / (block_edge * cell);
  std::uint64_t last = nowhere;
  for (int i = first; i < first + count; ++i) {
    const std::uint64_t key = block_around(x[i], blocks_per_metre);
    if (key != nowhere) {
      if (key == last)
        ++chunk.runs.back().second.count;
      else
        chunk.runs.push_back({key, {i, 1}});
    }
    last = key;
  }
  std::sort(chunk.runs.begin(), chunk.runs.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.first < b.second.first;
  });
  for (std::size_t r = 0; r < chunk.runs.size(); ++r)
    if (r == 0 || chunk.runs[r].first != chunk.runs[r - 1].first)
      chunk.groups.push_back({chunk.runs[r].first, int(r), -1});
}

// in the order in which the chunks name them; then those above them
void Blocks::number_blocks() {
  table_.clear(2 * table_.keys().size());
  for (Chunk& chunk : chunks_)
    for (Chunk::Group& group : chunk.groups) group.block = table_.number_of(group.key);
  const int occupied = count();
  for (int b = 0; b < occupied; ++b) {
    const std::uint64_t key = table_.keys()[b];
    for (int above = 1; above < 8; ++above) table_.number_of(key + step_of(above & 1, above >> 1 & 1, above >> 2));
  }
}

void Blocks::list_runs(ThreadTeam& team) {
  const auto count_of = [](const Chunk& chunk, std::size_t g) {
    const int end = g + 1 < chunk.groups.size() ? chunk.groups[g + 1].first : int(chunk.runs.size());
    return end - chunk.groups[g].first;
  };
  first_run_.assign(std::size_t(count()) + 1, 0);
  for (const Chunk& chunk : chunks_)
    for (std::size_t g = 0; g < chunk.groups.size(); ++g) first_run_[chunk.groups[g].block + 1] += count_of(chunk, g);
  for (std::size_t b = 1; b < first_run_.size(); ++b) first_run_[b] += first_run_[b - 1];
  runs_.resize(std::size_t(first_run_.back()));

  std::vector<int> next(first_run_.begin(), first_run_.end() - 1);
  std::vector<std::vector<int>> begin(chunks_.size());  // where each group goes
  for (std::size_t c = 0; c < chunks_.size(); ++c)
    for (std::size_t g = 0; g < chunks_[c].groups.size(); ++g) {
      int& at = next[chunks_[c].groups[g].block];
      begin[c].push_back(at);
      at += count_of(chunks_[c], g);
    }
  team.run(int(chunks_.size()), [&](int c, int) {
    const Chunk& chunk = chunks_[c];
    for (std::size_t g = 0; g < chunk.groups.size(); ++g)
      for (int r = 0; r < count_of(chunk, g); ++r)
        runs_[std::size_t(begin[c][g] + r)] = chunk.runs[std::size_t(chunk.groups[g].first + r)].second;
  });
}

void Blocks::find_neighbours(ThreadTeam& team) {
  neighbours_.resize(27 * std::size_t(count()));
  team.for_each(count(), [&](int b, int) {
    const std::uint64_t key = table_.keys()[b];
    for (int n = 0; n < 27; ++n)
      neighbours_[27 * std::size_t(b) + std::size_t(n)] =
          table_.find(key + step_of(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
  });
}

Cell Blocks::first_cell(int block) const {
  const std::uint64_t key = table_.keys()[block];
  return {block_edge * block_along(key, 0), block_edge * block_along(key, 1), block_edge * block_along(key, 2)};
}

}  // namespace tendril::contact::volume
