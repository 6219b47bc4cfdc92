#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "solvers/solver.h"

namespace tendril::solvers {

// checks a value against what the option takes; throws OptionError
bool boolean_of(const OptionInfo& option, const OptionValue& value);
int integer_of(const OptionInfo& option, const OptionValue& value);
double number_of(const OptionInfo& option, const OptionValue& value);
int choice_of(const OptionInfo& option, const OptionValue& value);  // its place among the choices

// throws OptionError for a name that none of them has
void refuse_unknown_options(const std::vector<OptionInfo>& options, const OptionValues& values);

// The options of a solver, each described once: its place in the solver's struct Options, which has its default, its
// unit, its meaning and its range. Listing, checking and reading follow from that.
template <class Options>
class OptionTable {
 public:
  struct Text {
    std::string unit, meaning;
    double minimum = -forever, maximum = forever;
  };

  template <class Value, class Of>
  OptionTable& add(const std::string& name, Value Of::*member, const Text& text) {
    OptionInfo info{name, Options{}.*member, text.unit, text.meaning, {}, text.minimum, text.maximum};
    return add(std::move(info), [member](const OptionInfo& option, const OptionValue& value, Options& o) {
      if constexpr (std::is_same_v<Value, bool>)
        o.*member = boolean_of(option, value);
      else if constexpr (std::is_same_v<Value, int>)
        o.*member = integer_of(option, value);
      else
        o.*member = number_of(option, value);
    });
  }

  // one of some words, each of which stands for a value
  template <class Value, class Of>
  OptionTable& add(const std::string& name, Value Of::*member, const std::vector<std::pair<std::string, Value>>& words,
                   const std::string& meaning) {
    OptionInfo info{name, std::string(), "-", meaning, {}};
    for (const auto& [word, value] : words) {
      info.choices.push_back(word);
      if (value == Options{}.*member) info.default_value = word;
    }
    return add(std::move(info), [member, words](const OptionInfo& option, const OptionValue& value, Options& o) {
      o.*member = words[choice_of(option, value)].second;
    });
  }

  const std::vector<OptionInfo>& list() const { return infos_; }

  // what `values` set, the rest as in `from`; throws OptionError
  Options read(const OptionValues& values, Options from = {}) const {
    refuse_unknown_options(infos_, values);
    for (std::size_t k = 0; k < infos_.size(); ++k)
      if (const auto set = values.find(infos_[k].name); set != values.end()) reads_[k](infos_[k], set->second, from);
    return from;
  }

 private:
  using Read = std::function<void(const OptionInfo&, const OptionValue&, Options&)>;
  OptionTable& add(OptionInfo info, Read read) {
    infos_.push_back(std::move(info)), reads_.push_back(std::move(read));
    return *this;
  }

  std::vector<OptionInfo> infos_;
  std::vector<Read> reads_;  // of each
};

}  // namespace tendril::solvers
