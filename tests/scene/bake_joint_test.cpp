// how rods, branches and bodies hang together

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "scene/bake_text.h"
#include "scratch.h"

namespace tendril::scene {
namespace {

std::string rod(const std::string& name, const std::string& from, const std::string& to, int segments = 2) {
  return fmt::format(R"(
[[rod]]
name = "{}"
material = "wire"
segments = {}
normal = [0, 0, 1]
curve = {{ type = "line", from = {}, to = {} }}
)",
                     name, segments, from, to);
}

std::string joint(const std::string& a, const std::string& b, const std::string& type) {
  return fmt::format("[[joint]]\na = {{ {} }}\nb = {{ {} }}\ntype = \"{}\"\n", a, b, type);
}

const Bend& only_bend_between(const BakedScene& scene, int a, int b) {
  const Bend* found = nullptr;
  for (const Bend& bend : scene.model.bends)
    if (!bend.a.is_body && !bend.b.is_body && std::minmax(bend.a.index, bend.b.index) == std::minmax(a, b)) {
      EXPECT_EQ(found, nullptr);
      found = &bend;
    }
  if (!found) throw std::logic_error(fmt::format("no bend between segments {} and {}", a, b));
  return *found;
}

TEST(BakeJoint, AWeldedRodIsTheRodItself) {
  const BakedScene whole = baked_wire(rod("beam", "[0, 0, 0]", "[4, 0, 0]", 4));
  const BakedScene welded = baked_wire(rod("a", "[0, 0, 0]", "[2, 0, 0]") + rod("b", "[2, 0, 0]", "[4, 0, 0]") +
                                       joint("rod = \"a\", at = \"end\"", "rod = \"b\", at = \"start\"", "weld"));
  ASSERT_EQ(welded.model.vertices.size(), 5u);
  EXPECT_NEAR(welded.model.vertices[2].mass, whole.model.vertices[2].mass, 1e-15);
  EXPECT_EQ(welded.model.rods[0].vertices.back(), welded.model.rods[1].vertices.front());
  ASSERT_EQ(welded.model.bends.size(), 3u);
  const Bend &weld = only_bend_between(welded, 1, 2), &bend = only_bend_between(whole, 1, 2);
  EXPECT_NEAR(weld.length, bend.length, 1e-15);
  EXPECT_NEAR(weld.EI1, bend.EI1, 1e-12);
  EXPECT_NEAR(weld.EI2, bend.EI2, 1e-12);
  EXPECT_NEAR(weld.GJ, bend.GJ, 1e-12);
  EXPECT_NEAR(angle_between(weld.rest, bend.rest), 0, 1e-14);
}

std::string arc(const std::string& name, double from, double to) {
  return fmt::format(R"(
[[rod]]
name = "{}"
material = "wire"
segments = 2
normal = [0, 0, 1]
curve = {{ type = "arc", center = [0, 0, 0], from = [{:.17g}, {:.17g}, 0], axis = [0, 0, 1], angle = {:.17g} }}
)",
                     name, 2 * std::cos(from), 2 * std::sin(from), to - from);
}

// Start to start the tangents oppose each other. A turn of one half must cost the same energy about every axis.
void expect_same_energy(const BakedScene& whole, const BakedScene& welded) {
  EXPECT_NEAR(elastic_energy(welded.model, welded.state), 0, 1e-26);
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, normalized(Vec3d{1, 2, 3})}) {
    BakedScene a = whole, b = welded;
    for (int s = 2; s < 4; ++s)
      for (BakedScene* scene : {&a, &b}) scene->state.q[s] = quaternion_exp(0.2 * axis) * scene->state.q[s];
    const double energy = bend_energy(a.model, a.state);
    EXPECT_GT(energy, 0.01);
    EXPECT_NEAR(bend_energy(b.model, b.state), energy, 1e-12 * energy);
  }
}

TEST(BakeJoint, AWeldOfTwoStartsHasTheSameEnergy) {
  const std::string weld = joint("rod = \"a\", at = \"start\"", "rod = \"b\", at = \"start\"", "weld");
  expect_same_energy(baked_wire(rod("beam", "[0, 0, 0]", "[4, 0, 0]", 4)),
                     baked_wire(rod("a", "[2, 0, 0]", "[0, 0, 0]") + rod("b", "[2, 0, 0]", "[4, 0, 0]") + weld));
  std::string whole = arc("beam", 0, 1);
  whole.replace(whole.find("segments = 2"), 12, "segments = 4");
  expect_same_energy(baked_wire(whole), baked_wire(arc("a", 0.5, 0) + arc("b", 0.5, 1) + weld));
}

TEST(BakeJoint, ATieSharesTheVertexOnly) {
  const BakedScene scene = baked_wire(rod("a", "[0, 0, 0]", "[2, 0, 0]") + rod("b", "[2, 0, 0]", "[2, 2, 0]") +
                                      joint("rod = \"a\", at = \"end\"", "rod = \"b\", at = \"start\"", "tie"));
  EXPECT_EQ(scene.model.vertices.size(), 5u);
  EXPECT_EQ(scene.model.bends.size(), 2u);
}

TEST(BakeJoint, ACornerIsAtRest) {
  const BakedScene scene = baked_wire(rod("a", "[0, 0, 0]", "[2, 0, 0]") + rod("b", "[2, 0, 0]", "[2, 2, 0]") +
                                      joint("rod = \"b\", at = \"start\"", "rod = \"a\", at = \"end\"", "weld"));
  EXPECT_EQ(scene.model.bends.size(), 3u);
  EXPECT_NEAR(elastic_energy(scene.model, scene.state), 0, 1e-26);
}

TEST(BakeJoint, VerticesApartAreRefused) {
  expect_message(error_of(wire + rod("a", "[0, 0, 0]", "[2, 0, 0]") + rod("b", "[2, 0, 0.5]", "[2, 2, 0]") +
                          joint("rod = \"a\", at = \"end\"", "rod = \"b\", at = \"start\"", "weld")),
                 {"test.toml:23:", "0.5 m apart", "one place"});
}

TEST(BakeJoint, AVertexIsNotJoinedToItself) {
  for (const char* type : {"weld", "tie"})
    expect_message(error_of(wire + rod("a", "[0, 0, 0]", "[2, 0, 0]") +
                            joint("rod = \"a\", at = \"end\"", "rod = \"a\", at = \"end\"", type)),
                   {"test.toml:16:", "joint.0.b", "same vertex"});
}

BakedScene branched(const std::string& more = "") {
  const Scratch folder;
  const std::string fork = "v 0 0 0\nv 0 0 1\nv 0.6 0 1.8\nv -1 0 2\nl 1 2\nl 2 3\nl 2 4\n";
  return baked(fmt::format(R"(
[material.wood]
stiffness = {{ EA = 1e3, GA = 1e3, EI1 = 2.0, EI2 = 2.0, GJ = 2.0 }}
linear_density = 0.5
radius = 0.02
[[rod]]
name = "fork"
material = "wood"
curve = {{ type = "file", path = "{}" }}
{})",
                           folder.write("fork.obj", fork), more));
}

// three halves of conductance g = 2 EI / l in a star, without the joint's own frame: g_ij = g_i g_j / (g_1 + g_2 + g_3)
TEST(BakeJoint, ABranchIsAMeshOfBends) {
  const BakedScene scene = branched();
  ASSERT_EQ(scene.model.segments.size(), 3u);
  ASSERT_EQ(scene.model.bends.size(), 3u);
  double g[3], sum = 0;
  for (int s = 0; s < 3; ++s) sum += g[s] = 2 * 2.0 / scene.model.segments[s].rest_length;
  for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    const Bend& bend = only_bend_between(scene, a, b);
    EXPECT_NEAR(bend.EI1 / bend.length, g[a] * g[b] / sum, 1e-12);
    EXPECT_NEAR(bend.GJ / bend.length, g[a] * g[b] / sum, 1e-12);
  }
  EXPECT_NEAR(elastic_energy(scene.model, scene.state), 0, 1e-26);
}

// The mesh is the star: turn two branches a little and let the joint find its own frame. With equal stiffness about all
// axes its energy is Σ g_i/2 |θ_i - θ|² at θ = Σ g_i θ_i / Σ g_i.
TEST(BakeJoint, TheMeshHasTheEnergyOfTheStar) {
  BakedScene scene = branched();
  const Vec3d theta[3] = {1e-4 * Vec3d{1, -2, 0.5}, 1e-4 * Vec3d{0, 1, 1}, 1e-4 * Vec3d{-1, 0, 2}};
  double g[3], sum = 0;
  Vec3d mean;
  for (int s = 0; s < 3; ++s) {
    sum += g[s] = 2 * 2.0 / scene.model.segments[s].rest_length;
    mean += g[s] * theta[s];
    scene.state.q[s] = quaternion_exp(theta[s]) * scene.state.q[s];
  }
  double star = 0;
  for (int s = 0; s < 3; ++s) star += 0.5 * g[s] * norm_squared(theta[s] - mean / sum);
  EXPECT_NEAR(bend_energy(scene.model, scene.state), star, 1e-3 * star);
}

TEST(BakeJoint, AClampedJunctionHoldsEveryBranch) {
  const BakedScene scene = branched("clamp = 1");
  int halves = 0;
  for (const Bend& bend : scene.model.bends)
    if (bend.b.is_body) {
      ++halves;
      EXPECT_NEAR(bend.length, 0.5 * scene.model.segments[bend.a.index].rest_length, 1e-15);
      EXPECT_NEAR(norm(strain_of(scene, bend)), 0, 1e-13);
    }
  EXPECT_EQ(halves, 3);
  EXPECT_EQ(scene.model.holds.at(0).replaced_bends.size(), 3u);
}

// segments of equal stiffness, as many as asked for, from one vertex outward
BakedScene spokes(int count) {
  std::string file = "v 0 0 0\n", lines;
  for (int k = 0; k < count; ++k) {
    file += fmt::format("v {} {} {}\n", std::cos(0.7 * k), std::sin(0.7 * k), 0.1 * k);
    lines += fmt::format("l 1 {}\n", k + 2);
  }
  const Scratch folder;
  return baked_wire(
      fmt::format("[[rod]]\nname = \"star\"\nmaterial = \"wire\"\ncurve = {{ type = \"file\", path = \"{}\" }}\n",
                  folder.write("star.obj", file + lines)));
}

TEST(BakeJoint, ATwelveWayJointIsAMesh) {
  const BakedScene scene = spokes(12);
  EXPECT_EQ(scene.model.bends.size(), 66u);
  EXPECT_NEAR(elastic_energy(scene.model, scene.state), 0, 1e-25);
}

TEST(BakeJoint, AManyWayHubIsAtRestAndConnected) {
  const BakedScene scene = spokes(13);
  EXPECT_EQ(scene.model.bends.size(), 12u);
  EXPECT_NEAR(elastic_energy(scene.model, scene.state), 0, 1e-26);
}

// A trunk of two segments with twigs at its middle, all about equally stiff to bend and to twist. The trunk's halves
// have conductance 1, twig k has share[k] of the whole joint's.
BakedScene twigs_on_a_trunk(const std::vector<double>& share) {
  const double whole = 2 / (1 - std::accumulate(share.begin(), share.end(), 0.0));
  std::string text = rod("trunk", "[0, 0, 0]", "[2, 0, 0]"), joints;
  const auto material = [](const std::string& name, double k) {
    return fmt::format(
        "[material.{0}]\nstiffness = {{ EA = 1e3, GA = 1e3, EI1 = {1:.17g}, EI2 = {1:.17g}, GJ = {1:.17g} }}\n"
        "linear_density = 0.5\nradius = 0.02\n",
        name, k);
  };
  std::string materials = material("wire", 0.5);  // g = 2 EI / l
  for (std::size_t k = 0; k < share.size(); ++k) {
    const std::string name = fmt::format("twig{}", k);
    materials += material(name, 0.5 * share[k] * whole);
    std::string twig = rod(name, "[1, 0, 0]", fmt::format("[1, {}, {}]", std::cos(1.3 * k), std::sin(1.3 * k)), 1);
    twig.replace(twig.find("\"wire\""), 6, fmt::format("\"{}\"", name));
    text += twig.replace(twig.find("[0, 0, 1]"), 9, "[1, 0, 0]");
    joints += joint("rod = \"trunk\", at = 1", fmt::format("rod = \"{}\", at = \"start\"", name), "weld");
  }
  return baked(materials + text + joints);
}

// energy after segment s is turned by angle[s] about `axis`, and what the star with a free joint of its own has: with
// θ = Σ g_i θ_i / Σ g it is Σ g_i/2 (θ_i - θ)²
struct Energies {
  double mesh, star;
};
Energies turned(BakedScene scene, const std::vector<double>& angle, const Vec3d& axis) {
  double sum = 0, mean = 0, star = 0;
  const auto g = [&](std::size_t s) { return 2 * scene.model.segments[s].EI1 / scene.model.segments[s].rest_length; };
  for (std::size_t s = 0; s < angle.size(); ++s) {
    sum += g(s), mean += g(s) * angle[s];
    scene.state.q[s] = quaternion_exp(angle[s] * axis) * scene.state.q[s];
  }
  for (std::size_t s = 0; s < angle.size(); ++s) star += 0.5 * g(s) * std::pow(angle[s] - mean / sum, 2);
  return {bend_energy(scene.model, scene.state), star};
}

bool are_joined(const BakedScene& scene, int a, int b) {
  return std::any_of(scene.model.bends.begin(), scene.model.bends.end(),
                     [&](const Bend& bend) { return std::minmax(bend.a.index, bend.b.index) == std::minmax(a, b); });
}

// the softest members that together have less than 6 % of the stiffness: segments 0 and 1 are the trunk
TEST(BakeJoint, SlightMembersAreJoinedToTheFirmOnesOnly) {
  const BakedScene slight = twigs_on_a_trunk({0.02, 0.015, 0.02});  // 5.5 %
  for (const auto& [a, b] : {std::pair{2, 3}, {2, 4}, {3, 4}}) EXPECT_FALSE(are_joined(slight, a, b));
  for (int twig : {2, 3, 4})
    for (int trunk : {0, 1}) EXPECT_TRUE(are_joined(slight, twig, trunk));
  EXPECT_TRUE(are_joined(slight, 0, 1));

  const BakedScene one_more = twigs_on_a_trunk({0.02, 0.015, 0.03});  // 6.5 %: the stiffest of them feels the others
  EXPECT_FALSE(are_joined(one_more, 2, 3));
  EXPECT_TRUE(are_joined(one_more, 2, 4));
  EXPECT_TRUE(are_joined(one_more, 3, 4));
}

// With β the share of the slight members, leaving out Σ g_i g_j / Σ g (θ_i - θ_j)² / 2 among them is
//   exact while they turn together, or follow the others freely,
//   at most β of the energy when they turn against each other.
TEST(BakeJoint, SlightMembersChangeTheEnergyByLessThanTheirShare) {
  const BakedScene scene = twigs_on_a_trunk({0.02, 0.015, 0.02});
  const double beta = 0.055, a = 1e-4;
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, normalized(Vec3d{1, 2, 3})}) {
    const Energies together = turned(scene, {0, 0, a, a, a}, axis);
    EXPECT_NEAR(together.mesh, together.star, 1e-6 * together.star);
    const Energies free = turned(scene, {a, -a, 0, 0, 0}, axis);  // twigs at the joint's own angle
    EXPECT_NEAR(free.mesh, free.star, 1e-6 * free.star);
    const Energies against = turned(scene, {0, 0, a, 0, -a}, axis);  // Σ g θ = 0: the joint stays, the worst case
    EXPECT_NEAR(against.mesh, (1 - beta) * against.star, 1e-6 * against.star);
    const Energies alone = turned(scene, {0, 0, a, 0, 0}, axis);  // g Σ_firm / Σ, not g (1 - g / Σ)
    EXPECT_NEAR(alone.mesh, (1 - beta) / (1 - 0.02) * alone.star, 1e-6 * alone.star);
  }
}

TEST(BakeJoint, ABodyHangsAtItsOffset) {
  const BakedScene scene = baked_wire(rod("cord", "[0, 0, 0]", "[2, 0, 0]") + R"(
[[body]]
name = "bob"
rod = "cord"
at = "end"
mass = 3.0
offset = [0.1, 0, -0.2]
shape = { shape = "sphere", radius = 0.05 }
friction = 0.25
velocity = [0, 1, 0]
[output]
probe = [{ body = "bob", name = "bob" }]
)");
  ASSERT_EQ(scene.model.bodies.size(), 1u);
  EXPECT_EQ(scene.model.bodies[0].kind, BodyKind::dynamic);
  EXPECT_EQ(scene.model.bodies[0].friction, 0.25);
  EXPECT_EQ(scene.model.bodies[0].mass, 3.0);
  expect_near(scene.model.bodies[0].inertia, 0.4 * 3 * 0.0025 * Vec3d{1, 1, 1}, 1e-15);  // of a ball, 2/5 m r²
  expect_near(scene.state.body_x[0], {2.1, 0, -0.2}, 1e-15);
  expect_near(scene.state.body_v[0], {0, 1, 0}, 0);
  const Tie& tie = scene.model.ties.at(0);
  EXPECT_EQ(tie.vertex, 2);
  expect_near(tie.offset, {-0.1, 0, 0.2}, 1e-15);
  // the section at the end belongs to the body: half a bend to it
  const Bend& half = scene.model.bends.back();
  EXPECT_TRUE(half.b.is_body);
  EXPECT_NEAR(half.length, 0.5, 1e-15);
  EXPECT_NEAR(norm(strain_of(scene, half)), 0, 1e-14);
  EXPECT_EQ(scene.model.probes[0].body, 0);
}

TEST(BakeJoint, ABodyNeedsNoName) {
  const BakedScene scene = baked_wire(rod("cord", "[0, 0, 0]", "[2, 0, 0]") + R"(
[[body]]
rod = "cord"
at = "start"
mass = 1.0
[[body]]
rod = "cord"
at = "end"
mass = 2.0
)");
  ASSERT_EQ(scene.model.ties.size(), 2u);
  for (const Tie& tie : scene.model.ties) expect_near(scene.state.body_x[tie.body], scene.state.x[tie.vertex], 0);
  EXPECT_EQ(scene.model.bodies[scene.model.ties[1].body].mass, 2.0);
  EXPECT_LT(scene.model.bodies[0].friction, 0) << "unset: the other one's counts";
}

TEST(BakeJoint, ABodyJoinsTwoRods) {
  const BakedScene scene = baked_wire(rod("a", "[0, 0, 0]", "[2, 0, 0]") + rod("b", "[2.2, 0, 0]", "[4, 0, 0]") + R"(
[[body]]
name = "bead"
mass = 1.0
shape = { shape = "sphere", center = [2.1, 0, 0], radius = 0.1 }
)" + joint("rod = \"a\", at = \"end\"", "body = \"bead\"", "weld") +
                                      joint("body = \"bead\"", "rod = \"b\", at = \"start\"", "tie"));
  ASSERT_EQ(scene.model.ties.size(), 2u);
  expect_near(scene.model.ties[0].offset, {-0.1, 0, 0}, 1e-15);
  expect_near(scene.model.ties[1].offset, {0.1, 0, 0}, 1e-15);
  int halves = 0;
  for (const Bend& bend : scene.model.bends) halves += bend.b.is_body;
  EXPECT_EQ(halves, 1);  // the tie leaves the frame free
}

// a vertex follows one body: a second would silently take its place
TEST(BakeJoint, ASecondBodyAtAVertexIsRefused) {
  const std::string cord = wire + rod("cord", "[0, 0, 0]", "[2, 0, 0]");
  const std::string bob = "[[body]]\nname = \"bob\"\nrod = \"cord\"\nat = \"end\"\nmass = 1.0\n";
  const std::string ball =
      "[[body]]\nname = \"ball\"\nmass = 1.0\nshape = { shape = \"sphere\", center = [2, 0, 0], radius = 0.1 }\n";
  expect_message(error_of(cord + bob + "[[body]]\nrod = \"cord\"\nat = \"end\"\nmass = 2.0\n"),
                 {"test.toml:21:", "body.1.at", "already hangs on \"bob\"", "the mass of both"});
  for (const char* type : {"weld", "tie"})
    expect_message(error_of(cord + ball + bob + joint("rod = \"cord\", at = 2", "body = \"ball\"", type)),
                   {"body.bob.at", "already hangs on \"ball\"", "a vertex of its own"});
}

TEST(BakeJoint, ABodyMayHoldBothRodsOfATie) {
  const BakedScene scene = baked_wire(rod("a", "[0, 0, 0]", "[2, 0, 0]") + rod("b", "[2, 0, 0]", "[4, 0, 0]") +
                                      joint("rod = \"a\", at = \"end\"", "rod = \"b\", at = \"start\"", "tie") +
                                      "[[body]]\nname = \"bead\"\nrod = \"a\"\nat = \"end\"\nmass = 1.0\n" +
                                      joint("body = \"bead\"", "rod = \"b\", at = \"start\"", "weld"));
  EXPECT_EQ(scene.model.ties.size(), 1u);
  int halves = 0;
  for (const Bend& bend : scene.model.bends) halves += bend.b.is_body;
  EXPECT_EQ(halves, 2);
}

}  // namespace
}  // namespace tendril::scene
