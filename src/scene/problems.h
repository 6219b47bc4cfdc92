#pragma once

#include <string>
#include <vector>

#include "layers.h"

namespace tendril::scene {

// what is wrong with a scene, gathered so that one run shows more than one mistake
class Problems {
 public:
  void add(unsigned line, unsigned column, std::string message);
  bool empty() const { return problems_.empty(); }
  void throw_if_any() const;  // a SceneError with the first ten, in the file's order

 private:
  struct Problem {
    unsigned line, column;
    std::string message;
  };
  std::vector<Problem> problems_;
};

}  // namespace tendril::scene
