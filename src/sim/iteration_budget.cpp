#include "sim/iteration_budget.h"

#include <algorithm>
#include <cmath>

namespace tendril::sim {
namespace {

// No step is given less than if these were usual. With contact a step may need many after calm ones: hair that lands on
// a head at 8 ms leaves steps unsolved with 30, none with 45 (tendril validate, 4.6).
constexpr double least = 4, least_with_contact = 45;

constexpr double of_attempt = 4, of_step = 12, of_rest = 2;  // times the usual iterations
constexpr double memory = 8;                                 // of the mean, in attempts

}  // namespace

void IterationBudget::begin_step(bool has_contact) {
  usual_ = std::max(mean_, has_contact ? least_with_contact : least);
  left_ = of_step * usual_;
}

int IterationBudget::most_iterations(bool may_refuse) const {
  return static_cast<int>(std::ceil(may_refuse ? of_attempt * usual_ : std::max(left_, of_rest * usual_)));
}

void IterationBudget::spend(const StepReport& attempt) {
  left_ -= attempt.iterations;
  if (attempt.converged) mean_ += (attempt.iterations - mean_) / memory;
}

}  // namespace tendril::sim
