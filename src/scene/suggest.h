#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layers.h"

namespace tendril::scene {

// insertions, deletions, replacements and swaps of neighbours that turn one word into the other
int edit_distance(std::string_view a, std::string_view b);

// `a, b, c` and `"a", "b", "c"`; long lists end in …
std::string listed(const std::vector<std::string>& words);
std::string listed_in_quotes(const std::vector<std::string>& words);

// the word that was probably meant, empty when none is near
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// ` (did you mean "…"?)`, or nothing
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace tendril::scene
