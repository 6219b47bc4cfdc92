#include "io/formats/glb.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/formats/glb_tube.h"
#include "io/moving_take.h"
#include "io/outside_reader.h"
#include "scratch.h"

namespace tendril::io {
namespace {

using Json = nlohmann::json;

// a .glb file taken apart by glTF's own rules
class Glb {
 public:
  explicit Glb(const std::filesystem::path& path) : bytes_(read_file(path)) {
    EXPECT_EQ(std::string(bytes_.data(), 4), "glTF");
    EXPECT_EQ(number<std::uint32_t>(8), bytes_.size());
    const auto json_size = number<std::uint32_t>(12);
    json = Json::parse(std::string(bytes_.data() + 20, json_size));
    binary_ = 28 + json_size;
  }

  // value `row`, component `column` of an accessor
  double value(int accessor, int row, int column = 0) const {
    const Json& a = json["accessors"][accessor];
    const Json& view = json["bufferViews"][a["bufferView"].get<int>()];
    const int components = a["type"] == "SCALAR" ? 1 : a["type"] == "VEC3" ? 3 : a["type"] == "VEC4" ? 4 : 16;
    const int type = a["componentType"], size = type == 5121 ? 1 : type == 5123 ? 2 : 4;
    const int stride = view.value("byteStride", components * size);
    const std::size_t place = binary_ + view["byteOffset"].get<std::size_t>() + a.value("byteOffset", std::size_t(0)) +
                              std::size_t(row) * stride + std::size_t(column) * size;
    switch (type) {
      case 5121:
        return number<std::uint8_t>(place) / 255.0;
      case 5123:
        return number<std::uint16_t>(place);
      case 5125:
        return number<std::uint32_t>(place);
      default:
        return number<float>(place);
    }
  }
  Vec3d vector(int accessor, int row) const {
    return {value(accessor, row, 0), value(accessor, row, 1), value(accessor, row, 2)};
  }
  Quatd quaternion(int accessor, int row) const {
    return {value(accessor, row, 3), value(accessor, row, 0), value(accessor, row, 1), value(accessor, row, 2)};
  }

  Json json;

 private:
  template <class T>
  T number(std::size_t place) const {
    T value;
    std::memcpy(&value, bytes_.data() + place, sizeof value);
    return value;
  }
  std::vector<char> bytes_;
  std::size_t binary_ = 0;
};

// the accessor of a node's channel, -1: it has none
int channel(const Glb& glb, int node, const std::string& path) {
  const Json& animation = glb.json["animations"][0];
  for (const Json& c : animation["channels"])
    if (c["target"]["node"] == node && c["target"]["path"] == path)
      return animation["samplers"][c["sampler"].get<int>()]["output"];
  return -1;
}

// where skinning puts a vertex of a strand at a moment, before the root turns z into y
Vec3d skinned(const Glb& glb, int strand, int vertex, int moment) {
  const Json& attributes = glb.json["meshes"][strand]["primitives"][0]["attributes"];
  const Json& skin = glb.json["skins"][strand];
  const Vec3d p = glb.vector(attributes["POSITION"], vertex);
  Vec3d result;
  for (int k = 0; k < 4; ++k) {
    const double weight = glb.value(attributes["WEIGHTS_0"], vertex, k);
    if (weight == 0) continue;
    const int joint = int(glb.value(attributes["JOINTS_0"], vertex, k)), node = skin["joints"][joint];
    Vec3d local;
    for (int axis = 0; axis < 3; ++axis)
      for (int column = 0; column < 4; ++column)
        local[axis] += glb.value(skin["inverseBindMatrices"], joint, 4 * column + axis) * (column < 3 ? p[column] : 1);
    result += weight * (glb.vector(channel(glb, node, "translation"), moment) +
                        rotate(glb.quaternion(channel(glb, node, "rotation"), moment), local));
  }
  return result;
}

// every vertex of the tubes stays at its radius from the point that it surrounds, and a cap's centre on it
TEST(glb, skins_follow_the_points) {
  const Scratch scratch;
  for (const bool frames : {true, false}) {
    const Take take = moving_take({.frames = frames});
    write_glb(take, scratch / "moving.glb");
    const Glb glb(scratch / "moving.glb");
    for (int strand = 0; strand < 3; ++strand) {
      const Strand& s = take.strands.strands[strand];
      const Json& attributes = glb.json["meshes"][strand]["primitives"][0]["attributes"];
      const int vertices = glb.json["accessors"][attributes["POSITION"].get<int>()]["count"];
      EXPECT_EQ(vertices, 12 * int(s.points.size()) + (s.closed ? 0 : 26));
      for (int moment = 0; moment < 4; ++moment) {
        const Moment m = take.moment(moment);
        for (int i = 0; i < vertices; ++i) {
          const int point = s.points[int(glb.value(attributes["JOINTS_0"], i, 0))];
          const double distance = norm(skinned(glb, strand, i, moment) - m.x[point]);
          const bool center = !s.closed && i >= 12 * int(s.points.size()) && (i - 12 * int(s.points.size())) % 13 == 0;
          if (moment == 0) {
            EXPECT_NEAR(norm(skinned(glb, strand, i, 0) - glb.vector(attributes["POSITION"], i)), 0, 2e-6);
          }
          EXPECT_NEAR(distance, center ? 0 : take.strands.radius[point], 2e-6) << strand << " " << i << " " << moment;
        }
      }
    }
  }
}

// a rod that turns about its own axis carries the vertices of its tube with it
TEST(glb, tubes_twist_with_the_material_frames) {
  Take take;
  take.strands.strands = {{"rod", {0, 1}, false, {}}};
  take.strands.points = {{0, 0, 0}, {0, 0, 1}};
  take.strands.radius = {0.1, 0.1};
  take.times = {0, 1};
  take.moment = [&](int k) {
    const Quatd q = quaternion_exp({0, 0, 1.2 * k});
    return Moment{double(k), take.strands.points, {}, {k == 0 ? q : -q}};
  };
  const Scratch scratch;
  write_glb(take, scratch / "spin.glb");
  const Glb glb(scratch / "spin.glb");
  for (int i = 0; i < 24; ++i) {
    const Vec3d before = skinned(glb, 0, i, 0), after = skinned(glb, 0, i, 1);
    EXPECT_NEAR(norm(after - rotate(quaternion_exp({0, 0, 1.2}), before)), 0, 1e-6);
  }
  const int rotation = channel(glb, glb.json["skins"][0]["joints"][0], "rotation");
  EXPECT_GT(dot(glb.quaternion(rotation, 0), glb.quaternion(rotation, 1)), 0) << "the short way round";
}

// a strand that shrinks to a point is scaled to nothing, for a tube would leave a disc
TEST(glb, what_has_no_length_vanishes) {
  Take take = moving_take();
  take.moment = [before = take.moment](int k) {
    Moment moment = before(k);
    if (k >= 2) moment.x[5] = moment.x[6] = moment.x[2];
    return moment;
  };
  const Scratch scratch;
  write_glb(take, scratch / "broken.glb");
  const Glb glb(scratch / "broken.glb");
  const int twig = glb.json["skins"][1]["joints"][0], rope = glb.json["skins"][0]["joints"][0];
  const int scale = channel(glb, twig, "scale");
  ASSERT_GE(scale, 0);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(glb.value(scale, k, 1), k < 2 ? 1 : 0);
  EXPECT_EQ(channel(glb, rope, "scale"), -1);
}

TEST(glb, khronos_validator_has_no_complaints) {
  const std::filesystem::path modules = node_readers();
  const Scratch scratch;
  Take broken = moving_take();
  broken.moment = [before = broken.moment](int k) {
    Moment moment = before(k);
    if (k >= 2) moment.x[5] = moment.x[6] = moment.x[2];
    return moment;
  };
  write_glb(moving_take(), scratch / "moving.glb");
  write_glb(moving_take({.frames = false, .radius = false}), scratch / "points.glb");
  write_glb(moving_take({.moments = 1}), scratch / "still.glb");
  write_glb(broken, scratch / "broken.glb");
  for (const char* name : {"moving.glb", "points.glb", "still.glb", "broken.glb"}) {
    const Json report = read_outside(fmt::format("node {} {} {}", (outside_scripts() / "glb.cjs").string(),
                                                 modules.string(), (scratch / name).string()));
    EXPECT_EQ(report["issues"]["numErrors"], 0) << name << report["issues"].dump(1);
    EXPECT_EQ(report["issues"]["numWarnings"], 0) << name << report["issues"].dump(1);
    EXPECT_EQ(report["info"]["hasSkins"], std::string(name) != "still.glb");
  }
}

// a closed surface: each edge belongs to two triangles that run along it in opposite directions, and its volume, by the
// divergence theorem, is that of a prism of 12 sides
TEST(glb, tubes_face_outwards) {
  const double r = 0.1, length = 2, volume = length * 6 * r * r * std::sin(M_PI / 6);
  const std::vector<Vec3d> points{{0.3, 0.2, 0.1}, {0.3, 1.2, 0.1}, {0.3, 0.2 + length, 0.1}};
  const TubeMesh tube = make_tube(points, std::vector<double>(3, r), false, 12);
  double sixfold = 0;
  for (std::size_t c = 0; c < tube.triangles.size(); c += 3) {
    const auto corner = [&](int k) { return cast<double>(tube.position[tube.triangles[c + k]]); };
    sixfold += dot(corner(0), cross(corner(1), corner(2)));
    const Vec3d face = cross(corner(1) - corner(0), corner(2) - corner(0));
    for (int k = 0; k < 3; ++k) EXPECT_GT(dot(face, cast<double>(tube.normal[tube.triangles[c + k]])), 0);
  }
  EXPECT_NEAR(sixfold / 6, volume, 1e-6);
  EXPECT_EQ(tube.position.size(), tube_size(3, false, 12).vertices);
  EXPECT_EQ(tube.triangles.size(), tube_size(3, false, 12).corners);
}

// around a loop out of its plane all belts of the tube twist by the same small angle, the closing one too
TEST(glb, frames_close_around_a_loop) {
  std::vector<Vec3d> points;
  for (int k = 0; k < 60; ++k) {
    const double a = 2 * M_PI * k / 60;
    points.push_back({std::cos(a), std::sin(a), 0.8 * std::sin(2 * a) + 0.5 * std::cos(3 * a)});
  }
  const std::vector<Vec3d> t = tangents_of(points, true);
  const std::vector<Quatd> frames = twist_free_frames(t, true);
  const auto twist = [&](int a, int b) {
    const Vec3d carried = rotate(rotation_between(t[a], t[b]), director1(frames[a]));
    return std::atan2(dot(carried, director2(frames[b])), dot(carried, director1(frames[b])));
  };
  EXPECT_GT(std::abs(twist(59, 0)), 1e-3);
  EXPECT_LT(std::abs(twist(59, 0)), M_PI / 60);
  for (int k = 0; k + 1 < 60; ++k) EXPECT_NEAR(twist(k, k + 1), twist(59, 0), 1e-9);
}

TEST(glb, refuses_what_the_format_cannot_hold) {
  Take take;
  Strand strand;
  for (int i = 0; i < 70000; ++i) {
    strand.points.push_back(i);
    take.strands.points.push_back({0.001 * i, 0, 0});
  }
  take.strands.strands = {strand};
  take.times = {0, 1};
  take.moment = [&](int k) { return Moment{double(k), take.strands.points, {}, {}}; };
  const Scratch scratch;
  EXPECT_THROW(write_glb(take, scratch / "long.glb"), FileError);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

}  // namespace
}  // namespace tendril::io
