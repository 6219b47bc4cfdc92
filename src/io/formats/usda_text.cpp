#include "io/formats/usda_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "io/file.h"
#include "io/formats/checked.h"

namespace tendril::io {
namespace {

constexpr std::string_view blank = " \t\r\n;";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80); }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == ':' || c == '.'; }
bool is_number(char c) { return is_word(c) || c == '-' || c == '+'; }

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '\0'; }

}  // namespace

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) result += text[i] == '\\' && i + 1 < text.size() ? text[++i] : text[i];
  return clean_text(result);
}

UsdaText::UsdaText(std::span<const char> bytes, std::string file)
    : text_(bytes.data(), bytes.size()), file_(std::move(file)) {
  if (text_.starts_with("PXR-USDC")) fail("is a binary USD file: convert it to text with `usdcat -o x.usda`");
  if (!text_.starts_with("#usda 1.")) fail("does not start with #usda 1.0: this is not a .usda file");
}

char UsdaText::peek() {
  while (at_ < text_.size()) {
    if (text_[at_] == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else if (blank.find(text_[at_]) != blank.npos)
      ++at_;
    else
      return text_[at_];
  }
  return '\0';
}

bool UsdaText::at_end() {
  peek();
  return at_ >= text_.size();
}

bool UsdaText::accept(char c) {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void UsdaText::expect(char c) {
  if (accept(c)) return;
  if (at_ >= text_.size()) fail(fmt::format("ends where '{}' should stand: the file is cut short", c));
  fail(fmt::format("has \"{}\" where '{}' should stand", clean_text(text_.substr(at_, 1)), c));
}

std::string_view UsdaText::word() {
  peek();
  const std::size_t begin = at_;
  if (at_ < text_.size() && is_letter(text_[at_]))
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  if (at_ >= text_.size() && begin == at_) fail("ends where a name should stand: the file is cut short");
  if (begin == at_) fail(fmt::format("has \"{}\" where a name should stand", clean_text(text_.substr(at_, 1))));
  return text_.substr(begin, at_ - begin);
}

std::string_view UsdaText::text() {
  const char quote = peek();
  if (quote != '"' && quote != '\'') fail("should have a text in quotes here");
  const std::string three(3, quote);
  const std::string_view end = text_.substr(at_).starts_with(three) ? std::string_view(three) : text_.substr(at_, 1);
  const std::size_t begin = at_ += end.size();
  for (; at_ < text_.size() && !text_.substr(at_).starts_with(end); ++at_) {
    if (text_[at_] == '\\') ++at_;
    if (end.size() == 1 && at_ < text_.size() && text_[at_] == '\n') fail("has a text whose quotes are not closed");
  }
  if (at_ >= text_.size()) fail("has a text whose quotes are not closed");
  at_ += end.size();
  return text_.substr(begin, at_ - end.size() - begin);
}

double UsdaText::number() {
  peek();
  std::size_t end = at_;
  while (end < text_.size() && is_number(text_[end])) ++end;
  double value = 0;
  const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + end, value);
  if (error == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
  if (error == std::errc::invalid_argument) fail("should have a number here; is the file cut short?");
  at_ = stop - text_.data();
  return value;
}

// a number, or a tuple that holds `width` of them in all
void UsdaText::add_numbers(int width, std::vector<double>& out) {
  if (width == 1) return out.push_back(number());
  expect('(');
  const std::size_t wanted = out.size() + width;
  for (int depth = 1; depth > 0;) {
    if (accept('('))
      ++depth;
    else if (accept(')'))
      --depth;
    else if (!accept(','))
      out.push_back(number());
    if (out.size() > wanted) break;
  }
  if (out.size() != wanted) fail(fmt::format("has a tuple here that is not of {} numbers", width));
}

std::vector<double> UsdaText::numbers(int width) {
  std::vector<double> values;
  if (peek() == 'N') {
    if (word() != "None") fail("should have numbers here");
    return values;
  }
  if (!accept('[')) {
    add_numbers(width, values);
    return values;
  }
  while (!accept(']')) {
    add_numbers(width, values);
    if (peek() != ']') expect(',');
  }
  return values;
}

std::vector<std::string> UsdaText::texts() {
  std::vector<std::string> values;
  if (!accept('[')) return {unescaped(text())};
  while (!accept(']')) {
    values.push_back(unescaped(text()));
    if (peek() != ']') expect(',');
  }
  return values;
}

void UsdaText::skip_until(std::string_view end) {
  const std::size_t found = text_.find(end, at_);
  if (found == text_.npos) fail(fmt::format("has no '{}' that ends what starts here", end));
  at_ = found + end.size();
}

void UsdaText::skip_group() {
  std::string open;  // the brackets that are to be closed
  do {
    const char c = peek();
    if (at_end()) fail("has brackets that are not closed: the file is cut short");
    if (c == '"' || c == '\'') {
      text();
    } else if (c == '@') {
      const bool three = text_.substr(at_).starts_with("@@@");
      at_ += three ? 3 : 1;
      skip_until(three ? "@@@" : "@");
    } else {
      ++at_;
      if (closing(c) != '\0') open += closing(c);
      if (c != ')' && c != ']' && c != '}') continue;
      if (open.empty() || open.back() != c) fail(fmt::format("has a '{}' that closes nothing", c));
      open.pop_back();
    }
  } while (!open.empty());
}

void UsdaText::skip_value() {
  const char c = peek();
  if (closing(c) != '\0' || c == '"' || c == '\'' || c == '@') return skip_group();
  if (c == '<') return skip_until(">");
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_number(text_[at_])) ++at_;
  if (at_ == begin) fail("should have a value here; is the file cut short?");
}

std::map<std::string, std::string_view> UsdaText::metadata() {
  std::map<std::string, std::string_view> values;
  if (!accept('(')) return values;
  while (!accept(')')) {
    const char c = peek();
    if (!is_letter(c)) {  // a comment in quotes, or the rest of a reference
      skip_value();
      continue;
    }
    const std::string key(word());
    if (!accept('=')) continue;
    peek();
    const std::size_t begin = at_;
    skip_value();
    values[key] = text_.substr(begin, at_ - begin);
  }
  return values;
}

void UsdaText::fail(const std::string& message) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + std::min(at_, text_.size()), '\n');
  throw FileError(fmt::format("{}:{}: {}", file_, line, message));
}

}  // namespace tendril::io
