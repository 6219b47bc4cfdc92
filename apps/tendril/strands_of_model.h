#pragma once

#include <vector>

#include "io/strands.h"
#include "rod/model.h"

namespace tendril::app {

// A Model's rods as strands. A rod that is a plain chain or loop is one strand with its own order of vertices; one that
// branches is cut into smooth paths; all are named after it. The strands' points are the vertices. A segment that
// breaks some time is a strand of its own between its first vertex and a further point, which stands at its second
// vertex until it has broken and at the first from then on.
class StrandsOfModel {
 public:
  StrandsOfModel(const Model& model, const State& start, const std::vector<int>& ever_broken);

  const Strands& strands() const { return strands_; }

  // the points at one time; throws FileError when the State is not one of this Model
  Moment moment(const State& state, const std::vector<int>& broken) const;

 private:
  struct Walk {  // a segment as a strand goes along it
    int segment;
    bool backwards;
  };
  struct Path {
    std::vector<Walk> walks;
    bool closed = false;
  };
  struct FarPoint {  // of a segment that breaks
    int segment, first, second;
  };

  void add_plain_rod(const Rod& rod);
  void add_branched_rods(const State& start, const std::vector<char>& is_plain);
  void add_strand(const Rod& rod, const Path& path);
  void add_breaking(const Rod& rod, int segment);
  bool is_plain(const Rod& rod) const;

  const Model* model_;        // while it is built
  std::vector<char> breaks_;  // (segment)
  std::size_t vertex_count_ = 0, segment_count_ = 0;
  Strands strands_;
  std::vector<Walk> walks_;  // (row of Moment::q)
  std::vector<FarPoint> far_points_;
};

// each rod as one strand of its vertices in their order, whatever joins them: for tables of vertices
Strands vertices_of_rods(const Model& model);

}  // namespace tendril::app
