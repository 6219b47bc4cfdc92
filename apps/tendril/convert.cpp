#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "io/file.h"
#include "io/formats.h"
#include "rod_source.h"
#include "verbs.h"

namespace tendril::app {
namespace {

struct ConvertRequest {
  std::string in, out, frame, up = "z";
  double scale = 1;
};

// the number of a frame: "12", "-1" for the last, "last"
int frame_number(const std::string& text, int count) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text != "last" && (error != std::errc() || end != text.data() + text.size()))
    throw CLI::ValidationError("--frame", fmt::format("expected a number or last, got \"{}\"", text));
  const int frame = number < 0 ? count + number : number;
  if (frame < 0 || frame >= count)
    throw CLI::ValidationError("--frame", fmt::format("there is no frame {}; there are 0 to {}", text, count - 1));
  return frame;
}

// turned such that `up` becomes z, then scaled; frames turn, radii and velocities scale
Take placed(Take take, const std::string& up, double scale) {
  const Quatd turn = up == "y"   ? quaternion_exp({0.5 * std::numbers::pi, 0, 0})
                     : up == "x" ? quaternion_exp({0, -0.5 * std::numbers::pi, 0})
                                 : Quatd{};
  for (Vec3d& x : take.strands.points) x = scale * rotate(turn, x);
  for (double& radius : take.strands.radius) radius *= scale;
  take.moment = [before = take.moment, turn, scale](int k) {
    Moment moment = before(k);
    for (Vec3d& x : moment.x) x = scale * rotate(turn, x);
    for (Vec3d& v : moment.v) v = scale * rotate(turn, v);
    for (Quatd& q : moment.q) q = turn * q;
    return moment;
  };
  return take;
}

void convert(const ConvertRequest& request) {
  const Format* format = find_format(request.out);
  if (!format || !format->write) {
    std::string list;
    for (const Format& f : formats())
      if (f.write) list += fmt::format("{}{}", list.empty() ? "" : ", ", f.extension);
    throw CLI::ValidationError("OUT", fmt::format("{}: rods are written to {}", request.out, list));
  }
  Take take = read_source(request.in, follow_for(format->extension));
  if (!request.frame.empty()) take = at_moment(take, frame_number(request.frame, int(take.times.size())));
  if (request.up != "z" || request.scale != 1) take = placed(std::move(take), request.up, request.scale);
  write_rods(take, request.out);
  fmt::print("{}\n", request.out);
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("convert", "rods from one format into another; a run into any");
  auto r = std::make_shared<ConvertRequest>();
  verb->add_option("IN", r->in, "a file of rods, a run folder, or a scene (its start)")->required();
  verb->add_option("OUT", r->out, "the file to write; its extension says the format")->required();
  verb->add_option("--frame", r->frame, "N or last: this moment only; a format that holds one gets the last otherwise");
  verb->add_option("--up", r->up, "which axis of IN is up; it becomes z")
      ->check(CLI::IsMember({"x", "y", "z"}))
      ->capture_default_str();
  verb->add_option("--scale", r->scale, "metres per unit of IN")->check(CLI::PositiveNumber)->capture_default_str();
  verb->callback([=, &exit_code] {
    convert(*r);
    exit_code = exit_good;
  });
}

}  // namespace tendril::app
