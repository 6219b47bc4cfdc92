#include "io/formats/glb_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tendril::io {

namespace {

constexpr int u8 = 5121, u16 = 5123, u32 = 5125, f32 = 5126;  // types of components

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Writes the arrays of the file in turn. Numbers of accessors: of each strand position, normal, [joints, weights,]
// triangles, [inverse binds]; then the times; then translation and rotation of each joint; then scales.
class GlbJson {
 public:
  GlbJson(const GlbPlan& plan, StreamedFile& out) : plan_(plan), out_(out), strands_(plan.lines.strand_count()) {}

  void write() {
    out_.write(R"({"asset":{"version":"2.0","generator":"tendril"},"scene":0)");
    write_scene();
    write_nodes();
    write_meshes();
    if (plan_.moves()) write_skins();
    if (plan_.moves()) write_animation();
    write_materials();
    write_accessors();
    write_views();
    out_.write("}");
  }

 private:
  int per_strand() const { return plan_.moves() ? 6 : 3; }
  int time_accessor() const { return strands_ * per_strand(); }
  int joint_accessor(int place) const { return time_accessor() + 1 + 2 * place; }
  int scale_accessor(int k) const { return joint_accessor(plan_.joint_count()) + k; }
  int root_node() const { return strands_; }
  int joint_node(int place) const { return strands_ + 1 + place; }

  // an array of `count` elements, each as text
  template <class Element>
  void write_array(const char* name, int count, const Element& element) {
    out_.write(fmt::format(",\"{}\":", name));
    write_list(count, element);
  }
  template <class Element>
  void write_list(int count, const Element& element) {
    out_.write("[");
    for (int k = 0; k < count; ++k) {
      if (k > 0) out_.write(",");
      out_.write(element(k));
    }
    out_.write("]");
  }

  // skinned meshes stand at the top, since only their joints place them
  void write_scene() {
    out_.write(",\"scenes\":[{\"name\":" + quoted(plan_.take->title) + ",\"nodes\":");
    if (plan_.moves())
      write_list(strands_ + 1, [](int k) { return std::to_string(k); });
    else
      out_.write(fmt::format("[{}]", root_node()));
    out_.write("}]");
  }

  // the root turns our z up into glTF's y up
  void write_nodes() {
    out_.write(",\"nodes\":[");
    for (int k = 0; k < strands_; ++k)
      out_.write(fmt::format(R"({{"name":{},"mesh":{}{}}},)", quoted(plan_.take->strands.strands[k].name), k,
                             plan_.moves() ? fmt::format(",\"skin\":{}", k) : ""));
    out_.write(R"({"name":"z up","rotation":[-0.70710678,0,0,0.70710678],"children":)");
    if (plan_.moves())
      write_list(plan_.joint_count(), [&](int place) { return std::to_string(joint_node(place)); });
    else
      write_list(strands_, [](int k) { return std::to_string(k); });
    out_.write("}");
    for (int place = 0; plan_.moves() && place < plan_.joint_count(); ++place) {
      const Vec3f x = cast<float>(plan_.start[place]);
      const Quatf q = cast<float>(plan_.start_frame[place]);
      out_.write(
          fmt::format(R"(,{{"translation":[{},{},{}],"rotation":[{},{},{},{}]}})", x.x, x.y, x.z, q.x, q.y, q.z, q.w));
    }
    out_.write("]");
  }

  void write_meshes() {
    write_array("meshes", strands_, [&](int k) {
      const int a = k * per_strand();
      const std::string skinned = plan_.moves() ? fmt::format(R"(,"JOINTS_0":{},"WEIGHTS_0":{})", a + 2, a + 3) : "";
      return fmt::format(
          R"({{"primitives":[{{"attributes":{{"POSITION":{},"NORMAL":{}{}}},"indices":{},"material":{}}}]}})", a, a + 1,
          skinned, a + (plan_.moves() ? 4 : 2), plan_.material[k]);
    });
  }

  void write_skins() {
    out_.write(",\"skins\":[");
    for (int k = 0; k < strands_; ++k) {
      out_.write(fmt::format(R"({}{{"inverseBindMatrices":{},"joints":)", k > 0 ? "," : "", k * per_strand() + 5));
      write_list(plan_.lines.count(k), [&](int n) { return std::to_string(joint_node(plan_.lines.first[k] + n)); });
      out_.write("}");
    }
    out_.write("]");
  }

  // samplers: translation and rotation of each joint, then the scale of each strand that collapses
  void write_animation() {
    const int joints = plan_.joint_count(), moving = 2 * joints, scaled = int(plan_.collapsing.size());
    out_.write(R"(,"animations":[{"name":"motion","samplers":)");
    write_list(moving + scaled, [&](int s) {
      return fmt::format(R"({{"input":{},"output":{}{}}})", time_accessor(), joint_accessor(0) + s,
                         s < moving ? "" : R"(,"interpolation":"STEP")");
    });
    out_.write(",\"channels\":[");
    const auto write_channel = [&](int sampler, int node, const char* path) {
      out_.write(fmt::format(R"({}{{"sampler":{},"target":{{"node":{},"path":"{}"}}}})", sampler > 0 ? "," : "",
                             sampler, node, path));
    };
    for (int s = 0; s < moving; ++s) write_channel(s, joint_node(s / 2), s % 2 == 0 ? "translation" : "rotation");
    for (int c = 0; c < scaled; ++c)
      for (int n = 0; n < plan_.lines.count(plan_.collapsing[c]); ++n)
        write_channel(moving + c, joint_node(plan_.lines.first[plan_.collapsing[c]] + n), "scale");
    out_.write("]}]");
  }

  void write_materials() {
    write_array("materials", int(plan_.materials.size()), [&](int m) {
      const Vec3f c = cast<float>(plan_.materials[m]);
      const auto in_range = [](float value) { return std::clamp(value, 0.0f, 1.0f); };
      return fmt::format(
          R"({{"pbrMetallicRoughness":{{"baseColorFactor":[{},{},{},1],"metallicFactor":0,"roughnessFactor":0.6}}}})",
          in_range(c.x), in_range(c.y), in_range(c.z));
    });
  }

  void write_accessor(int view, std::uint64_t offset, int component, std::uint64_t count, const char* type,
                      const std::string& more = "") {
    out_.write(accessors_++ > 0 ? "," : "");
    out_.write(fmt::format(R"({{"bufferView":{},"byteOffset":{},"componentType":{},"count":{},"type":"{}"{}}})", view,
                           offset, component, count, type, more));
  }

  std::string position_range(int k) const {
    const TubeMesh tube = plan_.tube(k);
    Vec3f low = tube.position[0], high = low;
    for (const Vec3f& p : tube.position)
      for (int axis = 0; axis < 3; ++axis)
        low[axis] = std::min(low[axis], p[axis]), high[axis] = std::max(high[axis], p[axis]);
    return fmt::format(R"(,"min":[{},{},{}],"max":[{},{},{}])", low.x, low.y, low.z, high.x, high.y, high.z);
  }

  void write_accessors() {
    std::uint64_t vertex = 0, corner = 0;
    out_.write(",\"accessors\":[");
    for (int k = 0; k < strands_; ++k) {
      const auto [vertices, corners] = plan_.size(k);
      write_accessor(GlbPlan::vertices, vertex, f32, vertices, "VEC3", position_range(k));
      write_accessor(GlbPlan::vertices, vertex + 12, f32, vertices, "VEC3");
      if (plan_.moves()) {
        write_accessor(GlbPlan::vertices, vertex + 24, u16, vertices, "VEC4");
        write_accessor(GlbPlan::vertices, vertex + 32, u8, vertices, "VEC4", R"(,"normalized":true)");
      }
      write_accessor(GlbPlan::triangles, corner, u32, corners, "SCALAR");
      if (plan_.moves())
        write_accessor(GlbPlan::inverse_binds, 64ull * plan_.lines.first[k], f32, plan_.lines.count(k), "MAT4");
      vertex += plan_.vertex_bytes() * vertices, corner += 4 * corners;
    }
    if (plan_.moves()) write_motion_accessors();
    out_.write("]");
  }

  void write_motion_accessors() {
    const std::uint64_t samples = plan_.times.size();
    write_accessor(GlbPlan::time, 0, f32, samples, "SCALAR",
                   fmt::format(R"(,"min":[{}],"max":[{}])", plan_.times.front(), plan_.times.back()));
    for (int place = 0; place < plan_.joint_count(); ++place) {
      write_accessor(GlbPlan::translations, 12 * samples * place, f32, samples, "VEC3");
      write_accessor(GlbPlan::rotations, 16 * samples * place, f32, samples, "VEC4");
    }
    for (std::size_t c = 0; c < plan_.collapsing.size(); ++c)
      write_accessor(GlbPlan::scales, 12 * samples * c, f32, samples, "VEC3");
  }

  void write_views() {
    std::string views;
    for (int view = 0; view < GlbPlan::view_count; ++view) {
      if (plan_.view_bytes[view] == 0) continue;
      const std::string target = view == GlbPlan::vertices
                                     ? fmt::format(R"(,"target":34962,"byteStride":{})", plan_.vertex_bytes())
                                 : view == GlbPlan::triangles ? R"(,"target":34963)"
                                                              : "";
      views += fmt::format(R"({}{{"buffer":0,"byteOffset":{},"byteLength":{}{}}})", views.empty() ? "" : ",",
                           plan_.view_offset(view), plan_.view_bytes[view], target);
    }
    out_.write(fmt::format(R"(,"bufferViews":[{}],"buffers":[{{"byteLength":{}}}])", views,
                           plan_.view_offset(GlbPlan::view_count)));
  }

  const GlbPlan& plan_;
  StreamedFile& out_;
  int strands_;
  int accessors_ = 0;  // written so far
};

}  // namespace

void write_glb_json(const GlbPlan& plan, StreamedFile& out) { GlbJson(plan, out).write(); }

}  // namespace tendril::io
