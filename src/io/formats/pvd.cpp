#include "io/formats/pvd.h"

#include <fmt/format.h>

#include "io/file.h"
#include "io/formats.h"
#include "io/formats/vtp.h"

namespace tendril::io {

namespace {

// a file name as the value of an attribute
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

}  // namespace

std::filesystem::path vtp_of_moment(const std::filesystem::path& pvd, int moment) {
  return pvd.parent_path() / fmt::format("{}_{:04}.vtp", pvd.stem().string(), moment);
}

void write_pvd_list(std::span<const double> times, const std::filesystem::path& pvd) {
  std::string text = R"(<?xml version="1.0"?>
<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">
  <Collection>
)";
  for (std::size_t k = 0; k < times.size(); ++k)
    text += fmt::format("    <DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", times[k],
                        escaped(vtp_of_moment(pvd, int(k)).filename().string()));
  write_file(pvd, text + "  </Collection>\n</VTKFile>\n");
}

// the list last: it never names a file that is not there
void write_pvd(const Take& take, const std::filesystem::path& path) {
  for (int k = 0; k < int(take.times.size()); ++k) write_vtp(at_moment(take, k), vtp_of_moment(path, k));
  write_pvd_list(take.times, path);
}

}  // namespace tendril::io
