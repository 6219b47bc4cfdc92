#include "io/outside_reader.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "scratch.h"

namespace tendril::io {

namespace fs = std::filesystem;

namespace {

// tests run side by side: one of them brings the packages, the others wait
class Lock {
 public:
  explicit Lock(const fs::path& path) : file_(std::fopen(path.c_str(), "w")) {
    if (file_) flock(fileno(file_), LOCK_EX);
  }
  ~Lock() {
    if (file_) std::fclose(file_);
  }
  Lock(const Lock&) = delete;

 private:
  std::FILE* file_;
};

// what a command prints; throws with its complaints
std::string output_of(const std::string& command) {
  const Scratch scratch;
  std::FILE* pipe = popen(fmt::format("{} 2>{}", command, (scratch / "complaints").string()).c_str(), "r");
  if (!pipe) throw std::runtime_error("no process can be started");
  std::string text;
  std::array<char, 4096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe)) text.append(piece.data(), count);
  const int status = pclose(pipe);
  std::ifstream complaints(scratch / "complaints");
  const std::string said{std::istreambuf_iterator<char>(complaints), {}};
  if (status != 0) throw std::runtime_error(command + ": " + said);
  return text;
}

}  // namespace

nlohmann::json read_outside(const std::string& command) { return nlohmann::json::parse(output_of(command)); }

fs::path node_readers() {
  const fs::path cache = fs::read_symlink("/proc/self/exe").parent_path() / "npm", modules = cache / "node_modules";
  fs::create_directories(cache);
  const Lock lock(cache / "lock");
  const fs::path complete = cache / "complete";
  if (fs::exists(complete)) return modules;
  output_of(
      fmt::format("timeout 300 npm install --prefix {} --no-audit --no-fund --fetch-retries=5 --ignore-scripts "
                  "gltf-validator@2.0.0-dev.3.10 tinyusdz@0.9.0-rc10 three@0.187.0",
                  cache.string()));
  std::ofstream(complete) << "all packages are here\n";
  return modules;
}

fs::path outside_scripts() { return fs::path(TENDRIL_SOURCE_DIR) / "tests/io/outside"; }

}  // namespace tendril::io
