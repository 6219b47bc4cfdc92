#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "interrupt.h"
#include "io/file.h"
#include "loaded_scene.h"
#include "render/child.h"
#include "verbs.h"
#include "view/host.h"
#include "view/page.h"
#include "view/recorded_show.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

struct ViewRequest {
  std::string what, host = "127.0.0.1", solver;
  std::vector<std::string> sets;
  int port = 0;
  bool opens = false;
};

std::map<std::string, std::string> gallery() {
  std::map<std::string, std::string> scenes;
  for (const std::string& file : scene_files()) scenes[fs::path(file).stem().string()] = file;
  return scenes;
}

fs::path thumbnail(const std::string& scene) { return fs::path(home_directory()) / "docs/gallery" / (scene + ".png"); }

Bytes bytes_of(const fs::path& file) {
  const std::vector<char> bytes = read_file(file);
  return std::make_shared<const std::string>(bytes.begin(), bytes.end());
}

// The page, and a picture for each scene of the gallery: what is asked for is looked up among them, and is no path.
ViewServer::Files served_files(const std::map<std::string, std::string>& scenes) {
  std::map<std::string, fs::path> pictures;
  for (const auto& [name, file] : scenes)
    if (fs::exists(thumbnail(name))) pictures["/thumbnail/" + name + ".png"] = thumbnail(name);
  return [page = std::make_shared<const std::string>(embedded_page()),
          pictures](const std::string& path) -> std::optional<ServedFile> {
    if (path == "/") return ServedFile{"text/html; charset=utf-8", page};
    const auto picture = pictures.find(path);
    if (picture == pictures.end()) return std::nullopt;
    try {
      return ServedFile{"image/png", bytes_of(picture->second)};
    } catch (const std::exception&) {
      return std::nullopt;
    }
  };
}

std::unique_ptr<Show> show_of(const ViewRequest& request) {
  if (fs::is_directory(request.what)) return std::make_unique<RecordedShow>(request.what, 1);
  const std::string file = find_scene_file(request.what);
  SceneText text = read_scene_text(file);
  text.sets = request.sets, text.solver = request.solver;
  return std::make_unique<LiveShow>(std::move(text), fs::path(file).stem().string(), 1);
}

void warn_of_others(const std::string& host) {
  if (host == "127.0.0.1" || host == "::1" || host == "localhost") return;
  fmt::print(
      stderr,
      "warning: --host {} lets other machines in: who reads the token in the address, which goes over the network "
      "unencrypted, may use this program\n",
      host);
}

// beside us, for it may stay as long as the browser does
void open_in_browser(const std::string& address) {
  std::thread([address] {
    try {
      Child({"xdg-open", address}, "xdg-utils").finish();
    } catch (const ProgramFailed& failure) {
      fmt::print(stderr, "tendril: the browser was not started: {}\n", failure.what());
    }
  }).detach();
}

int view(const ViewRequest& request) {
  if (embedded_page().empty()) {
    fmt::print(
        stderr,
        "tendril: this program was built without its page; `./tendril view` installs what it takes to bundle it, "
        "or: install nodejs and npm, run web/build.sh, and build again\n");
    return exit_resource_failed;
  }
  const std::atomic<bool>& is_over = watch_for_interrupt();
  const std::map<std::string, std::string> scenes = gallery();
  std::unique_ptr<Show> show = request.what.empty() ? nullptr : show_of(request);
  warn_of_others(request.host);
  ViewServer server({request.host, request.port, random_token()}, served_files(scenes));
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  if (request.opens) open_in_browser(server.address());
  Host host(server,
            {TENDRIL_VERSION, scenes, "runs", [](const std::string& name) { return fs::exists(thumbnail(name)); }});
  host.show(std::move(show));
  host.run(is_over);
  return exit_good;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("view", "play with a scene in a browser, or play back a run");
  auto request = std::make_shared<ViewRequest>();
  verb->add_option("SCENE|RUN", request->what, "a scene, or the folder of a run; the gallery when absent");
  verb->add_option("--solver", request->solver, "instead of the scene's own");
  verb->add_option("--set", request->sets, "PATH=VALUE: any key of the scene")->expected(1)->take_all();
  verb->add_option("--port", request->port, "of the address; any that is free when absent")
      ->check(CLI::Range(0, 65535));
  verb->add_option("--host", request->host, "address to listen at, 0.0.0.0 for all; only this machine when absent");
  verb->add_flag("--open", request->opens, "open the page in the browser");
  verb->callback([=, &exit_code] { exit_code = view(*request); });
}

}  // namespace tendril::app
