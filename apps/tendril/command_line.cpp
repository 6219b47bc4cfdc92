#include "command_line.h"

#include <exception>
#include <iostream>
#include <system_error>

#include "io/file.h"
#include "render/child.h"
#include "scene/table.h"
#include "sim/failure.h"
#include "sim/recorder.h"
#include "verbs.h"

namespace tendril {

int run_command_line(int argc, const char* const* argv) {
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
  try {
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

}  // namespace tendril
