#pragma once

#include "physics/case.h"

namespace tendril::app::physics {

void iterations_to_converge(const Subject& subject, Findings& findings);

}  // namespace tendril::app::physics
