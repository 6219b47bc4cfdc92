#include "solvers/alpha/chain.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace tendril::solvers::alpha {
namespace {

struct Ends {
  std::array<int, 2> segment{-1, -1};  // that meet at a vertex
  int count = 0;
};

std::vector<Ends> ends_at(const Model& model) {
  std::vector<Ends> ends(model.vertices.size());
  for (std::size_t s = 0; s < model.segments.size(); ++s)
    for (int i : model.segments[s].vertex) {
      assert(ends[i].count < 2 && "chains have no branches");
      ends[i].segment[ends[i].count++] = static_cast<int>(s);
    }
  return ends;
}

Chain chain_from(int start, const Model& model, const std::vector<Ends>& ends, std::vector<char>& is_taken) {
  Chain chain;
  chain.vertices.push_back(start);
  is_taken[start] = true;
  for (int i = start, last = -1;;) {
    int next = -1;
    for (int k = 0; k < ends[i].count; ++k)
      if (ends[i].segment[k] != last) next = ends[i].segment[k];
    if (next < 0) break;
    const auto [p, q] = model.segments[next].vertex;
    i = i == p ? q : p, last = next;
    assert(!is_taken[i] && "chains have no loops");
    chain.segments.push_back(next), chain.vertices.push_back(i), is_taken[i] = true;
  }
  return chain;
}

struct Place {
  int chain = -1, segment = -1;
};

// both frames of a bend, and the chain they belong to
void add_bend(const Model& model, int b, const std::vector<Place>& place, std::vector<Chain>& chains) {
  const Bend& bend = model.bends[b];
  ChainBend out{b, -1, -1};
  int chain = -1;
  if (!bend.a.is_body) out.a = place[bend.a.index].segment, chain = place[bend.a.index].chain;
  if (!bend.b.is_body) out.b = place[bend.b.index].segment, chain = place[bend.b.index].chain;
  if (chain < 0) return;
  assert(out.a < 0 || out.b < 0 || std::abs(out.a - out.b) == 1);
  if (out.a < 0 || out.b < 0) chains[chain].is_free = false;
  chains[chain].bends.push_back(out);
}

}  // namespace

std::vector<Chain> chains_of(const Model& model) {
  const std::vector<Ends> ends = ends_at(model);
  std::vector<char> is_taken(ends.size(), false);
  std::vector<Chain> chains;
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (ends[i].count < 2 && !is_taken[i]) chains.push_back(chain_from(static_cast<int>(i), model, ends, is_taken));
  std::vector<Place> place(model.segments.size());
  std::vector<int> chain_of_vertex(model.vertices.size(), -1);
  for (std::size_t c = 0; c < chains.size(); ++c) {
    for (int k = 0; k < chains[c].segment_count(); ++k) place[chains[c].segments[k]] = {static_cast<int>(c), k};
    for (int i : chains[c].vertices) chain_of_vertex[i] = static_cast<int>(c);
  }
  for (const Tie& tie : model.ties) chains[chain_of_vertex[tie.vertex]].is_free = false;
  for (std::size_t b = 0; b < model.bends.size(); ++b) add_bend(model, static_cast<int>(b), place, chains);
  for (Chain& chain : chains) {
    chain.number = static_cast<int>(&chain - chains.data());
    std::stable_sort(chain.bends.begin(), chain.bends.end(),
                     [](const ChainBend& a, const ChainBend& b) { return a.later() < b.later(); });
    for (int k = 0; k <= chain.segment_count(); ++k)
      chain.first_bend.push_back(
          static_cast<int>(std::lower_bound(chain.bends.begin(), chain.bends.end(), k,
                                            [](const ChainBend& bend, int segment) { return bend.later() < segment; }) -
                           chain.bends.begin()));
  }
  return chains;
}

}  // namespace tendril::solvers::alpha
