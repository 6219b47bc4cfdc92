#pragma once

#include <filesystem>

#include "layers.h"

namespace tendril::io {

// throws ResourceError where no file of this name can be made, so that long work does not begin in vain
void refuse_unwritable(const std::filesystem::path& file);

}  // namespace tendril::io
