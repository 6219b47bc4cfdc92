#include "scene/deforming_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "io/file.h"
#include "io/mesh_points.h"
#include "math/mat3.h"

namespace tendril::scene {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;

constexpr double most_growth = 2;  // of a face that covers all its shapes: beyond it it would stand out of the mesh

// the files whose names are that of `pattern` with anything in place of its star, in the order of their names
std::vector<std::string> matching_files(const Table& t, const std::string& pattern) {
  const fs::path path(pattern), folder = fs::path(t.directory()) / path.parent_path();
  const std::string name = path.filename().string();
  const std::size_t star = name.find('*');
  const std::string before = name.substr(0, star), after = name.substr(star + 1);
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, error)) {
    const std::string file = entry.path().filename().string();
    if (file.size() >= before.size() + after.size() && file.starts_with(before) && file.ends_with(after))
      files.push_back((path.parent_path() / file).string());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) t.fail("frames", fmt::format("no file is called \"{}\"", pattern));
  return files;
}

void read_sequence(const Table& t, DeformingMesh& out) {
  for (const std::string& file : matching_files(t, t.text("frames"))) {
    out.times.push_back(double(out.times.size()) / t.number("frame_rate"));
    out.x.push_back(read_grouped_mesh(t, "frames", file, t.number("scale")).mesh.vertices);
  }
}

void read_points(const Table& t, DeformingMesh& out) {
  const fs::path path = fs::path(t.directory()) / t.text("frames");
  if (path.extension() != ".abc" && path.extension() != ".usda")
    t.fail("frames", fmt::format("\"{}\" is neither an .abc nor a .usda file; expected one, or OBJ files as "
                                 "\"name_*.obj\"",
                                 t.text("frames")));
  try {
    MeshPoints points = read_mesh_points(path);
    out.times = std::move(points.times), out.x = std::move(points.x);
  } catch (const std::runtime_error& error) {
    t.fail("frames", error.what());
  }
  if (path.extension() == ".abc")
    for (auto& x : out.x)
      for (Vec3d& p : x) p = t.number("scale") * p;
  const double begin = out.times.front();
  for (double& time : out.times) time -= begin;
}

// A frame in the middle of a face, its third axis along the normal. Of all turns about it that one is taken which
// moves the corners least from where they were in the first frame: with their places p there and p' here, that of the
// angle atan2(Σ p x p', Σ p·p').
Pose face_frame(const std::array<Vec3d, 3>& x, const std::array<Vec3d, 3>* reference) {
  const Vec3d middle = (x[0] + x[1] + x[2]) / 3.0, normal = normalized(cross(x[1] - x[0], x[2] - x[0]));
  Quatd q = frame_from_tangent(normal, x[0] - middle);
  if (reference) {
    double sine = 0, cosine = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d here = rotate(conjugate(q), x[k] - middle), there = (*reference)[k];
      sine += there.x * here.y - there.y * here.x, cosine += there.x * here.x + there.y * here.y;
    }
    q = q * quaternion_exp({0, 0, std::atan2(sine, cosine)});
  }
  return {middle, normalized(q)};
}

// by how much a triangle about the origin has to grow for p to lie in it: with the shares λ of its corners in p, one
// that has grown by s holds what has λ >= (1 - s) / 3
double growth_to_hold(const std::array<Vec3d, 3>& t, const Vec3d& p) {
  const auto area = [](const Vec3d& a, const Vec3d& b) { return a.x * b.y - a.y * b.x; };
  const double whole = area(t[1] - t[0], t[2] - t[0]);
  double least = 1;
  for (int k = 0; k < 3; ++k) {
    const Vec3d &a = t[(k + 1) % 3], &b = t[(k + 2) % 3];
    least = std::min(least, area(a - p, b - p) / whole);
  }
  return 1 - 3 * least;
}

double nearest_turn(double angle, double before) { return angle + 2 * pi * std::round((before - angle) / (2 * pi)); }

// R = Rz(γ) Ry(β) Rx(α); of the two ways to say it the one nearest to the instant before
Vec3d euler_angles(const Quatd& q, const Vec3d& before) {
  const Mat3d r = rotation_matrix(q);
  const double beta = std::asin(std::clamp(-r.c0.z, -1.0, 1.0));
  Vec3d one{std::atan2(r.c1.z, r.c2.z), beta, std::atan2(r.c0.y, r.c0.x)};
  Vec3d other{one.x + pi, pi - beta, one.z + pi};
  for (Vec3d* angles : {&one, &other})
    for (int k = 0; k < 3; ++k) (*angles)[k] = nearest_turn((*angles)[k], before[k]);
  return norm(one - before) <= norm(other - before) ? one : other;
}

Quatd turn_of(const Vec3d& a) {
  return quaternion_exp({0, 0, a.z}) * quaternion_exp({0, a.y, 0}) * quaternion_exp({a.x, 0, 0});
}

// half-way between two instants angles that change evenly and the even turn are to agree
void refuse_wild_turns(const Table& t, const std::vector<Pose>& poses) {
  constexpr double largest = 0.05;  // [rad]
  Vec3d before;
  for (std::size_t k = 1; k < poses.size(); ++k) {
    const Quatd from = poses[k - 1].q * conjugate(poses[0].q), to = poses[k].q * conjugate(poses[0].q);
    const Vec3d angles = euler_angles(to, before);
    const Quatd even = quaternion_exp(0.5 * turn_between(from, to)) * from;
    if (norm(turn_between(even, turn_of(0.5 * (before + angles)))) > largest)
      t.fail("frames", fmt::format("from frame {} to {} a face turns too far; expected more frames, or a [[drive]] for "
                                   "the motion of the whole",
                                   k - 1, k));
    before = angles;
  }
}

}  // namespace

DeformingMesh read_deforming_mesh(const Table& t) {
  DeformingMesh out{read_grouped_mesh(t, "path", t.text("path"), t.number("scale")), {}, {}};
  if (!t.has("frames")) {
    out.times = {0}, out.x = {out.mesh.mesh.vertices};
    return out;
  }
  t.text("frames").find('*') != std::string::npos ? read_sequence(t, out) : read_points(t, out);
  for (std::size_t k = 0; k < out.x.size(); ++k)
    if (out.x[k].size() != out.mesh.mesh.vertices.size())
      t.fail("frames", fmt::format("frame {} has {} vertices; expected {} as in \"{}\"", k, out.x[k].size(),
                                   out.mesh.mesh.vertices.size(), t.text("path")));
  out.mesh.mesh.vertices = out.x[0];
  return out;
}

RigidFace rigid_face(const DeformingMesh& mesh, int triangle) {
  const auto& [a, b, c] = mesh.mesh.mesh.triangles[triangle];
  RigidFace face;
  for (const std::vector<Vec3d>& x : mesh.x) {
    const std::array<Vec3d, 3> corners{x[a], x[b], x[c]};
    face.poses.push_back(face_frame(corners, face.poses.empty() ? nullptr : &face.corners));
    const Pose& pose = face.poses.back();
    std::array<Vec3d, 3> own;
    for (int k = 0; k < 3; ++k) own[k] = rotate(conjugate(pose.q), corners[k] - pose.x);
    if (face.poses.size() == 1) face.corners = own;
    for (const Vec3d& p : own) face.growth = std::max(face.growth, growth_to_hold(face.corners, p));
  }
  for (Vec3d& p : face.corners) p = face.growth * p;
  return face;
}

std::vector<Motion> motions_through(const std::vector<double>& times, const std::vector<Pose>& poses) {
  std::vector<Motion> motions(4);  // about x, y and z; the way
  for (int k = 0; k < 3; ++k) motions[k].axis = {double(k == 0), double(k == 1), double(k == 2)};
  Vec3d angles;
  for (std::size_t k = 0; k < times.size(); ++k) {
    angles = euler_angles(poses[k].q * conjugate(poses[0].q), angles);
    for (int m = 0; m < 3; ++m) motions[m].angle_keys.push_back({times[k], {angles[m], 0, 0}});
    motions[3].translation_keys.push_back({times[k], poses[k].x - poses[0].x});
  }
  return motions;
}

void add_faces(const Table& root, Draft& draft) {
  const std::vector<Table> obstacles = root.tables("obstacle");
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    const Table& t = obstacles[o];
    if (t.text("shape") != "mesh" || !t.has("frames")) continue;
    const DeformingMesh mesh = read_deforming_mesh(t);
    draft.faces[int(o)] = {int(draft.model.bodies.size()), int(mesh.mesh.mesh.triangles.size())};
    for (std::size_t k = 0; k < mesh.mesh.mesh.triangles.size(); ++k) {
      const RigidFace face = rigid_face(mesh, int(k));
      if (!(face.growth <= most_growth))
        t.fail("frames", fmt::format("face {} of \"{}\" stretches or shears more than twofold; expected a mesh whose "
                                     "faces keep their shape, about",
                                     k + 1, t.text("path")));
      refuse_wild_turns(t, face.poses);
      Body body = draft.model.bodies[o];
      body.shape = Mesh{{face.corners.begin(), face.corners.end()}, {{0, 1, 2}}, t.boolean("inside"), ""};
      body.motions = motions_through(mesh.times, face.poses);
      add_body(draft, body, face.poses[0]);
    }
  }
}

}  // namespace tendril::scene
