#include "engine/export_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tendril::engine {
namespace {

std::string writable_formats() {
  std::string list;
  for (const Format& format : formats())
    if (format.write) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", format.extension.substr(1));
  return list;
}

}  // namespace

std::vector<const Format*> export_formats(const Scene& scene) {
  std::vector<const Format*> chosen;
  const Table output = scene.root.table("output");
  if (!output.has("export")) return chosen;
  for (const std::string& name : output.texts("export")) {
    const Format* format =
        find_format(std::filesystem::path("rods" + std::string(name.starts_with('.') ? "" : ".") + name));
    if (!format || !format->write)
      output.fail("export",
                  fmt::format("\"{}\" is no format that rods are written in; there are {}", name, writable_formats()));
    if (std::find(chosen.begin(), chosen.end(), format) == chosen.end()) chosen.push_back(format);
  }
  return chosen;
}

}  // namespace tendril::engine
