#include "engine/requirements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "math/union_find.h"
#include "scene/copies.h"

namespace tendril::engine {
namespace {

// a rod that its loads stretch, or that shear bends, by less than this may be taken for one that cannot [-]
constexpr double much_stretch = 1e-3, much_shear = 1e-2;
constexpr double slight_inertia = 1e-6;  // of a section, over the linear density times the rod's length squared [-]

// What segments join: a vertex, or the body that it is welded to, which are one; a body that hangs on a vertex and
// turns freely there is a joint of its own (vertex).
struct Joints {
  std::vector<int> of;      // (vertex)
  std::vector<int> degree;  // (joint): the vertices, then the bodies

  explicit Joints(const Model& model) : of(model.vertices.size()), degree(of.size() + model.bodies.size(), 0) {
    std::set<std::pair<int, int>> welds;  // of a vertex and a body: its segment bends against the body
    for (const Bend& bend : model.bends)
      if (bend.a.is_body != bend.b.is_body)
        for (int i : model.segments[(bend.a.is_body ? bend.b : bend.a).index].vertex)
          welds.insert({i, (bend.a.is_body ? bend.a : bend.b).index});
    for (std::size_t i = 0; i < of.size(); ++i) of[i] = int(i);
    for (const Tie& tie : model.ties) {
      if (model.bodies[tie.body].kind != BodyKind::dynamic) continue;
      const int body = int(of.size()) + tie.body;
      if (welds.contains({tie.vertex, tie.body}))
        of[tie.vertex] = body;
      else
        ++degree[tie.vertex], ++degree[body];
    }
  }
};

// the first segment at a joint where three meet
std::optional<int> first_branch(const Model& model) {
  Joints joints(model);
  for (std::size_t s = 0; s < model.segments.size(); ++s)
    for (int i : model.segments[s].vertex)
      if (++joints.degree[joints.of[i]] > 2) return int(s);
  return std::nullopt;
}

// the first segment that joins what is connected already
std::optional<int> first_loop(const Model& model) {
  const Joints joints(model);
  UnionFind connected(int(joints.degree.size()));
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const int a = joints.of[model.segments[s].vertex[0]], b = joints.of[model.segments[s].vertex[1]];
    if (connected.find(a) == connected.find(b)) return int(s);
    connected.unite(a, b);
  }
  return std::nullopt;
}

// The strand of its rod that a segment belongs to: of the many of a groom none carries another. Strands of different
// rods that share a vertex count apart. (segment)
std::vector<int> strands(const Model& model) {
  UnionFind joined(int(model.segments.size()));
  std::vector<int> last(model.vertices.size(), -1);  // segment that met a vertex
  for (std::size_t s = 0; s < model.segments.size(); ++s)
    for (int i : model.segments[s].vertex) {
      if (last[i] >= 0 && model.segments[last[i]].rod == model.segments[s].rod) joined.unite(last[i], int(s));
      last[i] = int(s);
    }
  std::vector<int> strand;
  for (std::size_t s = 0; s < model.segments.size(); ++s) strand.push_back(joined.find(int(s)));
  return strand;
}

std::vector<double> lengths(const Model& model, const std::vector<int>& strand) {
  std::vector<double> length(model.segments.size(), 0);
  for (std::size_t s = 0; s < model.segments.size(); ++s) length[strand[s]] += model.segments[s].rest_length;
  return length;
}

// an upper bound of what loads and weight pull at each strand, its bodies included [N] (strand)
std::vector<double> largest_pulls(const Model& model, const std::vector<int>& strand) {
  std::vector<double> pull(model.segments.size(), 0);
  std::vector<int> strand_at(model.vertices.size(), 0);
  for (std::size_t k = 0; k < model.segments.size(); ++k) {
    const Segment& s = model.segments[k];
    pull[strand[k]] += s.linear_density * s.rest_length * norm(model.gravity);
    for (int i : s.vertex) strand_at[i] = strand[k];
  }
  for (const Tie& tie : model.ties)
    if (model.bodies[tie.body].kind == BodyKind::dynamic)
      pull[strand_at[tie.vertex]] += model.bodies[tie.body].mass * norm(model.gravity);
  for (const Load& load : model.loads)
    for (int k : load.indices) {
      if (load.target == LoadTarget::vertex) pull[strand_at[k]] += norm(load.force);
      if (load.target == LoadTarget::segment_line) pull[strand[k]] += norm(load.force) * model.segments[k].rest_length;
    }
  return pull;
}

// collects them, each with the line that asks for it
class Requirements {
 public:
  Requirements(const Scene& scene, const Model& model) : root_(scene.root), model_(model) {}

  std::vector<Requirement> list() {
    add_of_graph();
    add_of_supports();
    add_of_materials();
    return std::move(needs_);
  }

 private:
  Table rod_table(int rod) const { return find_rod_table(root_, model_.rods[rod].name); }

  std::string first(std::string_view key) const {
    const auto tables = root_.has(key) ? root_.tables(key) : std::vector<Table>{};
    return tables.empty() ? root_.where() : tables.front().where();
  }

  void add_of_graph() {
    if (const auto s = first_branch(model_))
      needs_.push_back({"branches", &Capabilities::branches, rod_table(model_.segments[*s].rod).where("curve")});
    if (const auto s = first_loop(model_))
      needs_.push_back({"closed loops", &Capabilities::loops, rod_table(model_.segments[*s].rod).where("curve")});
  }

  void add_of_supports() {
    if (root_.has("body")) needs_.push_back({"rigid bodies", &Capabilities::bodies, first("body")});
    const auto is_partial = [](const Tie& tie) { return !(tie.held[0] && tie.held[1] && tie.held[2]); };
    if (std::any_of(model_.ties.begin(), model_.ties.end(), is_partial))
      needs_.push_back({"holds with free axes", &Capabilities::partial_holds, first("hold")});
  }

  void add_of_materials() {
    const std::vector<int> strand = strands(model_);
    const std::vector<double> pull = largest_pulls(model_, strand), length = lengths(model_, strand);
    const auto strand_of = [&](const Segment& s) { return strand[&s - model_.segments.data()]; };
    const bool collides = root_.table("contact").boolean("enabled");
    need_if_any([&](const Segment& s) { return pull[strand_of(s)] > much_stretch * s.EA; },
                "rods that stretch (by more than 0.1 %)", &Capabilities::extensible);
    need_if_any(
        [&](const Segment& s) {
          return 3 * std::max(s.EI1, s.EI2) > much_shear * s.GA * length[strand_of(s)] * length[strand_of(s)];
        },
        "rods that shear (thick ones, or soft in shear)", &Capabilities::shearable);
    need_if_any([](const Segment& s) { return s.EI1 != s.EI2; }, "sections with EI1 ≠ EI2", &Capabilities::anisotropic);
    need_if_any([](const Segment& s) { return s.strain_limit < forever; }, "breaking", &Capabilities::breaking);
    need_if_any([](const Segment& s) { return s.internal_damping > 0; }, "internal damping",
                &Capabilities::internal_damping);
    need_if_any([&](const Segment& s) { return collides && s.friction > 0; }, "friction", &Capabilities::friction);
    need_if_any(
        [&](const Segment& s) {
          const double largest = std::max({s.linear_inertia.x, s.linear_inertia.y, s.linear_inertia.z});
          const double of_section = 0.5 * s.radius * s.radius,
                       of_rod = slight_inertia * length[strand_of(s)] * length[strand_of(s)];
          return largest > 2 * s.linear_density * std::max(of_section, of_rod);
        },
        "rotational inertia beyond that of a round section", &Capabilities::rotational_inertia);
  }

  template <class Condition>
  void need_if_any(Condition condition, const char* feature, bool Capabilities::*capability) {
    const auto found = std::find_if(model_.segments.begin(), model_.segments.end(), condition);
    if (found != model_.segments.end())
      needs_.push_back({feature, capability, rod_table(found->rod).where("material")});
  }

  const Table& root_;
  const Model& model_;
  std::vector<Requirement> needs_;
};

}  // namespace

std::vector<Requirement> requirements(const Scene& scene, const Model& model) {
  return Requirements(scene, model).list();
}

void refuse_what_is_lacking(const Scene& scene, const Model& model, const SolverInfo& solver) {
  for (const Requirement& need : requirements(scene, model)) {
    if (solver.capabilities.*need.capability) continue;
    if (need.capability == &Capabilities::friction && !solver.capabilities.contact) continue;  // it stops at a touch
    std::vector<std::string> able;
    for (const SolverInfo& other : registered_solvers())
      if (other.capabilities.*need.capability) able.push_back(other.name);
    throw SceneError(fmt::format("{}: the solver \"{}\" has no {}; solvers that have it: {}", need.where, solver.name,
                                 need.feature, able.empty() ? "none" : fmt::format("{}", fmt::join(able, ", "))));
  }
}

std::string contact_warning(const Settings& settings, const SolverInfo& solver) {
  if (!settings.contact || solver.capabilities.contact) return {};
  return fmt::format("warning: the solver \"{}\" has no contact: the run stops when the first pair touches",
                     solver.name);
}

}  // namespace tendril::engine
