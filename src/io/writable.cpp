#include "io/writable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/file.h"

namespace tendril::io {

namespace fs = std::filesystem;

void refuse_unwritable(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const auto refuse = [&](const std::string& why) {
    throw ResourceError(fmt::format("{}: cannot be written: {}", file.string(), why));
  };
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse(fmt::format("there is no folder {}", folder.string()));
  if (fs::is_directory(file, error)) refuse("it is a folder");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(std::strerror(errno));
}

}  // namespace tendril::io
