#include "view/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/solver_keys.h"
#include "session/message_fields.h"
#include "session/save_run.h"

namespace tendril::app {
namespace {

using nlohmann::json;

constexpr double status_interval = 0.1, frame_interval = 1.0 / 60;  // [s]

std::string text_of(const json& text) { return text.dump(-1, ' ', false, json::error_handler_t::replace); }

bool is_run_name(const std::string& name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), is_allowed);
}

}  // namespace

Host::~Host() {
  if (!saving_) return;
  saving_->is_interrupted = true;
  saving_->thread.join();
}

double Host::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Host::run(const std::atomic<bool>& is_over) {
  while (!is_over) {
    const bool plays = show_ && show_->is_playing() && !clients_.empty();
    for (const Arrival& arrival : server_.wait(plays ? 0.001 : frame_interval)) take(arrival);
    if (plays) {
      Answer news;
      if (show_->advance(now(), frame_interval, news))
        for (auto& [number, client] : clients_) client.needs_frame = true;
      spread(news, 0);
    }
    try {
      send_frames();
    } catch (const std::exception& error) {  // a recorded run that is gone
      for (auto& [number, client] : clients_) client.needs_frame = false;
      send_all({{"type", "stopped"}, {"message", error.what()}, {"time", 0}});
    }
    finish_saving();
    if (status_is_due_ || now() - last_status_ > status_interval) send_status();
  }
}

// ---- those who look

void Host::take(const Arrival& arrival) {
  switch (arrival.kind) {
    case Arrival::Kind::joined:
      return join(arrival.client);
    case Arrival::Kind::left:
      return leave(arrival.client);
    case Arrival::Kind::said:
      if (clients_.contains(arrival.client)) take_message(arrival.client, arrival.text);
  }
}

void Host::join(int client) {
  clients_[client] = {};
  if (controller_ == 0) controller_ = client;
  introduce(client);
}

void Host::leave(int client) {
  clients_.erase(client);
  if (client != controller_) return;
  controller_ = clients_.empty() ? 0 : clients_.begin()->first;
  if (controller_ != 0) introduce(controller_);
}

void Host::introduce(int client) {
  send(client, welcome_text(options_.program, show_ ? show_->mode() : "gallery", client == controller_));
  if (show_)
    send_scene(client);
  else
    send_gallery(client);
  status_is_due_ = true;
}

void Host::send_scene(int client) {
  send(client, show_->scene());
  for (int side = 0; side < show_->sides(); ++side) {
    const std::vector<char> layout = show_->drawing().layout(side);
    server_.send_layout(client, std::make_shared<const std::string>(layout.begin(), layout.end()));
  }
  clients_[client].needs_frame = true;
}

void Host::send_gallery(int client) {
  json scenes = json::array();
  for (const auto& [name, file] : options_.scenes) {
    json scene{{"name", name}, {"title", name}, {"thumbnail", options_.has_thumbnail && options_.has_thumbnail(name)}};
    try {
      const SceneText text = read_scene_text(file);
      scene["title"] = parse_scene(text.text, text.file, {}, solver_option_keys()).root.text("title");
    } catch (const std::exception&) {  // it is shown by its name, and says what is wrong when it is opened
    }
    scenes.push_back(scene);
  }
  send(client, {{"type", "gallery"}, {"scenes", scenes}});
}

void Host::send(int client, const json& text) { server_.send_text(client, text_of(text)); }

void Host::send_all(const json& text) {
  for (const auto& [number, client] : clients_) send(number, text);
}

// what concerns one is said to him, what happens to all
void Host::spread(const Answer& answer, int client) {
  if (answer.has_new_scene)
    for (const auto& [number, other] : clients_) send_scene(number);
  for (const json& text : answer.texts) {
    const bool is_personal = text["type"] == "error" || text["type"] == "checked";
    if (is_personal && client != 0)
      send(client, text);
    else
      send_all(text);
  }
  status_is_due_ |= answer.has_news;
}

// ---- what they say

void Host::take_message(int client, const std::string& text) {
  std::string type = "message";
  try {
    const json message = parse_message(text);
    type = message["type"].get<std::string>();
    if (type == "show") return look(client, message);
    if (client != controller_) throw MessageError("somebody else controls this: here you watch");
    if (take_own(client, type, message)) return;
    if (!show_) throw MessageError("no scene is open");
    const Answer answer = show_->receive(message, now());
    for (auto& [number, other] : clients_) other.needs_frame = true;
    spread(answer, client);
  } catch (const SceneError& error) {
    send(client, error_text(type, error, {}));
  } catch (const std::exception& error) {
    send(client, error_text(type, error.what()));
  }
}

bool Host::take_own(int client, const std::string& type, const json& message) {
  if (type == "gallery") return send_gallery(client), true;
  if (type == "open") return open(MessageFields(message).text("scene", 200)), true;
  if (type == "save") return save(client, message), true;
  return false;
}

void Host::open(const std::string& scene) {
  const auto found = options_.scenes.find(scene);
  if (found == options_.scenes.end()) throw MessageError("the gallery has no such scene");
  auto show = std::make_unique<LiveShow>(read_scene_text(found->second), scene, next_layout_);
  next_layout_ += 1u << 16;
  show_ = std::move(show);
  for (const auto& [number, client] : clients_) introduce(number);
}

void Host::look(int client, const json& message) {
  const MessageFields fields(message);
  Look look;
  const std::string color = fields.has("color") ? fields.text("color", 40) : "rod";
  const auto& names = coloring_names();
  const auto named = std::find_if(names.begin(), names.end(), [&](const ColoringName& n) { return n.name == color; });
  if (named == names.end()) throw MessageError("there is no such colour");
  look.color = named->coloring;
  if (fields.has("stripes")) look.stripes = fields.boolean("stripes");
  if (fields.has("limit")) look.limit = float(fields.number("limit", 0, 1e9));
  clients_[client] = {look, true};
}

// ---- runs

void Host::save(int client, const json& message) {
  const std::string name = MessageFields(message).text("name", 64);
  if (!is_run_name(name)) throw MessageError("the name of a run has letters, digits, - and _");
  const auto* live = dynamic_cast<const LiveShow*>(show_.get());
  if (!live) throw MessageError("there is nothing to save");
  if (saving_) throw MessageError("a run is being saved");
  const Recipe recipe = live->session().recipe();
  if (!recipe.unsavable.empty()) throw MessageError(recipe.unsavable);
  saving_ = std::make_unique<Saving>();
  saving_->name = name;
  saving_->thread =
      std::thread([saving = saving_.get(), recipe, name, folder = options_.runs / name, version = options_.program] {
        try {
          const RunResult result =
              save_run(recipe, folder,
                       {.program = {{"program", "tendril"}, {"version", version}},
                        .interrupted = &saving->is_interrupted,
                        .on_progress = [saving](double fraction) { saving->fraction = fraction; }});
          saving->result = {{"type", "saved"}, {"name", name}, {"path", folder.string()}, {"frames", result.frames}};
        } catch (const std::exception& error) {
          saving->result = error_text("save", error.what());
        }
        saving->is_done = true;
      });
  (void)client;
}

void Host::finish_saving() {
  if (!saving_ || !saving_->is_done) return;
  saving_->thread.join();
  send_all(saving_->result);
  saving_.reset();
  status_is_due_ = true;
}

// ---- what they see

void Host::send_status() {
  last_status_ = now(), status_is_due_ = false;
  if (!show_ || clients_.empty()) return;
  json status = show_->status(now(), int(clients_.size()));
  if (saving_) status["saving"] = {{"name", saving_->name}, {"fraction", saving_->fraction.load()}};
  for (const auto& [number, client] : clients_) server_.send_status(number, text_of(status));
}

// One moment for all who are ready for it, encoded once for each way to look at it.
void Host::send_frames() {
  if (!show_) return;
  for (int side = 0; side < show_->sides(); ++side) {
    std::vector<std::pair<Look, Bytes>> encoded;
    for (auto& [number, client] : clients_) {
      if (!client.needs_frame || !server_.wants_frame(number)) continue;
      const Look look = client.look;
      auto same = std::find_if(encoded.begin(), encoded.end(), [&](const auto& e) { return e.first == look; });
      if (same == encoded.end()) {
        const std::vector<char> frame =
            show_->drawing().frame(side, ++sequence_, show_->moment(side, look.color), look);
        same = encoded.insert(encoded.end(), {look, std::make_shared<const std::string>(frame.begin(), frame.end())});
      }
      server_.offer_frame(number, side, sequence_, same->second);
      if (side + 1 == show_->sides()) client.needs_frame = false;
    }
  }
}

}  // namespace tendril::app
