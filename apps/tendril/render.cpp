#include "render/render.h"

#include <fmt/format.h>

#include <cstdio>

#include "render/movie.h"
#include "render_run.h"
#include "verbs.h"

namespace tendril::app {
namespace {

// what was typed
struct Words {
  std::string run, out = "picture.png", size, color = "rod", hair = "auto", frames = "0:-1", fit = "run";
  std::vector<std::string> camera;
  int frame = -1, samples = 0, threads = 0;
  double frame_rate = 0;
  bool stripe = false, transparent = false, no_ground = false;
};

void read_size(const std::string& text, RenderOptions& look) {
  int width = 0, height = 0;
  char x = 0, rest = 0;
  constexpr int most = 16384;
  if (std::sscanf(text.c_str(), "%d%c%d%c", &width, &x, &height, &rest) != 3 || x != 'x' || width < 1 || height < 1 ||
      width > most || height > most)
    throw CLI::ValidationError("--size", "expected WIDTHxHEIGHT in pixels, such as 1280x720");
  look.width = width;
  look.height = height;
}

bool read_place(const std::string& text, Vec3d& place) {
  char rest = 0;
  return std::sscanf(text.c_str(), "%lf,%lf,%lf%c", &place.x, &place.y, &place.z, &rest) == 3;
}

bool read_number(const std::string& text, double& number) {
  char rest = 0;
  return std::sscanf(text.c_str(), "%lf%c", &number, &rest) == 1;
}

// AZIMUTH ELEVATION, or the places of eye and target
void read_camera(const std::vector<std::string>& words, RenderRequest& request) {
  if (words.empty()) return;
  Camera camera;
  if (read_place(words[0], camera.eye) && read_place(words[1], camera.target)) {
    if (camera.eye == camera.target) throw CLI::ValidationError("--camera", "the eye and the target must differ");
    request.camera = camera;
  } else if (!read_number(words[0], request.framing.azimuth) || !read_number(words[1], request.framing.elevation)) {
    throw CLI::ValidationError(
        "--camera", "expected AZIMUTH ELEVATION in radians, or the eye and the target as X,Y,Z X,Y,Z in metres");
  }
}

void read_frames(const std::string& text, RenderRequest& request) {
  char rest = 0;
  int &first = request.first_frame, &last = request.last_frame;
  if (std::sscanf(text.c_str(), "%d:%d%c", &first, &last, &rest) != 2 || (last < first && (first < 0) == (last < 0)))
    throw CLI::ValidationError("--frames", "expected FIRST:LAST, such as 0:-1 for all, -30:-1 for the last thirty");
}

// few rays will do for a frame that is seen for a moment; a .gif is small
RenderRequest request_of(const Words& words) {
  RenderRequest request;
  request.out = words.out;
  const std::string extension = request.out.extension().string();
  const bool movie = is_movie(request.out);
  if (extension != ".png" && !movie)
    throw CLI::ValidationError("-o", "expected a name that ends in .png, .mp4 or .gif");
  if (movie && words.transparent) throw CLI::ValidationError("--transparent", "only a .png can be transparent");
  read_size(!words.size.empty() ? words.size : extension == ".gif" ? "640x360" : "1280x720", request.look);
  if (extension == ".mp4" && (request.look.width % 2 || request.look.height % 2))
    throw CLI::ValidationError("--size", "an .mp4 has an even width and height");
  request.look.samples = words.samples > 0 ? words.samples : movie ? 8 : 16;
  request.look.refinement = movie ? 2 : 4;
  request.look.stripe = words.stripe;
  request.look.transparent = words.transparent;
  request.look.ground = !words.no_ground;
  request.look.threads = words.threads;
  for (const ColoringName& name : coloring_names())
    if (name.name == words.color) request.look.color = name.coloring;
  request.look.hair = words.hair == "all"    ? HairStyle::all
                      : words.hair == "none" ? HairStyle::none
                                             : HairStyle::automatic;
  read_camera(words.camera, request);
  read_frames(words.frames, request);
  request.frame = words.frame;
  request.frame_rate = words.frame_rate;
  request.fit = words.fit == "frame" ? Fit::frame : Fit::run;
  return request;
}

std::vector<std::string> color_words() {
  std::vector<std::string> words;
  for (const ColoringName& name : coloring_names()) words.push_back(name.name);
  return words;
}

int render_words(const Words& words) {
  const RenderRequest request = request_of(words);
  if (!render_run(open_run(words.run), request)) {
    fmt::print(stderr, "interrupted: {} was not written\n", words.out);
    return exit_interrupted;
  }
  fmt::print("{}\n", words.out);
  return exit_good;
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("render", "a ray-traced picture or movie of a run");
  auto w = std::make_shared<Words>();
  verb->add_option("RUN", w->run, "a run folder")->required();
  verb->add_option("-o,--out", w->out, "a picture, x.png, or a movie, x.mp4 or x.gif")->capture_default_str();
  verb->add_option("--frame", w->frame, "of a picture: its number, negative from the end")->capture_default_str();
  verb->add_option("--frames", w->frames, "of a movie: FIRST:LAST, negative from the end")->capture_default_str();
  verb->add_option("--fps", w->frame_rate,
                   "of a movie: frames per second; default: the run's, which shows it in true speed")
      ->check(CLI::Range(0.1, 1000.0));
  verb->add_option("--size", w->size, "WIDTHxHEIGHT in pixels; default 1280x720, of a .gif 640x360");
  verb->add_option("--samples", w->samples, "rays per pixel; default 16, of a movie 8")->check(CLI::Range(1, 4096));
  verb->add_option("--color", w->color, "what the colours show")
      ->check(CLI::IsMember(color_words()))
      ->capture_default_str();
  verb->add_option("--camera", w->camera, "AZIMUTH ELEVATION of the eye [rad], or eye and target X,Y,Z X,Y,Z [m]")
      ->expected(2);
  verb->add_option("--fit", w->fit, "what the automatic camera takes in: the whole run, or only the shown frame")
      ->check(CLI::IsMember({"run", "frame"}))
      ->capture_default_str();
  verb->add_option(
          "--hair", w->hair,
          "what is lit as hair, and seen through where it is thinner than a pixel; auto: a thousand strands or "
          "more, none thicker than 0.2 mm")
      ->check(CLI::IsMember({"auto", "all", "none"}))
      ->capture_default_str();
  verb->add_flag("--stripe", w->stripe, "stripes along each rod show its twist");
  verb->add_flag("--transparent", w->transparent, "no background (.png only)");
  verb->add_flag("--no-ground", w->no_ground, "no floor");
  verb->add_option("--threads", w->threads, "0: all; the picture does not depend on it")->check(CLI::Range(0, 1024));
  verb->callback([=, &exit_code] { exit_code = render_words(*w); });
}

}  // namespace tendril::app
