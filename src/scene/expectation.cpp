#include "scene/expectation.h"

#include <algorithm>
#include <cmath>

namespace tendril {

bool Expectation::applies_to(const std::string& solver) const {
  return solvers.empty() || std::find(solvers.begin(), solvers.end(), solver) != solvers.end();
}

bool Expectation::is_met_by(double measured) const {
  return std::abs(measured - value) <= (absolute ? tolerance : tolerance * std::abs(value));
}

std::vector<Expectation> read_expectations(const Table& root) {
  std::vector<Expectation> result;
  const Table expect = root.table("expect");
  for (const std::string& column : expect.names()) {
    const Table t = expect.table(column);
    Expectation e;
    e.column = column;
    e.value = t.number("value");
    e.tolerance = t.number("tolerance");
    e.absolute = t.boolean("absolute");
    e.at = t.is_text("at") ? t.text("at") : "time";
    if (t.is_number("at")) e.time = t.number("at");
    if (t.has("solvers")) e.solvers = t.texts("solvers");
    result.push_back(std::move(e));
  }
  return result;
}

}  // namespace tendril
