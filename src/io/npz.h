#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/file.h"
#include "math/quat.h"

namespace tendril::io {

// an array of numpy: little-endian, rows first
struct NpyArray {
  std::string type;                // "<f8", "<i4", "|u1", "<U12" …
  std::vector<std::size_t> shape;  // empty: a single value
  std::vector<char> bytes;

  static NpyArray of(double value);
  static NpyArray of(const std::vector<double>& values);
  static NpyArray of(const std::vector<int>& values);
  static NpyArray of(const std::vector<Vec3d>& rows);         // (n, 3)
  static NpyArray of(const std::vector<Quatd>& rows);         // (n, 4): w, x, y, z
  static NpyArray of(const std::vector<std::string>& texts);  // UTF-8 in, fixed-width UTF-32 in the file

  std::size_t count() const;  // of values

  // back to values; throws FileError when type or shape differ
  std::vector<double> numbers() const;  // "<f8"
  std::vector<int> integers() const;    // "<i4"
  std::vector<Vec3d> vectors() const;
  std::vector<Quatd> quaternions() const;
};

// the arrays of one .npz file by their names; numpy.load reads it, and numpy.savez's are read
using NpzArrays = std::map<std::string, NpyArray>;

// the same arrays give the same bytes
std::vector<char> npz_bytes(const NpzArrays& arrays);
void write_npz(const std::filesystem::path& path, const NpzArrays& arrays);

// throws FileError on anything that is not a whole, uncompressed .npz file
NpzArrays parse_npz(std::span<const char> bytes, const std::string& name);
NpzArrays read_npz(const std::filesystem::path& path);

}  // namespace tendril::io
