#pragma once

#include <vector>

#include "render/chains.h"
#include "rod/model.h"

namespace tendril::render {

// Which strands are drawn as hair: lit as fibres, and seen through as far as they are thinner than a pixel. Others are
// lit as tubes, and at least as thick as the eye can see.
enum class HairStyle {
  automatic,  // strands as thin as hair, where there are as many as make a head of hair: see below
  all,
  none,
};

constexpr double thickest_hair = 1e-4;  // radius: of human hair 10 to 90 µm, of finer yarn more [m]
// Fewer strands are lines that somebody wants to see, one by one; so many cover a part of what is behind them.
constexpr int fewest_hairs = 1000;

// (chain)
std::vector<char> hair_among(const Model& model, const Chains& chains, HairStyle style);

}  // namespace tendril::render
