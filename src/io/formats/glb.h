#pragma once

#include <filesystem>

#include "io/strands.h"

namespace tendril::io {

// glTF 2.0 in one binary file: a tube per strand, skinned to a joint per point that moves and turns with the material
// frames. Motion is stored joint by joint, so the take is read several times, a part of the joints at once, with no
// more than some 64 MB of it in memory.
void write_glb(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
