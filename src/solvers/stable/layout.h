#pragma once

#include <vector>

#include "math/thread_team.h"
#include "solvers/stable/problem.h"

namespace tendril::solvers::stable {

// elements of one part and colour that take the same path through the sweep, in packs of lanes
struct Group {
  int colour = 0;
  bool plain = true;  // the fast path: scalar stiffness, no partly held axes
  int slots = 0;      // neighbours of an element; those with fewer have empty slots
  int first_pack = 0, pack_count = 0;
  int first_slot = 0;  // slot k of pack p stands at first_slot + (p - first_pack) slots + k
};

// groups part by part and colour by colour
struct Groups {
  std::vector<Group> all;
  int parts = 1, colours = 0;
  std::vector<int> first;  // group (part, colour), and the end

  Share of(int part, int colour) const { return {first[part * colours + colour], first[part * colours + colour + 1]}; }
  Share of(int part) const { return {first[part * colours], first[(part + 1) * colours]}; }
};

// a vertex's view of one segment
struct VertexSlot {
  int other_row = 0;  // of the vertex at the other end
  int segment_row = 0;
  int segment = -1;  // -1: empty
  int sign = 1;      // +1 when the vertex is the segment's second
};

// a segment's view of one bend
struct SegmentSlot {
  int frame_row = 0;      // of the other frame
  int bend = -1;          // -1: empty
  bool reversed = false;  // the segment is the bend's frame a
};

// where vertices and segments stand so that a sweep runs through memory: by the part of the graph that one worker
// sweeps, then by colour, then by kind and number of neighbours, then as met on a traversal of the graph. Rows of
// vertices: those that are swept, then held and slaved ones, then an empty one. Rows of frames: segments, then bodies,
// then an empty one.
struct Layout {
  int lanes = 1;
  std::vector<int> vertex_row, segment_row;  // where a vertex, a segment stands
  std::vector<int> vertex_at, segment_at;    // who stands there, -1: nobody (swept rows only)
  int first_body_row = 0;
  int vertex_row_count = 0, frame_row_count = 0;

  Groups vertex_groups, segment_groups;
  std::vector<VertexSlot> vertex_slots;  // slot by slot, lane by lane
  std::vector<SegmentSlot> segment_slots;
};

Layout make_layout(const StepProblem& problem, int lanes, int parts);

}  // namespace tendril::solvers::stable
