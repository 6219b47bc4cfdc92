#include "session/show.h"

#include "engine/solver_keys.h"
#include "scene/reference.h"

namespace tendril::session {
namespace {

using nlohmann::json;

json to_json(const Quatd& q) { return {q.w, q.x, q.y, q.z}; }

json to_json(const Shape& shape, const Drawing::MeshRange& mesh) {
  if (const auto* s = std::get_if<Plane>(&shape))
    return {{"type", "plane"}, {"point", to_json(s->point)}, {"normal", to_json(s->normal)}};
  if (const auto* s = std::get_if<Sphere>(&shape))
    return {{"type", "sphere"}, {"center", to_json(s->center)}, {"radius", s->radius}};
  if (const auto* s = std::get_if<Capsule>(&shape))
    return {{"type", "capsule"}, {"from", to_json(s->from)}, {"to", to_json(s->to)}, {"radius", s->radius}};
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return {{"type", "cylinder"}, {"from", to_json(s->from)}, {"to", to_json(s->to)}, {"radius", s->radius}};
  if (const auto* s = std::get_if<Box>(&shape))
    return {{"type", "box"},
            {"center", to_json(s->center)},
            {"size", to_json(s->size)},
            {"rotation", to_json(s->rotation)}};
  if (const auto* s = std::get_if<Mesh>(&shape))
    return {{"type", "mesh"},
            {"first_vertex", mesh.first_vertex},
            {"vertex_count", mesh.vertex_count},
            {"first_triangle", mesh.first_triangle},
            {"triangle_count", mesh.triangle_count},
            {"inside", s->inside}};
  return {{"type", "none"}};
}

json describe_solvers() {
  json solvers_list = json::array();
  for (const SolverInfo& solver : registered_solvers()) {
    json options = json::array();
    for (const OptionInfo& option : solver.options) {
      json value;
      std::visit([&](const auto& v) { value = v; }, option.default_value);
      options.push_back({{"name", option.name},
                         {"default", value},
                         {"unit", option.unit},
                         {"meaning", option.meaning},
                         {"minimum", option.minimum},
                         {"maximum", option.maximum},
                         {"choices", option.choices}});
    }
    solvers_list.push_back({{"name", solver.name}, {"summary", solver.summary}, {"options", options}});
  }
  return solvers_list;
}

}  // namespace

json to_json(const Vec3d& x) { return {x.x, x.y, x.z}; }

json error_text(const std::string& about, const std::string& message) {
  return {{"type", "error"}, {"about", about}, {"message", message}};
}

json error_text(const std::string& about, const SceneError& error, const std::string& file) {
  json text = error_text(about, error.what());
  text["problems"] = json::array();
  for (const SceneProblem& p : problems_of(error, file))
    text["problems"].push_back({{"line", p.line}, {"column", p.column}, {"message", p.message}});
  return text;
}

json welcome_text(const std::string& program, const std::string& mode, bool control) {
  json colors = json::array(), keys = json::array();
  for (const ColoringName& color : coloring_names()) colors.push_back({{"name", color.name}, {"unit", color.unit}});
  for (const ListedKey& listed : all_keys(solver_option_keys()))
    keys.push_back({{"path", listed.path},
                    {"type", listed.type},
                    {"unit", listed.key.unit},
                    {"default", listed.key.default_text},
                    {"meaning", listed.key.meaning}});
  return {{"type", "welcome"},  {"version", 1}, {"program", program},
          {"control", control}, {"mode", mode}, {"solvers", describe_solvers()},
          {"colors", colors},   {"keys", keys}};
}

json describe_drawing(const Drawing& drawing, const LoadedScene& scene) {
  const Model& model = drawing.model();
  json rods = json::array(), bodies = json::array();
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    const Rod& rod = model.rods[r];
    const Vec3f& color = drawing.colors()[r];
    rods.push_back({{"name", rod.name},
                    {"first_segment", rod.first_segment},
                    {"segment_count", rod.segment_count},
                    {"strands", drawing.strands_of(int(r))},
                    {"closed", rod.closed},
                    {"color", {color.x, color.y, color.z}}});
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const bool is_dynamic = body.kind == BodyKind::dynamic;
    bodies.push_back({{"name", body.name},
                      {"kind", is_dynamic ? "dynamic" : "kinematic"},
                      {"obstacle", body.is_obstacle},
                      {"movable", !is_dynamic},
                      {"visible", true},
                      {"color", {0.6, 0.6, 0.6}},
                      {"shape", to_json(body.shape, drawing.meshes()[b])}});
  }
  const Settings& s = scene.baked.settings;
  return {{"type", "scene"},
          {"layout", drawing.number()},
          {"title", scene.baked.title},
          {"origin", to_json(drawing.origin())},
          {"bounds", {{"low", to_json(drawing.bounds().low)}, {"high", to_json(drawing.bounds().high)}}},
          {"time_step", s.time_step},
          {"duration", s.duration},
          {"frame_rate", s.frame_rate},
          {"rods", rods},
          {"bodies", bodies}};
}

}  // namespace tendril::session
