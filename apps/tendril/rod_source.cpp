#include "rod_source.h"

#include <fmt/format.h>

#include "io/file.h"
#include "io/formats.h"

namespace tendril::app {

namespace fs = std::filesystem;

SourceKind kind_of(const fs::path& path) {
  if (!fs::exists(path)) throw FileError(fmt::format("{}: there is no such file or folder", path.string()));
  if (fs::is_directory(path)) return SourceKind::run;
  return path.extension() == ".toml" ? SourceKind::scene : SourceKind::rods;
}

Take read_source(const fs::path& path, Follow follow) {
  switch (kind_of(path)) {
    case SourceKind::run:
      return take_of_run(open_run(path), follow);
    case SourceKind::scene:
      return take_of_scene(load_scene(path.string()), follow);
    case SourceKind::rods:
      break;
  }
  return read_rods(path);
}

}  // namespace tendril::app
