#include "io/formats/hair.h"

#include <algorithm>
#include <functional>

#include "io/formats/binary.h"
#include "io/formats/checked.h"
#include "io/streamed_file.h"

// 128 bytes of header, then those arrays whose bit is set, in this order:
//   segments   uint16 (strand)    thickness     float (point)    colors  float[3] (point)
//   points     float[3] (point)   transparency  float (point)

namespace tendril::io {
namespace {

enum ArrayBit : std::uint32_t {
  has_segments = 1,
  has_points = 2,
  has_thickness = 4,
  has_transparency = 8,
  has_colors = 16
};

constexpr std::uint32_t most_segments = 65535;  // of a strand: they are counted in 16 bits
constexpr float unset_thickness = 1;  // what the format's own library writes when nobody chose: not a thickness [m]

struct Header {
  char signature[4] = {'H', 'A', 'I', 'R'};
  std::uint32_t strand_count = 0, point_count = 0;
  std::uint32_t arrays = 0;            // bits
  std::uint32_t default_segments = 0;  // of every strand, when there is no array; so are the next three
  float default_thickness = unset_thickness;
  float default_transparency = 0;
  Vec3f default_color{1, 1, 1};
  char info[88] = {};
};
static_assert(sizeof(Header) == 128);

Header take_header(BinaryReader& in) {
  if (in.left() < sizeof(Header)) in.fail("a .hair file starts with 128 bytes of header: this one is cut short");
  const auto header = in.take<Header>();
  if (std::string_view(header.signature, 4) != "HAIR") in.fail("does not start with HAIR: this is not a .hair file");
  if (!(header.arrays & has_points)) in.fail("has no points (bit 1 of its arrays is not set)");
  if (header.arrays >= 2 * has_colors) in.fail("has arrays of an unknown kind");
  if (header.strand_count == 0) in.fail("has no strands");
  return header;
}

// the segments of every strand, which use up the points exactly
std::vector<std::uint32_t> take_segments(BinaryReader& in, const Header& header) {
  in.need(header.point_count, sizeof(Vec3f), "the points");
  std::vector<std::uint32_t> segments;
  if (header.arrays & has_segments) {
    const auto counts = in.take_array<std::uint16_t>(header.strand_count, "the segments of its strands");
    segments.assign(counts.begin(), counts.end());
  } else {
    if (header.strand_count > header.point_count) in.fail("has more strands than points");
    segments.assign(header.strand_count, header.default_segments);
  }
  std::uint64_t points = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (segments[s] == 0) in.fail(fmt::format("strand {} has no segments: remove it", s));
    points += std::uint64_t(segments[s]) + 1;
  }
  if (points != header.point_count)
    in.fail(fmt::format("its strands need {} points, its header says {}", points, header.point_count));
  return segments;
}

Vec3d color_of(const Vec3f& color, std::size_t strand, const BinaryReader& in) {
  const Vec3d c = cast<double>(color);
  if (!is_finite(c)) in.fail(fmt::format("the color of strand {} is not finite", strand));
  return {std::clamp(c.x, 0.0, 1.0), std::clamp(c.y, 0.0, 1.0), std::clamp(c.z, 0.0, 1.0)};
}

// strands of consecutive points; a loop leaves out the last one, which is its first again
void add_strands(const std::vector<std::uint32_t>& segments, const std::vector<Vec3f>& points,
                 const std::vector<float>& thickness, Strands& out) {
  std::size_t first = 0;
  for (const std::uint32_t count : segments) {
    Strand strand;
    strand.closed = count >= 3 && points[first] == points[first + count];
    const std::size_t end = first + count + (strand.closed ? 0 : 1);
    for (std::size_t i = first; i < end; ++i) {
      strand.points.push_back(static_cast<int>(out.points.size()));
      out.points.push_back(cast<double>(points[i]));
      if (!thickness.empty()) out.radius.push_back(0.5 * double(thickness[i]));
    }
    out.strands.push_back(std::move(strand));
    first += count + 1;
  }
}

// the strands as the file holds them: point after point, a loop's first one twice
std::vector<int> points_in_file(const Strands& strands, const std::filesystem::path& path) {
  std::vector<int> points;
  for (const Strand& strand : strands.strands) {
    if (strand.segment_count() > int(most_segments))
      throw FileError(fmt::format("{}: a strand has {} segments, a .hair file holds {} at most: write .bcc or .npz",
                                  path.string(), strand.segment_count(), most_segments));
    points.insert(points.end(), strand.points.begin(), strand.points.end());
    if (strand.closed) points.push_back(strand.points.front());
  }
  checked_count(points.size(), path.string());
  return points;
}

template <class T>
bool all_equal(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

Take read_hair(std::span<const char> bytes, const std::string& name) {
  BinaryReader in(bytes, name);
  const Header header = take_header(in);
  const std::vector<std::uint32_t> segments = take_segments(in, header);
  checked_count(header.point_count, name);
  const auto points = in.take_array<Vec3f>(header.point_count, "the points");
  std::vector<float> thickness;
  if (header.arrays & has_thickness)
    thickness = in.take_array<float>(header.point_count, "the thickness of its points");
  else if (header.default_thickness != unset_thickness)
    thickness.assign(header.point_count, header.default_thickness);
  if (header.arrays & has_transparency) in.take_array<float>(header.point_count, "the transparency of its points");
  std::vector<Vec3f> colors;
  if (header.arrays & has_colors) colors = in.take_array<Vec3f>(header.point_count, "the colors of its points");
  if (in.left() > 0) in.fail(fmt::format("{} bytes follow behind the last array: its counts are wrong", in.left()));

  Strands strands;
  strands.one_radius_for_all = !thickness.empty() && !(header.arrays & has_thickness);
  add_strands(segments, points, thickness, strands);
  std::size_t first = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    strands.strands[s].color = color_of(colors.empty() ? header.default_color : colors[first], s, in);
    first += segments[s] + 1;
  }
  const char* info_end = std::find(header.info, std::end(header.info), '\0');
  return still_take(std::move(strands), name, clean_text({header.info, info_end}));
}

void write_hair(const Take& take, const std::filesystem::path& path) {
  const Strands& strands = take.strands;
  const std::vector<int> order = points_in_file(strands, path);
  const std::vector<Vec3f> points = in_single_precision(strands.points, path);
  std::vector<std::uint16_t> segments;
  std::vector<Vec3f> colors, x;
  std::vector<float> thickness;
  for (const Strand& strand : strands.strands) {
    segments.push_back(static_cast<std::uint16_t>(strand.segment_count()));
    colors.insert(colors.end(), strand.segment_count() + 1, cast<float>(strand.color));
  }
  for (const int i : order) {
    x.push_back(points[i]);
    if (!strands.radius.empty()) thickness.push_back(float(2 * strands.radius[i]));
  }

  // what is the same everywhere stands in the header
  Header header;
  header.strand_count = static_cast<std::uint32_t>(segments.size());
  header.point_count = static_cast<std::uint32_t>(order.size());
  header.arrays = has_segments | has_points;
  if (!all_equal(thickness) || (!thickness.empty() && thickness[0] == unset_thickness)) header.arrays |= has_thickness;
  if (!all_equal(colors)) header.arrays |= has_colors;
  if (!thickness.empty()) header.default_thickness = thickness[0];
  if (!colors.empty()) header.default_color = colors[0];
  take.title.copy(header.info, sizeof header.info - 1);

  StreamedFile out(path);
  out.write_value(header);
  out.write_values(std::span<const std::uint16_t>(segments));
  out.write_values(std::span<const Vec3f>(x));
  if (header.arrays & has_thickness) out.write_values(std::span<const float>(thickness));
  if (header.arrays & has_colors) out.write_values(std::span<const Vec3f>(colors));
  out.finish();
}

}  // namespace tendril::io
