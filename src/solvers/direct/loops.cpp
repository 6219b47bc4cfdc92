#include "solvers/direct/loops.h"

#include "math/union_find.h"

namespace tendril::solvers::direct {
namespace {

// what is joined to what so far: rows of the part, and the ground after them
class Joined {
 public:
  Joined(const Part& part) : ground_(part.row_count()), sets_(part.row_count() + 1) {}

  // false if they were joined before
  bool join(int row, int other) {
    row = number(row), other = number(other);
    if (sets_.find(row) == sets_.find(other)) return false;
    sets_.unite(row, other);
    return true;
  }

 private:
  int number(int row) const { return row < 0 ? ground_ : row; }
  int ground_;
  UnionFind sets_;
};

bool is_held(const Part& part, const Problem& problem, int row) {
  return problem.role[part.unknowns[row].index] != Role::free;
}

// stretches that join places which are joined already
std::vector<int> closing_stretches(const Structure& structure, const Part& part, const Problem& problem) {
  Joined places(part);
  for (int row = 0; row < part.row_count(); ++row)
    if (part.unknowns[row].kind == Kind::vertex && is_held(part, problem, row)) places.join(row, -1);
  for (const Joint& joint : structure.joints)
    places.join(part.stretches[joint.stretch].x0, part.stretches[joint.stretch].x1);
  std::vector<int> closing;
  for (int e : structure.stretches) {
    const StretchElement& stretch = part.stretches[e];
    const bool is_of_the_ground = is_held(part, problem, stretch.x0) && is_held(part, problem, stretch.x1);
    if (!places.join(stretch.x0, stretch.x1) && !is_of_the_ground) closing.push_back(e);
  }
  return closing;
}

}  // namespace

std::vector<Closing> closings_of(const Structure& structure, const Part& part, const Problem& problem) {
  std::vector<Closing> closings;
  if (part.has_bodies || !part.slaved_vertices.empty()) return closings;
  std::vector<int> closing_of(part.row_count(), -1);  // of the frame of its segment (row)
  for (int e : closing_stretches(structure, part, problem)) {
    closing_of[part.stretches[e].theta] = static_cast<int>(closings.size());
    closings.push_back({e, -1});
  }
  if (closings.empty()) return closings;
  const auto closing = [&](int row) { return row < 0 ? -1 : closing_of[row]; };
  Joined frames(part);
  const auto join = [&](int bend) { return frames.join(part.bends[bend].a, part.bends[bend].b); };
  for (const Joint& joint : structure.joints)
    if (joint.bend >= 0) join(joint.bend);
  std::vector<int> of_closings;
  for (const LooseBend& loose : structure.bends) {
    const BendElement& bend = part.bends[loose.bend];
    const bool is_of_one = closing(bend.a) >= 0 || closing(bend.b) >= 0;
    is_of_one ? of_closings.push_back(loose.bend) : void(join(loose.bend));
  }
  for (int b : of_closings) {
    if (join(b)) continue;  // so that the frame goes with one of its neighbours
    int owner = -1;
    for (int row : {part.bends[b].a, part.bends[b].b})
      if (const int c = closing(row); c >= 0 && closings[c].bend < 0) owner = c;
    owner >= 0 ? void(closings[owner].bend = b) : closings.push_back({-1, b});
  }
  return closings;
}

}  // namespace tendril::solvers::direct
