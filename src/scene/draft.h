#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "rod/followers.h"
#include "rod/model.h"
#include "scene/curve.h"
#include "scene/material.h"
#include "scene/table.h"

namespace tendril::scene {

// how a rod's unloaded shape is given
enum class Rest { curve, straight, natural_curvature };

// one [[rod]] on its way into the Model
struct DraftRod {
  Table table;
  Curve curve;
  std::vector<double> fraction;  // of the arc length from the start (point of the curve); in a graph of the longest way
  std::vector<int> vertex;       // in the Model (point of the curve)
  int first_point = 0;           // number of its first point among the points of all curves
  int first_segment = 0;         // in the Model; segments follow the curve's edges
  std::vector<int> edge_at;      // an edge that meets each point of the curve
  std::vector<Quatd> untwisted;  // frames without `twist`, which the rest shape knows (edge)
  Rest rest = Rest::curve;
  Vec3d natural_curvature;  // about d1, d2, d3 [1/m]
  double twist = 0;         // [rad] over the whole length

  // of a groom
  std::vector<int> roots;                           // points of the curve, one of each strand
  std::vector<int> root_faces;                      // of the mesh of a carrier that deforms (root)
  int carrier = -1;                                 // the obstacle that they are fastened to, -1: held where they are
  std::vector<std::vector<Vec3d>> follower_shapes;  // points of each of its followers at the start [m]
  int guides_of_a_follower = 0;
};

// segments whose frames are rigidly joined at a vertex
struct Junction {
  int vertex = 0;
  std::vector<int> segments;
  std::vector<int> bends;  // that join them, in the Model
  int hub = -1;            // a body welded to all of them: half bends to it take the bends' place
};

// the Model while it grows, with what is needed to find things in it by name
struct Draft {
  Model model;
  State state;
  std::vector<std::optional<Vec3d>> color;  // linear RGB of its material or file, where it has one (segment)
  std::map<std::string, Material> materials;
  std::vector<DraftRod> rods;
  std::unordered_map<std::string, std::vector<int>> rods_named;  // by the name of one, by that of all copies
  std::map<std::string, int> body_by_name;                       // bodies and obstacles
  struct Faces {
    int first = 0, count = 0;
  };
  std::map<int, Faces> faces;  // bodies of a deforming obstacle, one per face (obstacle)
  std::vector<Junction> junctions;
  std::vector<int> junction_of_point;  // over the points of all curves
  std::unordered_map<int, std::vector<int>> ties_of_vertex;

  void add(const Tie& tie);
  std::vector<Tie> ties_at(int vertex) const;
};

// the points of a rod's curve that an `at` names; throws SceneError when there is none
std::vector<int> find_points(const Table& table, std::string_view key, const DraftRod& rod);

// points of one rod
struct Place {
  const DraftRod* rod = nullptr;
  std::vector<int> points;
};

// what `rod` and `at` of a table name together: points of one rod, or of those of its copies that have such points
std::vector<Place> find_places(const Draft& draft, const Table& table);

// the section's frame at a point of the curve, without and with the rod's twist
Quatd untwisted_section_frame(const DraftRod& rod, int point);
Quatd untwisted_section_frame(const DraftRod& rod, int point, int edge);  // carried there along this edge
Quatd initial_section_frame(const DraftRod& rod, int point);

// value at a fraction from [[fraction, value], …], linear between
double profile(const std::vector<std::vector<double>>& rows, double fraction);

// what a [[joint]], [[load]], … acts on: fails at the key when there is no such rod or body
const DraftRod& find_rod(const Draft& draft, const Table& table, std::string_view key = "rod");
std::vector<const DraftRod*> find_rods(const Draft& draft, const Table& table);  // the one, or all its copies
int find_body(const Draft& draft, const Table& table, std::string_view key);

int add_body(Draft& draft, const Body& body, const Pose& pose);  // its number

// half a bend between a body that holds the section at `vertex` and a segment that meets it there
Bend half_bend(const Draft& draft, int body, int segment, int vertex);

// what joins the segments of a junction without a hub, joint_bends.cpp
std::vector<Bend> junction_bends(const Draft& draft, const Junction& junction);

DraftRod draft_rod(const Table& table, Curve curve);  // rod_draft.cpp: frames and rest shape along a curve
void add_rod(DraftRod rod, const std::string& name, Draft& draft);
void add_rods(const Table& root, Draft& draft);            // curves, frames, segments
void add_grooms(const Table& root, Draft& draft);          // grooms/groom.cpp: the same of grooms
Followers read_followers(const Draft& draft);              // follower_strands.cpp: of rods that are joined already
void add_bodies(const Table& root, Draft& draft);          // supports.cpp: obstacles and dynamic bodies
void join_rods(const Table& root, Draft& draft);           // joints.cpp: shared vertices, bends
void add_holds(const Table& root, Draft& draft);           // supports.cpp: clamps, pins, holds
void add_drives(const Table& root, Draft& draft);          // drives.cpp
void add_loads(const Table& root, Draft& draft);           // loads.cpp: loads and fields
void add_probes(const Table& root, Draft& draft);          // probes.cpp
void set_initial_motion(const Table& root, Draft& draft);  // initial_motion.cpp: velocities, perturbation

}  // namespace tendril::scene
