#include "scene/reference.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "scene/describe.h"
#include "scene/keys.h"
#include "scene/value_check.h"
#include "scene_text.h"

namespace tendril::scene {
namespace {

TEST(Reference, PageInTheRepositoryIsUpToDate) {
  const char* const file = TENDRIL_SOURCE_DIR "/docs/scene.md";
  if (std::getenv("TENDRIL_WRITE_DOCS")) std::ofstream(file) << scene_reference();
  std::ifstream in(file);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), scene_reference())
      << "write it anew: TENDRIL_WRITE_DOCS=1 scene_tests --gtest_filter='Reference.*'";
}

// every key says what it means, takes its own default, and stands once in its table
void check_keys_of(const std::vector<Key>& keys, const std::string& path) {
  std::vector<std::string> names;
  for (const Key& key : keys) {
    const std::string here = path + key.name;
    EXPECT_FALSE(key.meaning.empty()) << here;
    EXPECT_FALSE(key.types.empty()) << here;
    EXPECT_FALSE(key.required && !key.default_text.empty()) << here << " is required and has a default";
    EXPECT_TRUE(!takes(key, KeyType::rows) || key.width > 0) << here;
    if (!key.default_text.empty()) {
      const auto fault = find_fault(*parse_default(key).get("value"), key);
      EXPECT_FALSE(fault) << here << ": the default " << (fault ? fault->message : "");
    }
    EXPECT_EQ(std::count(names.begin(), names.end(), key.name), 0) << here << " stands twice";
    names.push_back(key.name);
    check_keys_of(key.keys, here + ".");
    for (const Key::Variant& variant : key.variants) {
      std::vector<Key> together = key.keys;
      together.insert(together.end(), variant.keys.begin(), variant.keys.end());
      check_keys_of(together, here + "(" + variant.name + ").");
    }
  }
}

TEST(Reference, KeysAreWellFormed) { check_keys_of(scene_key({}).keys, ""); }

TEST(Reference, ListsEveryTableAndOption) {
  const std::string list = scene_key_list(some_solvers());
  for (const char* line :
       {"simulation.time_step (required)  number [s]", "material.NAME.stiffness.EA (required)  number [N]",
        "obstacle(sphere).radius (required)", "solver.stable.iterations = 10", "rod.curve(helix).pitch",
        "expect.NAME.tolerance (required)"})
    EXPECT_NE(list.find(line), std::string::npos) << line;
}

}  // namespace
}  // namespace tendril::scene
