#pragma once

#include <filesystem>

#include "take_of_run.h"

namespace tendril::app {

// what a path holds, by itself and not by what it is to become
enum class SourceKind { run, scene, rods };
SourceKind kind_of(const std::filesystem::path& path);  // throws FileError when there is nothing

// the rods in a run folder, a scene file (at its start) or a file of rods
Take read_source(const std::filesystem::path& path, Follow follow = Follow::segments);

}  // namespace tendril::app
