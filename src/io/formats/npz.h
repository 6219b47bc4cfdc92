#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "io/strands.h"

namespace tendril::io {

// Rods in a .npz file of numpy, every moment in double precision:
//   x             (moments, points, 3) or (points, 3), also called `points`    [m]
//   time          (moments)                                                    [s]
//   strand_points (n)            points of all strands, one strand after the other; absent: one strand of all points
//   strand_first  (strands + 1)  strand s has strand_points[strand_first[s]:strand_first[s + 1]]
//   closed, name, color          (strands), (strands), (strands, 3)            1: a loop; text; linear RGB in 0 … 1
//   radius        (points)                                                     [m]
//   v             as x                                                         [m/s]
//   q             (moments, segments, 4)  w, x, y, z; d3 along the strand
//   smooth, frame_rate, title    single values
// PyElastica's position_collection (rods, moments, 3, nodes) with radius_collection and time is read as well.
Take read_npz_rods(std::span<const char> bytes, const std::string& name);
void write_npz_rods(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
