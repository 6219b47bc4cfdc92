#include "physics/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/table.h"
#include "sim/failure.h"

namespace tendril::app::physics {

Check& Findings::add(const Label& label) {
  Check& check = checks_.emplace_back();
  check.name = name_;
  check.case_name = label.case_name;
  check.unit = label.unit;
  check.note = label.note;
  return check;
}

void Findings::compare(const Label& label, double measured, double reference, double tolerance) {
  Check& check = add(label);
  check.measured = measured;
  check.reference = reference;
  check.error = std::abs(measured - reference) / (reference == 0 ? 1 : std::abs(reference));
  check.tolerance = tolerance;
  check.passed = check.error <= tolerance;  // not a number does not pass
}

void Findings::order(const std::string& case_name, double coarse, double middle, double fine, double least) {
  Check& check = add({case_name, "-", fmt::format("least order {}", least)});
  check.measured = std::log2(std::abs(coarse - middle) / std::abs(middle - fine));
  check.reference = 2;
  check.error = std::isnan(check.measured) ? check.measured : std::max(0.0, 1 - check.measured / 2);
  check.tolerance = 1 - least / 2;
  check.passed = check.error <= check.tolerance;
}

void Findings::not_measured(const std::string& case_name, const std::string& reason) { add({case_name, "", reason}); }

void Findings::part(const std::string& case_name, const std::function<void()>& measure) {
  try {
    measure();
  } catch (const SceneError& refused) {
    not_measured(case_name, refused.what());
  } catch (const SimulationFailed& failed) {
    add({case_name, "", failed.what()}).passed = false;
  }
}

}  // namespace tendril::app::physics
