#include "render/render.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/rods.h"

namespace tendril::render {
namespace {

RenderOptions small_picture() {
  RenderOptions options;
  options.width = 160;
  options.height = 90;
  options.samples = 4;
  options.ground = false;
  return options;
}

bool is_red(const Vec3f& color) { return color.x > 2 * color.y; }

struct Place {
  int column, row;
};
Place pixel_of(const Camera& camera, const RenderOptions& options, const Vec3d& x) {
  const Projection p = project(camera, double(options.width) / options.height, x);
  return {int(p.x * options.height), int(p.y * options.height)};
}

Picture draw(const Drawing& drawing, const RenderOptions& options) {
  return render(drawing.model, drawing.state, frame_camera(drawing.model, {&drawing.state, 1}), options);
}

TEST(Render, ASegmentMayHaveItsOwnColour) {
  const Drawing drawing = red_bar();
  RenderOptions options = small_picture();
  options.own_color.resize(drawing.model.segments.size());
  for (size_t s = 4; s < options.own_color.size(); ++s) options.own_color[s] = Vec3f{0.05f, 0.6f, 0.05f};
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  for (double x : {-0.9, -0.5, -0.1, 0.1, 0.5, 0.9}) {
    const auto [column, row] = pixel_of(camera, options, {x, 0, 0});
    const Vec3f color = picture.color(column, row);
    EXPECT_EQ(is_red(color), x < 0) << x;
    EXPECT_EQ(color.y > 2 * color.x, x > 0) << x;
  }
  options.own_color.pop_back();
  EXPECT_THROW(render(drawing.model, drawing.state, camera, options), std::invalid_argument);
}

TEST(Render, ARodIsWhereItProjectsAndNowhereElse) {
  const double radius = 0.1;
  const Drawing drawing = red_bar(radius);
  const RenderOptions options = small_picture();
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  for (int k = 0; k <= 20; ++k) {
    const auto [column, row] = pixel_of(camera, options, {0.98 * (k / 10.0 - 1), 0, 0});
    EXPECT_TRUE(is_red(picture.color(column, row))) << column << ", " << row;
  }
  // pixels whose view ray passes the axis at more than the radius and two pixels show the background, to the bit
  const double half = std::tan(0.5 * camera.field_of_view);
  int empty = 0;
  for (int row = 0; row < options.height; ++row)
    for (int column = 0; column < options.width; ++column) {
      const double x = (2 * (column + 0.5) - options.width) / options.height, y = 1 - 2 * (row + 0.5) / options.height;
      const Vec3d ray = normalized(camera.forward() + half * (x * camera.right() + y * camera.upward()));
      const Vec3d across = cross(ray, Vec3d{1, 0, 0});
      const double distance = std::abs(dot(camera.eye, across)) / norm(across);
      const double two_pixels = 4 * half / options.height * norm(camera.eye);
      if (distance < radius + two_pixels) continue;
      ++empty;
      ASSERT_EQ(picture.color(column, row), cast<float>(options.background)) << column << ", " << row;
    }
  EXPECT_GT(empty, 5000);
}

TEST(Render, AHairThinnerThanAPixelIsSeenAllAlong) {
  const Drawing drawing = red_bar(1e-5);
  RenderOptions options = small_picture();
  options.samples = 16;
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  for (int k = 1; k < 40; ++k) {
    const auto [column, row] = pixel_of(camera, options, {k / 20.0 - 1, 0, 0});
    EXPECT_LT(picture.color(column, row).y, 0.75f * options.background.y) << column << ", " << row;
  }
}

TEST(Render, ABrokenSegmentIsLeftOut) {
  Drawing drawing = red_bar();
  drawing.model.segments[4].EA = 0;  // from x = 0 to 0.25
  const RenderOptions options = small_picture();
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  const Place gap = pixel_of(camera, options, {0.125, 0, 0}), whole = pixel_of(camera, options, {-0.125, 0, 0});
  EXPECT_FALSE(is_red(picture.color(gap.column, gap.row)));
  EXPECT_TRUE(is_red(picture.color(whole.column, whole.row)));
}

TEST(Render, TheSamePictureOnAnyNumberOfThreads) {
  Drawing drawing;
  for (int k = 0; k < 60; ++k)
    drawing.add_chain(20, 0.003, Rod{}.color, [k](double t) {
      return Vec3d{std::sin(k) + 0.1 * std::sin(5 * t + k), std::cos(3.0 * k) * 0.5, t};
    });
  drawing.add_body(Sphere{{0, 0, 0.4}, 0.3});
  RenderOptions options = small_picture();
  options.ground = true;
  options.threads = 1;
  const Picture one = draw(drawing, options);
  for (const int threads : {2, 8}) {
    options.threads = threads;
    EXPECT_EQ(one.rgb, draw(drawing, options).rgb) << threads << " threads";
  }
}

TEST(Render, AnEmptyModelIsBackground) {
  const Picture picture = draw({}, small_picture());
  ASSERT_EQ(picture.rgb.size(), 3u * 160 * 90);
  const Vec3f background = cast<float>(RenderOptions{}.background);
  for (int row = 0; row < 90; ++row)
    for (int column = 0; column < 160; ++column) ASSERT_EQ(picture.color(column, row), background);
}

TEST(Render, EveryShapeIsDrawnAndFinite) {
  Mesh tetrahedron{
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, false, ""};
  Mesh shell = tetrahedron;
  shell.inside = true;
  const std::vector<Shape> shapes = {Plane{},
                                     Sphere{{0, 0, 0.5}, 0.5},
                                     Capsule{{0, 0, 0.3}, {1, 0, 0.3}, 0.3},
                                     Cylinder{{0, 0, 0}, {0, 0, 1}, 0.4},
                                     Box{{0, 0, 0.5}, {1, 1, 1}, {}},
                                     tetrahedron,
                                     shell};
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    Drawing drawing = red_bar(0.02);
    drawing.add_body(shapes[k]);
    const Drawing bare = red_bar(0.02);
    const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
    const Picture with = render(drawing.model, drawing.state, camera, small_picture());
    const Picture without = render(bare.model, bare.state, camera, small_picture());
    int different = 0;
    for (std::size_t i = 0; i < with.rgb.size(); i += 3) different += with.rgb[i] != without.rgb[i];
    EXPECT_GT(different, 500) << "shape " << k;
    EXPECT_TRUE(std::all_of(with.rgb.begin(), with.rgb.end(), [](float c) { return c >= 0 && c <= 1; }))
        << "shape " << k;
  }
}

// straight and folded back, repeated points, a lone segment, a ring: no not-a-number from a tangent
TEST(Render, DegenerateRodsGiveFinitePictures) {
  Drawing drawing;
  drawing.add_chain(4, 0.05, red, [](double t) { return Vec3d{std::abs(t - 0.5), 0, 0}; });
  drawing.add_chain(1, 0, red, [](double t) { return Vec3d{0, t, 0}; });
  const int rod = drawing.add_rod("ring");
  const int a = drawing.add_vertex({0, 0, 1}, 0.05), b = drawing.add_vertex({1, 0, 1}, 0.05),
            c = drawing.add_vertex({0, 1, 1}, 0.05);
  drawing.add_segment(a, b, 0.05, rod), drawing.add_segment(b, c, 0.05, rod), drawing.add_segment(c, a, 0.05, rod);
  drawing.state.x[1] = drawing.state.x[0];
  for (const Coloring color : {Coloring::rod, Coloring::strain, Coloring::twist, Coloring::speed}) {
    RenderOptions options = small_picture();
    options.color = color;
    options.stripe = true;
    options.ground = true;
    const Picture picture = draw(drawing, options);
    EXPECT_TRUE(std::all_of(picture.rgb.begin(), picture.rgb.end(), [](float v) { return std::isfinite(v); }));
  }
}

TEST(Render, TransparentKeepsOnlyRodAndShadow) {
  RenderOptions options = small_picture();
  options.transparent = true;
  options.ground = true;
  const Drawing drawing = red_bar();
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  const Place middle = pixel_of(camera, options, {0, 0, 0});
  EXPECT_FLOAT_EQ(picture.alpha[std::size_t(middle.row) * options.width + middle.column], 1);
  EXPECT_LT(picture.alpha[0], 0.05f);
  EXPECT_GT(std::count_if(picture.alpha.begin(), picture.alpha.end(), [](float a) { return a > 0.2f && a < 0.8f; }),
            50);
}

// d1 looks at the eye on one half of the rod and away from it on the other
TEST(Render, TheStripeFollowsTheFirstDirector) {
  Drawing drawing = red_bar();
  RenderOptions options = small_picture();
  options.stripe = true;
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  for (std::size_t s = 0; s < drawing.state.q.size(); ++s) {
    const Vec3d toward_eye = -camera.forward();
    drawing.state.q[s] = frame_from_tangent({1, 0, 0}, s < 4 ? toward_eye : -toward_eye);
  }
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  const Place light = pixel_of(camera, options, {-0.6, 0, 0}), dark = pixel_of(camera, options, {0.6, 0, 0});
  EXPECT_FALSE(is_red(picture.color(light.column, light.row)));
  EXPECT_TRUE(is_red(picture.color(dark.column, dark.row)));
}

TEST(Render, ColorsBySpeed) {
  Drawing drawing = red_bar();
  for (std::size_t i = 0; i < drawing.state.x.size(); ++i) drawing.state.v[i] = {0, 0, 1 + drawing.state.x[i].x};
  RenderOptions options = small_picture();
  options.color = Coloring::speed;
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  const Place slow = pixel_of(camera, options, {-0.95, 0, 0}), fast = pixel_of(camera, options, {0.95, 0, 0});
  EXPECT_GT(picture.color(slow.column, slow.row).z, 2 * picture.color(slow.column, slow.row).x);
  EXPECT_GT(picture.color(fast.column, fast.row).x, 2 * picture.color(fast.column, fast.row).z);
}

// a brush of 50,000 strands with 16 segments each, seen from the side: dark hair where it stands, nothing beside it
TEST(Render, FiftyThousandHairs) {
  Drawing drawing;
  for (int k = 0; k < 50'000; ++k) {
    const double x = 0.005 * (k % 250), y = 0.005 * (k / 250);
    drawing.add_chain(16, 1e-4, Rod{}.color, [=](double t) { return Vec3d{x, y + 0.1 * t * t, t}; });
  }
  RenderOptions options = small_picture();
  options.samples = options.refinement = 1;
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Picture picture = render(drawing.model, drawing.state, camera, options);
  const Place middle = pixel_of(camera, options, {0.6, 0, 0.5});
  EXPECT_LT(picture.color(middle.column, middle.row).y, 0.3f);
  EXPECT_EQ(picture.color(1, 1), cast<float>(options.background));
}

TEST(Render, IsGivenUpWhenAsked) {
  const Drawing drawing = red_bar();
  RenderOptions options = small_picture();
  std::vector<double> parts;
  options.threads = 1;
  options.go_on = [&](double part) {
    parts.push_back(part);
    return parts.size() < 10;
  };
  EXPECT_THROW(draw(drawing, options), RenderStopped);
  EXPECT_EQ(parts.size(), 10u);
  EXPECT_NEAR(parts.back(), 10.0 / 90, 1e-12);
  options.go_on = [&](double part) { return parts.push_back(part), true; };
  EXPECT_NO_THROW(draw(drawing, options));
  EXPECT_EQ(parts.back(), 1);
}

// three light stripes, each a sixth of the way round: seen from d1 and at 120 degrees, not from between them
TEST(Render, ThreeStripesRunAlongARod) {
  Drawing drawing = red_bar();
  RenderOptions options = small_picture();
  options.stripe = true;
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Place middle = pixel_of(camera, options, {0, 0, 0});
  for (int sixth = 0; sixth < 6; ++sixth) {
    const Vec3d d1 = rotate(quaternion_exp({sixth * 1.0471975511965976, 0, 0}), -camera.forward());
    for (Quatd& q : drawing.state.q) q = frame_from_tangent({1, 0, 0}, d1);
    const Picture picture = render(drawing.model, drawing.state, camera, options);
    EXPECT_EQ(is_red(picture.color(middle.column, middle.row)), sixth % 2 == 1) << 60 * sixth << " degrees";
  }
}

// the shadow of a plane that fades must not move with the frame: only the given extent counts
TEST(Render, APlaneFadesByTheGivenExtent) {
  Drawing drawing = red_bar();
  drawing.add_body(Plane{{0, 0, -0.5}, {0, 0, 1}});
  RenderOptions options = small_picture();
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  const Vec3f near_corner = render(drawing.model, drawing.state, camera, options).color(2, 2);
  options.extent = Bounds{{-100, -100, -1}, {100, 100, 1}};
  const Vec3f wide = render(drawing.model, drawing.state, camera, options).color(2, 2);
  EXPECT_LT(wide.y, near_corner.y - 0.01f);  // the whole view is the middle of a large scene: no fading
}

TEST(Render, BadInputIsRefused) {
  Drawing drawing = red_bar();
  const Camera camera = frame_camera(drawing.model, {&drawing.state, 1});
  RenderOptions options = small_picture();
  options.samples = 0;
  EXPECT_THROW(render(drawing.model, drawing.state, camera, options), std::invalid_argument);
  drawing.state.x[3].y = NAN;
  EXPECT_THROW(render(drawing.model, drawing.state, camera, small_picture()), std::invalid_argument);
  EXPECT_THROW(render(drawing.model, State{}, camera, small_picture()), std::invalid_argument);
}

}  // namespace
}  // namespace tendril::render
