#pragma once

#include <memory>
#include <vector>

#include "math/elimination.h"
#include "solvers/newton/problem.h"
#include "solvers/newton/skeleton.h"

namespace tendril::solvers::newton {

// an unknown of three numbers
enum class Kind : char { vertex, segment, body_place, body_turn };
struct Unknown {
  Kind kind = Kind::vertex;
  int index = 0;  // in the Model
};

// a block of the matrix, which belongs to (later row, earlier row), and whether the first of the two that couple is the
// later one
struct Place {
  int block = 0;
  bool first_is_later = false;
};

// rows are those of the part
struct StretchElement {
  int segment = 0;
  int vertex[2] = {};  // in the Model
  int x0 = 0, x1 = 0, theta = 0;
};

struct BendElement {
  int bend = 0;
  int a = -1, b = -1;            // -1: it is no unknown
  int frame_a = 0, frame_b = 0;  // a segment, or ~ a body
};

// Where the elements of a part go in a matrix that is eliminated row by row. They stand where the first of their rows
// is eliminated.
struct Places {
  struct OfStretch {
    Place x0_x1, x0_theta, x1_theta;
  };
  std::vector<OfStretch> stretches;            // (stretch)
  std::vector<Place> bends;                    // (bend)
  std::vector<int> first_stretch, first_bend;  // (row, and the end)
};

// one connected structure: a rod, a tree, a net with all that hangs on it
struct Part {
  std::vector<Unknown> unknowns;  // (row)
  std::vector<StretchElement> stretches;
  std::vector<BendElement> bends;
  // both empty if the solver orders rows itself
  std::shared_ptr<const Elimination> plan;  // shared by equal parts
  Places places;
  std::vector<int> slaved_segments, slaved_vertices;  // what moves with a body is added to its rows
  double stiffness = 0;                               // sum of EA l [J], for the size of round-off
  double shortest = forever;                          // length of a segment [m]
  double sound_time = forever;                        // the least in which sound crosses one [s]
  bool is_free = true;                                // nothing holds a vertex of it
  bool has_bodies = false;                            // that move freely
  Skeleton skeleton;

  int row_count() const { return static_cast<int>(unknowns.size()); }
};

// the parts of a Model, and the row of each unknown in its part
class Parts {
 public:
  // without a plan, rows are in the order of the Model
  void reset(const Problem& problem, bool with_plans = true);

  // another order of a part that has no plan: where each row and element goes
  struct Order {
    std::vector<int> row, stretch, bend;
  };
  void arrange(int part, const Order& order);

  const std::vector<Part>& all() const { return parts_; }
  const Part& operator[](int p) const { return parts_[p]; }
  int count() const { return static_cast<int>(parts_.size()); }

  int row_of_vertex(int i) const { return row_[i]; }  // -1: it follows a body
  int row_of_segment(int s) const { return row_[vertices_ + s]; }
  int row_of_body(int b) const { return row_[vertices_ + segments_ + 2 * b]; }      // -1: it is kinematic
  int row_of_turn(int b) const { return row_[vertices_ + segments_ + 2 * b + 1]; }  // likewise
  int row_of_frame(const FrameId& id) const { return id.is_body ? row_of_turn(id.index) : row_of_segment(id.index); }
  int part_of_vertex(int i) const { return part_[i]; }  // or of the body that it follows
  int part_of_body(int b) const { return part_[vertices_ + segments_ + 2 * b]; }

  // how the displacement of a vertex follows from those of rows: its own, or those of its body
  struct Follows {
    int row = 0;
    Mat3d by;
    Vec3d arm;                // from the body's centre to the vertex, of a row that turns [m]
    bool is_the_row = false;  // by is the identity

    static Follows itself(int row) { return {row, Mat3d::identity(), {}, true}; }
  };
  class Rows {  // one or two
   public:
    Rows(const Follows& one) : rows_{one}, count_(1) {}
    Rows(const Follows& one, const Follows& other) : rows_{one, other}, count_(2) {}
    const Follows* begin() const { return rows_; }
    const Follows* end() const { return rows_ + count_; }

   private:
    Follows rows_[2];
    int count_;
  };
  Rows rows_of_vertex(const Problem& problem, int vertex, const Iterate& at) const;
  Rows rows_of_point(int body, const Vec3d& arm) const;  // of a body that moves freely

 private:
  Unknown unknown(int id) const;
  int id(const Unknown& unknown) const;
  std::vector<std::pair<int, int>> couplings(const Problem& problem) const;
  void find_parts(const Problem& problem, const std::vector<std::pair<int, int>>& couplings);
  void plan_rows(const std::vector<std::pair<int, int>>& couplings);
  void add_elements(const Problem& problem);
  static void place_elements(Part& part);

  int vertices_ = 0, segments_ = 0, bodies_ = 0;
  std::vector<Part> parts_;
  std::vector<int> row_, part_;  // of vertices, segments, then place and turn of bodies
};

}  // namespace tendril::solvers::newton
