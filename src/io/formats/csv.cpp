#include "io/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/streamed_file.h"

namespace tendril::io {
namespace {

struct NamedPoints {
  std::string name;         // as it stands in a cell
  std::vector<int> points;  // in the order of the vertex numbers
};

// quoted when it has to be
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

// one strand keeps its order; a rod of several, which branches, has its points in theirs, each once
std::vector<NamedPoints> rods_of(const Strands& strands) {
  std::vector<NamedPoints> rods;
  std::map<std::string, std::size_t> known;
  for (std::size_t s = 0; s < strands.strands.size(); ++s) {
    const Strand& strand = strands.strands[s];
    const auto [place, is_new] = known.try_emplace(strand.name, rods.size());
    if (strand.name.empty() || is_new) {
      rods.push_back({strand.name.empty() ? std::to_string(s) : cell(strand.name), strand.points});
      continue;
    }
    std::vector<int>& points = rods[place->second].points;
    points.insert(points.end(), strand.points.begin(), strand.points.end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
  }
  return rods;
}

void write_rows(const Moment& moment, const std::vector<NamedPoints>& rods, StreamedFile& out) {
  for (const NamedPoints& rod : rods)
    for (std::size_t k = 0; k < rod.points.size(); ++k) {
      const Vec3d& x = moment.x[rod.points[k]];
      out.write(fmt::format("{:.17g},{},{},{:.17g},{:.17g},{:.17g}\n", moment.time, rod.name, k, x.x, x.y, x.z));
    }
}

}  // namespace

void write_csv(const Take& take, const std::filesystem::path& path) {
  const std::vector<NamedPoints> rods = rods_of(take.strands);
  StreamedFile out(path);
  out.write("time,rod,vertex,x,y,z\n");
  for (std::size_t k = 0; k < take.times.size(); ++k) write_rows(take.moment(static_cast<int>(k)), rods, out);
  out.finish();
}

}  // namespace tendril::io
