#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "contact/volume/hair_volume.h"
#include "engine/requirements.h"
#include "engine/scene_start.h"
#include "loaded_scene.h"
#include "math/thread_team.h"
#include "sim/schedule.h"
#include "verbs.h"

namespace tendril::app {
namespace {

enum class End { free, pinned, clamped };

// how an end of a rod would be held at time 0 (vertex)
std::vector<End> ends_of(const Model& model) {
  std::vector<bool> holds_frame(model.bodies.size());
  for (const Bend& bend : model.bends)
    if (bend.b.is_body && model.bodies[bend.b.index].kind == BodyKind::kinematic) holds_frame[bend.b.index] = true;
  std::vector<End> ends(model.vertices.size(), End::free);
  for (const Tie& tie : model.ties)
    if (tie.hold < 0 || model.holds[tie.hold].from <= 0)
      ends[tie.vertex] = std::max(ends[tie.vertex], holds_frame[tie.body] ? End::clamped : End::pinned);
  return ends;
}

// lowest root beta L of a uniform beam with these ends; 0: it can move without bending, its free-free shape is taken
double lowest_root(End a, End b) {
  if (a > b) std::swap(a, b);
  if (a == End::clamped) return 4.73004074;  // clamped-clamped
  if (a == End::pinned) return b == End::clamped ? 3.92660231 : std::numbers::pi;
  return b == End::clamped ? 1.87510407 : b == End::pinned ? 3.92660231 : 4.73004074;
}

bool is_branched(const Model& model, const Rod& rod) {
  for (int s = rod.first_segment + 1; s < rod.first_segment + rod.segment_count; ++s)
    if (model.segments[s].vertex[0] != model.segments[s - 1].vertex[1]) return true;
  return false;
}

struct RodSummary {
  double length = 0, mass = 0;
  double EA_low = forever, EA_high = 0, EI1_low = forever, EI1_high = 0, EI2_low = forever, EI2_high = 0,
         GJ_low = forever, GJ_high = 0;
  double compliance = 0;  // ∫ ds / EI of the softer axis
};

RodSummary summarize(const Model& model, const Rod& rod) {
  RodSummary r;
  const auto widen = [](double value, double& low, double& high) {
    low = std::min(low, value), high = std::max(high, value);
  };
  for (int s = rod.first_segment; s < rod.first_segment + rod.segment_count; ++s) {
    const Segment& segment = model.segments[s];
    r.length += segment.rest_length;
    r.mass += segment.linear_density * segment.rest_length;
    r.compliance += segment.rest_length / std::min(segment.EI1, segment.EI2);
    widen(segment.EA, r.EA_low, r.EA_high);
    widen(segment.EI1, r.EI1_low, r.EI1_high);
    widen(segment.EI2, r.EI2_low, r.EI2_high);
    widen(segment.GJ, r.GJ_low, r.GJ_high);
  }
  return r;
}

// f = (beta L)² / (2π L²) sqrt(EI / rho A), with the mean compliance and density of the rod; exact for a uniform
// straight one a branched rod has none of this kind
double lowest_bending_frequency(const Model& model, const std::vector<End>& ends, const Rod& rod, const RodSummary& r) {
  if (int(rod.vertices.size()) != rod.segment_count + (rod.closed ? 0 : 1) || is_branched(model, rod))
    return std::nan("");
  const double EI = r.length / r.compliance, density = r.mass / r.length;
  if (rod.closed)
    return std::sqrt(7.2) / (2 * std::numbers::pi) * std::pow(2 * std::numbers::pi / r.length, 2) *
           std::sqrt(EI / density);
  const double root = lowest_root(ends[rod.vertices.front()], ends[rod.vertices.back()]);
  return root * root / (2 * std::numbers::pi * r.length * r.length) * std::sqrt(EI / density);
}

std::string frequency_text(double f) { return std::isnan(f) ? "branched" : fmt::format("{:.5g}", f); }

std::string range(double low, double high) {
  return low == high ? fmt::format("{:.6g}", low) : fmt::format("{:.3g} … {:.3g}", low, high);
}

void print_rods(const Model& model) {
  fmt::print("{:<16} {:>10} {:>9} {:>11} {:>16} {:>16} {:>16} {:>16} {:>12}\n", "rod", "length m", "segments",
             "mass kg", "EA N", "EI1 N m²", "EI2 N m²", "GJ N m²", "lowest Hz");
  const std::vector<End> ends = ends_of(model);
  for (const Rod& rod : model.rods) {
    const RodSummary r = summarize(model, rod);
    fmt::print("{:<16} {:>10.6g} {:>9} {:>11.6g} {:>16} {:>16} {:>16} {:>16} {:>12}\n", rod.name, r.length,
               rod.segment_count, r.mass, range(r.EA_low, r.EA_high), range(r.EI1_low, r.EI1_high),
               range(r.EI2_low, r.EI2_high), range(r.GJ_low, r.GJ_high),
               frequency_text(lowest_bending_frequency(model, ends, rod, r)));
  }
}

void print_summary(const LoadedScene& loaded) {
  const Model& m = loaded.baked.model;
  const Settings& s = loaded.baked.settings;
  const Schedule schedule{s.time_step, s.duration, s.frame_rate};
  if (!loaded.baked.title.empty()) fmt::print("{}\n", loaded.baked.title);
  fmt::print("solver {}, {:g} s in steps of {:g} s ({} steps), {} frames\n", loaded.solver->name, s.duration,
             s.time_step, schedule.step_count(), 1 + schedule.last_frame());
  const auto dynamic =
      std::count_if(m.bodies.begin(), m.bodies.end(), [](const Body& b) { return b.kind == BodyKind::dynamic; });
  const auto obstacles = std::count_if(m.bodies.begin(), m.bodies.end(), [](const Body& b) { return b.is_obstacle; });
  fmt::print(
      "{} rods, {} vertices, {} segments, {} bends, {} held vertices, {} bodies, {} obstacles, {} loads, {} fields\n\n",
      m.rods.size(), m.vertices.size(), m.segments.size(), m.bends.size(), m.ties.size(), dynamic, obstacles,
      m.loads.size(), m.fields.size());
  print_rods(m);
  fmt::print("\n");
  if (const std::size_t followers = loaded.baked.followers.strands.size(); followers > 0)
    fmt::print("{} strands follow rods and are not simulated\n", followers);
  for (const RadiusSource& radius : loaded.baked.radius_sources)
    fmt::print("radius of {}: {} m, from {}\n", radius.rod, range(radius.low, radius.high), radius.source);
  fmt::print(
      "\nThe lowest bending frequency is that of a uniform straight beam with the rod's ends, mean compliance and "
      "mass.\n");
}

// numbers that a scene may have, but no material has
void print_doubts(const LoadedScene& loaded) {
  if (const std::string doubt = schedule_warning(loaded); !doubt.empty()) fmt::print("warning: {}\n", doubt);
  const Table materials = loaded.scene.root.table("material");
  for (const std::string& name : materials.names()) {
    const Table t = materials.table(name);
    if (!t.has("young_modulus")) continue;
    const double poisson = t.has("shear_modulus") ? t.number("young_modulus") / (2 * t.number("shear_modulus")) - 1
                                                  : t.number("poisson_ratio");
    if (poisson <= -1 || poisson > 0.5)
      fmt::print(
          "warning: Poisson's ratio of material \"{}\" is {:.3g}, and that of an elastic solid lies between -1 and "
          "0.5\n",
          name, poisson);
  }
  const Model& model = loaded.baked.model;
  for (const Rod& rod : model.rods) {
    double length = 0, radius = 0;
    for (int s = rod.first_segment; s < rod.first_segment + rod.segment_count; ++s)
      length += model.segments[s].rest_length, radius = std::max(radius, model.segments[s].radius);
    if (radius > length)
      fmt::print("warning: rod \"{}\" is thicker than long: its radius is {:.3g} m and its length {:.3g} m\n", rod.name,
                 radius, length);
  }
}

// the grid as the start makes it, and what it does
void explain_volume(const LoadedScene& loaded) {
  const BakedScene& baked = loaded.baked;
  ThreadTeam team(baked.settings.threads);
  const HairVolume volume(baked.model, baked.state, *volume_options(baked.settings), team);
  fmt::print(
      "Rods meet rods as a volume of hair, {:g} hairs for each strand, on a grid with cells of {:.3g} m: {} of them "
      "have "
      "hair in them at the start, with {:.3g} vertices each, and at most {:.2g} of a cell is hair. Where it gets "
      "denser "
      "than it was there it pushes itself apart; hair takes over the motion of the hair around it at a rate of {:g} "
      "1/s. "
      "Single rods pass through each other; obstacles and bodies are met by pairs.\n",
      baked.settings.hairs_per_strand, volume.cell(), volume.cell_count(),
      double(baked.model.vertices.size()) / std::max(1, volume.cell_count()), volume.densest(),
      baked.settings.volume_mixing);
}

// what contact has to say about the start; throws SceneError when things overlap
void check_contact(const LoadedScene& loaded) {
  const Settings& s = loaded.baked.settings;
  if (!s.contact) {
    fmt::print("Contact is off: rods pass through each other and through obstacles.\n");
    return;
  }
  if (s.hair_volume)
    explain_volume(loaded);
  else if (!s.contact_of_rods)
    fmt::print("Rods collide with obstacles and bodies only: they pass through each other and through themselves.\n");
  const Overlaps overlaps = find_overlaps(loaded.baked.model, loaded.baked.state, contact_options(s));
  if (overlaps.grown_together > 0)
    fmt::print("{} pairs of segments overlap near a branching: they count as grown together and never touch.\n",
               overlaps.grown_together);
  if (const std::string warning = contact_warning(s, *loaded.solver); !warning.empty()) fmt::print("{}\n", warning);
  refuse_overlaps(loaded, overlaps);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("check", "read and bake a scene; print what is in it, or the error");
  auto scene = std::make_shared<std::string>();
  auto sets = std::make_shared<std::vector<std::string>>();
  auto solver = std::make_shared<std::string>();
  verb->add_option("SCENE", *scene, "a scene file, or the name of a scene in scenes/")->required();
  verb->add_option("--set", *sets, "PATH=VALUE: any key of the scene")->expected(1)->take_all();
  verb->add_option("--solver", *solver, "instead of the scene's own");
  verb->callback([=, &exit_code] {
    const LoadedScene loaded = load_scene(*scene, *sets, *solver);
    print_summary(loaded);
    print_doubts(loaded);
    check_contact(loaded);
    exit_code = exit_good;
  });
}

}  // namespace tendril::app
