#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tendril::app::physics {

// one measured number beside what it should be
struct Check {
  std::string name;       // "1.1 cantilever"
  std::string case_name;  // "Γ = 10, N = 32: H/W"
  double measured = 0, reference = 0;
  std::string unit;  // of both
  double error = 0;  // |measured - reference| / |reference|, or |measured| where the reference is zero
  double tolerance = 0;
  std::optional<bool> passed;  // empty: not measured, the note says why
  std::string note;

  bool is_measured() const { return !unit.empty(); }  // there are numbers; not so when the simulation failed
};

// what a number is about
struct Label {
  std::string case_name, unit, note;
};

// the checks of one case, as they are made
class Findings {
 public:
  explicit Findings(std::string name) : name_(std::move(name)) {}

  // passes when the error is within the tolerance
  void compare(const Label& label, double measured, double reference, double tolerance);

  // A value at N, 2N and 4N segments: its order p = log2 (f_N - f_2N) / (f_2N - f_4N). Differences do not see what all
  // three have in common, such as a finite EA. The error is what p lacks of two, relative; more is no error.
  void order(const std::string& case_name, double coarse, double middle, double fine, double least = 1.8);

  void not_measured(const std::string& case_name, const std::string& reason);

  // one part of the case; the others go on when it throws: a scene that the solver refuses is not measured, a
  // simulation that fails is a failed check
  void part(const std::string& case_name, const std::function<void()>& measure);

  const std::vector<Check>& checks() const { return checks_; }

 private:
  Check& add(const Label& label);

  std::string name_;
  std::vector<Check> checks_;
};

}  // namespace tendril::app::physics
