#include "session/drawing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "render/bounds.h"
#include "render/chains.h"
#include "render/picture.h"
#include "scene/segment_colors.h"

namespace tendril::session {
namespace {

// plain values in the order of the machine, which is little-endian
class Message {
 public:
  template <class T>
  void put(T value) {
    const std::size_t end = bytes_.size();
    bytes_.resize(end + sizeof(T));
    std::memcpy(bytes_.data() + end, &value, sizeof(T));
  }
  void put(const Vec3d& x) {
    for (const double part : {x.x, x.y, x.z}) put(float(part));
  }
  void fill() { bytes_.resize((bytes_.size() + 3) / 4 * 4); }  // with zeros, to a multiple of 4
  void reserve(std::size_t size) { bytes_.reserve(size); }
  std::vector<char> take() { return std::move(bytes_); }

 private:
  std::vector<char> bytes_;
};

struct Header {
  std::uint32_t magic = 0x4c444e54;  // "TNDL"
  std::uint16_t version = 1;
  std::uint8_t kind = 0, side = 0;
  std::uint32_t layout = 0, sequence = 0;
  double time = 0;
  std::uint32_t points = 0, segments = 0, bodies = 0;
  std::uint32_t color_or_mesh_vertices = 0;
  float limit = 0;  // of a layout: the number of triangles, as bits
  std::uint32_t flags = 0, frame = 0;
  std::uint32_t unused[3] = {};
};
static_assert(sizeof(Header) == 64);

enum : std::uint32_t { has_colors = 1, has_stripes = 2, has_broken = 4 };

std::uint8_t byte_of(float value, float limit) {
  return std::uint8_t(std::lround(255 * std::clamp(limit > 0 ? value / limit : 0.0f, 0.0f, 1.0f)));
}

}  // namespace

Drawing::Drawing(const LoadedScene& scene, std::uint32_t number) : number_(number), followers_(scene.baked.followers) {
  const BakedScene& baked = scene.baked;
  all_ = with_followers(baked.model, followers_, baked.state);
  const State state = followers_.empty() ? baked.state : with_followers(followers_, all_, baked.state);
  find_bounds(state);
  find_neighbours(state);
  find_colors(scene.scene);
  number_meshes();
}

int Drawing::segment_of(int drawn) const {
  const int own = int(all_.model.segments.size() - all_.guide.size());
  if (drawn < 0 || drawn >= int(all_.model.segments.size())) throw std::out_of_range("there is no such segment");
  return drawn < own ? drawn : all_.guide[drawn - own];
}

// The origin is zero where single precision is enough for that: to a millionth of the scene's size.
void Drawing::find_bounds(const State& state) {
  bounds_ = bounds_of(all_.model, {&state, 1});
  const Vec3d middle = 0.5 * (bounds_.low + bounds_.high);
  origin_ = norm(middle) > 16 * norm(bounds_.high - bounds_.low) ? middle : Vec3d{};
}

void Drawing::find_neighbours(const State& state) {
  const Chains chains = find_chains(all_.model, state);
  neighbours_.assign(2 * all_.model.segments.size(), -1);
  strands_.assign(all_.model.rods.size(), 0);
  for (const Chains::Chain& chain : chains.chains) {
    const int* segments = &chains.segments[chain.first];
    ++strands_[all_.model.segments[segments[0]].rod];
    for (int k = 0; k < chain.count; ++k) {
      const int before = k > 0 ? segments[k - 1] : chain.closed ? segments[chain.count - 1] : -1;
      const int after = k + 1 < chain.count ? segments[k + 1] : chain.closed ? segments[0] : -1;
      const bool is_entered_at_end = all_.model.segments[segments[k]].vertex[0] != chains.from[chain.first + k];
      neighbours_[2 * segments[k]] = is_entered_at_end ? after : before;
      neighbours_[2 * segments[k] + 1] = is_entered_at_end ? before : after;
    }
  }
}

void Drawing::find_colors(const Scene& scene) {
  rod_colors_ = rod_colors(all_.model);
  const std::vector<std::optional<Vec3f>> own = segment_colors(scene);
  const std::size_t simulated = all_.model.segments.size() - all_.guide.size();
  for (std::size_t s = 0; s < all_.model.segments.size(); ++s) {
    const std::size_t like = s < simulated ? s : all_.guide[s - simulated];
    const Vec3f color = like < own.size() && own[like] ? *own[like] : rod_colors_[all_.model.segments[s].rod];
    for (const float channel : {color.x, color.y, color.z}) colors_.push_back(byte_of(srgb_from_linear(channel), 1));
    colors_.push_back(255);
  }
}

void Drawing::number_meshes() {
  MeshRange next;
  for (const Body& body : all_.model.bodies) {
    next.first_vertex += next.vertex_count, next.first_triangle += next.triangle_count;
    const Mesh* mesh = std::get_if<Mesh>(&body.shape);
    next.vertex_count = mesh ? int(mesh->vertices.size()) : 0;
    next.triangle_count = mesh ? int(mesh->triangles.size()) : 0;
    meshes_.push_back(next);
  }
}

std::vector<char> Drawing::layout(int side) const {
  const Model& model = all_.model;
  Header header;
  header.kind = 1, header.side = std::uint8_t(side), header.layout = number_;
  header.points = model.vertices.size(), header.segments = model.segments.size(), header.bodies = model.bodies.size();
  std::uint32_t triangles = 0;
  if (!meshes_.empty()) {
    header.color_or_mesh_vertices = meshes_.back().first_vertex + meshes_.back().vertex_count;
    triangles = meshes_.back().first_triangle + meshes_.back().triangle_count;
  }
  std::memcpy(&header.limit, &triangles, sizeof triangles);
  Message out;
  out.put(header);
  for (const Segment& s : model.segments) out.put(std::uint32_t(s.vertex[0])), out.put(std::uint32_t(s.vertex[1]));
  for (const std::int32_t s : neighbours_) out.put(s);
  std::vector<float> radius(model.vertices.size());
  for (std::size_t i = 0; i < radius.size(); ++i) radius[i] = float(model.vertices[i].radius);
  for (const Segment& s : model.segments)
    for (const int i : s.vertex)
      if (!(radius[i] > 0)) radius[i] = float(drawn_radius(model, s));
  for (const float r : radius) out.put(r);
  for (const std::uint8_t c : colors_) out.put(c);
  for (const Body& body : model.bodies)
    if (const Mesh* mesh = std::get_if<Mesh>(&body.shape))
      for (const Vec3d& x : mesh->vertices) out.put(x);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (const Mesh* mesh = std::get_if<Mesh>(&model.bodies[b].shape))
      for (const auto& triangle : mesh->triangles)
        for (const int corner : triangle) out.put(std::uint32_t(meshes_[b].first_vertex + corner));
  return out.take();
}

std::vector<char> Drawing::frame(int side, std::uint32_t sequence, const DrawnMoment& moment, const Look& look) {
  const Model& model = all_.model;
  const State state = followers_.empty() ? moment.state : with_followers(followers_, all_, moment.state);
  const std::vector<int> broken = with_followers(all_, moment.broken);
  std::vector<float> contacts = moment.contacts;
  if (!contacts.empty())
    for (const int guide : all_.guide) contacts.push_back(contacts[guide]);
  const std::vector<float> values = segment_values(model, state, look.color, contacts);
  if (look.color != limited_) limited_ = look.color, limit_ = 0;
  limit_ = std::max(limit_, float(scale_end(values)));

  Header header;
  header.kind = 2, header.side = std::uint8_t(side), header.layout = number_, header.sequence = sequence;
  header.time = state.time, header.frame = moment.frame;
  header.points = state.x.size(), header.segments = model.segments.size(), header.bodies = state.body_x.size();
  header.color_or_mesh_vertices = std::uint32_t(look.color), header.limit = look.limit > 0 ? look.limit : limit_;
  header.flags =
      (values.empty() ? 0 : has_colors) | (look.stripes ? has_stripes : 0) | (broken.empty() ? 0 : has_broken);
  Message out;
  out.reserve(sizeof header + 12 * state.x.size() + 28 * state.body_x.size() + 6 * model.segments.size() + 8);
  out.put(header);
  for (const Vec3d& x : state.x) out.put(x - origin_);
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    const Quatd& q = state.body_q[b];
    out.put(state.body_x[b] - origin_);
    for (const double part : {q.w, q.x, q.y, q.z}) out.put(float(part));
  }
  for (const float value : values) out.put(byte_of(value, header.limit));
  out.fill();
  if (look.stripes)
    for (const Quatd& q : state.q) {
      const Vec3d d1 = rotate(q, Vec3d{1, 0, 0});
      for (const double part : {d1.x, d1.y, d1.z, 0.0})
        out.put(std::int8_t(std::lround(127 * std::clamp(part, -1.0, 1.0))));
    }
  if (!broken.empty()) {
    std::vector<char> is_broken(model.segments.size(), 0);
    for (const int s : broken) is_broken[s] = 1;
    for (const char b : is_broken) out.put(b);
    out.fill();
  }
  return out.take();
}

}  // namespace tendril::session
