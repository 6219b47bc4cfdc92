#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/union_find.h"
#include "scene/draft.h"
#include "scene/suggest.h"

namespace tendril::scene {
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
  PlaceFinder(const Table& table, std::string_view key, const DraftRod& rod, bool may_miss)
      : table_(table), key_(key), rod_(rod), may_miss_(may_miss) {}

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
      table_.fail(key_,
                  fmt::format("there is no vertex {}; the rod has the vertices 0 to {} (or -{} to -1 from its end)",
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
    else if (name == "roots")
      add_roots();
    else
      table_.fail(
          key_, fmt::format("\"{}\" is not a place; expected \"start\", \"end\", \"all\", \"roots\", a vertex number, "
                            "{{ fraction = 0.5 }}, {{ near = [x, y, z], radius = r }}, {{ low, high }} or "
                            "{{ part }}",
                            name));
  }

  // the first vertex of each connected component of the curve
  void add_roots() {
    UnionFind strands(count());
    for (const auto& [a, b] : rod_.curve.edges) strands.unite(a, b);
    for (int p = 0; p < count(); ++p)
      if (strands.find(p) == p) points.push_back(p);
  }

  void add_region(const toml::table& t) {
    if (const auto fraction = t["fraction"].value<double>()) {
      if (!(*fraction >= 0 && *fraction <= 1)) table_.fail(key_, "fraction must lie between 0 and 1");
      points.push_back(nearest_by_fraction(rod_, *fraction));
      return;
    }
    const auto part = t["part"].value<std::string>();
    const std::vector<int> among = part ? points_of_part(*part) : all_points();
    const toml::array *near = t["near"].as_array(), *low = t["low"].as_array(), *high = t["high"].as_array();
    if (low && high)
      add_box(among, read_point(*low), read_point(*high));
    else if (near)
      add_near(among, read_point(*near), t["radius"].value<double>());
    else if (part)
      points.insert(points.end(), among.begin(), among.end());
    else
      table_.fail(key_, "expected { fraction }, { near, radius }, { low, high } or { part }");
  }

  std::vector<int> all_points() const {
    std::vector<int> all(count());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  // the ends of all edges of a named part
  std::vector<int> points_of_part(const std::string& name) const {
    const auto& names = rod_.curve.part_names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      table_.fail(key_, names.empty()
                            ? "this rod has no named parts; generated curves have"
                            : fmt::format("the curve has no part \"{}\"; it has {}", name, listed_in_quotes(names)));
    std::vector<bool> belongs(count(), false);
    for (std::size_t e = 0; e < rod_.curve.edges.size(); ++e)
      if (rod_.curve.part[e] == found - names.begin())
        for (int p : rod_.curve.edges[e]) belongs[p] = true;
    std::vector<int> all = all_points();
    std::erase_if(all, [&](int p) { return !belongs[p]; });
    if (all.empty()) table_.fail(key_, fmt::format("this curve has no vertices in its part \"{}\"", name));
    return all;
  }

  void add_box(const std::vector<int>& among, const Vec3d& low, const Vec3d& high) {
    const std::size_t before = points.size();
    for (int p : among) {
      const Vec3d& x = rod_.curve.points[p];
      bool inside = true;
      for (int k = 0; k < 3; ++k) inside = inside && low[k] <= x[k] && x[k] <= high[k];
      if (inside) points.push_back(p);
    }
    if (points.size() == before && !may_miss_) table_.fail(key_, "no vertex of it lies in this box");
  }

  void add_near(const std::vector<int>& among, const Vec3d& center, std::optional<double> radius) {
    const auto& x = rod_.curve.points;
    int nearest = among[0];
    for (int p : among)
      if (norm(x[p] - center) < norm(x[nearest] - center)) nearest = p;
    const std::size_t before = points.size();
    if (!radius)
      points.push_back(nearest);
    else
      for (int p : among)
        if (norm(x[p] - center) <= *radius) points.push_back(p);
    if (points.size() == before && !may_miss_)
      table_.fail(key_, fmt::format("no vertex lies within {} m of that point; the nearest is vertex {}, {:.6g} m away",
                                    *radius, nearest, norm(x[nearest] - center)));
  }

  const Table& table_;
  std::string_view key_;
  const DraftRod& rod_;
  bool may_miss_;  // a region without vertices is no error
};

std::vector<int> points_at(const Table& table, std::string_view key, const DraftRod& rod, bool may_miss) {
  PlaceFinder finder(table, key, rod, may_miss);
  if (const toml::node* node = table.node(key)) finder.add(*node);
  // each point once, in the order in which it was first named
  std::vector<int> unique;
  std::vector<bool> seen(rod.curve.points.size(), false);
  for (int p : finder.points)
    if (!seen[p]) seen[p] = true, unique.push_back(p);
  return unique;
}

}  // namespace

std::vector<int> find_points(const Table& table, std::string_view key, const DraftRod& rod) {
  return points_at(table, key, rod, false);
}

std::vector<Place> find_places(const Draft& draft, const Table& table) {
  const std::vector<const DraftRod*> rods = find_rods(draft, table);
  std::vector<Place> places;
  for (const DraftRod* rod : rods)
    if (std::vector<int> points = points_at(table, "at", *rod, rods.size() > 1); !points.empty())
      places.push_back({rod, std::move(points)});
  if (places.empty() && rods.size() > 1) table.fail("at", "none of the copies has a vertex there");
  return places;
}

}  // namespace tendril::scene
