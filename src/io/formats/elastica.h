#pragma once

#include <memory>

#include "io/formats/npz_values.h"
#include "io/strands.h"

namespace tendril::io {

// rods as scripts of PyElastica save them with numpy.savez:
//   position_collection (rods, moments, 3, nodes) or (moments, 3, nodes)     [m]
//   radius_collection   (rods, moments, elements or nodes), the same way     [m], may be absent
//   time                (moments)                                            [s], may be absent
Take elastica_take(std::shared_ptr<const NpzValues> in);

}  // namespace tendril::io
