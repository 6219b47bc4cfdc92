#include "io/formats/bcc.h"

#include <algorithm>
#include <cstdlib>

#include "io/formats/binary.h"
#include "io/formats/checked.h"
#include "io/formats/up_axis.h"
#include "io/streamed_file.h"

// 64 bytes of header; then per curve an int32 count of points, negative for a loop, and the points as float[3]

namespace tendril::io {
namespace {

constexpr std::uint8_t four_byte_numbers = 0x44;  // integers and floats of four bytes each
constexpr std::size_t info_size = 40;

struct Header {
  char signature[3] = {'B', 'C', 'C'};
  std::uint8_t number_sizes = four_byte_numbers;
  char curve_type[2] = {'P', 'L'};
  std::int8_t dimensions = 3;
  std::int8_t up = 2;  // 0 x, 1 y, 2 z
  std::uint64_t curve_count = 0, point_count = 0;
  char info[info_size] = {};
};
static_assert(sizeof(Header) == 64);

// "PL" straight; "C0", "C1", "C2": Catmull-Rom with uniform, chordal and centripetal parameter
bool is_smooth(const Header& header, const BinaryReader& in) {
  const std::string_view type(header.curve_type, 2);
  if (type == "PL") return false;
  if (type == "C0" || type == "C1" || type == "C2") return true;
  in.fail(fmt::format("has curves of type \"{}\"; PL, C0, C1 and C2 can be read", clean_text(type)));
}

Header take_header(BinaryReader& in) {
  if (in.left() < sizeof(Header)) in.fail("a .bcc file starts with 64 bytes of header: this one is cut short");
  const auto header = in.take<Header>();
  if (std::string_view(header.signature, 3) != "BCC") in.fail("does not start with BCC: this is not a .bcc file");
  if (header.number_sizes != four_byte_numbers) in.fail("has numbers that are not of four bytes: write it with them");
  if (header.dimensions != 3) in.fail(fmt::format("has points of {} dimensions, not 3", int(header.dimensions)));
  if (header.up < 0 || header.up > 2) in.fail(fmt::format("its up axis is {}, not 0, 1 or 2", int(header.up)));
  if (header.curve_count == 0) in.fail("has no curves");
  return header;
}

void take_curve(BinaryReader& in, std::uint64_t number, int up, Strands& out) {
  const std::int64_t count = in.take<std::int32_t>();
  Strand strand;
  strand.closed = count < 0;
  const std::uint64_t size = std::uint64_t(std::abs(count));
  const int least = strand.closed ? 3 : 2;
  if (size < std::uint64_t(least))
    in.fail(fmt::format("curve {} has {} points, it needs at least {}", number, size, least));
  for (const Vec3f& x : in.take_array<Vec3f>(size, "the points of a curve")) {
    strand.points.push_back(static_cast<int>(out.points.size()));
    out.points.push_back(turned_to_z_up(up, cast<double>(x)));
  }
  out.strands.push_back(std::move(strand));
}

}  // namespace

Take read_bcc(std::span<const char> bytes, const std::string& name) {
  BinaryReader in(bytes, name);
  const Header header = take_header(in);
  Strands strands;
  strands.smooth = is_smooth(header, in);
  checked_count(bytes.size() / sizeof(Vec3f), name);
  for (std::uint64_t c = 0; c < header.curve_count; ++c) take_curve(in, c, header.up, strands);
  if (strands.points.size() != header.point_count)
    in.fail(fmt::format("its curves have {} points, its header says {}", strands.points.size(), header.point_count));
  if (in.left() > 0) in.fail(fmt::format("{} bytes follow behind the last curve: its counts are wrong", in.left()));
  const char* info_end = std::find(header.info, std::end(header.info), '\0');
  return still_take(std::move(strands), name, clean_text({header.info, info_end}));
}

void write_bcc(const Take& take, const std::filesystem::path& path) {
  const Strands& strands = take.strands;
  const std::vector<Vec3f> points = in_single_precision(strands.points, path);
  Header header;
  if (strands.smooth) header.curve_type[0] = 'C', header.curve_type[1] = '0';
  header.curve_count = strands.strands.size();
  for (const Strand& strand : strands.strands) header.point_count += strand.points.size();
  take.title.copy(header.info, info_size - 1);

  StreamedFile out(path);
  out.write_value(header);
  for (const Strand& strand : strands.strands) {
    const auto count = static_cast<std::int32_t>(strand.points.size());
    out.write_value(strand.closed ? -count : count);
    for (const int i : strand.points) out.write_value(points[i]);
  }
  out.finish();
}

}  // namespace tendril::io
