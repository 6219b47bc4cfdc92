#include "command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <system_error>

#include "io/file.h"
#include "render/child.h"
#include "scene/suggest.h"
#include "scene/table.h"
#include "sim/failure.h"
#include "sim/recorder.h"
#include "verbs.h"

namespace tendril::app {
namespace {

// A closed standard stream gives its number to the next file that is opened, and what is printed goes into that file.
void keep_standard_streams() {
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", O_RDWR);  // takes the lowest number that is free
}

// what was printed has arrived, or a reason
std::string lost_output() {
  errno = 0;
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!lost) return "";
  return fmt::format("tendril: standard output cannot be written{}{}", errno != 0 ? ": " : "",
                     errno != 0 ? std::strerror(errno) : "");
}

void refuse_unknown_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
  throw CLI::ValidationError(fmt::format("there is no verb \"{}\"{}; there are: {}, and `tendril help VERB` tells more",
                                         word, suggestion(word, verbs), fmt::join(verbs, ", ")));
}

// `tendril help run` is `tendril run --help`
void add_help(CLI::App& app) {
  auto* verb = app.add_subcommand("help", "what a verb does and the words that it takes");
  auto name = std::make_shared<std::string>();
  verb->add_option("VERB", *name, "one of those above; all when absent");
  verb->callback([&app, name] {
    const CLI::App* about = &app;
    if (!name->empty()) refuse_unknown_verb(app, *name), about = app.get_subcommand(*name);
    const std::string words = name->empty() ? "tendril" : "tendril " + *name;  // help() would tell of the verb `help`
    fmt::print("{}", about->get_formatter()->make_help(about, words, CLI::AppFormatMode::Normal));
  });
}

int run_verb(int argc, const char* const* argv) {
  CLI::App app("Tendril simulates slender things: hair, yarn, rope, cables, springs, trees.", "tendril");
  app.require_subcommand(1);
  app.set_version_flag("--version", "tendril " TENDRIL_VERSION);
  int exit_code = exit_good;
  add_run(app, exit_code);
  add_check(app, exit_code);
  add_list(app, exit_code);
  add_validate(app, exit_code);
  add_bench(app, exit_code);
  add_demo(app, exit_code);
  add_render(app, exit_code);
  add_plot(app, exit_code);
  add_compare(app, exit_code);
  add_convert(app, exit_code);
  add_info(app, exit_code);
  add_help(app);
  try {
    if (argc > 1 && argv[1][0] != '-') refuse_unknown_verb(app, argv[1]);
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? exit_good : exit_usage;
  } catch (const SceneError& e) {
    std::cerr << e.what() << "\n";
    return exit_bad_scene;
  } catch (const SimulationFailed& e) {
    std::cerr << e.what() << "\n";
    return exit_simulation_failed;
  } catch (const ResourceError& e) {
    std::cerr << e.what() << "\n";
    return exit_resource_failed;
  } catch (const ProgramFailed& e) {
    std::cerr << "tendril: " << e.what() << "\n";
    return exit_resource_failed;
  } catch (const std::system_error& e) {
    std::cerr << "tendril: " << e.what() << "\n";
    return exit_resource_failed;
  } catch (const RunFolderError& e) {
    std::cerr << e.what() << "\n";
    return exit_usage;
  } catch (const std::bad_alloc&) {
    std::cerr << "tendril: not enough memory for this scene\n";
    return exit_resource_failed;
  } catch (const std::exception& e) {
    std::cerr << "tendril: " << e.what() << "\n";
    return exit_bad_scene;
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  keep_standard_streams();
  const int exit_code = run_verb(argc, argv);
  const std::string lost = lost_output();
  if (lost.empty()) return exit_code;
  std::cerr << lost << "\n";
  return exit_code == exit_good ? exit_resource_failed : exit_code;
}

}  // namespace tendril::app
