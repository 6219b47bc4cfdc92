#include "solvers/alpha/body_links.h"

#include <algorithm>
#include <cassert>

namespace tendril::solvers::alpha {
namespace {

bool is_dynamic(const Model& model, int body) { return model.bodies[body].kind == BodyKind::dynamic; }

// of a segment that ends at a vertex [m]
double length_beside(const Model& model, int vertex) {
  for (const Segment& s : model.segments)
    if (s.vertex[0] == vertex || s.vertex[1] == vertex) return s.rest_length;
  return 0;
}

}  // namespace

const Model& BodyLinks::replace_bodies(const Model& model) {
  links_.clear();
  vertices_ = static_cast<int>(model.vertices.size()), segments_ = static_cast<int>(model.segments.size());
  const auto is_of_dynamic = [&](const Tie& tie) { return is_dynamic(model, tie.body); };
  if (std::none_of(model.ties.begin(), model.ties.end(), is_of_dynamic)) return model;
  model_ = model;
  for (const Tie& tie : model.ties)
    if (is_of_dynamic(tie)) add_link(model, tie);
  std::erase_if(model_.ties, is_of_dynamic);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const FrameId body{links_[k].body, true}, link{segments_ + static_cast<int>(k), false};
    for (Bend& bend : model_.bends)
      for (FrameId* frame : {&bend.a, &bend.b})
        if (*frame == body) *frame = link;
    model_.bodies[body.index].kind = BodyKind::kinematic;  // nothing follows it
  }
  return model_;
}

// It has no stiffness of a rod: it is rigid.
void BodyLinks::add_link(const Model& model, const Tie& tie) {
  const Body& body = model.bodies[tie.body];
  const Link link{tie.body, -tie.offset};
  Segment segment;
  segment.vertex[0] = tie.vertex, segment.vertex[1] = static_cast<int>(model_.vertices.size());
  segment.rest_length = std::max(norm(link.arm), length_beside(model, tie.vertex));  // in which its errors are measured
  if (segment.rest_length == 0) segment.rest_length = 1;
  segment.linear_inertia = body.inertia / segment.rest_length;
  model_.segments.push_back(segment);
  Vertex centre;
  centre.mass = body.mass;
  model_.vertices.push_back(centre);
  links_.push_back(link);
}

const Vec3d* BodyLinks::arm_of(int segment) const {
  return empty() || segment < segments_ ? nullptr : &links_[segment - segments_].arm;
}

void BodyLinks::add_links(const State& from, State& to) const {
  to = from;
  for (const Link& link : links_) {
    to.x.push_back(from.body_x[link.body]), to.v.push_back(from.body_v[link.body]);
    to.q.push_back(from.body_q[link.body]), to.omega.push_back(from.body_omega[link.body]);
  }
}

void BodyLinks::add_links(Inputs& inputs) const { add_links(inputs.begin), add_links(inputs.end); }

void BodyLinks::add_links(Instant& instant) const {
  if (!instant.drag.empty()) instant.drag.resize(vertices_ + links_.size(), 0);
  instant.moment.resize(segments_);
  for (const Link& link : links_) {
    instant.force.push_back(instant.body_force[link.body]);
    instant.moment.push_back(instant.body_moment.empty() ? Vec3d{} : instant.body_moment[link.body]);
  }
}

void BodyLinks::take_from_links(const State& from, State& to) const {
  const auto take = [](const auto& all, std::size_t count, auto& out) {
    std::copy(all.begin(), all.begin() + count, out.begin());
  };
  take(from.x, vertices_, to.x), take(from.v, vertices_, to.v);
  take(from.q, segments_, to.q), take(from.omega, segments_, to.omega);
  take(from.body_x, to.body_x.size(), to.body_x), take(from.body_v, to.body_v.size(), to.body_v);
  take(from.body_q, to.body_q.size(), to.body_q), take(from.body_omega, to.body_omega.size(), to.body_omega);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const int body = links_[k].body;
    to.body_x[body] = from.x[vertices_ + k], to.body_v[body] = from.v[vertices_ + k];
    to.body_q[body] = from.q[segments_ + k], to.body_omega[body] = from.omega[segments_ + k];
  }
}

}  // namespace tendril::solvers::alpha
