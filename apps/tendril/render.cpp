#include "render/render.h"

#include <cmath>

#include <fmt/format.h>

#include "io/file.h"
#include "recorded_run.h"
#include "verbs.h"

namespace tendril {
namespace {

struct RenderRequest {
  std::string run, out = "picture.png", size = "1280x720", color = "rod";
  std::vector<double> camera;
  int frame = -1, samples = 16;
  bool stripe = false, transparent = false, no_ground = false;
};

RenderOptions options_of(const RenderRequest& r) {
  RenderOptions options;
  char x = 0, rest = 0;
  if (std::sscanf(r.size.c_str(), "%d%c%d%c", &options.width, &x, &options.height, &rest) != 3 || x != 'x' || options.width < 1 ||
      options.height < 1 || options.width > 16384 || options.height > 16384)
    throw CLI::ValidationError("--size", "expected WIDTHxHEIGHT in pixels, such as 1280x720");
  options.samples = r.samples;
  options.stripe = r.stripe;
  options.transparent = r.transparent;
  options.ground = !r.no_ground;
  options.color = r.color == "strain" ? Coloring::strain : r.color == "speed" ? Coloring::speed : Coloring::rod;
  return options;
}

// a picture framed by the first, the middle and the shown frame, so that it does not jump from one frame to the next
void render_run(const RenderRequest& request) {
  if (!request.out.ends_with(".png")) throw CLI::ValidationError("-o", "expected a name that ends in .png");
  const RecordedRun run = open_run(request.run);
  const RecordedFrame shown = read_recorded_frame(run, request.frame);
  const std::vector<State> states{read_recorded_frame(run, 0).state, read_recorded_frame(run, run.frame_count / 2).state,
                                  read_recorded_frame(run, -1).state, shown.state};
  const RenderOptions options = options_of(request);
  Framing framing;
  framing.aspect = double(options.width) / options.height;
  if (request.camera.size() == 2) framing.azimuth = request.camera[0], framing.elevation = request.camera[1];
  const Camera camera = frame_camera(shown.model, states, framing);
  write_png(render(shown.model, shown.state, camera, options), request.out);
  fmt::print("{}\n", request.out);
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("render", "a ray-traced picture of a run");
  auto r = std::make_shared<RenderRequest>();
  verb->add_option("RUN", r->run, "a run folder")->required();
  verb->add_option("-o,--out", r->out, "the picture, x.png")->capture_default_str();
  verb->add_option("--frame", r->frame, "number of the frame, negative from the end")->capture_default_str();
  verb->add_option("--size", r->size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  verb->add_option("--samples", r->samples, "rays per pixel")->check(CLI::Range(1, 4096))->capture_default_str();
  verb->add_option("--color", r->color, "what the colours show")->check(CLI::IsMember({"rod", "strain", "speed"}))->capture_default_str();
  verb->add_option("--camera", r->camera, "AZIMUTH ELEVATION of the eye [rad]")->expected(2);
  verb->add_flag("--stripe", r->stripe, "two colours along each rod show its twist");
  verb->add_flag("--transparent", r->transparent, "no background");
  verb->add_flag("--no-ground", r->no_ground, "no floor");
  verb->callback([=, &exit_code] {
    render_run(*r);
    exit_code = exit_good;
  });
}

}  // namespace tendril
