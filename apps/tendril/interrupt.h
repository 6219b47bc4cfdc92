#pragma once

#include <atomic>

namespace tendril::app {

// From now on the first Ctrl-C or SIGTERM only turns this true, and long work ends at its next good point with
// exit_interrupted; the second ends the program at once
const std::atomic<bool>& watch_for_interrupt();

}  // namespace tendril::app
