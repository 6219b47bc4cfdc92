#include "render/rod_geometry.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "render/bounds.h"
#include "render/coloring.h"
#include "render/sampling.h"

namespace tendril::render {

namespace {

constexpr double thinnest = 0.6;      // drawn radius of the thinnest rod [pixel]
constexpr double smallest_cap = 1.5;  // caps of thinner rods cannot be seen [pixel]
constexpr std::ptrdiff_t many_strands = 24;
constexpr Vec3f stripe_color{0.80f, 0.78f, 0.72f};

BallPoint ball_point(const Vec3f& x, float radius) { return {x.x, x.y, x.z, radius}; }

BallPoint mix(const BallPoint& a, const Vec3f& step, float radius) {
  return {a.x + step.x, a.y + step.y, a.z + step.z, radius};
}

// tangent at the middle of three points: that of the parabola through them, exact for a circle with equal steps
Vec3d middle_tangent(const Vec3d& e0, const Vec3d& e1) {
  const double l0 = norm(e0), l1 = norm(e1);
  if (l0 == 0 || l1 == 0) return l0 + l1 > 0 ? normalized(e0 + e1) : Vec3d{0, 0, 1};
  const Vec3d t = (l1 / l0) * e0 + (l0 / l1) * e1;
  return norm(t) > 1e-9 * (l0 + l1) ? normalized(t) : e1 / l1;
}

// tangent at the free end of a chord when the tangent t at its other end is known: its mirror image, as on a circle
Vec3d mirrored_tangent(const Vec3d& chord, const Vec3d& t) {
  const double l2 = norm_squared(chord);
  return l2 > 0 ? 2 * (dot(t, chord) / l2) * chord - t : t;
}

// handle of a Bezier piece that follows a circle: chord 2 / (3 (1 + cos(tangent, chord)))
double handle_length(const Vec3d& chord, const Vec3d& t) {
  const double length = norm(chord);
  const double cosine = length > 0 ? std::max(0.0, dot(chord, t) / length) : 1;
  return 2 * length / (3 * (1 + cosine));
}

// three stripes along the rod, each a sixth of its surface: cos 3a > 0, with the angle a from the first director
bool on_stripe(const Vec3f& side, const Vec3f& d1) {
  const float square = norm_squared(side) * norm_squared(d1), cosine = dot(side, d1);
  return cosine * (4 * cosine * cosine - 3 * square) > 0;
}

}  // namespace

RodGeometry::RodGeometry(const Model& model, const State& state, const LocalSpace& space, const Camera& camera,
                         const RenderOptions& options)
    : model_(model),
      state_(state),
      space_(space),
      camera_(camera),
      options_(options),
      forward_(camera.forward()),
      pixel_angle_(2 * std::tan(0.5 * camera.field_of_view) / options.height),
      chains_(find_chains(model, state)),
      rod_colors_(rod_colors(model)),
      values_(segment_values(model, state, options.color, options.contacts)) {
  chain_of_.resize(chains_.segments.size());
  for (std::size_t c = 0; c < chains_.chains.size(); ++c) {
    const auto begin = chain_of_.begin() + chains_.chains[c].first;
    std::fill(begin, begin + chains_.chains[c].count, int(c));
  }
  const auto strands = std::count_if(chains_.chains.begin(), chains_.chains.end(),
                                     [](const Chains::Chain& c) { return !c.joins_start && !c.joins_end; });
  many_ = strands > many_strands;
  const float limit = float(options.color_limit ? *options.color_limit : scale_end(values_));
  value_scale_ = limit > 0 ? 1 / limit : 0;
  is_hair_ = hair_among(model, chains_, options.hair);
  choose_caps();
}

void RodGeometry::add_to(RTCDevice device, RTCScene scene) {
  if (chains_.segments.empty()) return;
  add_curves(device, scene);
  if (!cap_list_.empty()) add_caps(device, scene);
  if (!ball_list_.empty()) add_balls(device, scene);
}

int RodGeometry::before(int slot) const {
  const Chains::Chain& chain = chains_.chains[chain_of_[slot]];
  if (slot > chain.first) return slot - 1;
  return chain.closed ? chain.first + chain.count - 1 : -1;
}

int RodGeometry::after(int slot) const {
  const Chains::Chain& chain = chains_.chains[chain_of_[slot]];
  if (slot + 1 < chain.first + chain.count) return slot + 1;
  return chain.closed ? chain.first : -1;
}

Vec3d RodGeometry::tangent(int slot) const {
  const Vec3d chord = end_position(slot) - position(slot);
  if (const int previous = before(slot); previous >= 0)
    return middle_tangent(position(slot) - position(previous), chord);
  const int next = after(slot);
  if (next < 0) return norm(chord) > 0 ? normalized(chord) : Vec3d{0, 0, 1};
  return mirrored_tangent(chord, middle_tangent(chord, end_position(next) - position(next)));
}

Vec3d RodGeometry::end_tangent(int slot) const {
  if (const int next = after(slot); next >= 0) return tangent(next);
  return mirrored_tangent(end_position(slot) - position(slot), tangent(slot));
}

float RodGeometry::smallest_visible(const Vec3d& x) const {
  return space_.length(thinnest * pixel_angle_ * std::max(0.0, dot(x - camera_.eye, forward_)));
}

float RodGeometry::true_radius(int slot, bool at_end) const {
  const int neighbour = at_end ? after(slot) : before(slot);
  double r = drawn_radius(model_, model_.segments[chains_.segments[slot]]);
  if (neighbour >= 0) r = 0.5 * (r + drawn_radius(model_, model_.segments[chains_.segments[neighbour]]));
  return space_.length(r);
}

float RodGeometry::radius(int slot, bool at_end) const {
  return std::max(true_radius(slot, at_end), smallest_visible(at_end ? end_position(slot) : position(slot)));
}

BallPoint RodGeometry::ball(int slot, bool at_end) const {
  return ball_point(space_.point(at_end ? end_position(slot) : position(slot)), radius(slot, at_end));
}

void RodGeometry::choose_caps() {
  for (const Chains::Chain& chain : chains_.chains) {
    if (chain.closed) continue;
    const int last = chain.first + chain.count - 1;
    for (const auto& [cap, joins] :
         {std::pair{Cap{chain.first, false}, chain.joins_start}, std::pair{Cap{last, true}, chain.joins_end}}) {
      const float visible = smallest_visible(cap.at_end ? end_position(cap.slot) : position(cap.slot));
      if (radius(cap.slot, cap.at_end) < visible * float(smallest_cap / thinnest)) continue;
      (joins ? ball_list_ : cap_list_).push_back(cap);
    }
  }
}

// one Bezier piece per segment; neighbours in a chain share a control point
void RodGeometry::add_curves(RTCDevice device, RTCScene scene) {
  const std::size_t pieces = chains_.segments.size(), points = 3 * pieces + chains_.chains.size();
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_BEZIER_CURVE);
  auto* index = static_cast<unsigned*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, sizeof(unsigned), pieces));
  auto* control = static_cast<BallPoint*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, sizeof(BallPoint), points));
  unsigned next = 0;
  for (const Chains::Chain& chain : chains_.chains) {
    control[next] = ball(chain.first, false);
    for (int slot = chain.first; slot < chain.first + chain.count; ++slot, next += 3) {
      const Vec3d chord = end_position(slot) - position(slot), t0 = tangent(slot), t1 = end_tangent(slot);
      const BallPoint a = control[next], b = ball(slot, true);
      index[slot] = next;
      control[next + 1] =
          mix(a, cast<float>(space_.scale * handle_length(chord, t0) * t0), (2 * a.radius + b.radius) / 3);
      control[next + 2] =
          mix(b, cast<float>(-space_.scale * handle_length(chord, t1) * t1), (a.radius + 2 * b.radius) / 3);
      control[next + 3] = b;
    }
    ++next;
  }
  for (int slot = 0; slot < int(pieces); ++slot) {
    const float true_mean = true_radius(slot, false) + true_radius(slot, true);
    coverage_.push_back(is_hair(slot) ? true_mean / (radius(slot, false) + radius(slot, true)) : 1);
  }
  if (std::any_of(coverage_.begin(), coverage_.end(), [](float part) { return part < 1; })) {
    rtcSetGeometryUserData(geometry, coverage_.data());
    rtcSetGeometryIntersectFilterFunction(geometry, let_pass);
    rtcSetGeometryOccludedFilterFunction(geometry, let_pass);
  }
  curves_ = attach(scene, geometry);
}

// Hair thinner than a pixel is drawn as thick as one and stops only so many of the rays that meet it, by chance: in the
// mean it covers, and shades, as much as it would. The same ray meets the same hair or passes it, whoever asks.
void RodGeometry::let_pass(const RTCFilterFunctionNArguments* hit) {
  const auto& ray = *reinterpret_cast<const RTCRay*>(hit->ray);
  const unsigned piece = reinterpret_cast<const RTCHit*>(hit->hit)->primID;
  const float coverage = static_cast<const float*>(hit->geometryUserPtr)[piece];
  std::uint32_t chance = hash(piece);
  for (const float number : {ray.dir_x, ray.dir_y, ray.dir_z, ray.org_x, ray.org_y, ray.org_z})
    chance = hash(chance ^ std::bit_cast<std::uint32_t>(number));
  if (unit_float(chance) >= coverage) hit->valid[0] = 0;
}

// a flat cut at a free end
void RodGeometry::add_caps(RTCDevice device, RTCScene scene) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ORIENTED_DISC_POINT);
  auto* discs = static_cast<BallPoint*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                                                sizeof(BallPoint), cap_list_.size()));
  auto* normals = static_cast<Vec3f*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_NORMAL, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f), cap_list_.size()));
  for (std::size_t k = 0; k < cap_list_.size(); ++k) {
    const Cap& cap = cap_list_[k];
    discs[k] = ball(cap.slot, cap.at_end);
    normals[k] = cast<float>(cap.at_end ? end_tangent(cap.slot) : -tangent(cap.slot));
  }
  caps_ = attach(scene, geometry);
}

// closes the gap where a chain begins or ends at the axis of another
void RodGeometry::add_balls(RTCDevice device, RTCScene scene) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  auto* balls = static_cast<BallPoint*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                                                sizeof(BallPoint), ball_list_.size()));
  for (std::size_t k = 0; k < ball_list_.size(); ++k) balls[k] = ball(ball_list_[k].slot, ball_list_[k].at_end);
  balls_ = attach(scene, geometry);
}

// between the frames of the segment and of its neighbours, which hold at the middles of the segments
Vec3f RodGeometry::first_director(int slot, float u) const {
  const int other = u < 0.5f ? before(slot) : after(slot);
  const Vec3d here = director1(state_.q[chains_.segments[slot]]);
  if (other < 0) return cast<float>(here);
  const double weight = std::abs(u - 0.5f);
  return cast<float>((1 - weight) * here + weight * director1(state_.q[chains_.segments[other]]));
}

float RodGeometry::value(int slot, float u) const {
  const int other = u < 0.5f ? before(slot) : after(slot);
  const float here = values_[chains_.segments[slot]];
  if (other < 0) return here;
  const float weight = std::abs(u - 0.5f);
  return (1 - weight) * here + weight * values_[chains_.segments[other]];
}

void RodGeometry::describe(const RTCHit& hit, Surface& surface) const {
  const bool on_curve = hit.geomID == curves_;
  const Cap cap = on_curve ? Cap{int(hit.primID), false} : (hit.geomID == caps_ ? cap_list_ : ball_list_)[hit.primID];
  const float u = on_curve ? std::clamp(hit.u, 0.0f, 1.0f) : float(cap.at_end);
  const int slot = cap.slot;

  const int s = chains_.segments[slot];
  surface.albedo = rod_colors_.empty() ? Vec3f{0.5f, 0.5f, 0.5f} : rod_colors_[model_.segments[s].rod];
  if (!options_.own_color.empty() && options_.own_color[s]) surface.albedo = *options_.own_color[s];
  if (!values_.empty()) surface.albedo = scale_color(value_scale_ * value(slot, u));
  if (many_ && values_.empty()) surface.albedo *= strand_lightness(std::uint32_t(chain_of_[slot]));
  if (options_.stripe) {
    const Vec3f side = hit.geomID == caps_
                           ? surface.point - space_.point(cap.at_end ? end_position(slot) : position(slot))
                           : surface.normal;
    if (on_stripe(side, first_director(slot, u))) surface.albedo = 0.15f * surface.albedo + 0.85f * stripe_color;
  }
  if (is_hair(slot)) {
    surface.tangent = cast<float>(normalized((1.0 - u) * tangent(slot) + double(u) * end_tangent(slot)));
    surface.fibre = (1 - u) * radius(slot, false) + u * radius(slot, true);
  }
  surface.gloss = 0.25f;
  surface.offset = 0.02f * (1 - u) * radius(slot, false) + 0.02f * u * radius(slot, true);
}

}  // namespace tendril::render
