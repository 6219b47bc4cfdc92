#include "view/host.h"

#include <gtest/gtest.h>

#include <cstring>

#include "scratch.h"
#include "session/session_scenes.h"
#include "view/wire.h"

namespace tendril::app {
namespace {

using nlohmann::json;

constexpr const char* token = "0123456789abcdef";

// a page without a browser
class Page {
 public:
  explicit Page(int port) : socket_(port, token) {}

  void say(const json& text) { socket_.send(text.dump()); }
  void say_bytes(const std::string& text) { socket_.send(text); }
  // the next text of this type; frames on the way are drawn
  json hear(const std::string& type) {
    for (int n = 0; n < 2000; ++n) {
      const auto message = socket_.read();
      if (!message) return {};
      if (message->opcode != 1) {
        draw(message->content);
        continue;
      }
      json text = json::parse(message->content);
      if (text["type"] == type) return text;
    }
    return {};
  }
  // the next binary message of this kind: 1 layout, 2 frame
  std::string see(int kind) {
    for (int n = 0; n < 2000; ++n) {
      const auto message = socket_.read();
      if (!message) return {};
      if (message->opcode != 2) continue;
      draw(message->content);
      if (message->content[6] == kind) return message->content;
    }
    return {};
  }
  Wire& wire() { return socket_.wire(); }

 private:
  void draw(const std::string& bytes) {
    std::uint32_t sequence = 0;
    std::memcpy(&sequence, bytes.data() + 12, 4);
    if (bytes[6] == 2) say({{"type", "ack"}, {"sequence", sequence}});
  }
  Socket socket_;
};

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

class Hosted : public testing::Test {
 protected:
  Hosted() : server_({"127.0.0.1", 0, token}, [](const std::string&) { return std::nullopt; }) {
    const std::string file = scratch_.write("hanging.toml", hanging_rod());
    host_ = std::make_unique<Host>(server_, HostOptions{"1.2.3", {{"hanging", file}}, scratch_ / "runs", {}});
  }
  ~Hosted() override {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void run(bool with_scene = true) {
    if (with_scene) host_->show(std::make_unique<LiveShow>(read_scene_text(scratch_ / "hanging.toml"), "hanging", 1));
    thread_ = std::thread([this] { host_->run(is_over_); });
  }
  int port() const { return server_.port(); }

  Scratch scratch_;
  ViewServer server_;
  std::unique_ptr<Host> host_;
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

TEST_F(Hosted, a_page_hears_of_the_scene_and_sees_it) {
  run();
  Page page(port());
  const json welcome = page.hear("welcome");
  EXPECT_EQ(welcome["mode"], "live");
  EXPECT_TRUE(welcome["control"]);
  EXPECT_GT(welcome["keys"].size(), 50u);
  const json scene = page.hear("scene");
  EXPECT_EQ(scene["rods"][0]["segment_count"], 10);
  EXPECT_EQ(scene["toml"], hanging_rod());
  EXPECT_EQ(scene["probes"][0], "tip");
  const std::string layout = page.see(1), frame = page.see(2);
  EXPECT_EQ(at<std::uint32_t>(layout, 0), 0x4c444e54u);
  EXPECT_EQ(at<std::uint32_t>(layout, 8), scene["layout"].get<unsigned>());
  EXPECT_EQ(at<std::uint32_t>(layout, 24), 11u);
  EXPECT_EQ(at<std::uint32_t>(layout, 28), 10u);
  EXPECT_EQ(layout.size(), 64u + 10 * 8 + 10 * 8 + 11 * 4 + 10 * 4);
  EXPECT_EQ(at<std::int32_t>(layout, 64 + 80), -1) << "before the first segment is none";
  EXPECT_EQ(at<std::int32_t>(layout, 64 + 84), 1) << "after it the second";
  const std::uint32_t bodies = at<std::uint32_t>(frame, 32);
  EXPECT_EQ(frame.size(), 64u + 11 * 12 + bodies * 28);
  EXPECT_EQ(at<float>(frame, 64 + 8), 1) << "z of the clamp";
  page.say({{"type", "show"}, {"color", "speed"}, {"stripes", true}});
  std::string colored = page.see(2);
  EXPECT_EQ(colored.size(), 64u + 11 * 12 + bodies * 28 + 12 + 40);
}

TEST_F(Hosted, it_plays_pulls_and_pauses) {
  run();
  Page page(port());
  page.hear("scene");
  page.say({{"type", "grab"}, {"id", 0}, {"segment", 9}, {"fraction", 1.0}, {"target", {0.5, 0, 0.2}}});
  page.say({{"type", "step"}, {"count", 100}});
  json status = page.hear("status");
  while (status["time"] < 0.99) status = page.hear("status");
  EXPECT_EQ(status["sides"][0]["steps"], 100);
  EXPECT_GT(status["grabs"][0]["from"][0], 0.2);
  page.say({{"type", "release"}, {"id", 0}});
  page.say({{"type", "play"}});
  while (status["time"] < 1.3) status = page.hear("status");
  EXPECT_TRUE(status["playing"]);
  EXPECT_GT(status["sides"][0]["speed"], 0);
  page.say({{"type", "pause"}});
  while (status["playing"]) status = page.hear("status");
  EXPECT_EQ(page.hear("status")["time"], page.hear("status")["time"]);
}

TEST_F(Hosted, one_controls_and_others_watch) {
  run();
  auto first = std::make_unique<Page>(port());
  EXPECT_TRUE(first->hear("welcome")["control"]);
  Page second(port());
  EXPECT_FALSE(second.hear("welcome")["control"]);
  second.say({{"type", "play"}});
  EXPECT_EQ(second.hear("error")["about"], "play");
  first->say({{"type", "step"}, {"count", 1}});
  json status = second.hear("status");
  while (status["time"] == 0) status = second.hear("status");
  first.reset();
  EXPECT_TRUE(second.hear("welcome")["control"]);
  second.say({{"type", "step"}, {"count", 1}});
  while (status["sides"][0]["steps"] < 2) status = second.hear("status");
}

TEST_F(Hosted, what_is_wrong_with_a_message_is_said_and_does_no_harm) {
  run();
  Page page(port());
  page.hear("scene");
  for (const char* const bad : {"",
                                "{",
                                "[]",
                                "null",
                                "{}",
                                R"({"type":1})",
                                R"({"type":"fly"})",
                                R"({"type":"step"})",
                                R"({"type":"step","count":0})",
                                R"({"type":"step","count":1e9})",
                                R"({"type":"step","count":"1"})",
                                R"({"type":"rate","value":-1})",
                                R"({"type":"grab","id":0,"segment":-1,"target":[0,0,0]})",
                                R"({"type":"grab","id":0,"segment":99,"target":[0,0,0]})",
                                R"({"type":"grab","id":99,"segment":1,"target":[0,0,0]})",
                                R"({"type":"grab","id":0,"segment":1,"target":[0,0]})",
                                R"({"type":"grab","id":0,"segment":1,"target":[0,0,1e300]})",
                                R"({"type":"move","body":0,"x":[0,0,0],"q":[0,0,0,0]})",
                                R"({"type":"move","body":1000,"x":[0,0,0],"q":[1,0,0,0]})",
                                R"({"type":"solver","name":"blok"})",
                                R"({"type":"set","path":"rod.rod.segments","value":{"a":1}})",
                                R"({"type":"set","path":"x=1","value":1})",
                                R"({"type":"save","name":"../../evil"})",
                                R"({"type":"save","name":""})",
                                R"({"type":"save","name":"/tmp/x"})",
                                R"({"type":"open","scene":"../../etc/passwd"})",
                                R"({"type":"show","color":"pink"})"}) {
    page.say_bytes(bad);
    EXPECT_EQ(page.hear("error")["type"], "error") << bad;
  }
  page.say_bytes(std::string(200'000, '['));
  EXPECT_EQ(page.hear("error")["about"], "message");
  page.say({{"type", "step"}, {"count", 3}});
  json status = page.hear("status");
  while (status["sides"][0]["steps"] != 3) status = page.hear("status");
}

TEST_F(Hosted, a_mistake_of_the_scene_has_its_line) {
  run();
  Page page(port());
  page.hear("scene");
  std::string bad = hanging_rod();
  bad.replace(bad.find("segments = 10"), 13, "segmets = 10 ");
  const int line = 1 + int(std::count(bad.begin(), bad.begin() + std::ptrdiff_t(bad.find("segmets")), '\n'));
  for (const char* const type : {"toml", "check"}) {
    page.say({{"type", type}, {"text", bad}});
    const json answer = page.hear(std::string(type) == "toml" ? "error" : "checked");
    bool is_found = false;
    for (const json& problem : answer["problems"]) is_found |= problem["line"] == line;
    EXPECT_TRUE(is_found) << answer.dump();
  }
  page.say({{"type", "set"}, {"path", "material.cord.linear_density"}, {"value", 0.2}});
  EXPECT_EQ(page.hear("changed")["type"], "changed");
  page.say({{"type", "solver"}, {"name", "direct"}});
  EXPECT_EQ(page.hear("changed")["solver"][0], "direct");
  page.say({{"type", "compare"}, {"solver", "stable"}});
  EXPECT_EQ(page.hear("scene")["sides"], 2);
  page.say({{"type", "step"}, {"count", 5}});
  json status = page.hear("status");
  while (status["sides"].size() < 2 || status["sides"][1]["steps"] != 5) status = page.hear("status");
  page.say({{"type", "drop"}, {"at", {0.5, 0, 0}}, {"radius", 0.05}, {"mass", 0.1}});
  EXPECT_EQ(page.hear("dropped")["type"], "dropped");
}

TEST_F(Hosted, the_gallery_opens_a_scene_and_a_run_is_saved) {
  run(false);
  Page page(port());
  EXPECT_EQ(page.hear("welcome")["mode"], "gallery");
  EXPECT_EQ(page.hear("gallery")["scenes"][0]["name"], "hanging");
  page.say({{"type", "open"}, {"scene", "hanging"}});
  EXPECT_EQ(page.hear("welcome")["mode"], "live");
  page.hear("scene");
  page.say({{"type", "step"}, {"count", 20}});
  page.say({{"type", "save"}, {"name", "mine"}});
  EXPECT_EQ(page.hear("saved")["frames"], 7);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "runs/mine/frames/000006.npz"));
}

}  // namespace
}  // namespace tendril::app
