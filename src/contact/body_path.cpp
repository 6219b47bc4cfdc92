#include "contact/body_path.h"

namespace tendril {

void BodyPath::set(const Pose& begin, const Pose& end) {
  Quatd whole_turn = end.q * conjugate(begin.q);
  if (whole_turn.w < 0) whole_turn = -whole_turn;
  start = begin.q;
  from = begin.x + rotate(begin.q, centre);
  way = end.x + rotate(end.q, centre) - from;
  moves = !is_free && !(begin.x == end.x && begin.q == end.q);  // whatever rounding leaves of q q̄
  turn = moves ? quaternion_log(whole_turn) : Vec3d{};
}

Pose BodyPath::at(double share) const {
  const Quatd q = quaternion_exp(share * turn) * start;
  return {from + share * way - rotate(q, centre), q};
}

}  // namespace tendril
