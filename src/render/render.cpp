#include "render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "render/floor_map.h"
#include "render/light.h"
#include "render/rows.h"
#include "render/stage.h"

namespace tendril::render {

namespace {

constexpr float calm = 0.015f;  // standard error of a pixel that needs no further samples
constexpr int few = 4;          // samples at a time where there is only floor

// what a ray brings. The light of a floor is kept apart, for it is smoothed before it is added
struct Seen {
  Vec3f color;  // multiplied by alpha
  float alpha = 0;
  float floor = 0;  // part of the ray that ends on a floor
  float light = 0;  // of that floor
  float tint = 0;   // floor's light of 1 adds that much background,
  float dim = 0;    // and takes that much alpha
  int plane = 0;    // which floor

  Seen& operator+=(const Seen& s) {
    color += s.color, alpha += s.alpha, floor += s.floor, tint += s.tint, dim += s.dim;
    if (s.floor > 0) plane = s.plane;
    return *this;
  }
};

// sums over samples of one kind
struct Scatter {
  float count = 0, sum = 0, squares = 0;

  void add(float weight, float value) { count += weight, sum += weight * value, squares += weight * value * value; }
  // standard error that they leave in the mean of all samples of the pixel
  float error(float all) const {
    if (count < 2) return 0;
    const float mean = sum / count, variance = std::max(0.0f, squares / count - mean * mean);
    return std::sqrt(variance * count) / all;
  }
};

class Renderer {
 public:
  Renderer(const Model& model, const State& state, const Camera& camera, const RenderOptions& options)
      : options_(options),
        stage_(model, state, camera, options),
        samples_(std::max(options.refinement, 2) * options.samples + few, normalized(cast<float>(options.sun)),
                 sun_spread),
        background_(cast<float>(options.background)),
        eye_(stage_.space().point(camera.eye)),
        forward_(cast<float>(camera.forward())),
        seen_(std::size_t(options.width) * options.height),
        floors_(options.width, options.height) {
    const double half_height = std::tan(0.5 * camera.field_of_view);
    pixel_right_ = cast<float>((2 * half_height / options.height) * camera.right());
    pixel_down_ = cast<float>((-2 * half_height / options.height) * camera.upward());
  }

  Picture draw() {
    const auto look_along = [&](int row) {
      for (int column = 0; column < options_.width; ++column) look(column, row);
    };
    const auto go_on = [&](double part) { return !options_.go_on || options_.go_on(part); };
    if (!for_each_row(options_.height, options_.threads, look_along, go_on)) throw RenderStopped();
    smooth(floors_, options_.threads);
    return compose();
  }

 private:
  // the mean of the samples; where the light on rods and solids scatters, of more of them. Floor alone needs few
  void look(int column, int row) {
    Samples samples = samples_.of(column, row);
    const bool busy = stage_.may_meet(ray_through(column, row, {}), 2 * norm(pixel_right_));
    const int batch_size = busy ? options_.samples : std::min(options_.samples, few);
    const int batches = busy ? options_.refinement : std::max(1, 2 * options_.samples / few);
    Seen sum;
    Scatter on_floor, on_solids;
    for (int batch = 0; batch < batches; ++batch) {
      for (int k = 0; k < batch_size; ++k, ++samples.index) {
        const Seen s = trace(ray_through(column, row, samples.lens[samples.index]), samples);
        sum += s;
        on_floor.add(s.floor, s.light);
        if (s.floor < 1) on_solids.add(1, s.color.y);  // the green, which the eye sees best
      }
      if ((busy ? on_solids : on_floor).error(float(samples.index)) < calm) break;
    }
    const std::size_t pixel = std::size_t(row) * options_.width + column;
    if (sum.floor > 0) floors_.set(pixel, sum.plane, sum.floor, on_floor.sum, on_floor.squares);
    const float weight = 1 / float(samples.index);
    seen_[pixel] = {weight * sum.color, weight * sum.alpha, 0, 0, weight * sum.tint, weight * sum.dim, 0};
  }

  Picture compose() const {
    Picture picture{options_.width, options_.height, {}, {}};
    picture.rgb.reserve(3 * seen_.size());
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const Vec3f color = seen_[i].color + (floors_.light[i] * seen_[i].tint) * background_;
      for (int k = 0; k < 3; ++k) picture.rgb.push_back(color[k]);
      if (options_.transparent) picture.alpha.push_back(seen_[i].alpha - floors_.light[i] * seen_[i].dim);
    }
    return picture;
  }

  Ray ray_through(int column, int row, const Point2& offset) const {
    const float x = float(column) + 0.5f + offset.x - 0.5f * float(options_.width);
    const float y = float(row) + 0.5f + offset.y - 0.5f * float(options_.height);
    return {eye_, normalized(forward_ + x * pixel_right_ + y * pixel_down_)};
  }

  // one ray: shells one looks through, then a rod, a solid, the floor or nothing
  Seen trace(const Ray& ray, const Samples& samples) const {
    const std::optional<Surface> surface = stage_.trace(ray);
    const float reach = surface ? surface->distance : std::numeric_limits<float>::infinity();
    const std::optional<Stage::Floor> floor = stage_.trace_floor(ray, reach);

    Seen behind = floor ? see_floor(*floor, samples) : empty();
    if (surface && !floor) behind = opaque(develop(light_.shade(stage_, *surface, -ray.direction, samples)));
    return through_shells(ray, floor ? floor->distance : reach, behind, samples);
  }

  static Seen opaque(const Vec3f& color) {
    Seen seen;
    seen.color = color;
    seen.alpha = 1;
    return seen;
  }
  Seen empty() const { return options_.transparent ? Seen{} : opaque(background_); }

  // the ground is the background with shadows on it, so it has no horizon; a plane of the model is a little darker
  // and fades into the background far from the scene
  Seen see_floor(const Stage::Floor& floor, const Samples& samples) const {
    Seen seen = opaque({});
    seen.floor = 1;
    seen.light = light_.floor_light(stage_, floor.point, floor.normal, samples);
    seen.plane = floor.plane;
    if (floor.is_ground) {
      (options_.transparent ? seen.dim : seen.tint) = 1;
      return seen;
    }
    const float f = std::clamp((norm(floor.point) - 1.5f) / 4.5f, 0.0f, 1.0f);
    const float opacity = 1 - f * f * (3 - 2 * f);
    const Seen far = empty();
    seen.tint = 0.86f * opacity;
    seen.color = (1 - opacity) * far.color;
    seen.alpha = opacity + (1 - opacity) * far.alpha;
    return seen;
  }

  // clear in the middle, denser at the rim, like a thin tube of glass
  Seen through_shells(const Ray& ray, float reach, Seen seen, const Samples& samples) const {
    constexpr int most_layers = 12;
    Vec3f front;
    float passed = 1, from = 0;
    for (int layer = 0; layer < most_layers; ++layer) {
      const std::optional<Surface> shell = stage_.trace_shell(ray, from, reach);
      if (!shell) break;
      const float facing = std::abs(dot(shell->normal, ray.direction));
      const float opacity = 0.12f + 0.5f * (1 - facing) * (1 - facing);
      front += (passed * opacity) * develop(light_.shade(stage_, *shell, -ray.direction, samples));
      passed *= 1 - opacity;
      from = shell->distance + 1e-4f;
    }
    if (passed == 1) return seen;
    seen.color = front + passed * seen.color;
    seen.alpha = 1 - passed + passed * seen.alpha;
    seen.floor *= passed, seen.tint *= passed, seen.dim *= passed;
    return seen;
  }

  const RenderOptions& options_;
  Stage stage_;
  Light light_;
  SampleTable samples_;
  Vec3f background_;
  Vec3f eye_, forward_, pixel_right_, pixel_down_;
  std::vector<Seen> seen_;  // means (pixel)
  FloorMap floors_;
};

void check(const Model& model, const State& state, const Camera& camera, const RenderOptions& options) {
  const auto require = [](bool good, const char* message) {
    if (!good) throw std::invalid_argument(message);
  };
  require(options.width > 0 && options.height > 0, "a picture needs a positive width and height");
  require(options.refinement > 0, "the refinement must be at least one");
  require(options.samples > 0, "a picture needs at least one sample per pixel");
  require(norm(camera.target - camera.eye) > 0, "the camera's eye and target must differ");
  require(camera.field_of_view > 0 && camera.field_of_view < 3.1, "the camera's field of view must lie in (0, pi)");
  require(norm(options.sun) > 0, "the direction to the sun must not be zero");
  require(state.x.size() == model.vertices.size() && state.q.size() == model.segments.size() &&
              state.body_x.size() == model.bodies.size() && state.body_q.size() == model.bodies.size(),
          "the state is of another model: the numbers of vertices, segments or bodies differ");
  require(options.own_color.empty() || options.own_color.size() == model.segments.size(),
          "the segments' own colours are of another model: their numbers differ");
  require(options.color != Coloring::speed || state.v.size() == state.x.size(),
          "the state has no velocities to colour by");
  for (std::size_t i = 0; i < state.x.size(); ++i)
    if (!is_finite(state.x[i]))
      throw std::invalid_argument(
          fmt::format("vertex {} is not at a finite place at {} s: draw an earlier frame", i, state.time));
}

}  // namespace

Picture render(const Model& model, const State& state, const Camera& camera, const RenderOptions& options) {
  check(model, state, camera, options);
  return Renderer(model, state, camera, options).draw();
}

}  // namespace tendril::render
