#pragma once

#include <CLI/CLI.hpp>

namespace tendril::app {

// what the program tells the shell
enum ExitCode {
  exit_good = 0,
  exit_check_failed = 1,  // an expectation or a physics check
  exit_usage = 2,
  exit_bad_scene = 3,          // or another bad file
  exit_simulation_failed = 4,  // diverged, crossed
  exit_resource_failed = 5,    // the disk, a missing program
  exit_interrupted = 130,      // what was written stays usable
};

// each verb adds its words to the command line and sets `exit_code` when it has run
void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);

}  // namespace tendril::app
