#include "io/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "io/file.h"
#include "io/formats/abc.h"
#include "io/formats/bcc.h"
#include "io/formats/csv.h"
#include "io/formats/glb.h"
#include "io/formats/hair.h"
#include "io/formats/npz.h"
#include "io/formats/obj.h"
#include "io/formats/pvd.h"
#include "io/formats/swc.h"
#include "io/formats/usda_read.h"
#include "io/formats/usda_write.h"
#include "io/formats/vtp.h"

namespace tendril::io {

namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// the extensions that can be read or written, for a message
std::string extensions(bool readable) {
  std::string list;
  for (const Format& format : formats())
    if (readable ? format.read != nullptr : format.write != nullptr)
      list += (list.empty() ? "" : ", ") + format.extension;
  return list;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      // extension, meaning, moves, read, write
      {".hair", "hair of Cem Yuksel's library", false, read_hair, write_hair},
      {".bcc", "binary curve collection: yarns", false, read_bcc, write_bcc},
      {".obj", "lines of Wavefront OBJ", false, read_obj, write_obj},
      {".swc", "trees of neurons and plants", false, read_swc, nullptr},
      {".usda", "BasisCurves of USD as text", true, read_usda, write_usda},
      {".abc", "curves of Alembic, a groom for Unreal", true, read_abc, write_abc},
      {".glb", "skinned tubes of glTF", true, nullptr, write_glb},
      {".vtp", "polylines of VTK", false, nullptr, write_vtp},
      {".pvd", "a .vtp for every moment, for ParaView", true, nullptr, write_pvd},
      {".npz", "arrays of numpy", true, read_npz_rods, write_npz_rods},
      {".csv", "table of every vertex at every moment", true, nullptr, write_csv},
  };
  return all;
}

const Format* find_format(const std::filesystem::path& path) {
  const std::string extension = lower_case(path.extension().string());
  for (const Format& format : formats())
    if (format.extension == extension) return &format;
  return nullptr;
}

Take read_rods(const std::filesystem::path& path) {
  const Format* format = find_format(path);
  if (!format || !format->read)
    throw FileError(fmt::format("{}: rods are read from {}", path.string(), extensions(true)));
  return format->read(read_file(path), path.string());
}

void write_rods(const Take& take, const std::filesystem::path& path) {
  const Format* format = find_format(path);
  if (!format || !format->write)
    throw FileError(fmt::format("{}: rods are written to {}", path.string(), extensions(false)));
  if (format->moves || take.times.size() <= 1)
    format->write(take, path);
  else
    format->write(at_moment(take, static_cast<int>(take.times.size()) - 1), path);
}

Take at_moment(const Take& take, int moment) {
  Take one = take;
  Moment there = take.moment(moment);
  one.times = {take.times[moment]};
  one.strands.points = there.x;
  one.moment = [there = std::move(there)](int) { return there; };
  return one;
}

}  // namespace tendril::io
