#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/strands.h"

namespace tendril::io {

// Every reader checks what it read before it hands it on: a FileError names the file and the number of what is wrong.
void check_points(std::span<const Vec3d> points, const std::string& file);  // finite
void check_radii(std::span<const double> radii, const std::string& file);   // finite and not negative

// a point count as an index of points can count it
int checked_count(std::uint64_t count, const std::string& file);

// text of a file as names, titles and messages may hold it: UTF-8 without control characters, which become '?'
std::string clean_text(std::string_view bytes);

// strands that do not move, checked
Take still_take(Strands strands, const std::string& file, std::string title = "");

// what a file in single precision can hold; a FileError names the point that is too far out
std::vector<Vec3f> in_single_precision(std::span<const Vec3d> points, const std::filesystem::path& path);

}  // namespace tendril::io
