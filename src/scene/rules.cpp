#include "scene/rules.h"

#include <fmt/format.h>

#include <map>

#include "scene/suggest.h"

namespace tendril::scene {
namespace {

using Names = std::vector<std::string>;

Names present(const Table& t, const Names& keys) {
  Names found;
  for (const std::string& key : keys)
    if (t.has(key)) found.push_back(key);
  return found;
}

void exactly_one(const Table& t, const Names& keys) {
  const Names found = present(t, keys);
  if (found.empty()) t.fail("", fmt::format("names nothing; expected exactly one of {}", listed(keys)));
  if (found.size() > 1)
    t.fail(found[1], fmt::format("stands beside {}; expected exactly one of {}", found[0], listed(keys)));
}

void at_least_one(const Table& t, const Names& keys) {
  if (present(t, keys).empty()) t.fail("", fmt::format("does nothing; expected at least one of {}", listed(keys)));
}

// `at` and `rod` need one another
void rod_with_place(const Table& t) {
  if (t.has("rod") && !t.has("at")) t.fail("at", "is missing; expected the place on the rod, such as at = \"end\"");
  if (t.has("at") && !t.has("rod")) t.fail("at", "stands without a rod; expected rod = \"NAME\" beside it");
}

void begins_before_it_ends(const Table& t) {
  if (t.has("until") && !(t.number("from") < t.number("until")))
    t.fail("until",
           fmt::format("is {}, not after from = {}; expected a later time", t.number("until"), t.number("from")));
}

// a run that ends
void check_simulation(const Table& t) {
  constexpr double most_steps = 1e12, most_frames = 1e9;  // weeks of the smallest scene
  const double h = t.number("time_step"), duration = t.number("duration"), rate = t.number("frame_rate");
  if (!(duration / h <= most_steps))
    t.fail("time_step",
           fmt::format("is {:g} s: duration = {:g} s would take {:.3g} steps; expected at most {:g}, so a longer "
                       "step or a shorter duration",
                       h, duration, duration / h, most_steps));
  if (!(duration * rate <= most_frames))
    t.fail("frame_rate", fmt::format("is {:g} 1/s: duration = {:g} s would give {:.3g} frames; expected at most {:g}",
                                     rate, duration, duration * rate, most_frames));
}

// either moduli, density and section, or stiffness, linear density and radius
void check_material(const Table& t) {
  const Names by_moduli = {"young_modulus", "shear_modulus", "poisson_ratio", "density", "section", "shear_factor"};
  const Names directly = {"stiffness", "linear_density", "radius", "linear_inertia"};
  const Names moduli = present(t, by_moduli), direct = present(t, directly);
  const char* const ways =
      "expected either young_modulus, shear_modulus or poisson_ratio, density and section, or stiffness, "
      "linear_density and radius";
  if (moduli.empty() && direct.empty()) t.fail("", fmt::format("has neither stiffness nor mass; {}", ways));
  if (!moduli.empty() && !direct.empty()) {
    const bool is_direct = t.has("stiffness");
    t.fail(is_direct ? moduli[0] : direct[0],
           fmt::format("does not go with {}; {}", is_direct ? "stiffness" : moduli[0], ways));
  }
  for (const char* key : {"young_modulus", "density", "section"})
    if (!moduli.empty() && !t.has(key)) t.fail(key, fmt::format("is missing; {}", ways));
  for (const char* key : {"stiffness", "linear_density", "radius"})
    if (!direct.empty() && !t.has(key)) t.fail(key, fmt::format("is missing; {}", ways));
  if (moduli.empty()) return;
  if (!t.has("shear_modulus") && !t.has("poisson_ratio"))
    t.fail("shear_modulus", "is missing; expected shear_modulus or poisson_ratio");
  if (t.has("shear_modulus") && t.has("poisson_ratio"))
    t.fail("poisson_ratio", "stands beside shear_modulus; expected only one of them");
  if (t.has("poisson_ratio") && !(t.number("poisson_ratio") > -1))
    t.fail("poisson_ratio", fmt::format("is {}; expected a number greater than -1", t.number("poisson_ratio")));
  const Table section = t.table("section");
  if (section.text("shape") == "tube" && !(section.number("inner") < section.number("radius")))
    section.fail("inner", fmt::format("is {}; expected less than radius = {}", section.number("inner"),
                                      section.number("radius")));
}

void check_has_rods(const Table& root) {
  if (root.tables("rod").empty() && root.tables("groom").empty())
    root.fail("rod", "is missing; expected at least one [[rod]] or [[groom]]");
}

void check_rod(const Table& t) {
  if (t.text("name").empty()) t.fail("name", "is empty; expected a name");
  const std::string type = t.table("curve").text("type");
  for (const char* smooth : {"line", "arc", "circle", "helix", "knot"})
    if (type == smooth && !t.has("segments"))
      t.fail("segments", fmt::format("is missing; expected the number of segments of the {}", type));
}

// either strands that grow, on a mesh, or those of a file
void check_groom(const Table& t) {
  if (t.text("name").empty()) t.fail("name", "is empty; expected a name");
  if (t.has("file")) {
    for (const char* grown : {"count", "density", "length", "curl", "noise", "clump", "direction"})
      if (t.has(grown)) t.fail(grown, "stands beside file, whose strands have grown; expected only one of them");
    if (t.has("followers") && !t.has("mesh")) t.fail("mesh", "is missing; followers need a mesh to grow on");
    return;
  }
  for (const char* needed : {"mesh", "length", "segments"})
    if (!t.has(needed)) t.fail(needed, "is missing; strands that are not read from a file need it");
  exactly_one(t, {"count", "density"});
}

void check_hold(const Table& t) {
  const std::string axes = t.text("position") == "none" ? "" : t.text("position");
  for (std::size_t k = 0; k < axes.size(); ++k)
    if (std::string("xyz").find(axes[k]) == std::string::npos || axes.find(axes[k], k + 1) != std::string::npos)
      t.fail("position",
             fmt::format("found text \"{}\"; expected each of the letters x, y, z at most once, or \"none\"", axes));
  if (axes.empty() && t.text("frame") == "none") t.fail("", "holds nothing; expected a position or a frame");
  begins_before_it_ends(t);
}

void check_drive(const Table& t) {
  exactly_one(t, {"rod", "obstacle", "body"});
  rod_with_place(t);
  at_least_one(t, {"translate", "rotate"});
  if (t.has("translate")) exactly_one(t.table("translate"), {"velocity", "keys", "sine"});
  if (t.has("rotate")) exactly_one(t.table("rotate"), {"rate", "keys"});
  if (t.has("about") && !t.has("rotate"))
    t.fail("about", "stands without a rotation; expected rotate = { axis, rate }");
  begins_before_it_ends(t);
}

void check_load(const Table& t) {
  exactly_one(t, {"rod", "body"});
  at_least_one(t, {"force", "moment", "per_length"});
  const Names at_places = present(t, {"force", "moment"});
  if (t.has("per_length") && !at_places.empty())
    t.fail(at_places[0], "stands beside per_length; expected force and moment, or per_length, in a load of its own");
  if (t.has("per_length") && t.has("body"))
    t.fail("per_length", "acts on rods only; expected force or moment on a body");
  if (!t.has("per_length") || t.has("at")) rod_with_place(t);
  begins_before_it_ends(t);
}

void check_joint_side(const Table& t) {
  exactly_one(t, {"rod", "body", "obstacle"});
  rod_with_place(t);
}

void check_joint(const Table& t) {
  const Table a = t.table("a"), b = t.table("b");
  check_joint_side(a);
  check_joint_side(b);
  if (!a.has("rod") && !b.has("rod")) t.fail("", "joins no rod; expected a rod on one of its sides");
}

void check_probe(const Table& t) {
  exactly_one(t, {"rod", "body"});
  rod_with_place(t);
  if (t.text("name").empty()) t.fail("name", "is empty; expected a name");
}

class Rules {
 public:
  explicit Rules(Problems& problems) : problems_(problems) {}

  void check_all(const Table& root) {
    attempt(check_simulation, root.table("simulation"));
    const Table materials = root.table("material");
    for (const std::string& name : materials.names()) attempt(check_material, materials.table(name));
    attempt(check_has_rods, root);
    each(root, "rod", check_rod);
    each(root, "groom", check_groom);
    each(root, "hold", check_hold);
    each(root, "drive", check_drive);
    each(root, "load", check_load);
    each(root, "body", rod_with_place);
    each(root, "joint", check_joint);
    each(root.table("output"), "probe", check_probe);
    check_names(root.tables("rod"), root.tables("groom"));
    check_names(root.tables("body"), root.tables("obstacle"));
    check_names(root.table("output").tables("probe"), {});
  }

 private:
  // rules speak by exceptions, so that each can stop at its first doubt
  template <class Rule>
  void attempt(Rule rule, const Table& t) {
    try {
      rule(t);
    } catch (const SceneError& error) {
      problems_.add(0, 0, error.what());
    }
  }

  template <class Rule>
  void each(const Table& t, const char* key, Rule rule) {
    for (const Table& entry : t.tables(key)) attempt(rule, entry);
  }

  // no name twice in the two lists together
  void check_names(const std::vector<Table>& first, const std::vector<Table>& second) {
    std::map<std::string, std::string> seen;
    const auto check = [&](const Table& t) {
      const std::string name = t.text("name");
      if (name.empty()) return;
      const auto [previous, is_new] = seen.emplace(name, t.where("name"));
      if (!is_new) t.fail("name", fmt::format("\"{}\" is taken by {}; expected another name", name, previous->second));
    };
    for (const Table& t : first) attempt(check, t);
    for (const Table& t : second) attempt(check, t);
  }

  Problems& problems_;
};

}  // namespace

void check_rules(const Table& root, Problems& problems) { Rules(problems).check_all(root); }

}  // namespace tendril::scene
