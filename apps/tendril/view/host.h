#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "session/live_show.h"
#include "view/server.h"

namespace tendril::app {

struct HostOptions {
  std::string program;                        // its version
  std::map<std::string, std::string> scenes;  // of the gallery: name, file
  std::filesystem::path runs = "runs";        // where runs are saved
  std::function<bool(const std::string& scene)> has_thumbnail;
};

// Brings a show and those who look at it together: one thread steps the engine, hands on what clients say, and offers
// frames to whoever has drawn the last one. The first client controls, the others watch.
class Host {
 public:
  Host(ViewServer& server, HostOptions options) : server_(server), options_(std::move(options)) {}
  ~Host();

  void show(std::unique_ptr<Show> show) { show_ = std::move(show); }
  void run(const std::atomic<bool>& is_over);

 private:
  struct Client {
    Look look;
    bool needs_frame = true;  // it has not seen the present moment
  };
  // a run that is written by a thread of its own
  struct Saving {
    std::string name;
    std::thread thread;
    std::atomic<double> fraction{0};
    std::atomic<bool> is_done{false}, is_interrupted{false};
    nlohmann::json result;
  };

  void take(const Arrival& arrival);
  void take_message(int client, const std::string& text);
  bool take_own(int client, const std::string& type, const nlohmann::json& message);
  void join(int client);
  void leave(int client);
  void introduce(int client);
  void send_scene(int client);
  void send_gallery(int client);
  void open(const std::string& scene);
  void look(int client, const nlohmann::json& message);
  void save(int client, const nlohmann::json& message);
  void finish_saving();
  void spread(const Answer& answer, int client);
  void send(int client, const nlohmann::json& text);
  void send_all(const nlohmann::json& text);
  void send_status();
  void send_frames();
  double now() const;

  ViewServer& server_;
  HostOptions options_;
  std::unique_ptr<Show> show_;  // nullptr: the gallery
  std::map<int, Client> clients_;
  int controller_ = 0;
  unsigned sequence_ = 0;
  std::uint32_t next_layout_ = 1u << 16;  // of the next show
  double last_status_ = 0;
  bool status_is_due_ = false;
  std::unique_ptr<Saving> saving_;
};

}  // namespace tendril::app
