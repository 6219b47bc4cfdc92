#include "solvers/projective/bundle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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

// by more than rounding: joints of rods from a file have the turn between two sections that are the same
bool turns(const rod::Bend& bend) {
  constexpr double round_off = 8 * std::numeric_limits<double>::epsilon();
  return norm(bend.turn.imaginary()) > round_off || bend.turn.w < 0;
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
  bundle.roots.clear(), bundle.scalar_roots.clear(), bundle.is_root.assign(bundle.count(), false);
  for (std::size_t n = 0; n < bundle.strands[0]->clamps.size(); ++n) {
    const Strand::Clamp& first = bundle.strands[0]->clamps[n];
    bundle.is_root[first.link] = true;
    std::array<int, P::lanes> bend;
    for (int lane = 0; lane < P::lanes; ++lane) bend[lane] = bundle.strands[lane]->clamps[n].bend;
    if (first.is_scalar)
      bundle.scalar_roots.push_back({first.link, bend, K_of(bend, problem)});
    else
      bundle.roots.push_back({static_cast<int>(n), first.link, first.holder_is_a, load_bend(bend, {}, problem), {}});
  }
}

// the mass beyond each segment of a strand, towards the nearest end that is free [kg]
std::vector<double> mass_beyond(const Strand& strand, const Problem& problem) {
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
  for (int k = 0; k < n; ++k) out[k] = is_free ? 0 : std::min({before[k], after[n - 1 - k], total});
  return out;
}

}  // namespace

void load_elements(const Problem& problem, Bundle& bundle) {
  const auto segment = [&](int k, int lane) { return bundle.strands[lane]->segments[k]; };
  for (int k = 0; k < bundle.count(); ++k) {
    const auto of = [&](int lane) { return problem.stretch(segment(k, lane)); };
    bundle.stretches[k] = make_stretch_shear(
        numbers<P>([&](int lane) { return of(lane).length; }),
        numbers<P>([&](int lane) { return bundle.strands[lane]->sign(k) / of(lane).length; }),
        numbers<P>([&](int lane) { return of(lane).GA; }), numbers<P>([&](int lane) { return of(lane).EA; }),
        vectors<P>([&](int lane) { return of(lane).p; }));
    bundle.is_straight &= !problem.rest_moves();
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
  for (const Strand* strand : strands)
    for (const Strand::Joint& joint : strand->joints)
      if (joint.bend >= 0 && turns(problem.model->bends[joint.bend])) bundle.turns.resize(n);
  load_elements(problem, bundle);
  for (int k = 0; k <= n; ++k)
    bundle.mass.push_back(
        numbers<P>([&](int lane) { return problem.model->vertices[strands[lane]->vertices[k]].mass; }));
  for (int i : first.vertices) {
    bundle.free_axes.push_back(problem.free_axes(i));
    bundle.is_partly_held |= problem.role[i] == newton::Role::partly_held;
  }
  std::array<std::vector<double>, P::lanes> beyond;
  for (int lane = 0; lane < P::lanes; ++lane) beyond[lane] = mass_beyond(*strands[lane], problem);
  for (int k = 0; k < n; ++k) {
    bundle.mass_beyond.push_back(numbers<P>([&](int lane) { return beyond[lane][k]; }));
    bundle.hanging.push_back(norm(problem.model->gravity) * bundle.stretches[k].length * bundle.mass_beyond[k]);
  }
  return bundle;
}

namespace {

// positions and directors, as they are before they are factored; turns about directors
template <class B>
void assemble(const Bundle& bundle, const std::vector<P>& tension, Band<B>& all, Band<P>& twist) {
  constexpr double round_off = 1e-13;  // of its diagonal, which elimination leaves of what cancels
  const int n = bundle.count();
  const B none = uniform<B>(P(0.0));
  all.rows.assign(2 * n + 1, {none, none, none}), twist.rows.assign(n, {P(0.0), P(0.0), P(0.0)});
  for (int k = 0; k <= n; ++k) all.rows[2 * k].diagonal = uniform<B>(bundle.weight[k]);
  for (int k = 0; k < n; ++k) {
    const StretchShear<P>& s = bundle.stretches[k];
    const Vec3<P>& spin = bundle.spin_weight[k];
    auto &x = all.rows[2 * k], &d = all.rows[2 * k + 1];
    const P w = s.length * s.GA, across = w * s.per_length, along = across * s.per_length;
    x.diagonal += uniform<B>(along), all.rows[2 * k + 2].diagonal += uniform<B>(along);
    x.next += uniform<B>(across), x.after += uniform<B>(-along), d.next += uniform<B>(-across);
    d.diagonal += uniform<B>((P(1 + round_off) * w + tension[k]) + max(spin.x, spin.y));
    twist.rows[k].diagonal += spin.z + P(round_off) * w;
    if (k == 0) continue;
    const Vec3<P>& K = bundle.bends[k].K;
    const P bending = max(K.x, K.y), aligned = bundle.alignment[k];
    auto& before = all.rows[2 * k - 1];
    before.diagonal += uniform<B>(bending), d.diagonal += uniform<B>(bending);
    before.after += uniform<B>(-aligned * bending);
    twist.rows[k - 1].diagonal += K.z, twist.rows[k].diagonal += K.z, twist.rows[k - 1].next -= aligned * K.z;
  }
  const auto add_root = [&](int link, const Vec3<P>& K) {
    all.rows[2 * link + 1].diagonal += uniform<B>(max(K.x, K.y)), twist.rows[link].diagonal += K.z;
  };
  for (const RootDirection<P>& root : bundle.roots) add_root(root.link, root.bend.K);
  for (const ScalarRoot& root : bundle.scalar_roots) add_root(root.link, root.stiffness);
}

// positions alone, from the tip
template <class B>
void factor_places(const Bundle& bundle, GlobalSystem<B>& system) {
  const int n = bundle.count();
  B taken = uniform<B>(P(0.0));  // off the diagonal of place k, by the elimination of place k + 1
  for (int k = n; k >= 0; --k) {
    SystemRow<B>& row = system[k];
    const P before = k > 0 ? bundle.stretches[k - 1].along() : P(0.0);
    const P after = k < n ? bundle.stretches[k].along() : P(0.0);
    B diagonal = uniform<B>(bundle.weight[k] + before + after);
    diagonal -= taken;
    row.place = inverse(bundle.free_axes[k], diagonal);
    row.from_last = product(uniform<B>(before), row.place);
    row.from_next = k < n ? product(uniform<B>(after), system[k + 1].place) : uniform<B>(P(0.0));
    taken = product(uniform<B>(before), row.from_last);
  }
}

}  // namespace

template <class B>
void factor(const Bundle& bundle, const std::vector<P>& tension, GlobalSystem<B>& system) {
  const int n = bundle.count();
  Band<B> all;
  Band<P> twist;
  assemble(bundle, tension, all, twist);
  const Vec3d free{1, 1, 1};
  all.factor([&](std::size_t i) { return i % 2 == 0 ? bundle.free_axes[i / 2] : free; });
  twist.factor([&](std::size_t) { return free; });
  system.resize(n + 1);
  factor_places(bundle, system);
  for (int k = 0; k <= n; ++k) {
    SystemRow<B>& row = system[k];
    const auto& x = all.rows[2 * k];
    row.x = x.diagonal, row.x_to_d = x.next, row.x_to_x = x.after;
    if (k == n) continue;
    const auto& d = all.rows[2 * k + 1];
    row.d = d.diagonal, row.d_to_x = d.next, row.d_to_d = d.after;
    row.twist = twist.rows[k].diagonal, row.twist_to_twist = twist.rows[k].next;
  }
}
template void factor(const Bundle&, const std::vector<P>&, GlobalSystem<P>&);
template void factor(const Bundle&, const std::vector<P>&, GlobalSystem<Vec3<P>>&);

void load_weights(const Problem& problem, Bundle& bundle) {
  const int n = bundle.count();
  bundle.weight.resize(n + 1), bundle.spin_weight.resize(n);
  for (int k = 0; k <= n; ++k)
    bundle.weight[k] = numbers<P>([&](int lane) { return problem.weight[bundle.strands[lane]->vertices[k]]; });
  for (int k = 0; k < n; ++k)
    bundle.spin_weight[k] =
        vectors<P>([&](int lane) { return problem.spin(bundle.strands[lane]->segments[k]).weight; });
  // a strand that bends in one wave of its length
  const double wave = std::numbers::pi / n, per_h2 = 1 / (problem.scheme.h * problem.scheme.h);
  bundle.against_turns.resize(n);
  for (int k = 0; k < n; ++k) {
    const P l = bundle.stretches[k].length;
    bundle.against_turns[k] = wave * wave * bundle.bends[k].K.x + per_h2 * l * l * bundle.mass_beyond[k];
  }
}

std::shared_ptr<const GlobalSystem<P>> factored(const Bundle& bundle) {
  auto system = std::make_shared<GlobalSystem<P>>();
  factor(bundle, bundle.hanging, *system);
  if (likeness(bundle).empty()) return system;
  constexpr std::size_t count = sizeof(SystemRow<P>) / sizeof(P);
  for (SystemRow<P>& row : *system)
    for (P *number = &row.x, *end = number + count; number < end; ++number) *number = P((*number)[0]);
  return system;
}

std::vector<int> likeness(const Bundle& bundle) {
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
  for (const P& weight : bundle.weight) add(weight);
  for (int k = 0; k < bundle.count(); ++k) {
    const StretchShear<P>& s = bundle.stretches[k];
    const BendTwist<P>& bend = bundle.bends[k];
    for (const P& value : {s.length * s.GA, s.weight(), s.per_length, max(bend.K.x, bend.K.y), bend.K.z,
                           bundle.alignment[k], bundle.spin_weight[k].x, bundle.spin_weight[k].z, bundle.hanging[k]})
      add(value);
    key.push_back(bundle.stretches[k].per_length[0] > 0);
  }
  for (const RootDirection<P>& root : bundle.roots) add(max(root.bend.K.x, root.bend.K.y)), add(root.bend.K.z);
  for (const Vec3d& free : bundle.free_axes) key.push_back(free == Vec3d{});
  key.push_back(bundle.count());
  return all_alike ? key : std::vector<int>{};
}

}  // namespace tendril::solvers::projective
