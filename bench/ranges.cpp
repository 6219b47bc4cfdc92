#include "ranges.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril::app {

void Range::add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

std::string Range::text() const { return fmt::format("{:.1e}/{:.1e}", high, low); }

Ranges ranges_of(const Model& model) {
  Ranges r;
  for (const Segment& s : model.segments) r.stretch.add(s.EA * s.rest_length);
  for (const Bend& b : model.bends) r.bend.add(4 * std::max({b.EI1, b.EI2, b.GJ}) / b.length);
  for (const Vertex& v : model.vertices) r.mass.add(v.mass);
  return r;
}

}  // namespace tendril::app
