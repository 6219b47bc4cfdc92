#include <limits>
#include <string>

#include "scene/curve_checks.h"
#include "scene/gap_checks.h"
#include "scene/generators/knit.h"
#include "scene/generators/letters.h"

namespace tendril::scene {
namespace {

constexpr double radius = 0.001;

double gap_in_radii(const Curve& curve) { return smallest_gap(tubes_of(curve, radius), 2 * radius).size / radius; }

KnitOptions patch(int rows, int columns) {
  KnitOptions o;
  o.rows = rows;
  o.columns = columns;
  return o;
}

// how the second of two strands crosses the first on its way to the right, seen from the face: 'o' over it, 'u' under
// it
std::string crossings(const KnitOptions& o) {
  const Curve curve = knit_curve(o);
  const int all = static_cast<int>(curve.edges.size());
  int first = 1;  // edges of the first strand
  while (curve.edges[first][0] == curve.edges[first - 1][1]) ++first;
  const Vec3d right = o.along, up = o.up, face = cross(right, up);
  std::vector<std::pair<double, char>> met;
  for (int i = first; i < all; ++i)
    for (int j = 0; j < first; ++j) {
      const Vec3d a = curve.points[curve.edges[i][0]], c = curve.points[curve.edges[j][0]];
      const Vec3d u = curve.points[curve.edges[i][1]] - a, v = curve.points[curve.edges[j][1]] - c, w = c - a;
      const auto area = [&](const Vec3d& m, const Vec3d& n) {
        return dot(m, right) * dot(n, up) - dot(m, up) * dot(n, right);
      };
      const double s = area(w, v) / area(u, v), t = area(w, u) / area(u, v);
      if (s >= 0 && s < 1 && t >= 0 && t < 1) met.push_back({i + s, dot(a + s * u - c - t * v, face) > 0 ? 'o' : 'u'});
    }
  std::sort(met.begin(), met.end());
  std::string word;
  for (const auto& [where, letter] : met) word += letter;
  return word;
}

// a loop comes from behind its neighbour below, goes over its head, and back the same way: under, over, over, under
TEST(Knit, EachLoopIsPulledThroughTheOneBelow) {
  KnitOptions o = patch(2, 5);
  EXPECT_EQ(crossings(o), "uoouuoouuoouuoouuoou");
  o.along = {0, 1, 0};
  o.up = {1, 0, 0};
  o.stitch_segments = 60;
  EXPECT_EQ(crossings(o), "uoouuoouuoouuoouuoou");
}

// in through one loop and out through the next: over its left leg and under its right one, then the other way round
TEST(Knit, AThreadGoesThroughEveryLoop) {
  KnitOptions o = patch(1, 5);
  o.threaded = "top";
  EXPECT_EQ(crossings(o), "ouuoouuoou");
}

TEST(Knit, YarnsKeepApartAtEveryResolution) {
  for (int segments : {18, 19, 20, 21, 23, 27, 32, 50}) {
    KnitOptions o = patch(4, 6);
    o.stitch_segments = segments;
    EXPECT_GT(gap_in_radii(knit_curve(o)), 0.2) << segments << " rows";
    o.yarns = 1;
    EXPECT_GT(gap_in_radii(knit_curve(o)), 0.2) << segments << " one yarn";
    o.yarns = 2;
    o.threaded = "both";
    EXPECT_GT(gap_in_radii(knit_curve(o)), 0.2) << segments << " threaded";
  }
  // fine cuts come near the loop that was sought: 2.6 radii between centre lines
  KnitOptions fine = patch(3, 4);
  fine.stitch_segments = 200;
  EXPECT_NEAR(gap_in_radii(knit_curve(fine)), 0.6, 0.02);
}

TEST(Knit, ATightGeometryIsNotRefusedHere) {
  KnitOptions o = patch(3, 4);
  o.loop_depth = 1;
  EXPECT_LT(gap_in_radii(knit_curve(o)), 0);
}

TEST(Knit, RowsAreYarnsOrShareOne) {
  KnitOptions o = patch(6, 5);
  Curve rows = knit_curve(o);
  expect_sound(rows);
  EXPECT_EQ(component_count(rows), 6);
  EXPECT_EQ(rows.edges.size(), 6u * 5 * 20);
  EXPECT_EQ(rows.points.size() - rows.edges.size(), 6u);

  o.yarns = 2;
  EXPECT_EQ(component_count(knit_curve(o)), 2);
  o.threaded = "top";
  EXPECT_EQ(component_count(knit_curve(o)), 3);
  o.yarns = 1;
  o.threaded = "none";
  const Curve one = knit_curve(o);
  expect_sound(one);
  EXPECT_TRUE(one.chain);
  EXPECT_EQ(one.tangents.size(), one.points.size());
  const auto [low, high] = edge_range(one);
  EXPECT_GT(low / high, 0.9);  // no jump between the rows
}

// neighbouring edges of a yarn turn gently everywhere, where it changes rows too
TEST(Knit, YarnsAreSmooth) {
  KnitOptions o = patch(5, 4);
  o.yarns = 1;
  o.stitch_segments = 100;
  const Curve c = knit_curve(o);
  const double h = edge_length(c, 0);
  for (size_t i = 1; i < c.tangents.size(); ++i)
    ASSERT_LT(norm(c.tangents[i] - c.tangents[i - 1]) / h, 0.5 / radius) << i;  // radius of curvature: 2 radii
}

TEST(Knit, HasItsMeasures) {
  KnitOptions o = patch(7, 9);
  o.stitch_segments = 100;
  o.center = {1, 2, 3};
  const Curve c = knit_curve(o);
  Vec3d low = c.points[0], high = low;
  for (const Vec3d& x : c.points)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  EXPECT_NEAR(high.x - low.x, 9 * 10.5 * radius, 1e-12);
  EXPECT_NEAR(high.z - low.z, (6 * 8.3 + 13.4) * radius, 1e-4 * radius);
  EXPECT_NEAR(high.y - low.y, 3.6 * radius, 1e-2 * radius);
  EXPECT_NEAR(norm(0.5 * (low + high) - o.center), 0, 1e-2 * radius);
}

TEST(Knit, ATubeHasClosedRows) {
  KnitOptions o = patch(4, 16);
  o.closed = true;
  o.threaded = "both";
  const Curve tube = knit_curve(o);
  expect_sound(tube);
  EXPECT_EQ(tube.points.size(), tube.edges.size());
  EXPECT_EQ(component_count(tube), 6);
  EXPECT_EQ(loop_count(tube), 6);
  EXPECT_GT(gap_in_radii(tube), 0.2);
  const auto [low, high] = edge_range(tube);
  EXPECT_GT(low / high, 0.9);
  const double middle = 16 * 10.5 * radius / (2 * std::numbers::pi);
  for (const Vec3d& x : tube.points) ASSERT_NEAR(std::hypot(x.x, x.y), middle, 5.5 * radius);
}

// Table 1 [hsu2025]
TEST(Knit, HasTheCountsOfThePaper) {
  KnitOptions twist = patch(40, 78);
  twist.yarns = 2;
  twist.threaded = "both";
  twist.segments = 65'061;
  const Curve cloth = knit_curve(twist);
  EXPECT_EQ(cloth.edges.size(), 65'061u);
  EXPECT_EQ(cloth.points.size(), 65'065u);
  EXPECT_EQ(component_count(cloth), 4);

  KnitOptions letters;
  letters.letters = "TENDRIL";
  letters.threaded = "top";
  letters.pixel = {6, 12};
  letters.segments = 255'593;
  const Curve word = knit_curve(letters);
  EXPECT_EQ(word.edges.size(), 255'593u);
  EXPECT_EQ(word.points.size(), 255'607u);
  EXPECT_EQ(component_count(word), 14);
}

TEST(Knit, LettersKeepApart) {
  KnitOptions o;
  o.threaded = "top";
  for (const char* text : {"ABCDEFGHI", "JKLMNOPQR", "STUVW XYZ"}) {
    o.letters = text;
    const Curve c = knit_curve(o);
    expect_sound(c);
    EXPECT_GT(gap_in_radii(c), 0.2) << text;
  }
}

// every run of pixels but those of the lowest row stands on a run below it, or hangs on one above
TEST(Knit, EveryLetterIsInOnePiece) {
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    const Glyph& glyph = *find_glyph(letter);
    std::vector<std::pair<int, PixelRun>> reached{{0, glyph.rows[0][0]}};
    const auto knows = [&](int row, const PixelRun& run) {
      return std::any_of(reached.begin(), reached.end(),
                         [&](const auto& r) { return r.first == row && r.second.first == run.first; });
    };
    int total = 0;
    for (const auto& row : glyph.rows) total += static_cast<int>(row.size());
    for (size_t k = 0; k < reached.size(); ++k)
      for (const int row : {reached[k].first - 1, reached[k].first + 1}) {
        if (row < 0 || row >= glyph_rows) continue;
        const PixelRun from = reached[k].second;
        for (const PixelRun& run : glyph.rows[row])
          if (run.first < from.first + from.count && from.first < run.first + run.count && !knows(row, run))
            reached.push_back({row, run});
      }
    EXPECT_EQ(static_cast<int>(reached.size()), total) << letter;
  }
}

TEST(Knit, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const char* key, auto change) {
    KnitOptions o = patch(4, 5);
    change(o);
    expect_refused(key, [&] { knit_curve(o); });
  };
  refused("rows", [](auto& o) { o.rows = 0; });
  refused("columns", [](auto& o) { o.columns = 0; });
  refused("columns", [](auto& o) { o.columns = 2, o.closed = true; });
  refused("yarns", [](auto& o) { o.yarns = 5; });
  refused("yarns", [](auto& o) { o.yarns = 2, o.closed = true; });
  refused("yarns", [](auto& o) { o.yarns = 2, o.letters = "A"; });
  refused("letters", [](auto& o) { o.letters = "A", o.closed = true; });
  refused("letters", [](auto& o) { o.letters = "knit"; });
  refused("letters", [](auto& o) { o.letters = "  "; });
  refused("pixel_rows", [](auto& o) { o.letters = "A", o.pixel.rows = 3; });
  refused("pixel_columns", [](auto& o) { o.letters = "A", o.pixel.columns = 1; });
  refused("threaded", [](auto& o) { o.closed = true, o.threaded = "top"; });
  refused("yarn_radius", [](auto& o) { o.yarn_radius = 0; });
  refused("stitch_width", [&](auto& o) { o.stitch_width = nan; });
  refused("loop_depth", [](auto& o) { o.loop_depth = -1; });
  refused("along", [](auto& o) { o.along = o.up; });
  refused("up", [](auto& o) { o.up = {}; });
  refused("center", [&](auto& o) { o.center.x = nan; });
  refused("stitch_segments", [](auto& o) { o.stitch_segments = 7; });
  refused("", [](auto& o) { o.segments = 5; });
}

}  // namespace
}  // namespace tendril::scene
