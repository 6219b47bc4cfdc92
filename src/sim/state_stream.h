#pragma once

#include "rod/model.h"
#include "rod/stream.h"

namespace tendril::sim {

inline void put_state(Writer& out, const State& s) {
  out.put(s.time);
  for (const auto* vectors : {&s.x, &s.v, &s.omega, &s.body_x, &s.body_v, &s.body_omega}) out.put(*vectors);
  for (const auto* frames : {&s.q, &s.body_q}) out.put(*frames);
}

// throws when the state does not fit the model
inline void get_state(Reader& in, const Model& model, State& s) {
  in.get(s.time);
  for (auto* vectors : {&s.x, &s.v, &s.omega, &s.body_x, &s.body_v, &s.body_omega}) in.get(*vectors);
  for (auto* frames : {&s.q, &s.body_q}) in.get(*frames);
  const std::size_t vertices = model.vertices.size(), segments = model.segments.size(), bodies = model.bodies.size();
  if (s.x.size() != vertices || s.v.size() != vertices || s.q.size() != segments || s.omega.size() != segments ||
      s.body_x.size() != bodies || s.body_v.size() != bodies || s.body_q.size() != bodies ||
      s.body_omega.size() != bodies)
    throw std::runtime_error("the saved state belongs to another scene");
}

}  // namespace tendril::sim
