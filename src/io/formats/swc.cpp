#include "io/formats/swc.h"

#include <fmt/format.h>

#include <unordered_map>

#include "io/file.h"
#include "io/formats/checked.h"
#include "io/formats/words.h"

// one point per line: id type x y z radius parent; a root has the parent -1

namespace tendril::io {
namespace {

struct Node {
  Vec3d x;
  double radius = 0;
  int id = 0, parent = 0;  // as the file numbers them
  int line = 0;
};

std::vector<Node> take_nodes(WordLines in) {
  std::vector<Node> nodes;
  while (in.next()) {
    if (in.size() < 7)
      in.fail(fmt::format("has {} columns, not id, type, x, y, z, radius, parent; is the file cut short?", in.size()));
    Node node{
        {in.number(2), in.number(3), in.number(4)}, in.number(5), in.integer(in[0]), in.integer(in[6]), in.line()};
    if (node.radius < 0) in.fail("the radius is negative");
    if (node.id < 0) in.fail("an id cannot be negative");
    nodes.push_back(node);
  }
  return nodes;
}

// where each node's parent stands among the nodes; -1 for a root
std::vector<int> parents(const std::vector<Node>& nodes, const std::string& file) {
  std::unordered_map<int, int> place;
  for (int k = 0; k < static_cast<int>(nodes.size()); ++k)
    if (const auto [other, is_new] = place.try_emplace(nodes[k].id, k); !is_new)
      throw FileError(fmt::format("{}:{}: the id {} stands in line {} already", file, nodes[k].line, nodes[k].id,
                                  nodes[other->second].line));
  std::vector<int> parent;
  for (const Node& node : nodes) {
    const auto found = place.find(node.parent);
    if (node.parent >= 0 && found == place.end())
      throw FileError(fmt::format("{}:{}: there is no point with the id {}", file, node.line, node.parent));
    parent.push_back(node.parent < 0 ? -1 : found->second);
  }
  return parent;
}

// from each child of a root or branch on to the next branch or tip
std::vector<Strand> branches(const std::vector<int>& parent) {
  const int count = static_cast<int>(parent.size());
  std::vector<int> children(count, 0), only_child(count, -1);
  for (int k = 0; k < count; ++k)
    if (parent[k] >= 0) ++children[parent[k]], only_child[parent[k]] = k;
  std::vector<Strand> strands;
  for (int k = 0; k < count; ++k) {
    const int start = parent[k];
    if (start < 0 || (children[start] == 1 && parent[start] >= 0)) continue;
    Strand strand;
    strand.points = {start, k};
    for (int i = k; children[i] == 1; i = only_child[i]) strand.points.push_back(only_child[i]);
    strands.push_back(std::move(strand));
  }
  return strands;
}

// every way up must end at a root
void refuse_cycles(const std::vector<Node>& nodes, const std::vector<int>& parent, const std::string& file) {
  std::vector<int> passed_by(nodes.size(), -1);  // the node whose way up came here first
  for (int k = 0; k < static_cast<int>(nodes.size()); ++k) {
    int i = k;
    for (; i >= 0 && passed_by[i] < 0; i = parent[i]) passed_by[i] = k;
    if (i >= 0 && passed_by[i] == k)
      throw FileError(fmt::format("{}:{}: point {} is its own ancestor: one of them must have the parent -1", file,
                                  nodes[i].line, nodes[i].id));
  }
}

}  // namespace

Take read_swc(std::span<const char> bytes, const std::string& name) {
  const std::vector<Node> nodes = take_nodes(WordLines(bytes, name));
  const std::vector<int> parent = parents(nodes, name);
  refuse_cycles(nodes, parent, name);
  Strands strands;
  strands.strands = branches(parent);
  if (strands.strands.empty()) throw FileError(name + ": the file has no two points that are joined");

  // a root alone belongs to no strand and is left out
  std::vector<int> place(nodes.size(), -1);
  for (const Strand& strand : strands.strands)
    for (const int i : strand.points) place[i] = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (place[k] < 0) continue;
    place[k] = static_cast<int>(strands.points.size());
    strands.points.push_back(nodes[k].x);
    strands.radius.push_back(nodes[k].radius);
  }
  for (Strand& strand : strands.strands)
    for (int& i : strand.points) i = place[i];
  return still_take(std::move(strands), name);
}

}  // namespace tendril::io
