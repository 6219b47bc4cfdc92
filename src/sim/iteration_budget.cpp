#include "sim/iteration_budget.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// No step is given less than if these were usual.
constexpr double least = 4, least_with_contact = 10;

constexpr double of_attempt = 4, of_step = 12, of_rest = 2;  // times the usual iterations
constexpr double memory = 8;                                 // of the mean, in attempts

}  // namespace

void IterationBudget::begin_step(bool touches) {
  usual_ = std::max(mean_, touches ? least_with_contact : least);
  left_ = of_step * usual_;
}

int IterationBudget::most_iterations(bool may_refuse) const {
  return static_cast<int>(std::ceil(may_refuse ? of_attempt * usual_ : std::max(left_, of_rest * usual_)));
}

void IterationBudget::spend(const StepReport& attempt) {
  left_ -= attempt.iterations;
  if (attempt.converged) mean_ += (attempt.iterations - mean_) / memory;
}

}  // namespace tendril
