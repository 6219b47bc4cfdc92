#include "io/formats/obj.h"

#include "io/formats/line_paths.h"
#include "io/moving_take.h"
#include "io/take_checks.h"

namespace tendril::io {
namespace {

Strands parse(const std::string& text) { return read_obj(bytes_of(text), "text").strands; }

using Paths = std::vector<std::vector<int>>;

TEST(obj, reads_strands_with_their_names) {
  const Strands strands = read_obj(sample("y.obj"), "y.obj").strands;
  EXPECT_EQ(paths_of(strands), (Paths{{0, 1, 2}, {2, 3}, {2, 4}}));
  EXPECT_EQ(strands.strands[0].name, "stem");
  EXPECT_EQ(strands.strands[2].name, "fork");
  EXPECT_EQ(strands.points, (std::vector<Vec3d>{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 3}, {-1, 0, 3}}));
}

TEST(obj, understands_the_ways_of_writing_it) {
  const Strands plain = parse("# a bow\nv 0 0 0\nv 1 0 0\r\nv 1 1 0 0.5 0.5 0.5\nv +2.5e0 1 0\nl 1 2 3 4");
  EXPECT_EQ(plain.points, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2.5, 1, 0}}));
  const Strands relative = parse("v 0 0 0\nv 1 0 0\nl -2 -1\nv 2 0 0\nv 3 0 0\nl -3/7 -2/8 \\\n  -1/9\n");
  EXPECT_EQ(paths_of(relative), (Paths{{1, 2, 3}, {0, 1}}));
  const Strands loop = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3 1\n");
  EXPECT_EQ(paths_of(loop), (Paths{{0, 1, 2}}));
  EXPECT_TRUE(loop.strands[0].closed);
  const Strands idle = parse("mtllib a.mtl\no thing\nv 9 9 9\nv 0 0 0\nvn 0 0 1\nv 8 8 8\nv 1 0 0\nf 1 2 3\nl 2 4\n");
  EXPECT_EQ(idle.points, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}}));
}

// mesh editors write one line per edge, in any order and direction
TEST(obj, joins_single_edges) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\n";
  EXPECT_EQ(paths_of(parse(points + "l 3 2\nl 1 2\nl 3 4\n")), (Paths{{0, 1, 2, 3}}));
  // not through a branch, not from one object into another, not into a longer line
  EXPECT_EQ(paths_of(parse(points + "l 1 2\nl 2 3\nl 2 4\n")), (Paths{{0, 1}, {1, 2}, {1, 3}}));
  EXPECT_EQ(paths_of(parse(points + "l 1 2\no b\nl 2 3\nl 3 4\n")), (Paths{{0, 1}, {1, 2, 3}}));
  EXPECT_EQ(paths_of(parse(points + "l 1 2\nl 2 3\nl 3 4 5\n")), (Paths{{2, 3, 4}, {0, 1, 2}}));
  const Strands ring = parse(points + "l 2 3\nl 3 1\nl 1 2\n");
  EXPECT_EQ(paths_of(ring), (Paths{{1, 2, 0}}));
  EXPECT_TRUE(ring.strands[0].closed);
}

// every edge is in one path, whatever the graph
TEST(line_paths, cover_every_edge_once) {
  // a theta with a tail, and a ring apart
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {0, 3}, {2, 3}, {0, 2}, {2, 4}, {5, 6}, {6, 7}, {7, 5}};
  std::vector<char> passable{false, true, false, true, false, true, true, true};
  std::size_t covered = 0;
  for (const LinePath& path : longest_paths(edges, passable)) {
    covered += path.points.size() - 1;
    for (std::size_t k = 1; k + 1 < path.points.size(); ++k) EXPECT_TRUE(passable[path.points[k]]);
  }
  EXPECT_EQ(covered, edges.size());
  EXPECT_EQ(longest_paths(edges, passable).size(), 5u);
}

TEST(obj, comes_back_to_the_last_bit) {
  Take take = at_moment(moving_take(), 1);
  take.strands.points[4] = {1.0 / 3, -1e-300, 1e300};
  const Take back = through(take, "x.obj");
  EXPECT_EQ(back.strands.points, take.strands.points);
  EXPECT_EQ(paths_of(back.strands), paths_of(take.strands));
  EXPECT_EQ(loops_of(back.strands), loops_of(take.strands));
  for (int s : {0, 1, 2}) EXPECT_EQ(back.strands.strands[s].name, take.strands.strands[s].name);
}

TEST(obj, refuses_what_is_wrong) {
  const std::string two = "v 0 0 0\nv 1 0 0\n";
  const std::pair<std::string, std::string> cases[] = {{"", "has no lines"},
                                                       {two, "has no lines"},
                                                       {"v 0 0\nl 1 1\n", "the file:1: `v` needs three"},
                                                       {two + "v 0 0 x\n", "the file:3: \"x\" is not a number"},
                                                       {"v 0 0 nan\n", "the file:1: \"nan\" is not finite"},
                                                       {"v 0 0 1e999\n", "\"1e999\" is not a number"},
                                                       {two + "l 1\n", "the file:3: `l` needs two points"},
                                                       {two + "l 1 3\n", "names point 3, there are 2"},
                                                       {two + "l 0 1\n", "names point 0"},
                                                       {two + "l -3 1\n", "names point -3"},
                                                       {two + "l 1 99999999999\n", "not a whole number"},
                                                       {two + "l 1 two\n", "\"two\" is not a whole number"},
                                                       {two + "l 2 2\n", "joins a point to itself"},
                                                       {"l 1 2\n" + two, "there are 0 points above it"},
                                                       {two + "l 1 \x01\xff\n", "\"??\" is not"}};
  for (const auto& [text, wanted] : cases) {
    SCOPED_TRACE(text);
    expect_refused(read_obj, bytes_of(text), wanted);
  }
}

}  // namespace
}  // namespace tendril::io
