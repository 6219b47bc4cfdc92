#include "scene/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tendril::scene {
namespace {

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = char(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string join(const std::vector<std::string>& words, const char* quote) {
  constexpr std::size_t shown = 30;
  std::string result;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) result += ", ";
    if (k == shown) return result + "…";
    result.append(quote).append(words[k]).append(quote);
  }
  return result;
}

}  // namespace

std::string listed(const std::vector<std::string>& words) { return join(words, ""); }
std::string listed_in_quotes(const std::vector<std::string>& words) { return join(words, "\""); }

int edit_distance(std::string_view a, std::string_view b) {
  const int n = int(a.size()), m = int(b.size());
  // three rows of the table d[i][j], the distance of the first i letters of a from the first j of b
  std::vector<int> before(m + 1), last(m + 1), row(m + 1);
  for (int j = 0; j <= m; ++j) last[j] = j;
  for (int i = 1; i <= n; ++i) {
    row[0] = i;
    for (int j = 1; j <= m; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[m];
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody mistypes more than that
  if (word.size() > longest) return {};
  std::string best;
  int best_distance = std::max(2, int(word.size()) / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest) continue;
    const int distance = edit_distance(lower(word), lower(candidate));
    if (distance < best_distance && distance < int(std::max(word.size(), candidate.size()))) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest);
}

}  // namespace tendril::scene
