#include "scene/curves/share.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace tendril::scene {

// what lies above the least shares is shared by what the weights ask for beyond them:
// the level f with sum max(least, f weight) = total is found by bisection, then rounded
std::vector<int> share_out(int total, const std::vector<double>& weights, const std::vector<int>& least) {
  const size_t count = weights.size();
  const auto wish = [&](size_t k, double level) { return std::max<double>(least[k], level * weights[k]); };
  const auto sum = [&](double level) {
    double all = 0;
    for (size_t k = 0; k < count; ++k) all += wish(k, level);
    return all;
  };
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  assert(weight > 0 && std::accumulate(least.begin(), least.end(), 0L) <= total);
  double low = 0, high = total / weight;
  for (int step = 0; step < 100; ++step) {
    const double middle = 0.5 * (low + high);
    (sum(middle) <= total ? low : high) = middle;
  }

  std::vector<int> shares(count);
  std::vector<size_t> by_remainder(count);
  int left = total;
  for (size_t k = 0; k < count; ++k) left -= shares[k] = static_cast<int>(wish(k, low));
  std::iota(by_remainder.begin(), by_remainder.end(), size_t{0});
  std::stable_sort(by_remainder.begin(), by_remainder.end(),
                   [&](size_t a, size_t b) { return wish(a, low) - shares[a] > wish(b, low) - shares[b]; });
  assert(left >= 0);
  for (int k = 0; k < left; ++k) ++shares[by_remainder[k % count]];
  return shares;
}

}  // namespace tendril::scene
