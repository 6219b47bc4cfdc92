#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tendril {

// a line per column against the column `time`, drawn by gnuplot; PNG or SVG by the extension of `out`.
// Throws std::invalid_argument for a column or an extension that there is not, std::runtime_error when files cannot be
// read or written or gnuplot is missing
void plot_csv(const std::filesystem::path& csv, const std::vector<std::string>& columns,
              const std::filesystem::path& out, const std::string& title);

}  // namespace tendril
