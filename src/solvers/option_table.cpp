#include "solvers/option_table.h"

#include <algorithm>
#include <sstream>

namespace tendril::solvers {
namespace {

[[noreturn]] void refuse(const OptionInfo& option, const std::string& expected) {
  throw OptionError("option \"" + option.name + "\": expected " + expected);
}

std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// the names in quotes, with commas
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

double in_range(const OptionInfo& option, double value) {
  if (!(value >= option.minimum && value <= option.maximum))
    refuse(option,
           "a number from " + text_of(option.minimum) + " to " + text_of(option.maximum) + ", not " + text_of(value));
  return value;
}

}  // namespace

bool boolean_of(const OptionInfo& option, const OptionValue& value) {
  if (const bool* b = std::get_if<bool>(&value)) return *b;
  refuse(option, "true or false");
}

int integer_of(const OptionInfo& option, const OptionValue& value) {
  if (const int* i = std::get_if<int>(&value)) return in_range(option, *i), *i;
  refuse(option, "an integer");
}

double number_of(const OptionInfo& option, const OptionValue& value) {
  if (const int* i = std::get_if<int>(&value)) return in_range(option, *i);
  if (const double* d = std::get_if<double>(&value)) return in_range(option, *d);
  refuse(option, "a number");
}

int choice_of(const OptionInfo& option, const OptionValue& value) {
  const std::string* word = std::get_if<std::string>(&value);
  const auto found = word ? std::find(option.choices.begin(), option.choices.end(), *word) : option.choices.end();
  if (found == option.choices.end()) refuse(option, "one of " + listed(option.choices));
  return static_cast<int>(found - option.choices.begin());
}

void refuse_unknown_options(const std::vector<OptionInfo>& options, const OptionValues& values) {
  std::vector<std::string> names;
  for (const OptionInfo& option : options) names.push_back(option.name);
  for (const auto& [name, value] : values)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw OptionError("there is no option \"" + name + "\"; expected one of " + listed(names));
}

}  // namespace tendril::solvers
