#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "io/file.h"
#include "io/formats.h"
#include "scratch.h"

namespace tendril::io {

using Bytes = std::vector<char>;

// one of the small files that the readers' tests start from
inline Bytes sample(const std::string& name) {
  return read_file(std::string(TENDRIL_SOURCE_DIR) + "/tests/io/samples/" + name);
}

inline Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

template <class T>
void overwrite(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

// written and read again
inline Take through(const Take& take, const std::string& file) {
  const Scratch scratch;
  write_rods(take, scratch / file);
  return read_rods(scratch / file);
}

// the reader throws a FileError that starts with the file's name and says this
inline void expect_refused(Take (*read)(std::span<const char>, const std::string&), const Bytes& bytes,
                           const std::string& wanted) {
  try {
    read(bytes, "the file");
    ADD_FAILURE() << "nothing was refused; expected \"" << wanted << "\"";
  } catch (const FileError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("the file:")) << message;
    EXPECT_NE(message.find(wanted), std::string::npos) << message;
  }
}

// every beginning of the file is refused
inline void expect_cuts_refused(Take (*read)(std::span<const char>, const std::string&), const Bytes& bytes) {
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW(read(std::span(bytes).first(n), "cut"), FileError) << n << " bytes";
}

inline std::vector<std::vector<int>> paths_of(const Strands& strands) {
  std::vector<std::vector<int>> paths;
  for (const Strand& strand : strands.strands) paths.push_back(strand.points);
  return paths;
}

inline std::vector<bool> loops_of(const Strands& strands) {
  std::vector<bool> closed;
  for (const Strand& strand : strands.strands) closed.push_back(strand.closed);
  return closed;
}

// the positions of a strand as a file in single precision holds them
inline std::vector<Vec3f> single_points(const Strands& strands, std::size_t strand) {
  std::vector<Vec3f> points;
  for (const int i : strands.strands[strand].points) points.push_back(cast<float>(strands.points[i]));
  return points;
}

}  // namespace tendril::io
