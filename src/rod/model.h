#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rod/motion.h"
#include "rod/shape.h"
#include "rod/state.h"

namespace tendril::rod {

struct Vertex {
  double mass = 0;    // half of each adjacent segment's [kg]
  double radius = 0;  // of the collision tube [m]
};

struct Segment {
  int vertex[2] = {0, 0};
  double rest_length = 0;         // [m]
  double EA = 0, GA = 0;          // stretching and shearing stiffness [N]
  double EI1 = 0, EI2 = 0;        // bending stiffness about d1, d2 [N m²]
  double GJ = 0;                  // twisting stiffness [N m²]
  double linear_density = 0;      // [kg/m]
  Vec3d linear_inertia;           // rotational inertia per length about d1, d2, d3 [kg m]
  double radius = 0;              // [m]
  double damping = 0;             // force -c m v, torque -c I omega [1/s]
  double internal_damping = 0;    // stress per strain rate over stiffness [s]
  double strain_limit = forever;  // tensile strain at which it breaks [-]
  double friction = -1;           // Coulomb coefficient, negative when unset
  int rod = 0;                    // the rod it belongs to
};

// the frame of a segment or of a body
struct FrameId {
  int index = 0;
  bool is_body = false;
  bool operator==(const FrameId&) const = default;
};

// an elastic joint of two frames: strain kappa = log(q̄_a q_b turn) / l, energy l/2 (kappa - kappa0)ᵀ diag(EI1, EI2, GJ)
// (kappa - kappa0)
struct Bend {
  FrameId a, b;
  Quatd rest;         // q̄_a q_b turn without load
  Quatd turn;         // fixed turn of b's frame: joints at a large angle measure a small rotation, q̄_a q_b turn
  double length = 0;  // Voronoi length l [m]
  double EI1 = 0, EI2 = 0, GJ = 0;  // [N m²]
  double internal_damping = 0;      // [s]
  int hold = -1;                    // the hold it comes from, -1: permanent

  bool holds_an_axis() const { return GJ == 0 && (a.is_body || b.is_body); }  // the spin about it is free
};

enum class BodyKind { kinematic, dynamic };

// a rigid frame: kinematic as a clamp, a driven end or an obstacle; dynamic as a bob
struct Body {
  std::string name;
  BodyKind kind = BodyKind::kinematic;
  double mass = 0;  // [kg]
  Vec3d inertia;    // principal, in the body's frame [kg m²]
  Shape shape;
  double friction = -1;  // negative when unset
  bool is_obstacle = false;
  std::vector<Motion> motions;  // of a kinematic body, applied in this order
  int hold = -1;                // the hold it comes from, -1: permanent
};

// a vertex that follows a body: x = x_body + R_body offset along the held world axes
struct Tie {
  int vertex = 0;
  int body = 0;
  Vec3d offset;                       // in the body's frame [m]
  bool held[3] = {true, true, true};  // world axes x, y, z; always all for a dynamic body
  int hold = -1;                      // the hold it comes from, -1: permanent
};

// when the rows of the tables above that name it exist
struct Hold {
  double from = 0, until = forever;  // [s]
  std::vector<int> replaced_bends;   // bends through a held section: absent while its half bends stand in for them
};

enum class LoadTarget { vertex, segment_line, body };

struct Load {
  LoadTarget target = LoadTarget::vertex;
  std::vector<int> indices;  // vertices, segments (per_length) or bodies
  Vec3d force;               // [N]; for segment_line [N/m]
  Vec3d moment;              // [N m]; on a vertex it is shared by its segments
  bool in_material_frame = false;
  double from = 0, until = forever;  // [s]
  double ramp = 0;                   // seconds from zero to the full value [s]
  Keys factor_keys;                  // factor (x component) over time
};

enum class FieldKind { wind, drag };

// air (or another medium) around all segments
struct Field {
  FieldKind kind = FieldKind::wind;
  Vec3d velocity;              // of the wind [m/s]
  double gust_amplitude = 0;   // [m/s]
  double gust_frequency = 0;   // [Hz]
  double gust_scale = 1;       // size of a gust in space [m]
  Keys factor_keys;            // on the velocity, over time
  double drag = 1.2;           // drag coefficient of a cylinder across the wind [-]
  double air_density = 1.225;  // [kg/m³]
  double coefficient = 0;      // "drag": force per length and velocity [N s/m²]
};

// a rod is a name over some vertices and a range of segments
struct Rod {
  std::string name;
  std::vector<int> vertices;  // in order along a chain; welded vertices are shared with other rods
  int first_segment = 0, segment_count = 0;
  bool closed = false;
  Vec3d color{0.7, 0.7, 0.7};  // linear RGB in [0, 1]
};

struct Probe {
  std::string name;
  int vertex = -1;         // of a rod, or
  int body = -1;           // a body
  int segment = -1;        // of the rod, next to the vertex
  int other_segment = -1;  // the one on the other side of the vertex; at an end the next one inwards; -1: none
  bool at_end = false;  // the vertex is an end: its frame is extrapolated, otherwise it lies half-way between the two
};

// everything that does not move, constant during a step
struct Model {
  std::vector<Vertex> vertices;
  std::vector<Segment> segments;
  std::vector<Bend> bends;
  std::vector<Body> bodies;
  std::vector<Tie> ties;
  std::vector<Hold> holds;
  std::vector<Load> loads;
  std::vector<Field> fields;
  std::vector<Rod> rods;
  std::vector<Probe> probes;
  Vec3d gravity{0, 0, -9.81};  // [m/s²]
};

}  // namespace tendril::rod
