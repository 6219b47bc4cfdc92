#include <random>

#include "scene_text.h"

namespace tendril::scene {
namespace {

// a scene whose bytes are disturbed is read or refused by a SceneError; nothing else may come out
void try_to_read(const std::string& text, int& good, int& bad) {
  try {
    const Scene scene = parse(text);
    parse(resolved_toml(scene));
    ++good;
  } catch (const SceneError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 11), "scene.toml:") << error.what() << "\n" << text;
    ++bad;
  }
}

TEST(Mutation, BytesReplacedRemovedAndAdded) {
  std::mt19937 random(1);
  const std::string letters = "0123456789.=[]{}\"',#\n -+einfatrue_\\\xff\x80\x01";
  int good = 0, bad = 0;
  for (int k = 0; k < 3000; ++k) {
    std::string text = beam_scene;
    for (int changes = 1 + int(random() % 3); changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      const char letter = letters[random() % letters.size()];
      switch (random() % 4) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.erase(at, 1 + random() % 8);
          break;
        case 2:
          text.insert(at, 1, letter);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
      }
    }
    try_to_read(text, good, bad);
  }
  EXPECT_GT(good, 100);  // both ways out are walked
  EXPECT_GT(bad, 1000);
}

TEST(Mutation, LinesLeftOutSwappedAndDoubled) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < beam_scene.size();) {
    const std::size_t end = beam_scene.find('\n', at) + 1;
    lines.push_back(beam_scene.substr(at, end - at));
    at = end;
  }
  ASSERT_EQ(int(lines.size()), beam_scene_lines);
  int good = 0, bad = 0;
  for (std::size_t a = 0; a < lines.size(); ++a)
    for (std::size_t b = 0; b < lines.size(); ++b) {
      std::string text;
      for (std::size_t k = 0; k < lines.size(); ++k) text += k == a ? lines[b] : lines[k];
      try_to_read(text, good, bad);
    }
  EXPECT_GT(good, 20);
  EXPECT_GT(bad, 300);
}

TEST(Mutation, SetsOfAnyBytes) {
  std::mt19937 random(2);
  const std::vector<std::string> sets = {"rod.beam.segments=100", "expect.\"tip.z\".value=0", "load.0.force=[0,0,-1]",
                                         "material.wood.stiffness.EA=1e9"};
  for (int k = 0; k < 1000; ++k) {
    std::string set = sets[random() % sets.size()];
    for (int changes = 1 + int(random() % 2); changes > 0; --changes)
      set[random() % set.size()] = char(32 + random() % 95);
    const std::string error = error_of(beam_scene, {set});
    EXPECT_TRUE(error.empty() || error.find("--set " + set) != std::string::npos || error.rfind("scene.toml:", 0) == 0)
        << error;
  }
}

}  // namespace
}  // namespace tendril::scene
