#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layers.h"

namespace tendril::io {

// a text file line by line, cut into words at blanks; a comment starts with #. Views end with the next line.
class WordLines {
 public:
  enum class Joined { no, by_backslash };  // whether a line may go on in the next one

  WordLines(std::span<const char> bytes, std::string file, Joined joined = Joined::no)
      : rest_(bytes.data(), bytes.size()), file_(std::move(file)), joined_(joined) {}

  bool next();  // to the next line that has words; false at the end

  std::size_t size() const { return words_.size(); }
  std::string_view operator[](std::size_t k) const { return words_[k]; }
  std::string_view from(std::size_t k) const;  // word k and what follows it; empty when there is none

  double number(std::size_t k) const;  // finite
  int integer(std::string_view word) const;
  int line() const { return line_; }  // from 1

  [[noreturn]] void fail(const std::string& message) const;  // FileError "file:12: message"

 private:
  std::string_view rest_;  // of the file
  std::string file_;
  Joined joined_;
  std::string text_;  // this line
  std::vector<std::string_view> words_;
  int line_ = 0;
};

}  // namespace tendril::io
