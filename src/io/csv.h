#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/file.h"

namespace tendril::io {

// a table of numbers with named columns
struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // as many as names, all of one length

  int find(const std::string& name) const;  // -1 when there is none
  std::size_t row_count() const { return columns.empty() ? 0 : columns[0].size(); }
};

// Reads a header line and rows of numbers. A last line without its end of line was cut off by a kill and is left out;
// any other row that does not fit is a FileError.
CsvTable parse_csv(const std::string& text, const std::string& name);
CsvTable read_csv(const std::filesystem::path& path);

}  // namespace tendril::io
