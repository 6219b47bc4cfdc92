#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scene/draft.h"

namespace tendril {
namespace {

int nearest_by_fraction(const DraftRod& rod, double fraction) {
  const auto distance = [&](int p) {
    const double way = std::abs(rod.fraction[p] - fraction);
    return rod.curve.closed ? std::min(way, 1 - way) : way;
  };
  int best = 0;
  for (int p = 1; p < int(rod.fraction.size()); ++p)
    if (distance(p) < distance(best) - 1e-12) best = p;
  return best;
}

Vec3d read_point(const toml::array& a) {
  return {a[0].value<double>().value_or(0), a[1].value<double>().value_or(0), a[2].value<double>().value_or(0)};
}

class PlaceFinder {
 public:
  PlaceFinder(const Table& table, std::string_view key, const DraftRod& rod) : table_(table), key_(key), rod_(rod) {}

  void add(const toml::node& node) {
    if (const auto* list = node.as_array())
      for (const toml::node& entry : *list) add(entry);
    else if (node.is_integer())
      add_number(*node.value<std::int64_t>());
    else if (node.is_string())
      add_name(*node.value<std::string>());
    else if (const auto* t = node.as_table())
      add_region(*t);
  }
  std::vector<int> points;

 private:
  int count() const { return int(rod_.curve.points.size()); }

  void add_number(std::int64_t number) {
    const std::int64_t point = number < 0 ? count() + number : number;
    if (point < 0 || point >= count())
      table_.fail(key_, fmt::format("there is no vertex {}; the rod has the vertices 0 to {} (or -{} to -1 from its end)",
                                    number, count() - 1, count()));
    points.push_back(int(point));
  }

  void add_name(const std::string& name) {
    if (name == "start")
      points.push_back(0);
    else if (name == "end")
      points.push_back(rod_.curve.closed ? 0 : count() - 1);
    else if (name == "all")
      for (int p = 0; p < count(); ++p) points.push_back(p);
    else
      table_.fail(key_, fmt::format("\"{}\" is not a place; expected \"start\", \"end\", \"all\", a vertex number, "
                                    "{{ fraction = 0.5 }} or {{ near = [x, y, z], radius = r }}", name));
  }

  void add_region(const toml::table& t) {
    if (const auto fraction = t["fraction"].value<double>()) {
      if (!(*fraction >= 0 && *fraction <= 1)) table_.fail(key_, "fraction must lie between 0 and 1");
      points.push_back(nearest_by_fraction(rod_, *fraction));
      return;
    }
    const auto* near = t["near"].as_array();
    if (!near || near->size() != 3)
      table_.fail(key_, "expected { fraction = 0.5 } or { near = [x, y, z], radius = r }");
    add_near(read_point(*near), t["radius"].value<double>());
  }

  void add_near(const Vec3d& center, std::optional<double> radius) {
    const auto& x = rod_.curve.points;
    int nearest = 0;
    for (int p = 0; p < count(); ++p)
      if (norm(x[p] - center) < norm(x[nearest] - center)) nearest = p;
    const std::size_t before = points.size();
    if (!radius)
      points.push_back(nearest);
    else
      for (int p = 0; p < count(); ++p)
        if (norm(x[p] - center) <= *radius) points.push_back(p);
    if (points.size() == before)
      table_.fail(key_, fmt::format("no vertex lies within {} m of that point; the nearest is vertex {}, {:.6g} m away", *radius,
                                    nearest, norm(x[nearest] - center)));
  }

  const Table& table_;
  std::string_view key_;
  const DraftRod& rod_;
};

}  // namespace

std::vector<int> find_points(const Table& table, std::string_view key, const DraftRod& rod) {
  PlaceFinder finder(table, key, rod);
  if (const toml::node* node = table.node(key)) finder.add(*node);
  // each point once, in the order in which it was first named
  std::vector<int> unique;
  std::vector<bool> seen(rod.curve.points.size(), false);
  for (int p : finder.points)
    if (!seen[p]) seen[p] = true, unique.push_back(p);
  return unique;
}

}  // namespace tendril
