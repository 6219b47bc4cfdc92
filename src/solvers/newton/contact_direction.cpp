#include <algorithm>
#include <cmath>

#include "contact/for_all.h"
#include "solvers/newton/solver.h"

namespace tendril::solvers::newton {

// The direction of Newton's method where things touch: of every open island, with the energies where they are.

namespace {

// Of it, in the energy's norm, where soft motions weigh little: a tenth of the size of the last step, for what is far
// off needs no exact direction, but within bounds.
constexpr double finest = 1e-4, coarsest = 3e-3;
constexpr std::size_t worth_sharing_pairs = 500;
// Relative accuracy of gaps and friction forces at which re-linearisation ends: the size of the last Newton step,
// within these bounds, so that a converged step has the friction that belongs to its own normal forces.
constexpr double finest_model = 1e-6, coarsest_model = 0.1;
constexpr int most_models = 20;     // in which barriers and friction are linearised; a few do for most
constexpr double diverged = 100;    // no rod turns so far in a direction that there is [rad]
constexpr int most_aims = 3;        // at what stands in the way; one or two do for most
constexpr double nearly_all = 0.9;  // of a way: what is met behind is left to the next Newton step

}  // namespace

void NewtonSolver::newton_direction(Contact& contact, StepReport& report) {
  energies_.assign(parts_.count(), 0);
  std::vector<char> asked;
  for (int i = 0; i < islands_.count(); ++i) asked.push_back(islands_.is_open(i));
  begin_linear_equations(asked);
  solve_linear_equations(asked, report);
  if (drop_what_makes_wild(asked)) begin_linear_equations(asked), solve_linear_equations(asked, report);
  for (int i = 0; i < islands_.count(); ++i) asked[i] = islands_.is_open(i);
  is_unsettled_.assign(parts_.count(), false), came_back_.assign(parts_.count(), false);
  settle_direction(contact, asked, report);
  make_ways(contact);
  for (int n = 0; n < most_aims && !step_options_.stops() && aim_at_what_it_meets(contact, asked); ++n) {
    solve_linear_equations(asked, report);
    settle_direction(contact, asked, report);
    make_ways(contact);
  }
  last_sizes_ = sizes_;
  for_open([&](int p) {  // what touches must have found its place, too
    const System& system = *systems_[p];
    sizes_[p] =
        contact_terms_.sides_of(p).empty() ? system.step_size() : std::max(system.step_size(), system.shift_size());
  });
  ++report.iterations;
  report.residual = 0;
  for (int p : open_) report.residual = std::isfinite(sizes_[p]) ? std::max(report.residual, sizes_[p]) : forever;
}

// rounds of linear equations until contact is linearised where they lead
void NewtonSolver::settle_direction(const Contact& contact, std::vector<char>& asked, StepReport& report) {
  for (int p : open_)
    if (asked[islands_.of(p)]) is_unsettled_[p] = false;
  for (int n = 0; !step_options_.stops() && follow_directions(contact, asked); ++n) {
    solve_linear_equations(asked, report);
    std::vector<char> diverge = asked;
    if (come_back_where_forces_diverge(diverge))
      begin_linear_equations(diverge), solve_linear_equations(diverge, report);
    if (n < most_models) continue;
    for (int p : open_)
      if (asked[islands_.of(p)]) is_unsettled_[p] = true;
    break;
  }
}

// A direction turns things, or takes them far, so that pairs come to touch at other points than those that were nearest
// at the waypoint, with another normal. Such pairs are aimed at: linearised as they would meet on the way. On return
// `asked` marks the islands whose linear equations changed.
bool NewtonSolver::aim_at_what_it_meets(Contact& contact, std::vector<char>& asked) {
  const std::vector<std::pair<int, double>> met = met_on_whole_ways(contact);
  if (met.empty()) return false;
  for_open([&](int p) { systems_[p]->leave_out_drive(); });
  std::vector<int> aimed;
  for (const auto& [k, fraction] : met) {
    const ContactTerms::Followed& f = contact_terms_.followed()[k];
    if (f.term < 0) contact_terms_.add_terms({{k}}, contact, problem_, at_);
    const ContactTerms::Term& term = contact_terms_.terms()[f.term];
    coupling_.change(term, term, {}, at_, hessian_share_, systems_);
    contact_terms_.aim(f, contact.on_its_way(contact.pairs()[f.pair], trial_, fraction), contact, problem_, at_);
    aimed.push_back(k);
  }
  return take_changes(aimed, asked);
}

// Pairs that would meet, by their numbers in followed(), and after which fraction of the way. What meets nothing that
// is known is worth a search for more.
std::vector<std::pair<int, double>> NewtonSolver::met_on_whole_ways(Contact& contact) {
  const std::vector<double> fractions = first_fractions();
  for_open([&](int p) { systems_[p]->advance(fractions[islands_.of(p)], at_, trial_); });
  contact.set_trial(trial_);
  std::vector<std::pair<int, double>> met = met_on_the_way_to_trial(contact);
  if (!met.empty()) return met;
  const int list = contact.list_number();
  contact.cover(trial_);
  if (contact.list_number() == list) return met;
  contact_terms_.list_followed(contact, problem_, parts_, team_);
  return met_on_the_way_to_trial(contact);
}

std::vector<std::pair<int, double>> NewtonSolver::met_on_the_way_to_trial(const Contact& contact) const {
  const std::vector<ContactTerms::Followed>& followed = contact_terms_.followed();
  std::vector<int> numbers(followed.size());
  std::transform(followed.begin(), followed.end(), numbers.begin(), [](const auto& f) { return f.pair; });
  const auto moves = [&](int p) { return p < 0 || (islands_.is_part_open(p) && !is_at_iterate(p)); };
  std::vector<std::pair<int, double>> met;
  auto f = followed.begin();
  for (const auto& [number, fraction] : contact.pairs_that_meet(numbers, trial_)) {
    while (f->pair != number) ++f;
    if (fraction < nearly_all && moves(f->part[0]) && moves(f->part[1]))
      met.push_back({static_cast<int>(f - followed.begin()), fraction});
  }
  return met;
}

// Where the Hessian is nearly singular a direction turns some frame by more than a radian, which a quadratic model does
// not describe: for such islands the indefinite terms of the Hessian are dropped. On return `asked` marks these
// islands. Parts without contact only shorten the step: dropping the terms would save them 1 to 5 % of their Newton
// steps, but leave a fifth more of violent motions unsolved.
bool NewtonSolver::drop_what_makes_wild(std::vector<char>& asked) {
  std::vector<double> turns(parts_.count(), 0);
  for_open([&](int p) {
    if (hessian_share_[p] > 0) turns[p] = systems_[p]->turn_size();
  });
  turns = islands_.largest(turns);
  for (int i = 0; i < islands_.count(); ++i) asked[i] = asked[i] && !(turns[i] < NewtonRules::longest_turn);
  for (int p = 0; p < parts_.count(); ++p)
    if (asked[islands_.of(p)]) hessian_share_[p] = 0;
  return std::any_of(asked.begin(), asked.end(), [](char a) { return a; });
}

// of islands that are asked for: nothing is known of their directions yet
void NewtonSolver::begin_linear_equations(const std::vector<char>& asked) {
  for (std::vector<char>* of_parts : {&is_stale_, &begins_, &has_no_way_}) of_parts->resize(parts_.count());
  for (int p : open_)
    if (asked[islands_.of(p)]) is_stale_[p] = begins_[p] = true;
}

// of islands that are asked for, from where the last ones led to; only parts whose terms have changed are factorised
void NewtonSolver::solve_linear_equations(const std::vector<char>& asked, StepReport& report) {
  for_open([&](int p) {
    if (!asked[islands_.of(p)] || !std::exchange(is_stale_[p], false)) return;
    System& system = *systems_[p];
    for (;;) {
      system.begin(parts_[p]);
      system.add_contact(contact_terms_, p, at_, hessian_share_[p]);
      system.add_drive(at_, prediction_, hessian_share_[p]);
      const System::Pass pass = system.factorise(at_, prediction_, hessian_share_[p]);
      energies_[p] = pass.energy;
      if (pass.is_definite || hessian_share_[p] == 0) break;
      hessian_share_[p] = NewtonRules::share_after_indefinite(hessian_share_[p]), begins_[p] = true;
    }
  });
  for (int p : open_)
    if (asked[islands_.of(p)]) has_no_way_[p] = true;
  begin_where_needed(asked);
  const double last_size = report.iterations > 0 ? report.residual : 1;
  const double accuracy = std::clamp(0.1 * last_size, finest, coarsest);
  report.linear_iterations +=
      coupling_.solve(contact_terms_, islands_, asked, open_, at_, hessian_share_, accuracy, systems_, *team_);
}

// Islands that nothing is known of begin with the direction of each part alone; so do those without couplings, where it
// is the solution, and those with bodies, whose forces change their second derivatives.
void NewtonSolver::begin_where_needed(const std::vector<char>& asked) {
  std::vector<char> is_coupled(islands_.count(), false), begins(islands_.count(), false);
  for (int t : contact_terms_.couplings())
    if (const ContactTerms::Term& term = contact_terms_.terms()[t]; term.is_pressed)
      is_coupled[islands_.of(term.part[0])] = true;
  for (int p : open_)
    if (const int i = islands_.of(p); asked[i])
      begins[i] |= std::exchange(begins_[p], false) || !is_coupled[i] || parts_[p].has_bodies;
  std::vector<int> parts;
  for (int p : open_)
    if (begins[islands_.of(p)]) parts.push_back(p);
  for_all(static_cast<int>(parts.size()), [&](int k, int) { systems_[parts[k]]->solve(); });
  coupling_.begin(parts, contact_terms_, at_, hessian_share_, systems_);
}

// Barriers bend so strongly that a parabola at the present gap says nothing of the next: the direction is the one that
// is right for the barriers themselves, as functions of the gaps that the linear equations lead to, see
// ContactTerms::Term::follow. On return `asked` marks the islands whose linear equations changed and are to be solved
// again.
bool NewtonSolver::follow_directions(const Contact& contact, std::vector<char>& asked) {
  const std::vector<ContactTerms::Followed>& followed = contact_terms_.followed();
  const auto is_asked = [&](int p) { return p >= 0 && asked[islands_.of(p)]; };
  const auto is_left_out = [&](int p) {  // a step opens the closed parts that it meets
    return p >= 0 && (!islands_.is_part_open(p) || is_at_iterate(p));
  };
  const std::vector<int> asked_pairs = all_where(team_, followed.size(), [&](std::size_t k) {
    const auto [a, b] = followed[k].part;
    return (is_asked(a) || is_asked(b)) && !is_left_out(a) && !is_left_out(b);
  });
  const auto asked_where = [&](auto holds) {
    const auto is_so = [&](std::size_t k) { return holds(followed[asked_pairs[k]]); };
    std::vector<int> numbers = all_where(team_, asked_pairs.size(), is_so, worth_sharing_pairs);
    for (int& number : numbers) number = asked_pairs[number];
    return numbers;
  };
  contact_terms_.add_terms(asked_where([&](const auto& f) { return f.term < 0 && comes_near(f, contact); }), contact,
                           problem_, at_, team_);
  return take_changes(asked_where([&](const auto& f) { return f.term >= 0 && follow_direction(f); }), asked);
}

// of terms that have changed, by their numbers in followed()
bool NewtonSolver::take_changes(const std::vector<int>& changed, std::vector<char>& asked) {
  for (int k : changed) {
    const ContactTerms::Followed& f = contact_terms_.followed()[k];
    contact_terms_.list_sides(f);
    for (int p : f.part)
      if (p >= 0) is_stale_[p] = true;
    const ContactTerms::Term& term = contact_terms_.terms()[f.term];
    coupling_.change(term, term.before, term, at_, hessian_share_, systems_);
  }
  if (changed.empty()) return false;
  islands_.find(contact_terms_);
  asked.assign(islands_.count(), false);
  for (int p : open_)
    if (is_stale_[p]) asked[islands_.of(p)] = true;
  return true;
}

// Where no gaps agree with all that is driven, as far as linear equations know, forces grow from round to round without
// bound: such islands take their direction as it is at the iterate. Leaves these among those asked for.
bool NewtonSolver::come_back_where_forces_diverge(std::vector<char>& asked) {
  std::vector<char> diverges(islands_.count(), false);
  for (int p : open_)
    if (asked[islands_.of(p)] && !came_back_[p] && !(systems_[p]->turn_size() < diverged))
      diverges[islands_.of(p)] = true;
  for (int p : open_)
    if (diverges[islands_.of(p)]) {
      for (const ContactTerms::Side& s : contact_terms_.sides_of(p)) contact_terms_.linearise_at_iterate(s.term);
      hessian_share_[p] = 0, is_unsettled_[p] = came_back_[p] = true;
    }
  asked = diverges;
  return std::any_of(asked.begin(), asked.end(), [](char a) { return a; });
}

bool NewtonSolver::follow_direction(const ContactTerms::Followed& f) {
  Vec3d way, surface_way;
  for (int side = 0; side < 2; ++side) {
    if (f.part[side] < 0) continue;
    const Coupling::Motion moved =
        coupling_.motion(contact_terms_.terms()[f.term], side, systems_[f.part[side]]->direction(), at_);
    way += moved.point, surface_way += moved.surface;
  }
  double last_size = 0;
  for (int p : f.part)
    if (p >= 0) last_size = std::max(last_size, sizes_[p]);
  return contact_terms_.follow(f.term, way, surface_way, std::clamp(last_size, finest_model, coarsest_model));
}

// whether the direction may bring a pair within the reach of its barrier; assumed where a body moves
bool NewtonSolver::comes_near(const ContactTerms::Followed& f, const Contact& contact) const {
  const Pair& pair = contact.pairs()[f.pair];
  const auto is_driven = [&](int p) { return p >= 0 && systems_[p]->is_driven(); };
  if (pair.body_a >= 0 || is_driven(f.part[0]) || is_driven(f.part[1])) return true;
  if (pair.with_solid() && (f.part[1] >= 0 || !contact.is_at_end(pair.body))) return true;
  Vec3d way[4];
  double longest[2] = {};  // (side)
  for (int k = 0; k < 4; ++k) {
    const int i = pair.vertex[k];
    if (i < 0) continue;
    if (parts_.row_of_vertex(i) < 0) return true;  // it follows a body
    way[k] = systems_[f.part[k / 2]]->direction()[parts_.row_of_vertex(i)];
    longest[k / 2] = std::max(longest[k / 2], norm(way[k]));
  }
  if (pair.true_gap - longest[0] - longest[1] > pair.barrier.reach) return false;
  return pair.with_solid() || contact.meets(pair, way);
}

// of directions that are new: with what is held, and of second order
void NewtonSolver::make_ways(Contact& contact) {
  for_open([&](int p) { systems_[p]->set_drive(); });
  bend_ways(contact);
  has_no_way_.assign(parts_.count(), false);
}

// The second order of the ways: what the gaps at their ends are beyond those of the linear equations, and the strains,
// where the retraction does not keep them.
void NewtonSolver::bend_ways(Contact& contact) {
  for_open([&](int p) {
    if (!has_no_way_[p]) return;
    System& system = *systems_[p];
    system.begin_way();
    system.advance(1, at_, trial_);
  });
  contact.set_trial(trial_);
  std::vector<std::vector<Vec3d>> forces(parts_.count());
  for_open([&](int p) {
    if (!has_no_way_[p] || contact_terms_.sides_of(p).empty()) return;
    const System& system = *systems_[p];
    forces[p] = system.keeps_strains() ? std::vector<Vec3d>(parts_[p].row_count()) : system.excess_forces(at_);
  });
  coupling_.add_excess(contact_terms_, systems_, contact, at_, trial_, *team_, forces);
  for_open([&](int p) {
    if (!has_no_way_[p]) return;
    if (forces[p].empty())
      systems_[p]->bend_way(at_);
    else
      systems_[p]->bend_way_by(std::move(forces[p]));
  });
}

}  // namespace tendril::solvers::newton
