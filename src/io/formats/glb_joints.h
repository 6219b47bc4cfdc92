#pragma once

#include <vector>

#include "io/formats/polylines.h"

namespace tendril::io {

// The frame of every place, moment after moment: half-way between the material frames of the segments that meet there.
// Without material frames they follow the tangents without twist, in space at first and then in time.
class JointFrames {
 public:
  JointFrames(const Take& take, const Polylines& lines, const Parts& parts)
      : take_(take), lines_(lines), parts_(parts) {}

  // goes on to the next moment; q and -q are chosen such that no joint turns the long way round
  const std::vector<Quatd>& advance(const Moment& moment);

 private:
  bool closed(int k) const { return take_.strands.strands[lines_.strands[k]].closed; }
  std::vector<Quatd> material_frames(const Moment& moment) const;
  std::vector<Quatd> followed_tangents(const Moment& moment);

  const Take& take_;
  const Polylines& lines_;
  Parts parts_;
  std::vector<Quatd> q_;        // (place) of the moment before
  std::vector<Vec3d> tangent_;  // (place) the same, without material frames
};

}  // namespace tendril::io
