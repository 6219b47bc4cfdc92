#pragma once

namespace tendril::app {

// the whole program: every failure ends here, as one message on stderr and its own exit code (verbs.h)
int run_command_line(int argc, const char* const* argv);

}  // namespace tendril::app
