#include "io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tendril::io {
namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  for (std::size_t from = 0;;) {
    const std::size_t comma = line.find(',', from);
    result.push_back(line.substr(from, comma == std::string::npos ? comma : comma - from));
    if (comma == std::string::npos) return result;
    from = comma + 1;
  }
}

}  // namespace

int CsvTable::find(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : int(found - names.begin());
}

CsvTable parse_csv(const std::string& text, const std::string& name) {
  CsvTable table;
  int number = 0;
  for (std::size_t from = 0;;) {
    const std::size_t end = text.find('\n', from);
    if (end == std::string::npos) return table;
    std::string line = text.substr(from, end - from);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    from = end + 1;
    const std::vector<std::string> row = cells(line);
    if (++number == 1) {
      table.names = row;
      table.columns.resize(row.size());
      continue;
    }
    if (row.size() != table.names.size())
      throw FileError(fmt::format("{}:{}: has {} cells, expected {}", name, number, row.size(), table.names.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      char* rest = nullptr;
      table.columns[c].push_back(std::strtod(row[c].c_str(), &rest));
      if (rest == row[c].c_str() || *rest != '\0')
        throw FileError(fmt::format("{}:{}: \"{}\" is not a number", name, number, row[c]));
    }
  }
}

CsvTable read_csv(const std::filesystem::path& path) {
  const std::vector<char> bytes = read_file(path);
  return parse_csv({bytes.begin(), bytes.end()}, path.string());
}

}  // namespace tendril::io
