#include "io/formats/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/formats/glb_joints.h"
#include "io/formats/glb_json.h"

namespace tendril::io {

namespace {

constexpr std::uint64_t channel_memory = 64 << 20;  // bytes of motion that are gathered at once

// one vertex as it lies in the file
struct SkinnedVertex {
  Vec3f position, normal;
  std::uint16_t joints[4];
  std::uint8_t weights[4];
};
static_assert(sizeof(SkinnedVertex) == 36);

void write_meshes(const GlbPlan& plan, StreamedFile& out) {
  for (int k = 0; k < plan.lines.strand_count(); ++k) {
    const TubeMesh tube = plan.tube(k);
    for (std::size_t i = 0; i < tube.position.size(); ++i) {
      const SkinnedVertex vertex{
          tube.position[i], tube.normal[i], {std::uint16_t(tube.ring[i]), 0, 0, 0}, {255, 0, 0, 0}};
      out.write({reinterpret_cast<const char*>(&vertex), plan.vertex_bytes()});
    }
  }
  for (int k = 0; k < plan.lines.strand_count(); ++k)
    out.write_values(std::span<const std::uint32_t>(plan.tube(k).triangles));
}

// the inverse of a joint's place at the first moment, by columns: Rᵀ and -Rᵀ x
void write_inverse_binds(const GlbPlan& plan, StreamedFile& out) {
  for (int place = 0; place < plan.joint_count(); ++place) {
    const Quatd back = conjugate(plan.start_frame[place]);
    const Vec3d columns[4] = {director1(back), director2(back), director3(back), -rotate(back, plan.start[place])};
    for (int c = 0; c < 4; ++c) {
      out.write_value(cast<float>(columns[c]));
      out.write_value(c == 3 ? 1.0f : 0.0f);
    }
  }
}

// One property of every joint over all moments, joint by joint, gathered in as few passes over the take as memory
// allows. `value` makes it from a joint's place and frame.
template <class Row, class Value>
void write_channels(const GlbPlan& plan, StreamedFile& out, const Value& value) {
  const std::size_t samples = plan.times.size();
  const int at_once = int(std::max<std::uint64_t>(1, channel_memory / (samples * sizeof(Row))));
  for (int first = 0; first < plan.joint_count(); first += at_once) {
    const int count = std::min(at_once, plan.joint_count() - first);
    std::vector<Row> rows(count * samples);
    JointFrames frames(*plan.take, plan.lines, plan.parts);
    for (std::size_t m = 0; m < samples; ++m) {
      const Moment moment = checked_moment(*plan.take, plan.moments[m], plan.parts);
      const std::vector<Quatd>& q = frames.advance(moment);
      for (int n = 0; n < count; ++n)
        rows[n * samples + m] = value(moment.x[plan.lines.point[first + n]], q[first + n]);
    }
    out.write_values(std::span<const Row>(rows));
  }
}

// nothing while a strand has no length
void write_scales(const GlbPlan& plan, StreamedFile& out) {
  const std::size_t samples = plan.times.size();
  std::vector<Vec3f> scales(plan.collapsing.size() * samples);
  for (std::size_t m = 0; m < samples && !plan.collapsing.empty(); ++m) {
    const Moment moment = checked_moment(*plan.take, plan.moments[m], plan.parts);
    for (std::size_t c = 0; c < plan.collapsing.size(); ++c) {
      const float size = plan.has_length(moment.x, plan.collapsing[c]) ? 1.0f : 0.0f;
      scales[c * samples + m] = {size, size, size};
    }
  }
  out.write_values(std::span<const Vec3f>(scales));
}

void write_binary(const GlbPlan& plan, StreamedFile& out) {
  write_meshes(plan, out);
  if (!plan.moves()) return;
  write_inverse_binds(plan, out);
  out.write_values(std::span<const float>(plan.times));
  write_channels<Vec3f>(plan, out, [](const Vec3d& x, const Quatd&) { return cast<float>(x); });
  struct Rotation {
    float x, y, z, w;  // glTF's order
  };
  write_channels<Rotation>(plan, out, [](const Vec3d&, const Quatd& q) {
    return Rotation{float(q.x), float(q.y), float(q.z), float(q.w)};
  });
  write_scales(plan, out);
}

template <class Number>
void overwrite_number(StreamedFile& out, std::uint64_t place, Number value) {
  out.overwrite(place, {reinterpret_cast<const char*>(&value), sizeof value});
}

}  // namespace

void write_glb(const Take& take, const std::filesystem::path& path) {
  const GlbPlan plan(take);
  const std::uint64_t binary_bytes = plan.view_offset(GlbPlan::view_count);
  StreamedFile out(path);
  out.write(std::string_view("glTF\2\0\0\0\0\0\0\0", 12));
  out.write(std::string_view("\0\0\0\0JSON", 8));
  write_glb_json(plan, out);
  while (out.size() % 4 != 0) out.write(" ");
  const std::uint64_t json_bytes = out.size() - 20, whole = out.size() + 8 + binary_bytes;
  if (whole > std::numeric_limits<std::uint32_t>::max())
    throw FileError(fmt::format("{}: would have {:.1f} GB, and .glb holds 4.2; write .abc, or fewer moments",
                                path.string(), 1e-9 * double(whole)));
  overwrite_number(out, 8, std::uint32_t(whole));
  overwrite_number(out, 12, std::uint32_t(json_bytes));
  out.write_value(std::uint32_t(binary_bytes));
  out.write(std::string_view("BIN\0", 4));
  write_binary(plan, out);
  out.finish();
}

}  // namespace tendril::io
