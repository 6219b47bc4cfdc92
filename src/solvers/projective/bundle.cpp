#include "solvers/projective/bundle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/projective/moving_position.h"

namespace tendril::solvers::projective {
namespace {

using newton::numbers;
using newton::Problem;
using newton::quaternions;
using newton::vectors;

// a bend as its two frames see it one after the other along the strand
BendTwist<P> load_bend(const std::array<int, P::lanes>& bend, const std::array<bool, P::lanes>& reversed,
                       const Problem& problem) {
  const auto of = [&](int lane) { return problem.bend(bend[lane]); };
  return newton::make_bend(vectors<P>([&](int lane) { return of(lane).K; }),
                           vectors<P>([&](int lane) { return reversed[lane] ? -of(lane).rest : of(lane).rest; }));
}

Vec3<P> K_of(const std::array<int, P::lanes>& bend, const Problem& problem) {
  return vectors<P>([&](int lane) { return problem.bend(bend[lane]).K; });
}

void load_joints(const Problem& problem, int k, Bundle& bundle) {
  std::array<int, P::lanes> bend;
  std::array<bool, P::lanes> reversed;
  for (int lane = 0; lane < P::lanes; ++lane) {
    const Strand::Joint& joint = bundle.strands[lane]->joints[k];
    bend[lane] = joint.bend, reversed[lane] = joint.is_reversed;
  }
  if (bend[0] < 0) return;
  bundle.bends[k] = load_bend(bend, reversed, problem);
  const auto& model = *problem.model;
  bundle.alignment[k] = numbers<P>([&](int lane) {
    const rod::Bend& b = model.bends[bend[lane]];
    return director3(b.rest * conjugate(b.turn)).z;
  });
  if (bundle.turns.empty()) return;
  const auto turn = [&](bool earlier) {
    return quaternions<P>([&](int lane) { return reversed[lane] == earlier ? model.bends[bend[lane]].turn : Quatd{}; });
  };
  bundle.turns[k] = {turn(true), turn(false)};
}

void load_roots(const Problem& problem, Bundle& bundle) {
  bundle.roots.clear(), bundle.scalar_roots.clear();
  for (std::size_t n = 0; n < bundle.strands[0]->clamps.size(); ++n) {
    const Strand::Clamp& first = bundle.strands[0]->clamps[n];
    std::array<int, P::lanes> bend;
    for (int lane = 0; lane < P::lanes; ++lane) bend[lane] = bundle.strands[lane]->clamps[n].bend;
    if (first.is_scalar)
      bundle.scalar_roots.push_back({first.link, bend, K_of(bend, problem)});
    else
      bundle.roots.push_back({static_cast<int>(n), first.link, first.holder_is_a, load_bend(bend, {}, problem), {}});
  }
}

// the weight that hangs on each segment of a strand, towards the nearest end that is free [N]
std::vector<double> weight_beyond(const Strand& strand, const Problem& problem) {
  const Model& model = *problem.model;
  const int n = strand.count();
  const auto sums = [&](auto vertex_at) {  // of masses up to the first one that is held; none beyond
    std::vector<double> out(n, forever);
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      const int i = strand.vertices[vertex_at(k)];
      if (is_moved(problem, i)) break;
      out[k] = sum += model.vertices[i].mass;
    }
    return out;
  };
  const std::vector<double> before = sums([](int k) { return k; }), after = sums([n](int k) { return n - k; });
  double total = 0;
  for (int i : strand.vertices) total += model.vertices[i].mass;
  const bool is_free =
      std::none_of(strand.vertices.begin(), strand.vertices.end(), [&](int i) { return is_moved(problem, i); });
  std::vector<double> out(n);
  for (int k = 0; k < n; ++k)
    out[k] = is_free ? 0 : norm(model.gravity) * std::min({before[k], after[n - 1 - k], total});
  return out;
}

}  // namespace

void load_elements(const Problem& problem, Bundle& bundle) {
  const auto segment = [&](int k, int lane) { return bundle.strands[lane]->segments[k]; };
  for (int k = 0; k < bundle.count(); ++k) {
    const auto of = [&](int lane) { return problem.stretch(segment(k, lane)); };
    StretchShear<P>& s = bundle.stretches[k];
    s.length = numbers<P>([&](int lane) { return of(lane).length; });
    s.per_length = numbers<P>([&](int lane) { return bundle.strands[lane]->sign(k) / of(lane).length; });
    s.GA = numbers<P>([&](int lane) { return of(lane).GA; });
    s.EA = numbers<P>([&](int lane) { return of(lane).EA; });
    s.rest = vectors<P>([&](int lane) { return of(lane).p; });
    load_joints(problem, k, bundle);
  }
  load_roots(problem, bundle);
}

Bundle make_bundle(const std::array<const Strand*, P::lanes>& strands, int used, const Problem& problem) {
  Bundle bundle;
  bundle.strands = strands, bundle.used = used;
  const Strand& first = *strands[0];
  const int n = first.count();
  const auto none = newton::make_bend(Vec3<P>{}, Vec3<P>{});
  bundle.stretches.resize(n), bundle.bends.assign(n, none), bundle.alignment.assign(n, P(0.0));
  for (BendTwist<P>& bend : bundle.bends) bend.ridge = P(-2.0);
  for (const Strand::Joint& joint : first.joints)
    if (joint.bend >= 0 && problem.bends[joint.bend].turns) bundle.turns.resize(n);
  load_elements(problem, bundle);
  for (int i : first.vertices) {
    bundle.free_axes.push_back(problem.free_axes(i));
    bundle.is_partly_held |= problem.role[i] == newton::Role::partly_held;
  }
  std::array<std::vector<double>, P::lanes> weights;
  for (int lane = 0; lane < P::lanes; ++lane) weights[lane] = weight_beyond(*strands[lane], problem);
  for (int k = 0; k < n; ++k)
    bundle.hanging.push_back(bundle.stretches[k].length * numbers<P>([&](int lane) { return weights[lane][k]; }));
  return bundle;
}

template <class B>
void factor(const Bundle& bundle, const StepTerms& terms, const std::vector<P>& tension, GlobalSystem<B>& system) {
  constexpr double round_off = 1e-13;  // of its diagonal, which elimination leaves of what cancels
  const int n = bundle.count();
  const B none = times_identity<B>(P(0.0));
  const auto one = [](const P& s) { return times_identity<B>(s); };
  auto& all = system.all.rows;
  auto& positions = system.positions.rows;
  auto& twist = system.twist.rows;
  all.assign(2 * n + 1, {none, none, none}), twist.assign(n, {P(0.0), P(0.0), P(0.0)});
  positions.assign(n + 1, {none, none, none});
  for (int k = 0; k <= n; ++k) all[2 * k].diagonal = one(terms.weight[k]);
  for (int k = 0; k < n; ++k) {
    const StretchShear<P>& s = bundle.stretches[k];
    const newton::Spin<P>& spin = terms.spins[k];
    const P w = s.weight(), across = w * s.per_length, along = across * s.per_length;
    all[2 * k].diagonal += one(along), all[2 * k + 2].diagonal += one(along);
    all[2 * k].next += one(across), all[2 * k].after += one(-along), all[2 * k + 1].next += one(-across);
    all[2 * k + 1].diagonal += one((P(1 + round_off) * w + tension[k]) + max(spin.weight.x, spin.weight.y));
    twist[k].diagonal += spin.weight.z + P(round_off) * w;
    if (k == 0) continue;
    const BendTwist<P>& bend = bundle.bends[k];
    const P bending = max(bend.K.x, bend.K.y), aligned = bundle.alignment[k];
    all[2 * k - 1].diagonal += one(bending), all[2 * k + 1].diagonal += one(bending);
    all[2 * k - 1].after += one(-aligned * bending);
    twist[k - 1].diagonal += bend.K.z, twist[k].diagonal += bend.K.z;
    twist[k - 1].next -= aligned * bend.K.z;
  }
  for (const RootDirection<P>& root : bundle.roots) {
    all[2 * root.link + 1].diagonal += one(max(root.bend.K.x, root.bend.K.y));
    twist[root.link].diagonal += root.bend.K.z;
  }
  for (const ScalarRoot& root : bundle.scalar_roots) {
    all[2 * root.link + 1].diagonal += one(max(root.stiffness.x, root.stiffness.y));
    twist[root.link].diagonal += root.stiffness.z;
  }
  for (int k = 0; k <= n; ++k) positions[k] = {all[2 * k].diagonal, all[2 * k].after, none};
  const Vec3d free{1, 1, 1};
  system.positions.factor([&](std::size_t k) { return bundle.free_axes[k]; });
  system.all.factor([&](std::size_t i) { return i % 2 == 0 ? bundle.free_axes[i / 2] : free; });
  system.twist.factor([&](std::size_t) { return free; });
}
template void factor(const Bundle&, const StepTerms&, const std::vector<P>&, GlobalSystem<P>&);
template void factor(const Bundle&, const StepTerms&, const std::vector<P>&, GlobalSystem<Mat3<P>>&);

void load_terms(const Problem& problem, const Bundle& bundle, StepTerms& terms) {
  const int n = bundle.count();
  terms.weight.resize(n + 1), terms.goal.resize(n + 1), terms.spins.resize(n);
  terms.moments.resize(problem.moment.empty() ? 0 : n);
  for (int k = 0; k <= n; ++k) {
    const auto vertex = [&](int lane) { return bundle.strands[lane]->vertices[k]; };
    terms.weight[k] = numbers<P>([&](int lane) { return problem.weight[vertex(lane)]; });
    terms.goal[k] = vectors<P>([&](int lane) { return moved_to(problem, vertex(lane), problem.goal[vertex(lane)]); });
  }
  for (int k = 0; k < n; ++k) {
    const auto segment = [&](int lane) { return bundle.strands[lane]->segments[k]; };
    terms.spins[k].weight = vectors<P>([&](int lane) { return problem.spin(segment(lane)).weight; });
    terms.spins[k].goal = quaternions<P>([&](int lane) { return problem.frame_goal[segment(lane)]; });
    if (!terms.moments.empty()) terms.moments[k] = vectors<P>([&](int lane) { return problem.moment[segment(lane)]; });
  }
  terms.roots = bundle.roots;
  for (RootDirection<P>& root : terms.roots)
    root.holder = quaternions<P>([&](int lane) {
      const rod::Bend& bend = problem.model->bends[bundle.strands[lane]->clamps[root.clamp].bend];
      const FrameId& holder = root.holder_is_a ? bend.a : bend.b;
      return problem.bodies[holder.index].spin.goal * (root.holder_is_a ? Quatd{} : bend.turn);
    });
}

std::shared_ptr<const GlobalSystem<P>> factored(const Bundle& bundle, const Problem& problem) {
  StepTerms terms;
  load_terms(problem, bundle, terms);
  auto system = std::make_shared<GlobalSystem<P>>();
  factor(bundle, terms, bundle.hanging, *system);
  if (likeness(bundle, problem).empty()) return system;
  for (Band<P>* band : {&system->all, &system->positions, &system->twist})
    for (BandRow<P>& row : band->rows) row = {P(row.diagonal[0]), P(row.next[0]), P(row.after[0])};
  return system;
}

std::vector<int> likeness(const Bundle& bundle, const Problem& problem) {
  StepTerms terms;
  load_terms(problem, bundle, terms);
  std::vector<int> key;
  bool all_alike = true;
  const auto add = [&](const P& value) {
    const auto step = [&](int lane) {
      const double v = std::abs(value[lane]);
      return v > 0 ? static_cast<int>(std::lround(1000 * std::log(v))) : std::numeric_limits<int>::min();
    };
    key.push_back(step(0));
    for (int lane = 1; lane < P::lanes; ++lane) all_alike &= step(lane) == key.back();
  };
  for (const P& weight : terms.weight) add(weight);
  for (int k = 0; k < bundle.count(); ++k) {
    const StretchShear<P>& s = bundle.stretches[k];
    const BendTwist<P>& bend = bundle.bends[k];
    for (const P& value : {s.weight(), s.per_length, max(bend.K.x, bend.K.y), bend.K.z, bundle.alignment[k],
                           terms.spins[k].weight.x, terms.spins[k].weight.z, bundle.hanging[k]})
      add(value);
    key.push_back(bundle.stretches[k].per_length[0] > 0);
  }
  for (const RootDirection<P>& root : bundle.roots) add(max(root.bend.K.x, root.bend.K.y)), add(root.bend.K.z);
  for (const Vec3d& free : bundle.free_axes) key.push_back(free == Vec3d{});
  key.push_back(bundle.count());
  return all_alike ? key : std::vector<int>{};
}

}  // namespace tendril::solvers::projective
