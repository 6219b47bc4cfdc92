#include "io/formats/vtp.h"

#include <fmt/format.h>

#include <type_traits>

#include "io/formats/polylines.h"
#include "io/streamed_file.h"

namespace tendril::io {

namespace {

// the arrays of a file: their declarations go into the XML, their bytes behind it in the same order
class AppendedArrays {
 public:
  // values as bytes: rows of `components` numbers
  template <class T>
  std::string declare(const char* name, int components, const std::vector<T>& values) {
    static_assert(sizeof(T) % 8 == 0, "rows of 64-bit numbers");
    const char* type = std::is_same_v<T, std::int64_t> ? "Int64" : "Float64";
    const std::string text = fmt::format(
        R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" NumberOfTuples="{}" format="appended" offset="{}"/>)",
        type, name, components, values.size() * sizeof(T) / (8 * components), offset_);
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    blocks_.emplace_back(bytes, bytes + values.size() * sizeof(T));
    offset_ += sizeof(std::uint64_t) + blocks_.back().size();
    return text;
  }

  void write(StreamedFile& out) const {
    for (const std::vector<char>& block : blocks_) {
      out.write_value(std::uint64_t(block.size()));
      out.write({block.data(), block.size()});
    }
  }

 private:
  std::vector<std::vector<char>> blocks_;
  std::uint64_t offset_ = 0;
};

std::vector<std::int64_t> wide(const std::vector<int>& values) { return {values.begin(), values.end()}; }

// texts as VTK's XML has them: the numbers of their bytes, each text ended by 0
std::string text_array(const char* name, const std::vector<std::string>& texts) {
  std::string codes;
  for (const std::string& text : texts) {
    for (const unsigned char c : text) codes += fmt::format("{} ", int(c));
    codes += "0 ";
  }
  return fmt::format(R"(<DataArray type="String" Name="{}" NumberOfTuples="{}" format="ascii">{}</DataArray>)", name,
                     texts.size(), codes);
}

std::string point_data(const Take& take, const Moment& moment, const Parts& parts, const Polylines& lines,
                       AppendedArrays& arrays) {
  std::string text = fmt::format("      <PointData{}>\n", parts.radius ? R"( Scalars="radius")" : "");
  const auto add = [&](const std::string& array) { text += "        " + array + "\n"; };
  if (parts.radius) add(arrays.declare("radius", 1, at_places(lines.point, take.strands.radius)));
  if (parts.velocity) add(arrays.declare("velocity", 3, at_places(lines.point, moment.v)));
  if (parts.frames) add(arrays.declare("quaternion_wxyz", 4, at_places(lines.segment, moment.q)));
  add(arrays.declare("point_id", 1, wide(lines.point)));
  return text + "      </PointData>\n";
}

std::string cell_data(const Take& take, const RodNumbers& rods, AppendedArrays& arrays) {
  std::vector<Vec3d> colors;
  for (const Strand& strand : take.strands.strands) colors.push_back(strand.color);
  return fmt::format("      <CellData>\n        {}\n        {}\n      </CellData>\n",
                     arrays.declare("rod_id", 1, wide(rods.of_strand)), arrays.declare("color", 3, colors));
}

// a closed strand repeats its first point at its end
std::string topology(const Take& take, const Polylines& lines, AppendedArrays& arrays) {
  std::vector<std::int64_t> connectivity, offsets;
  for (int k = 0; k < lines.strand_count(); ++k) {
    for (int place = lines.first[k]; place < lines.first[k + 1]; ++place) connectivity.push_back(place);
    if (take.strands.strands[k].closed) connectivity.push_back(lines.first[k]);
    offsets.push_back(std::int64_t(connectivity.size()));
  }
  return fmt::format("      <Lines>\n        {}\n        {}\n      </Lines>\n",
                     arrays.declare("connectivity", 1, connectivity), arrays.declare("offsets", 1, offsets));
}

}  // namespace

void write_vtp(const Take& take, const std::filesystem::path& path) {
  const Parts parts = parts_of(take);
  const Moment moment = checked_moment(take, 0, parts);
  const Polylines lines = lay_out(take.strands);
  const RodNumbers rods = number_rods(take.strands);
  AppendedArrays arrays;

  std::string xml = R"(<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
  <PolyData>
)";
  xml += fmt::format("    <FieldData>\n      {}\n      {}\n    </FieldData>\n",
                     arrays.declare("TimeValue", 1, std::vector<double>{take.times[0]}),
                     text_array("rod_names", rods.names));
  xml += fmt::format(
      "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n",
      lines.place_count(), lines.strand_count());
  xml += point_data(take, moment, parts, lines, arrays);
  xml += cell_data(take, rods, arrays);
  xml += fmt::format("      <Points>\n        {}\n      </Points>\n",
                     arrays.declare("Points", 3, at_places(lines.point, moment.x)));
  xml += topology(take, lines, arrays);
  xml += "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _";

  StreamedFile out(path);
  out.write(xml);
  arrays.write(out);
  out.write("\n  </AppendedData>\n</VTKFile>\n");
  out.finish();
}

}  // namespace tendril::io
