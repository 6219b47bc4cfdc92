#include "io/formats/obj.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/file.h"
#include "io/formats/checked.h"
#include "io/formats/line_paths.h"
#include "io/formats/words.h"
#include "io/streamed_file.h"

namespace tendril::io {
namespace {

// one `l` statement
struct Line {
  std::vector<int> points;
  int object = 0;  // which `o` or `g` it stands under
};

struct ObjLines {
  std::vector<Vec3d> points;
  std::vector<Line> lines;
  std::vector<std::string> objects{""};  // names
};

// "7", "7/2" (with a texture index) or "-1" (the point before this line), counted from 1
int point_index(const WordLines& in, std::string_view word, int point_count) {
  const int index = in.integer(word.substr(0, word.find('/')));
  const int point = index < 0 ? point_count + index : index - 1;
  if (index == 0 || point < 0 || point >= point_count)
    in.fail(fmt::format("`l` names point {}, there are {} points above it", index, point_count));
  return point;
}

Line take_line(const WordLines& in, int point_count, int object) {
  if (in.size() < 3) in.fail("`l` needs two points or more; is the file cut short?");
  Line line{{}, object};
  for (std::size_t k = 1; k < in.size(); ++k) {
    line.points.push_back(point_index(in, in[k], point_count));
    if (k > 1 && line.points[k - 1] == line.points[k - 2]) in.fail("`l` joins a point to itself");
  }
  return line;
}

ObjLines take_lines(WordLines in) {
  ObjLines obj;
  while (in.next()) {
    if (in[0] == "v") {
      if (in.size() < 4) in.fail("`v` needs three coordinates; is the file cut short?");
      obj.points.push_back({in.number(1), in.number(2), in.number(3)});
    } else if (in[0] == "l") {
      obj.lines.push_back(take_line(in, static_cast<int>(obj.points.size()), static_cast<int>(obj.objects.size()) - 1));
    } else if (in[0] == "o" || in[0] == "g") {
      obj.objects.push_back(clean_text(in.from(1)));
    }
  }
  return obj;
}

// keeps the points that lines use, in their order
void drop_idle_points(ObjLines& obj) {
  std::vector<int> place(obj.points.size(), -1);
  for (const Line& line : obj.lines)
    for (const int i : line.points) place[i] = 0;
  int count = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    obj.points[count] = obj.points[i];
    place[i] = count++;
  }
  obj.points.resize(count);
  for (Line& line : obj.lines)
    for (int& i : line.points) i = place[i];
}

// lines of one edge become paths through points where two such lines of one object, and nothing else, meet
std::vector<Line> join_single_edges(const ObjLines& obj) {
  std::vector<Line> joined;
  std::vector<Edge> edges;
  std::vector<int> degree(obj.points.size(), 0), object_at(obj.points.size(), -1), object_of_edge;
  for (const Line& line : obj.lines) {
    const bool single = line.points.size() == 2;
    if (single) {
      edges.push_back({line.points[0], line.points[1]});
      object_of_edge.push_back(line.object);
    } else {
      joined.push_back(line);
    }
    for (const int i : line.points) {
      const bool fits = single && (degree[i] == 0 || object_at[i] == line.object);
      object_at[i] = fits ? line.object : -1;
      degree[i] += fits ? 1 : 2;  // anything else at a point makes it an end
    }
  }
  std::vector<char> passable(obj.points.size());
  for (std::size_t i = 0; i < passable.size(); ++i) passable[i] = degree[i] == 2 && object_at[i] >= 0;
  for (const LinePath& path : longest_paths(edges, passable))
    joined.push_back({path.points, object_of_edge[path.first_edge]});
  return joined;
}

// names end with their line and cannot hold the start of a comment
std::string object_name(const std::string& name) {
  std::string text = clean_text(name);
  std::replace(text.begin(), text.end(), '#', '?');
  return text;
}

}  // namespace

Take read_obj(std::span<const char> bytes, const std::string& name) {
  ObjLines obj = take_lines(WordLines(bytes, name, WordLines::Joined::by_backslash));
  if (obj.lines.empty()) throw FileError(name + ": the file has no lines: it needs `v` and `l` statements");
  drop_idle_points(obj);
  Strands strands;
  for (Line& line : join_single_edges(obj)) {
    Strand strand;
    strand.closed = line.points.size() > 3 && line.points.front() == line.points.back();
    if (strand.closed) line.points.pop_back();
    strand.points = std::move(line.points);
    strand.name = obj.objects[line.object];
    strands.strands.push_back(std::move(strand));
  }
  strands.points = std::move(obj.points);
  return still_take(std::move(strands), name);
}

void write_obj(const Take& take, const std::filesystem::path& path) {
  StreamedFile out(path);
  if (!take.title.empty()) out.write("# " + clean_text(take.title) + "\n");
  for (const Vec3d& x : take.strands.points) out.write(fmt::format("v {:.17g} {:.17g} {:.17g}\n", x.x, x.y, x.z));
  std::string object;
  for (const Strand& strand : take.strands.strands) {
    if (strand.name != object) out.write(fmt::format("o {}\n", object_name(object = strand.name)));
    out.write("l");
    for (const int i : strand.points) out.write(fmt::format(" {}", i + 1));
    if (strand.closed) out.write(fmt::format(" {}", strand.points.front() + 1));
    out.write("\n");
  }
  out.finish();
}

}  // namespace tendril::io
