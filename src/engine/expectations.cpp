#include "engine/expectations.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/suggest.h"
#include "sim/metrics.h"

namespace tendril::engine {
namespace {

bool applies_to(const std::string& solver, const Table& line) {
  if (!line.has("solvers")) return true;
  const std::vector<std::string> solvers = line.texts("solvers");
  return solvers.empty() || std::find(solvers.begin(), solvers.end(), solver) != solvers.end();
}

ExpectedAt read_at(const Table& line) {
  if (line.is_number("at")) return ExpectedAt::time;
  const std::string at = line.text("at");
  return at == "max" ? ExpectedAt::max : at == "min" ? ExpectedAt::min : ExpectedAt::end;
}

}  // namespace

std::vector<Expected> read_expectations(const Table& root, const std::string& solver) {
  std::vector<Expected> result;
  const Table expect = root.table("expect");
  for (const std::string& column : expect.names()) {
    const Table line = expect.table(column);
    if (!applies_to(solver, line)) continue;
    Expected e;
    e.column = column;
    e.value = line.number("value");
    e.tolerance = line.number("tolerance");
    e.absolute = line.boolean("absolute");
    e.at = read_at(line);
    if (e.at == ExpectedAt::time) e.time = line.number("at");
    result.push_back(std::move(e));
  }
  return result;
}

void refuse_unknown_columns(const Table& root, const Model& model) {
  const Table expect = root.table("expect");
  const std::vector<std::string> columns = Metrics(model).columns();
  for (const std::string& column : expect.names())
    if (std::find(columns.begin(), columns.end(), column) == columns.end())
      expect.fail(column, fmt::format("metrics.csv has no such column; expected one of {}{}", listed_in_quotes(columns),
                                      suggestion(column, columns)));
}

}  // namespace tendril::engine
