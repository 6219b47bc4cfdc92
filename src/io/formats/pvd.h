#pragma once

#include <filesystem>
#include <span>

#include "io/strands.h"

namespace tendril::io {

// ParaView's list of moments: NAME.pvd, with NAME_0000.vtp, NAME_0001.vtp … beside it
void write_pvd(const Take& take, const std::filesystem::path& path);

// the same in pieces, for a run that goes on: the file of one moment, and the list of the first `times.size()`
std::filesystem::path vtp_of_moment(const std::filesystem::path& pvd, int moment);
void write_pvd_list(std::span<const double> times, const std::filesystem::path& pvd);

}  // namespace tendril::io
