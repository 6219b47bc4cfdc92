// contact gives the same bits on any number of threads and after any checkpoint, and none where nothing is near

#include "conformance_contact.h"
#include "rod/stream.h"

namespace tendril::app::conformance {
namespace {

// all that the next step depends on, what friction remembers included
std::vector<char> bits(const Simulation& simulation) {
  Writer out;
  simulation.save(out);
  return out.bytes();
}

const RealMaterial& nylon() { return physics::real_materials()[2]; }

// Long rods in pairs, one across the other: the lower one lies on the floor and slides, the upper one falls on it. So
// many that every solver gives them to several threads.
std::string sliding_pairs(int pairs, int segments_each) {
  std::string text = toml(World{2e-3}) + toml(nylon(), friction) + level_floor;
  const double r = nylon().radius, low = 1.05 * r, high = 3.2 * r;
  for (int k = 0; k < pairs; ++k) {
    const double x = 0.4 * (k % 8), y = 0.4 * (k / 8);
    text += toml(RodText{fmt::format("lower {}", k), "nylon", segments_each,
                         physics::line({x, y, low}, {x + 0.3, y, low}), "velocity = [0, 0.5, 0]"});
    text +=
        toml(RodText{fmt::format("upper {}", k), "nylon", segments_each,
                     physics::line({x + 0.17, y - 0.15, high}, {x + 0.17, y + 0.15, high}), "velocity = [0, 0, -0.2]"});
  }
  return text;
}

void threads_do_not_matter_to_contact(const SolverInfo& solver) {
  std::vector<char> reference;
  for (int threads : {1, 2, 3}) {
    const auto sim = start_contact(solver, sliding_pairs(20, 50), {.threads = threads});
    int contacts = 0;
    for (int n = 0; n < 3; ++n) contacts = sim->step().contacts;
    EXPECT_GT(contacts, 20) << "contact must matter";
    EXPECT_GT(sim->contact().friction_work(), 0) << "friction must matter";
    if (threads == 1) reference = bits(*sim);
    EXPECT_TRUE(bits(*sim) == reference) << threads << " threads";
  }
}

// a rod rests on a rod that slides, beside a ball that rolls and a box that comes and pushes
std::string busy_floor(const SolverInfo& solver) {
  std::string text = sliding_pairs(1, 10) +
                     "[[obstacle]]\nname = \"box\"\nshape = \"box\"\ncenter = [0.1, -0.03, 0.01]\nsize = [0.1, 0.05, "
                     "0.02]\nfriction = 0.4\n[[drive]]\nobstacle = \"box\"\ntranslate = { velocity = [0, 1, 0] }\n";
  if (solver.capabilities.bodies)
    text +=
        "[[body]]\nname = \"ball\"\nmass = 0.01\nshape = { shape = \"sphere\", center = [0.05, 0.0125, 0.0101], radius "
        "= 0.01 }\nvelocity = [1, 0, 0]\n";
  return text;
}

void a_saved_run_in_contact_goes_on_with_the_same_bits(const SolverInfo& solver) {
  constexpr int steps = 40;
  const auto whole = start_contact(solver, busy_floor(solver));
  std::vector<std::vector<char>> saved;
  int contacts = 0;
  for (int k = 0; k <= steps; ++k) {
    saved.push_back(bits(*whole));
    if (k < steps) contacts = std::max(contacts, whole->step().contacts);
  }
  EXPECT_GT(contacts, 2);
  EXPECT_NE(whole->contact().friction_work(), 0) << "friction must matter";
  for (int from : {1, 8, 15, 22, 31}) {
    const auto resumed = start_contact(solver, busy_floor(solver));
    Reader in(saved[from]);
    resumed->load(in);
    ASSERT_TRUE(in.at_end());
    for (int k = from + 1; k <= from + 6; ++k) {
      resumed->step();
      ASSERT_TRUE(bits(*resumed) == saved[k]) << "saved after " << from << " steps, now at " << k;
    }
  }
}

// Rods that hang and swing apart from each other, above a floor that they do not reach. Solvers that ask first whether
// anything comes near anything do the same to the bit then. Others take another way to what they leave unsolved: they
// are asked as long as every step is solved, with contact and without.
void contact_that_meets_nothing_changes_nothing(const SolverInfo& solver, const RealMaterial& material, double h) {
  const auto hang = [&](bool contact) {
    std::string text = toml(World{h, {0, 0, -physics::standard_gravity}, contact}) + toml(material, friction) +
                       level_floor + "[[field]]\ntype = \"wind\"\nvelocity = [0, 2, 0]\n";
    for (int k = 0; k < 3; ++k)
      text +=
          contact_rod(material, fmt::format("rod {}", k), {0, 0.5 * k, 1}, {length, 0.5 * k, 1}, "clamp = \"start\"");
    return start_contact(solver, text);
  };
  const bool to_the_bit = solver.name == "block" || solver.name == "direct";
  const auto off = hang(false), on = hang(true);
  const double weight = mass_of_vertices(off->model()) * physics::standard_gravity;
  for (int n = 0; n < 20; ++n) {
    const StepReport without = off->step(), with = on->step();
    ASSERT_EQ(with.contacts, 0);
    const State &a = on->state(), &b = off->state();
    if (to_the_bit) {
      ASSERT_TRUE(a.x == b.x && a.v == b.v && a.q == b.q && a.omega == b.omega) << "step " << n;
    } else {
      if (!with.converged || !without.converged) return;
      ASSERT_LE(largest_distance(a.x, b.x), 2 * drift(solver, *on, weight, {.tight = false})) << "step " << n;
    }
  }
}

}  // namespace

std::vector<Property> contact_repeat_properties() {
  std::vector<Property> all =
      for_real_rods({{"rods_near_nothing_move_as_without_contact", contact_that_meets_nothing_changes_nothing}});
  const std::vector<bool Capabilities::*> needs{&Capabilities::contact, &Capabilities::friction};
  all.push_back({"threads_do_not_matter_to_contact", threads_do_not_matter_to_contact, needs});
  all.push_back(
      {"a_saved_run_in_contact_goes_on_with_the_same_bits", a_saved_run_in_contact_goes_on_with_the_same_bits, needs});
  return all;
}

}  // namespace tendril::app::conformance
