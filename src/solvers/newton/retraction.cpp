#include "solvers/newton/retraction.h"

namespace tendril::solvers::newton {
namespace {

// visit(weight, x) of all that moves by itself, and what follows
template <class Visit>
void for_places(const Part& part, const Problem& p, Iterate& at, Visit visit) {
  for (const Unknown& u : part.unknowns) {
    if (u.kind == Kind::vertex) visit(p.weight[u.index], at.x[u.index]);
    if (u.kind == Kind::body_place) visit(p.bodies[u.index].weight, at.body_x[u.index]);
  }
  for (int i : part.slaved_vertices) visit(p.weight[i], at.x[i]);
}

struct Centre {
  double weight = 0;
  Vec3d moment;  // sum of weight x

  Vec3d place() const { return weight > 0 ? moment / weight : Vec3d{}; }
};
Centre centre_of(const Part& part, const Problem& p, Iterate& at) {
  Centre out;
  for_places(part, p, at, [&](double weight, const Vec3d& x) { out.weight += weight, out.moment += weight * x; });
  return out;
}

// with all that follows the body that it may be tied to
void move_vertex(const Part& part, const Problem& p, int vertex, const Vec3d& x, Iterate& at) {
  const int t = p.tie[vertex];
  if (t < 0) return void(at.x[vertex] = x);
  const Tie& tie = p.model->ties[t];
  at.body_x[tie.body] = x - rotate(at.body_q[tie.body], tie.offset);
  for (int i : part.slaved_vertices)
    if (const Tie& other = p.model->ties[p.tie[i]]; other.body == tie.body)
      at.x[i] = at.body_x[tie.body] + rotate(at.body_q[tie.body], other.offset);
}

int segment_of(const Part& part, int element) {
  return element >= 0 ? part.stretches[element].segment : part.slaved_segments[~element];
}

}  // namespace

void place_by_strains(const Part& part, const Problem& p, std::span<const Vec3d> strains, Iterate& at) {
  const Skeleton& skeleton = part.skeleton;
  const bool is_held = skeleton.free == Vec3d{};
  const Vec3d before = is_held ? Vec3d{} : centre_of(part, p, at).place();
  for (const auto& [element, near, far, is_forward] : skeleton.links) {
    const int segment = segment_of(part, element);
    const std::size_t n = element >= 0 ? element : part.stretches.size() + ~element;
    const Stretch<double> stretch = p.stretch(segment);
    const Vec3d edge = stretch.length * rotate(at.q[segment], stretch.p + strains[n]);
    move_vertex(part, p, far, is_forward ? at.x[near] + edge : at.x[near] - edge, at);
  }
  if (is_held) return;
  const Vec3d shift = scale(skeleton.free, before - centre_of(part, p, at).place());
  for_places(part, p, at, [&](double, Vec3d& x) { x += shift; });
}

void place_by_guess(const Part& part, const Problem& p, const State& start, const Prediction& prediction, Iterate& at) {
  if (!part.skeleton.is_open || !retracts(part, p)) return;
  const double ahead = p.scheme.share() * p.scheme.h;
  std::vector<Vec3d> strains;
  const auto guess = [&](int s) {
    const auto [i, j] = p.model->segments[s].vertex;
    const StretchState<double> state = stretch_state(p, s, i, j, start);
    const Vec3d theta = ahead * start.omega[s];
    const Vec3d de = (ahead / p.model->segments[s].rest_length) * (start.v[j] - start.v[i]);
    if (p.role[i] == Role::held || p.role[j] == Role::held)  // its velocity is prescribed, and no chord
      strains.push_back(p.scheme.remembers ? prediction[s] : strain(p.stretch(s), state));
    else if (p.scheme.remembers)
      strains.push_back(strain_ahead_by_rate(state, prediction[s], de, theta));
    else
      strains.push_back(strain_ahead_by_chord(state, p.stretch(s).p, de, quaternion_exp(-theta) * start.q[s]));
  };
  for (const StretchElement& e : part.stretches) guess(e.segment);
  for (int s : part.slaved_segments) guess(s);
  place_by_strains(part, p, strains, at);
}

}  // namespace tendril::solvers::newton
