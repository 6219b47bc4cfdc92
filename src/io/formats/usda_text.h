#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layers.h"

namespace tendril::io {

// the text between quotes as it is meant
std::string unescaped(std::string_view text);

// the words, values and groups of a .usda text in their order; blanks and comments between them are passed over
class UsdaText {
 public:
  UsdaText(std::span<const char> bytes, std::string file);  // refuses a file that does not start with #usda

  char peek();  // the next character that counts; 0 at the end
  bool at_end();
  bool accept(char c);
  void expect(char c);

  std::string_view word();                 // a name or keyword, with its namespaces: "primvars:widths.timeSamples"
  std::string_view text();                 // between quotes
  double number();                         // finite or not
  std::vector<double> numbers(int width);  // `[(x, y, z), …]` or a single one, each of `width` numbers; None: empty
  std::vector<std::string> texts();        // `["a", …]` or "a"
  void skip_value();

  // `( key = value … )`, when one follows: the values as they stand there
  std::map<std::string, std::string_view> metadata();

  [[noreturn]] void fail(const std::string& message) const;  // FileError "file:line: message"
  const std::string& file() const { return file_; }

 private:
  void skip_group();  // from an opening bracket to its closing one
  void skip_until(std::string_view end);
  void add_numbers(int width, std::vector<double>& out);

  std::string_view text_;
  std::size_t at_ = 0;
  std::string file_;
};

}  // namespace tendril::io
