#include "io/formats/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/file.h"
#include "io/formats/checked.h"

namespace tendril::io {
namespace {

constexpr std::string_view blank = " \t\r\v\f";

// a number that fills the whole word
template <class T>
bool parse(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

bool WordLines::next() {
  words_.clear();
  while (words_.empty() && !rest_.empty()) {
    text_.clear();
    for (bool goes_on = true; goes_on && !rest_.empty();) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      text_ += rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      if (text_.ends_with('\r')) text_.pop_back();
      goes_on = joined_ == Joined::by_backslash && text_.ends_with('\\');
      if (goes_on) text_.back() = ' ';
    }
    const std::string_view text = std::string_view(text_).substr(0, text_.find('#'));
    for (std::size_t begin = text.find_first_not_of(blank); begin != text.npos;) {
      const std::size_t end = std::min(text.find_first_of(blank, begin), text.size());
      words_.push_back(text.substr(begin, end - begin));
      begin = text.find_first_not_of(blank, end);
    }
  }
  return !words_.empty();
}

std::string_view WordLines::from(std::size_t k) const {
  if (k >= words_.size()) return {};
  return {words_[k].data(), static_cast<std::size_t>(words_.back().data() + words_.back().size() - words_[k].data())};
}

double WordLines::number(std::size_t k) const {
  double value = 0;
  if (!parse(words_[k], value)) fail(fmt::format("\"{}\" is not a number", clean_text(words_[k].substr(0, 40))));
  if (!std::isfinite(value)) fail(fmt::format("\"{}\" is not finite", clean_text(words_[k].substr(0, 40))));
  return value;
}

int WordLines::integer(std::string_view word) const {
  int value = 0;
  if (!parse(word, value)) fail(fmt::format("\"{}\" is not a whole number", clean_text(word.substr(0, 40))));
  return value;
}

void WordLines::fail(const std::string& message) const {
  throw FileError(fmt::format("{}:{}: {}", file_, line_, message));
}

}  // namespace tendril::io
