#pragma once

#include <vector>

#include "io/strands.h"

namespace tendril::io {

// Strands laid one after the other, each with its own copy of the points that it shares: what most formats hold. A
// place is one point of one strand.
struct Polylines {
  std::vector<int> strands;   // the Take's strands in this layout
  std::vector<int> first{0};  // (strand + 1) place at which each begins
  std::vector<int> point;     // (place) the Take's point
  std::vector<int> segment;  // (place) row of Moment::q: the segment that begins here; at an open end the one before it

  int strand_count() const { return int(strands.size()); }
  int place_count() const { return int(point.size()); }
  int count(int k) const { return first[k + 1] - first[k]; }
};

enum class Kind { any, open, closed };
Polylines lay_out(const Strands& strands, Kind kind = Kind::any);

// the values of the Take's points or segments at every place
template <class T>
std::vector<T> at_places(const std::vector<int>& index, const std::vector<T>& values) {
  std::vector<T> result;
  result.reserve(index.size());
  for (const int i : index) result.push_back(values[i]);
  return result;
}

// strands of one name are one rod; numbers in the order of first appearance (strand)
struct RodNumbers {
  std::vector<std::string> names;
  std::vector<int> of_strand;
};
RodNumbers number_rods(const Strands& strands);

// the moments with strictly rising times: formats that hold motion take no instant twice
std::vector<int> distinct_moments(const Take& take);

// which of its optional parts a Take has, by its first moment; throws FileError when there is nothing to write
struct Parts {
  bool velocity = false, frames = false, radius = false;
};
Parts parts_of(const Take& take);

// a moment with these parts; throws FileError when it does not belong to the strands
Moment checked_moment(const Take& take, int k, const Parts& parts);

struct PointBounds {
  Vec3d low, high;
};
// of the points at these places with their radii around them; empty layouts give zeros
PointBounds bounds_of(const Polylines& lines, const Strands& strands, const std::vector<Vec3d>& x);

}  // namespace tendril::io
