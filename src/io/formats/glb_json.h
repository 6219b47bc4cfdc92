#pragma once

#include "io/formats/glb_plan.h"
#include "io/streamed_file.h"

namespace tendril::io {

// the JSON of a .glb file, which says what its binary chunk holds
void write_glb_json(const GlbPlan& plan, StreamedFile& out);

}  // namespace tendril::io
