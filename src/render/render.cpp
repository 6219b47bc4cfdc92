#include "render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "render/light.h"
#include "render/stage.h"

namespace tendril {

namespace {

constexpr int most_batches = 4;
constexpr float calm = 0.015f;  // standard error of a pixel that needs no further samples

struct Pixel {
  Vec3f color;  // multiplied by alpha
  float alpha = 0;
};

class Renderer {
 public:
  Renderer(const Model& model, const State& state, const Camera& camera, const RenderOptions& options)
      : options_(options),
        stage_(model, state, camera, options),
        light_(options.sun),
        background_(cast<float>(options.background)),
        eye_(stage_.space().point(camera.eye)),
        forward_(cast<float>(camera.forward())) {
    const double half_height = std::tan(0.5 * camera.field_of_view);
    pixel_right_ = cast<float>((2 * half_height / options.height) * camera.right());
    pixel_down_ = cast<float>((-2 * half_height / options.height) * camera.upward());
  }

  // the mean of the samples; where they scatter, of up to four times as many
  Pixel pixel(int column, int row) const {
    Samples samples(std::uint32_t(row) * 0x9e3779b9u ^ hash(std::uint32_t(column)));
    Pixel sum;
    float sum_seen = 0, sum_squares = 0;  // of the green, which the eye sees best
    for (int batch = 0; batch < most_batches; ++batch) {
      for (int k = 0; k < options_.samples; ++k, ++samples.index) {
        const Pixel p = sample(ray_through(column, row, samples.lens[samples.index]), samples);
        sum.color += p.color;
        sum.alpha += p.alpha;
        const float seen = p.color.y + 1 - p.alpha;  // as over white
        sum_seen += seen;
        sum_squares += seen * seen;
      }
      const float n = float(samples.index), mean = sum_seen / n, variance = sum_squares / n - mean * mean;
      if (variance < calm * calm * n) break;
    }
    const float weight = 1 / float(samples.index);
    return {weight * sum.color, weight * sum.alpha};
  }

 private:
  // spread about the pixel's centre like a tent, which makes smooth edges
  static float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

  Ray ray_through(int column, int row, const Point2& u) const {
    const float x = float(column) + 0.5f + tent(u.x) - 0.5f * float(options_.width);
    const float y = float(row) + 0.5f + tent(u.y) - 0.5f * float(options_.height);
    return {eye_, normalized(forward_ + x * pixel_right_ + y * pixel_down_)};
  }

  // one ray: shells one looks through, then a rod, a solid, the floor or nothing
  Pixel sample(const Ray& ray, const Samples& samples) const {
    const std::optional<Surface> surface = stage_.trace(ray);
    const float reach = surface ? surface->distance : std::numeric_limits<float>::infinity();
    const std::optional<Stage::Floor> floor = stage_.trace_floor(ray, reach);

    Pixel behind = floor ? shade_floor(*floor, samples) : empty();
    if (surface && !floor) behind = {develop(light_.shade(stage_, *surface, -ray.direction, samples)), 1};
    return through_shells(ray, floor ? floor->distance : reach, behind, samples);
  }

  Pixel empty() const { return options_.transparent ? Pixel{} : Pixel{background_, 1}; }

  // the ground is the background with shadows on it, so it has no horizon; a plane of the model is a little darker
  // and fades into the background far from the scene
  Pixel shade_floor(const Stage::Floor& floor, const Samples& samples) const {
    const float lit = light_.floor_light(stage_, floor.point, floor.normal, samples);
    if (floor.is_ground) return options_.transparent ? Pixel{{}, 1 - lit} : Pixel{lit * background_, 1};
    const float f = std::clamp((norm(floor.point) - 1.5f) / 4.5f, 0.0f, 1.0f);
    const float opacity = 1 - f * f * (3 - 2 * f);
    const Vec3f color = lit * (0.86f * background_);
    const Pixel far = empty();
    return {opacity * color + (1 - opacity) * far.color, opacity + (1 - opacity) * far.alpha};
  }

  // clear in the middle, denser at the rim, like a thin tube of glass
  Pixel through_shells(const Ray& ray, float reach, Pixel behind, const Samples& samples) const {
    constexpr int most_layers = 12;
    Pixel front;
    float passed = 1, from = 0;
    for (int layer = 0; layer < most_layers; ++layer) {
      const std::optional<Surface> shell = stage_.trace_shell(ray, from, reach);
      if (!shell) break;
      const float facing = std::abs(dot(shell->normal, ray.direction));
      const float opacity = 0.12f + 0.5f * (1 - facing) * (1 - facing);
      front.color += (passed * opacity) * develop(light_.shade(stage_, *shell, -ray.direction, samples));
      front.alpha += passed * opacity;
      passed *= 1 - opacity;
      from = shell->distance + 1e-4f;
    }
    return {front.color + passed * behind.color, front.alpha + passed * behind.alpha};
  }

  const RenderOptions& options_;
  Stage stage_;
  Light light_;
  Vec3f background_;
  Vec3f eye_, forward_, pixel_right_, pixel_down_;
};

void check(const Model& model, const State& state, const Camera& camera, const RenderOptions& options) {
  const auto require = [](bool good, const char* message) {
    if (!good) throw std::invalid_argument(message);
  };
  require(options.width > 0 && options.height > 0, "a picture needs a positive width and height");
  require(options.samples > 0, "a picture needs at least one sample per pixel");
  require(norm(camera.target - camera.eye) > 0, "the camera's eye and target must differ");
  require(camera.field_of_view > 0 && camera.field_of_view < 3.1, "the camera's field of view must lie in (0, pi)");
  require(norm(options.sun) > 0, "the direction to the sun must not be zero");
  require(state.x.size() == model.vertices.size() && state.q.size() == model.segments.size() &&
              state.body_x.size() == model.bodies.size() && state.body_q.size() == model.bodies.size(),
          "the state is of another model: the numbers of vertices, segments or bodies differ");
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
  const Renderer renderer(model, state, camera, options);
  Picture picture;
  picture.width = options.width;
  picture.height = options.height;
  const std::size_t pixels = std::size_t(options.width) * options.height;
  picture.rgb.resize(3 * pixels);
  if (options.transparent) picture.alpha.resize(pixels);

  // each thread takes the next row; a pixel depends on nothing but its place
  std::atomic<int> next_row = 0;
  const auto work = [&] {
    for (int row = next_row++; row < options.height; row = next_row++)
      for (int column = 0; column < options.width; ++column) {
        const Pixel p = renderer.pixel(column, row);
        const std::size_t i = std::size_t(row) * options.width + column;
        for (int k = 0; k < 3; ++k) picture.rgb[3 * i + k] = p.color[k];
        if (options.transparent) picture.alpha[i] = p.alpha;
      }
  };
  const int threads = options.threads > 0 ? options.threads : std::max(1, int(std::thread::hardware_concurrency()));
  std::vector<std::jthread> crew;
  for (int t = 1; t < threads; ++t) crew.emplace_back(work);
  work();
  crew.clear();  // joins
  return picture;
}

}  // namespace tendril
