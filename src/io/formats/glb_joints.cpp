#include "io/formats/glb_joints.h"

#include "io/formats/glb_tube.h"

namespace tendril::io {

namespace {

Quatd half_way(const Quatd& a, const Quatd& b) {
  const Quatd sum = dot(a, b) < 0 ? a - b : a + b;
  return norm(sum) > 1e-6 ? normalized(sum) : a;
}

}  // namespace

std::vector<Quatd> JointFrames::material_frames(const Moment& moment) const {
  std::vector<Quatd> q;
  for (int k = 0; k < lines_.strand_count(); ++k)
    for (int place = lines_.first[k]; place < lines_.first[k + 1]; ++place) {
      const int before = place > lines_.first[k] ? place - 1 : closed(k) ? lines_.first[k + 1] - 1 : place;
      q.push_back(half_way(moment.q[lines_.segment[before]], moment.q[lines_.segment[place]]));
    }
  return q;
}

std::vector<Quatd> JointFrames::followed_tangents(const Moment& moment) {
  const std::vector<Vec3d> x = at_places(lines_.point, moment.x);
  std::vector<Quatd> q;
  std::vector<Vec3d> tangents;
  for (int k = 0; k < lines_.strand_count(); ++k) {
    const int first = lines_.first[k];
    const std::vector<Vec3d> t = tangents_of(std::span(x).subspan(first, lines_.count(k)), closed(k));
    std::vector<Quatd> frames;
    if (q_.empty()) frames = twist_free_frames(t, closed(k));
    for (int n = 0; n < lines_.count(k) && !q_.empty(); ++n)
      frames.push_back(normalized(rotation_between(tangent_[first + n], t[n]) * q_[first + n]));
    q.insert(q.end(), frames.begin(), frames.end());
    tangents.insert(tangents.end(), t.begin(), t.end());
  }
  tangent_ = std::move(tangents);
  return q;
}

const std::vector<Quatd>& JointFrames::advance(const Moment& moment) {
  std::vector<Quatd> q = parts_.frames ? material_frames(moment) : followed_tangents(moment);
  for (std::size_t place = 0; place < q_.size(); ++place)
    if (dot(q[place], q_[place]) < 0) q[place] = -q[place];
  q_ = std::move(q);
  return q_;
}

}  // namespace tendril::io
