#pragma once

#include <string>
#include <vector>

#include "io/npz.h"

namespace tendril::io {

// The arrays of a .npz file as numbers of whatever type numpy gave them. Errors are FileErrors that name file and
// array.
class NpzValues {
 public:
  NpzValues(NpzArrays arrays, std::string file) : arrays_(std::move(arrays)), file_(std::move(file)) {}

  bool has(const std::string& key) const { return arrays_.contains(key); }
  const std::vector<std::size_t>& shape(const std::string& key) const { return arrays_.at(key).shape; }

  // the values from `first` on, floats or integers of any width; all of them must be numbers
  std::vector<double> numbers(const std::string& key, std::size_t first, std::size_t count) const;
  std::vector<double> numbers(const std::string& key) const;
  std::vector<int> integers(const std::string& key) const;  // whole numbers of any type
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<double> times(std::size_t moments, double frame_rate) const;  // array `time`; absent: by the frame rate

  std::string shape_text(const std::string& key) const;  // "(3, 2)"

  // refuses an array of another shape
  void check_shape(const std::string& key, const std::vector<std::size_t>& shape) const;
  [[noreturn]] void fail(const std::string& key, const std::string& message) const;
  const std::string& file() const { return file_; }

 private:
  NpzArrays arrays_;
  std::string file_;
};

}  // namespace tendril::io
