#pragma once

#include <optional>
#include <vector>

#include "io/formats/abc_input.h"
#include "math/vec3.h"

namespace tendril::io {

// an object of an archive, and the transforms above it, the outermost first
struct PlacedObject {
  const AbcInput::Object* object = nullptr;
  std::vector<const AbcInput::Property*> transforms;
};

// all objects of a schema such as "AbcGeom_Curve_v2", in the file's order
std::vector<PlacedObject> find_objects(const AbcInput& input, const std::string& schema);

// their points at a time, in the world [m]; `points` is a property of three numbers a point
std::vector<Vec3d> points_at(const AbcInput& input, const PlacedObject& placed, const AbcInput::Property& points,
                             double time);

// the times of the samples of a property and of the transforms above it, which grow [s]
void add_times(const AbcInput& input, const PlacedObject& placed, const AbcInput::Property& points,
               std::vector<double>& times);

}  // namespace tendril::io
