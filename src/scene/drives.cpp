#include <fmt/format.h>

#include <algorithm>

#include "scene/draft.h"

namespace tendril::scene {
namespace {

Keys read_keys(const std::vector<std::vector<double>>& rows) {
  Keys keys;
  for (const auto& row : rows)
    keys.push_back({row[0], {row[1], row.size() > 2 ? row[2] : 0, row.size() > 3 ? row[3] : 0}});
  return keys;
}

Motion read_motion(const Table& t) {
  Motion m;
  m.from = t.number("from");
  if (t.has("until")) m.until = t.number("until");
  m.in_material_frame = t.text("frame") == "material";
  if (t.has("translate")) {
    const Table translate = t.table("translate");
    if (translate.has("velocity")) m.velocity = translate.vec3("velocity");
    if (translate.has("keys")) m.translation_keys = read_keys(translate.rows("keys"));
    if (translate.has("sine")) {
      const Table sine = translate.table("sine");
      m.sine_amplitude = sine.vec3("amplitude");
      m.sine_frequency = sine.number("frequency");
      m.sine_phase = sine.number("phase");
    }
  }
  if (t.has("rotate")) {
    const Table rotate = t.table("rotate");
    m.axis = rotate.vec3("axis");
    if (norm(m.axis) < 1e-12) rotate.fail("axis", "the axis has no direction");
    m.axis = normalized(m.axis);
    if (rotate.has("rate")) m.rate = rotate.number("rate");
    if (rotate.has("keys")) m.angle_keys = read_keys(rotate.rows("keys"));
  }
  if (t.has("about")) m.about = t.vec3("about"), m.about_is_set = true;
  return m;
}

// the kinematic bodies that a drive moves
std::vector<int> driven_bodies(const Table& t, Draft& draft) {
  if (t.has("obstacle")) {
    std::vector<int> bodies{find_body(draft, t, "obstacle")};
    if (const auto faces = draft.faces.find(bodies[0]); faces != draft.faces.end())
      for (int k = 0; k < faces->second.count; ++k) bodies.push_back(faces->second.first + k);
    return bodies;
  }
  if (t.has("body")) {
    const int body = find_body(draft, t, "body");
    draft.model.bodies[body].kind = BodyKind::kinematic;  // where it goes is prescribed from now on
    return {body};
  }
  std::vector<int> bodies;
  for (const auto& [rod, points] : find_places(draft, t)) {
    if (rod->carrier >= 0 && std::find(points.begin(), points.end(), rod->roots.front()) != points.end())
      t.fail("at", fmt::format("the roots of \"{}\" go with the obstacle \"{}\" on which they grow; drive that",
                               t.text("rod"), draft.model.bodies[rod->carrier].name));
    for (int point : points) {
      const std::size_t before = bodies.size();
      for (const Tie& tie : draft.ties_at(rod->vertex[point])) {
        const Body& body = draft.model.bodies[tie.body];
        if (body.kind == BodyKind::kinematic && !body.is_obstacle) bodies.push_back(tie.body);
      }
      if (bodies.size() == before)
        t.fail("at", fmt::format(
                         "vertex {} is not held, so it cannot be driven; add it to the rod's clamp or pin, or write a "
                         "[[hold]] for it",
                         point));
    }
  }
  return bodies;
}

}  // namespace

void add_drives(const Table& root, Draft& draft) {
  for (const Table& t : root.tables("drive")) {
    Motion motion = read_motion(t);
    const std::vector<int> bodies = driven_bodies(t, draft);
    const bool deforms = t.has("obstacle") && draft.faces.contains(bodies[0]);
    if (deforms && !motion.about_is_set) motion.about_is_set = true;  // all about the origin of the mesh
    for (int body : bodies) draft.model.bodies[body].motions.push_back(motion);
  }
}

}  // namespace tendril::scene
