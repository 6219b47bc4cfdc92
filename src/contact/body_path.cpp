#include "contact/body_path.h"

namespace tendril::contact {

void BodyPath::set(const Pose& begin, const Pose& end) {
  start = begin.q;
  from = begin.x + rotate(begin.q, centre);
  way = end.x + rotate(end.q, centre) - from;
  moves = !is_free && !(begin.x == end.x && begin.q == end.q);  // whatever rounding leaves of q q̄
  turn = moves ? turn_between(begin.q, end.q) : Vec3d{};
}

Pose BodyPath::at(double share) const {
  const Quatd q = quaternion_exp(share * turn) * start;
  return {from + share * way - rotate(q, centre), q};
}

}  // namespace tendril::contact
