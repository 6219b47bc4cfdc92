#include <algorithm>
#include <cmath>

#include "contact/ccd.h"
#include "contact/for_all.h"
#include "math/large_pages.h"
#include "solvers/newton/retraction.h"
#include "solvers/newton/solver.h"

namespace tendril::solvers::newton {

// Newton's method of what touches: all islands side by side, each step as far as nothing meets anything.

namespace {

constexpr int most_cuts = 30;  // of a step, by what is in its way
constexpr double tiny = 1e-9;  // a step of this size that was no larger before is made of rounding
constexpr double hardly =
    0.01;  // a line search that ends below this fraction: the next direction is linearised at the iterate

}  // namespace

void NewtonSolver::solve_with_contact(const State& state, Contact& contact, StepReport& report) {
  begin_contact(state, contact);
  approach(state, contact);
  for (int p : contact_terms_.parts_that_touch(contact, problem_, parts_, team_)) islands_.of_part(p).done = false;
  for (;;) {
    open_islands(contact);
    newton_direction(contact, report);
    if (options_.residuals) report.residuals.push_back(report.residual);
    const bool has_direction = std::isfinite(report.residual);
    if (has_direction) go_on(contact, report);
    const bool is_over = !has_direction || report.iterations >= step_options_.iterations || step_options_.stops();
    if (!is_over && !(islands_.all_done() && contact.all_at_end())) continue;
    report.converged = !is_over && !islands_.any_failed();
    report.is_refused = !report.converged && problem_.inputs->may_refuse;
    if (!contact.all_at_end() || !held_are_there()) report.failure = contact.obstruction();
    return end_contact(contact);
  }
}

// along the direction, as far as nothing meets anything
void NewtonSolver::go_on(Contact& contact, StepReport& report) {
  const std::vector<char> last = small_steps(contact);
  take_step(contact, last);
  contact.end_substep(at_);
  report.smallest_gap = std::min(report.smallest_gap, contact.smallest_gap());
  judge_parts(contact, last);
}

// Which parts are not done, with all that they touch: only these are looked at, and move, until the next time.
void NewtonSolver::open_islands(Contact& contact) {
  const auto follow = [&](auto is_open) {
    open_.clear();
    Contact::Movers movers;
    for (int p = 0; p < parts_.count(); ++p) {
      if (!is_open(p)) continue;
      open_.push_back(p);
      for (const Unknown& u : parts_[p].unknowns) {
        if (u.kind == Kind::vertex) movers.vertices.push_back(u.index);
        if (u.kind == Kind::segment) movers.segments.push_back(u.index);
        if (u.kind == Kind::body_place) movers.bodies.push_back(u.index);
      }
      movers.vertices.insert(movers.vertices.end(), parts_[p].slaved_vertices.begin(), parts_[p].slaved_vertices.end());
    }
    contact.follow(std::move(movers));
    contact_terms_.evaluate(contact, problem_, parts_, at_, team_);
    islands_.find(contact_terms_);
  };
  follow([&](int p) { return !islands_.of_part(p).done; });
  while (islands_.open_part_count() > static_cast<int>(open_.size()))
    follow([&](int p) { return islands_.is_part_open(p); });
}

// all is known of all again
void NewtonSolver::end_contact(Contact& contact) {
  contact.follow_all();
  contact_terms_.evaluate(contact, problem_, parts_, at_, team_);
}

// What touches nothing is where it goes without contact, the rest where it goes on to as it moves.
void NewtonSolver::begin_contact(const State& state, Contact& contact) {
  while (systems_.size() < parts_.all().size()) systems_.push_back(make_system(true));
  put_predictions(prediction_), ++prediction_version_;
  islands_.begin_step(parts_.count());
  open_.clear();
  for (int p = 0; p < parts_.count(); ++p)
    if (!is_alone_[p]) open_.push_back(p);
  contact_terms_.list_followed(contact, problem_, parts_, team_);
  sizes_.assign(parts_.count(), 1), last_sizes_ = sizes_;
  if (!contact.rolls()) contact.roll_from(state.q);
  for (int p = 0; p < parts_.count(); ++p) islands_.of_part(p).done = outcomes_[p].converged;
  for (int p : contact_terms_.parts_that_touch(contact, problem_, parts_, team_)) islands_.of_part(p).done = false;
  for_parts([&](int p, int) {
    const Islands::Progress& part = islands_.of_part(p);
    part.done ? copy(parts_[p], free_, at_) : place_guess(p, at_);
  });
}

// to the first guess, as far as nothing stands in the way
void NewtonSolver::approach(const State& state, Contact& contact) {
  exchange_with(guess_);
  copy_all(state, at_);
  for_parts([&](int p, int) {
    if (is_alone_[p]) copy(parts_[p], guess_, at_);
  });
  for (std::size_t b = 0; b < state.body_x.size(); ++b)
    if (problem_.model->bodies[b].kind == BodyKind::kinematic)
      at_.body_x[b] = guess_.body_x[b], at_.body_q[b] = guess_.body_q[b];
  copy_all(at_, trial_);
  carry(contact);
  Ways ways = all_ways(std::vector<double>(parts_.count(), 1));
  const auto by_itself = [](int p) { return p; };
  go_where_nothing_meets(contact, ways, by_itself, [&](int p) { go_towards_guess(p, ways.fractions[p]); });
  for_open([&](int p) {
    if (ways.fractions[p] < 1) islands_.of_part(p).done = false;
  });
  std::swap(at_, trial_);
  contact.end_substep(at_);
  copy_all(at_, trial_);
}

// swaps at_ with an Iterate that keeps its memory from step to step
void NewtonSolver::exchange_with(Iterate& other) {
  if (other.x.size() != at_.x.size()) {
    other = at_;
    move_to_large_pages(other.x), move_to_large_pages(other.q);
  }
  std::swap(at_, other);
}

// where everything is
void NewtonSolver::copy_all(const State& from, Iterate& to) {
  const int chunks = team_->size();
  team_->run(chunks, [&](int chunk, int) {
    const auto copy_share = [&](const auto& of, auto& into) {
      const Share share = share_of(static_cast<int>(of.size()), chunk, chunks);
      std::copy(of.begin() + share.begin, of.begin() + share.end, into.begin() + share.begin);
    };
    copy_share(from.x, to.x), copy_share(from.q, to.q);
    copy_share(from.body_x, to.body_x), copy_share(from.body_q, to.body_q);
  });
}

// What is near a driven body goes with it first, as if they were one: so that the body need not wait until all that it
// would run into has found its way.
void NewtonSolver::carry(Contact& contact) {
  std::vector<int> carrier(parts_.count(), -1);
  std::vector<double> nearest(parts_.count(), forever);
  for (const Pair& pair : contact.pairs())
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? pair.body_a : pair.body, p = ContactTerms::part_of(pair, 1 - side, problem_, parts_);
      if (body < 0 || p < 0 || contact.is_at_end(body) || pair.true_gap >= nearest[p]) continue;
      carrier[p] = body, nearest[p] = pair.true_gap;
    }
  Ways ways = all_ways(std::vector<double>(parts_.count(), 1));
  const auto by_itself = [](int p) { return p; };
  go_where_nothing_meets(contact, ways, by_itself, [&](int p) {
    if (carrier[p] < 0) return copy(parts_[p], at_, trial_);
    const Pose& from = contact.body_waypoint(carrier[p]);
    const double fraction = ways.fractions[p];
    go_along(p, from, pose_between(from, contact.body_end_of_substep(carrier[p]), fraction), fraction);
  });
  std::swap(at_, trial_);
  contact.end_substep(at_);
}

// a part goes with a frame, and what is held of it a fraction of its own way
void NewtonSolver::go_along(int p, const Pose& from, const Pose& to, double fraction) {
  const Part& part = parts_[p];
  const Quatd turn = to.q * conjugate(from.q);
  const auto moved = [&](const Vec3d& x) { return to.x + rotate(turn, x - from.x); };
  for (const Unknown& u : part.unknowns) {
    const int i = u.index;
    if (u.kind == Kind::vertex) {
      const Vec3d axes = problem_.free_axes(i), end = problem_.held_place(i, at_.x[i]);
      trial_.x[i] = moved(at_.x[i]);
      for (int k = 0; k < 3; ++k)
        if (axes[k] == 0) trial_.x[i][k] = fraction == 1 ? end[k] : at_.x[i][k] + fraction * (end[k] - at_.x[i][k]);
    }
    if (u.kind == Kind::segment) trial_.q[i] = turn * at_.q[i];
    if (u.kind == Kind::body_place) trial_.body_x[i] = moved(at_.body_x[i]);
    if (u.kind == Kind::body_turn) trial_.body_q[i] = turn * at_.body_q[i];
  }
  for (int i : part.slaved_vertices) trial_.x[i] = moved(at_.x[i]);
  keep_lengths(p, trial_);
}

// a fraction of the way of a part
void NewtonSolver::go_towards_guess(int p, double fraction) {
  const Part& part = parts_[p];
  const Iterate& guess = guess_;
  if (fraction == 1) return copy(part, guess, trial_);
  for (const Unknown& u : part.unknowns) {
    const int i = u.index;
    if (u.kind == Kind::vertex) trial_.x[i] = at_.x[i] + fraction * (guess.x[i] - at_.x[i]);
    if (u.kind == Kind::segment) trial_.q[i] = part_of_turn(at_.q[i], guess.q[i], fraction);
    if (u.kind == Kind::body_place) trial_.body_x[i] = at_.body_x[i] + fraction * (guess.body_x[i] - at_.body_x[i]);
    if (u.kind == Kind::body_turn) trial_.body_q[i] = part_of_turn(at_.body_q[i], guess.body_q[i], fraction);
  }
  for (int i : part.slaved_vertices) {
    const Tie& tie = problem_.model->ties[problem_.tie[i]];
    trial_.x[i] = trial_.body_x[tie.body] + rotate(trial_.body_q[tie.body], tie.offset);
  }
  if (fraction > 0) place_guess(p, trial_);
}

// A driven body that goes farther than what it meets goes as far as that first: directions answer to all of its way, so
// where both go the same fraction of theirs they keep apart.
template <class GroupOf>
void NewtonSolver::Ways::shorten(const std::vector<std::pair<int, double>>& met, double factor, GroupOf group_of) {
  std::vector<double> allowed(fractions.size(), 1), allowed_drive(drive.size(), 1);
  std::vector<std::pair<int, int>> ahead;  // body, group
  for (const auto& [pair, fraction] : met) {
    const auto [group_a, body_a] = group_of(pair, 0);
    const auto [group_b, body_b] = group_of(pair, 1);
    const int group = std::max(group_a, group_b), body = std::max(body_a, body_b);
    if (group >= 0 && body >= 0 && drive[body] > fractions[group]) {
      ahead.push_back({body, group});
      continue;
    }
    for (int g : {group_a, group_b})
      if (g >= 0) allowed[g] = std::min(allowed[g], fraction);
    for (int b : {body_a, body_b})
      if (b >= 0) allowed_drive[b] = std::min(allowed_drive[b], fraction);
  }
  for (std::size_t i = 0; i < fractions.size(); ++i)
    if (allowed[i] < 1) fractions[i] *= factor * allowed[i], is_new[i] = true;
  for (std::size_t b = 0; b < drive.size(); ++b)
    if (allowed_drive[b] < 1) drive[b] *= factor * allowed_drive[b], drive_is_new = true;
  for (const auto& [body, group] : ahead)
    if (drive[body] > fractions[group]) drive[body] = fractions[group], drive_is_new = true;
}

NewtonSolver::Ways NewtonSolver::all_ways(std::vector<double> fractions) const {
  const std::size_t groups = fractions.size();
  return {std::move(fractions), std::vector<double>(problem_.model->bodies.size(), 1), std::vector<char>(groups, true),
          true};
}

// go(part) puts a part where the fraction of its group leads: smaller ones, also of what is driven, until no pair
// meets. Only what goes another fraction than before is placed, and its pairs are looked at.
template <class GroupOf, class Go>
void NewtonSolver::go_where_nothing_meets(Contact& contact, Ways& ways, GroupOf group_of, Go go) {
  const auto place = [&] {
    contact.drive(ways.drive);
    for_open([&](int p) {
      if (ways.is_new[group_of(p)] || ways.drive_is_new) go(p);
    });
    contact.set_trial(trial_);
  };
  const auto moves = [&](int p) { return p >= 0 && ways.is_new[group_of(p)]; };
  bool list_is_new = false;
  for (int cut = 0; cut < most_cuts; ++cut) {
    place();
    const std::vector<ContactTerms::Followed>& followed = contact_terms_.followed();
    std::vector<int> pairs = all_where(team_, followed.size(), [&](std::size_t k) {
      return ways.drive_is_new || (list_is_new && contact.is_new(followed[k].pair)) || moves(followed[k].part[0]) ||
             moves(followed[k].part[1]);
    });
    for (int& pair : pairs) pair = followed[pair].pair;
    const auto met = contact.pairs_that_meet(pairs, trial_);
    std::fill(ways.is_new.begin(), ways.is_new.end(), false), ways.drive_is_new = list_is_new = false;
    if (met.empty()) {  // of the pairs that are known: what is not cut short is worth a search
      const int list = contact.list_number();
      contact.cover(trial_);
      if (contact.list_number() == list) return;
      contact_terms_.list_followed(contact, problem_, parts_, team_);
      list_is_new = true;
      continue;
    }
    ways.shorten(met,
                 cut < 3               ? 1
                 : cut < most_cuts - 2 ? 0.7
                                       : 0,
                 [&](int number, int side) {
                   const Pair& pair = contact.pairs()[number];
                   const int p = ContactTerms::part_of(pair, side, problem_, parts_);
                   if (p >= 0) return std::pair(group_of(p), -1);
                   const int body = side == 0 ? pair.body_a : pair.body;
                   return std::pair(-1, body < 0 || contact.is_at_end(body) ? -1 : body);
                 });
  }
  ways = all_ways(std::vector<double>(ways.fractions.size(), 0));
  std::fill(ways.drive.begin(), ways.drive.end(), 0);
  place();
}

bool NewtonSolver::held_are_there() const {
  return std::all_of(problem_.held.begin(), problem_.held.end(),
                     [&](const HeldAxis& axis) { return at_.x[axis.vertex][axis.k] == axis.z; });
}

// islands whose steps are below the tolerance, which end the iteration
std::vector<char> NewtonSolver::small_steps(const Contact& contact) const {
  std::vector<char> small;
  std::vector<double> sizes = sizes_;
  for (int p : open_)
    if (is_unsettled_[p]) sizes[p] = forever;
  const std::vector<double> now = islands_.largest(sizes), before = islands_.largest(last_sizes_);
  for (int i = 0; i < islands_.count(); ++i) {
    const bool is_round_off = now[i] < tiny && now[i] >= before[i];  // else Newton's method makes it smaller
    small.push_back(now[i] <= options_.contact_tolerance || is_round_off);
  }
  const std::vector<char> driven = driven_islands(contact);
  for (int i = 0; i < islands_.count(); ++i) small[i] = small[i] && !driven[i];
  return small;
}

// of the directions, that are tried: no turn is too long (island)
std::vector<double> NewtonSolver::first_fractions() {
  std::vector<double> turns(parts_.count(), 0);
  for_open([&](int p) { turns[p] = systems_[p]->turn_size(); });
  std::vector<double> fractions = islands_.largest(turns);
  for (double& fraction : fractions) fraction = NewtonRules::first_fraction(fraction);
  return fractions;
}

// backtracking line search of every open island, and of what is driven; a last step is taken whatever its energy
void NewtonSolver::take_step(Contact& contact, const std::vector<char>& last) {
  const std::vector<char> driven = driven_islands(contact);
  std::vector<char> must_fall;  // its energy (island)
  for (int i = 0; i < islands_.count(); ++i) must_fall.push_back(islands_.is_open(i) && !last[i] && !driven[i]);
  const EnergiesHere here = energies_here(must_fall, contact);
  std::vector<char> halved(islands_.count(), false);
  std::vector<double> known(islands_.count(), 0);  // fractions for which it falls (island)
  Ways ways = all_ways(first_fractions());
  for (int i = 0; i < islands_.count(); ++i)
    if (islands_.goes_in_circles(i) && !last[i]) ways.fractions[i] *= 0.5;
  const auto island = [&](int p) { return islands_.of(p); };
  for (;;) {
    go_where_nothing_meets(contact, ways, island, [&](int p) {
      const double fraction = ways.fractions[islands_.of(p)];
      fraction > 0 ? systems_[p]->advance(fraction, at_, trial_) : copy(parts_[p], at_, trial_);
    });
    std::vector<char> asked;
    for (int i = 0; i < islands_.count(); ++i) asked.push_back(must_fall[i] && ways.fractions[i] != known[i]);
    const std::vector<double> energy = trial_energies(ways.fractions, asked, contact);
    known = ways.fractions;
    bool rises = false;
    for (int i = 0; i < islands_.count(); ++i) {
      if (!asked[i] || NewtonRules::accepts(energy[i], here.energy[i], here.round_off[i])) continue;
      halved[i] = ways.is_new[i] = rises = true;
      ways.fractions[i] = NewtonRules::next_fraction(ways.fractions[i]);
    }
    if (!rises || step_options_.stops()) break;
  }
  fractions_.assign(parts_.count(), 1), is_halved_.assign(parts_.count(), false);
  for_open([&](int p) {
    fractions_[p] = ways.fractions[islands_.of(p)], is_halved_[p] = halved[islands_.of(p)];
    if (fractions_[p] > 0) systems_[p]->predict(prediction_);
    hessian_share_[p] = NewtonRules::share_after_search(hessian_share_[p], fractions_[p]);
    copy(parts_[p], trial_, at_);
  });
}

// those in which something held, or something that they touch, is not yet where it is driven
std::vector<char> NewtonSolver::driven_islands(const Contact& contact) const {
  std::vector<char> driven(islands_.count(), false);
  for (int p : open_)
    if (systems_[p]->is_driven()) driven[islands_.of(p)] = true;
  if (contact.all_at_end()) return driven;
  for (const ContactTerms::Followed& f : contact_terms_.followed())
    for (int side = 0; side < 2; ++side) {
      const Pair& pair = contact.pairs()[f.pair];
      const int body = side == 0 ? pair.body_a : pair.body, p = f.part[1 - side];
      if (body >= 0 && p >= 0 && !contact.is_at_end(body)) driven[islands_.of(p)] = true;
    }
  return driven;
}

// which of them are solved, with all that they touch, and which have no way on
void NewtonSolver::judge_parts(const Contact& contact, std::vector<char> solved) {
  const std::vector<char> driven = driven_islands(contact);
  const std::vector<double> sizes = islands_.largest(sizes_);
  std::vector<char> meets_more(parts_.count(), false);  // than was known when its direction was found
  const std::vector<ContactTerms::Followed>& followed = contact_terms_.followed();
  const auto is_new = [&](std::size_t k) { return contact_terms_.is_new(followed[k], contact); };
  for (int k : all_where(team_, followed.size(), is_new))
    for (int p : followed[k].part)
      if (p >= 0) meets_more[p] = true;
  for (int p = 0; p < parts_.count(); ++p)
    if (fractions_[p] < 1 || meets_more[p]) solved[islands_.of(p)] = false;
  for (int p = 0; p < parts_.count(); ++p) {
    Islands::Progress& part = islands_.of_part(p);
    if (!islands_.is_part_open(p)) {
      part.done = part.failed || !meets_more[p];  // else something came near
      continue;
    }
    islands_.note_step(p, sizes[islands_.of(p)], fractions_[p] == 1);
    part.stuck = fractions_[p] == 0 ? part.stuck + 1 : 0;
    part.astray = is_halved_[p] && fractions_[p] < hardly && !part.astray;
    part.failed = part.stuck > 1 && !driven[islands_.of(p)];
    part.done = part.failed || solved[islands_.of(p)];
  }
}

// of islands that are asked for
NewtonSolver::EnergiesHere NewtonSolver::energies_here(const std::vector<char>& asked, const Contact& contact) {
  std::vector<double> round_offs(parts_.count(), 0);
  for_open([&](int p) { round_offs[p] = round_off(parts_[p], problem_, at_, energies_[p]); });
  EnergiesHere here{islands_.sum(energies_), islands_.sum(round_offs)};
  contact_terms_.add_energies(islands_, asked, contact, nullptr, *team_, here.energy);
  contact_terms_.add_round_off(islands_, at_, here.round_off);
  return here;
}

std::vector<double> NewtonSolver::trial_energies(const std::vector<double>& fractions, const std::vector<char>& asked,
                                                 const Contact& contact) {
  std::vector<double> of_parts(parts_.count(), 0);
  for_open([&](int p) {
    if (const int i = islands_.of(p); asked[i])
      of_parts[p] = energy(parts_[p], problem_, trial_) - fractions[i] * systems_[p]->moment_work();
  });
  std::vector<double> sums = islands_.sum(of_parts);
  contact_terms_.add_energies(islands_, asked, contact, &trial_, *team_, sums);
  return sums;
}

// of islands that touch nothing but themselves, unsolved ones, too: hair that flies 60 of its diameters in a step
void NewtonSolver::keep_momenta_of_islands(State& state) {
  if (options_.takes_unsolved) return;
  islands_.find(contact_terms_);
  std::vector<char> is_free(islands_.count(), true);
  for (int p = 0; p < parts_.count(); ++p) is_free[islands_.of(p)] &= momenta_[p].mass > 0;
  for (const ContactTerms::Term& term : contact_terms_.terms())
    for (int side = 0; side < 2; ++side)
      if (term.is_pressed && term.part[side] < 0 && term.part[1 - side] >= 0)
        is_free[islands_.of(term.part[1 - side])] = false;
  std::vector<FreeMomentum> law(islands_.count()), now(islands_.count());
  for (int p = 0; p < parts_.count(); ++p)
    if (const int i = islands_.of(p); is_free[i]) {
      law[i] = law[i] + momenta_[p];
      now[i] = now[i] + momentum_now(parts_[p], problem_, state, accelerations_);
    }
  for_parts([&](int p, int) {
    if (const int i = islands_.of(p); is_free[i]) keep(law[i], now[i], parts_[p], problem_, state, accelerations_);
  });
}

}  // namespace tendril::solvers::newton
