#include "scene/deforming_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "bake_text.h"
#include "io/formats/abc_archive.h"
#include "scratch.h"

namespace tendril::scene {
namespace {

// a triangle that goes through some shapes, a tenth of a second apart
DeformingMesh triangle_through(const std::vector<std::vector<Vec3d>>& x) {
  DeformingMesh out;
  out.mesh.mesh = {x[0], {{0, 1, 2}}, false, ""};
  for (const auto& frame : x) out.times.push_back(0.1 * double(out.times.size())), out.x.push_back(frame);
  return out;
}

const std::vector<Vec3d> corners = {{0.1, 0.2, 0.3}, {1.2, 0.1, 0.2}, {0.3, 1.1, 0.6}};

Vec3d in_world(const Pose& pose, const Vec3d& p) { return pose.x + rotate(pose.q, p); }

TEST(DeformingMesh, FacesThatMoveAsOneAreFollowedExactly) {
  std::vector<std::vector<Vec3d>> frames;
  for (int k = 0; k < 12; ++k) {
    const Quatd turn = quaternion_exp({0.2 * k, -0.25 * k, 0.1 * k});
    frames.emplace_back();
    for (const Vec3d& x : corners) frames.back().push_back(rotate(turn, x) + Vec3d{0.1 * k, 0, 0.3 * k});
  }
  const DeformingMesh mesh = triangle_through(frames);
  const RigidFace face = rigid_face(mesh, 0);
  EXPECT_NEAR(face.growth, 1, 1e-12);
  const std::vector<Motion> motions = motions_through(mesh.times, face.poses);
  for (int k = 0; k < 12; ++k)
    for (int c = 0; c < 3; ++c) {
      expect_near(in_world(face.poses[k], face.corners[c]), frames[k][c], 1e-12);
      expect_near(in_world(moved(motions, face.poses[0], mesh.times[k]), face.corners[c]), frames[k][c], 1e-9);
    }
}

// every shape lies in the triangle that stands for it: the shares of its corners in each point are not negative
TEST(DeformingMesh, FacesThatStretchCoverAllTheirShapes) {
  const DeformingMesh mesh = triangle_through({corners,
                                               {{0.1, 0.2, 0.3}, {1.4, 0.1, 0.2}, {0.3, 1.1, 0.6}},
                                               {{0.1, 0.2, 0.3}, {1.2, 0.1, 0.2}, {0.5, 1.2, 0.9}}});
  const RigidFace face = rigid_face(mesh, 0);
  EXPECT_GT(face.growth, 1.05);
  EXPECT_LT(face.growth, 2);
  for (std::size_t k = 0; k < mesh.x.size(); ++k) {
    std::array<Vec3d, 3> t;
    for (int c = 0; c < 3; ++c) t[c] = in_world(face.poses[k], face.corners[c]);
    const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
    for (const Vec3d& p : mesh.x[k]) {
      EXPECT_NEAR(dot(p - t[0], normalized(n)), 0, 1e-12);
      for (int c = 0; c < 3; ++c)
        EXPECT_GE(dot(cross(t[(c + 2) % 3] - t[(c + 1) % 3], p - t[(c + 1) % 3]), n), -1e-9 * dot(n, n));
    }
  }
}

// a square of four faces about its middle, which rises to a pyramid within a second; groomed
class Bulge : public testing::Test {
 protected:
  Bulge() {
    for (int k = 0; k <= 10; ++k) write_obj(fmt_name(k), 0.05 * k);
  }
  static std::string fmt_name(int k) { return "bulge_" + std::string(k < 10 ? "0" : "") + std::to_string(k) + ".obj"; }
  static std::vector<Vec3d> square(double height) {
    return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, height}};
  }
  void write_obj(const std::string& name, double height) const {
    std::ofstream out(scratch_ / name);
    for (const Vec3d& x : square(height)) out << "v " << x.x << " " << x.y << " " << x.z << "\n";
    out << "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  }
  BakedScene bake_scene(const std::string& frames, const std::string& more = "") const {
    std::ofstream(scratch_ / "scene.toml")
        << "simulation = { time_step = 0.01, duration = 1.0 }\n"
           "[[groom]]\nname = \"fur\"\nmesh = \"skin\"\nmaterial = \"hair/straight\"\ncount = 30\nlength = 0.05\n"
           "segments = 4\n[[obstacle]]\nname = \"skin\"\nshape = \"mesh\"\npath = \"bulge_00.obj\"\nframe_rate = 10\n"
        << frames << "\n"
        << more;
    return bake(read_scene((scratch_ / "scene.toml").string(), {}, {}));
  }
  std::string error(const std::string& frames) const {
    try {
      bake_scene(frames);
    } catch (const SceneError& e) {
      return e.what();
    }
    return "no error";
  }
  // roots go with the skin: they keep their height above the face, and their places in it but for its stretch
  void expect_roots_on_skin(const BakedScene& scene) const {
    ASSERT_EQ(scene.model.bodies.size(), 5u);  // the obstacle and its faces
    ASSERT_EQ(scene.model.ties.size(), 30u);
    for (const double time : {0.0, 0.5, 1.0})
      for (const Tie& tie : scene.model.ties) {
        ASSERT_GT(tie.body, 0);
        const Pose start{scene.state.body_x[tie.body], scene.state.body_q[tie.body]};
        const Pose now = moved(scene.model.bodies[tie.body].motions, start, time);
        const Vec3d root = in_world(now, tie.offset);
        const auto x = square(0.5 * time);
        const int k = tie.body - 1;
        const Vec3d n = normalized(cross(x[(k + 1) % 4] - x[k], x[4] - x[k]));
        EXPECT_NEAR(dot(root - x[k], n), 2.5 * 3.85e-5, 1e-8);
        expect_near(rotate(now.q, {0, 0, 1}), n, 1e-6);
      }
  }
  Scratch scratch_;
};

TEST_F(Bulge, IsReadFromObjFiles) { expect_roots_on_skin(bake_scene("frames = \"bulge_*.obj\"")); }

TEST_F(Bulge, IsReadFromUsda) {
  std::ofstream out(scratch_ / "bulge.usda");
  out << "#usda 1.0\n( metersPerUnit = 1\n upAxis = \"Z\"\n timeCodesPerSecond = 10 )\n"
         "def Mesh \"skin\"\n{\n int[] faceVertexCounts = [3]\n point3f[] points.timeSamples = {\n";
  for (int k = 0; k <= 10; ++k) {
    out << k << ": [";
    for (const Vec3d& x : square(0.05 * k)) out << "(" << x.x << ", " << x.y << ", " << x.z << "), ";
    out << "],\n";
  }
  out << "}\n}\n";
  out.close();
  expect_roots_on_skin(bake_scene("frames = \"bulge.usda\""));
}

TEST_F(Bulge, IsReadFromAbc) {
  {
    AbcArchive archive(scratch_ / "bulge.abc");
    AbcProperty points{.name = "P", .extent = 3, .time_sampling = 1};
    std::vector<double> times;
    for (int k = 0; k <= 10; ++k) {
      std::vector<double> v;
      for (const Vec3d& x : square(0.05 * k)) v.insert(v.end(), {x.x, x.y, x.z});
      points.type = AbcType::f64;
      archive.add_sample(points, v);
      times.push_back(0.1 * k);
    }
    const auto mesh =
        archive.write_object("skin", "schema=AbcGeom_PolyMesh_v1", archive.write_compound(".geom", "", {points}));
    archive.finish(archive.write_object("", "", {}, {mesh}), "test", times);
  }
  expect_roots_on_skin(bake_scene("frames = \"bulge.abc\""));
}

// a rigid drive comes on top, for all faces about one point
TEST_F(Bulge, IsDrivenAsAWhole) {
  const BakedScene scene = bake_scene("frames = \"bulge_*.obj\"",
                                      "[[drive]]\nobstacle = \"skin\"\nrotate = { axis = [0, 0, 1], rate = 1.0 }\n");
  for (int b = 1; b <= 4; ++b) {
    const Pose start{scene.state.body_x[b], scene.state.body_q[b]};
    std::vector<Motion> own = scene.model.bodies[b].motions;
    const Pose both = moved(own, start, 0.7);
    own.pop_back();
    const Pose alone = moved(own, start, 0.7);
    expect_near(both.x, rotate(quaternion_exp({0, 0, 0.7}), alone.x), 1e-12);
  }
}

TEST_F(Bulge, SaysWhatItCannotDo) {
  expect_message(error("frames = \"none_*.obj\""), {"scene.toml:14", "obstacle.skin.frames", "no file is called"});
  expect_message(error("frames = \"bulge_00.obj\""), {"neither an .abc nor a .usda"});
  std::ofstream(scratch_ / "bulge_11.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  expect_message(error("frames = \"bulge_*.obj\""), {"frame 11 has 3 vertices", "expected 5"});
  std::filesystem::remove(scratch_ / "bulge_11.obj");
  write_obj("bulge_11.obj", 5);
  expect_message(error("frames = \"bulge_*.obj\""), {"face 1", "more than twofold"});
}

}  // namespace
}  // namespace tendril::scene
