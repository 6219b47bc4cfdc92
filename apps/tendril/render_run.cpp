#include "render_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "engine/scene_start.h"
#include "interrupt.h"
#include "io/file.h"
#include "io/writable.h"
#include "render/color_bar.h"
#include "render/movie.h"
#include "render/survey.h"
#include "scene/segment_colors.h"
#include "sim/progress.h"

namespace tendril::app {
namespace {

constexpr int frames_of_a_picture = 24;  // looked at to place the camera of a single picture

struct FrameRange {
  int first = 0, last = 0;
  int count() const { return last - first + 1; }
};

int frame_number(const RecordedRun& run, int frame) {
  const int number = frame < 0 ? run.frame_count + frame : frame;
  if (number < 0 || number >= run.frame_count)
    throw FileError(fmt::format("{}: there is no frame {}; the run has the frames 0 to {}", run.folder.string(), frame,
                                run.frame_count - 1));
  return number;
}

// every frame of a movie; some of the run, evenly spread, and the shown one for a picture
std::set<int> frames_to_survey(const RecordedRun& run, const RenderRequest& request, const FrameRange& shown) {
  std::set<int> frames;
  for (int f = shown.first; f <= shown.last; ++f) frames.insert(f);
  if (shown.count() == 1 && request.fit == Fit::run)
    for (int k = 0; k < frames_of_a_picture; ++k) frames.insert((run.frame_count - 1) * k / (frames_of_a_picture - 1));
  return frames;
}

class RunRenderer {
 public:
  RunRenderer(const RecordedRun& run, const RenderRequest& request)
      : run_(run), request_(request), interrupted_(watch_for_interrupt()) {
    request_.look.own_color = segment_colors(run.scene.scene);
    add_guides_values(request_.look.own_color);
  }

  bool draw() {
    refuse_unwritable(request_.out);
    const bool movie = is_movie(request_.out);
    const FrameRange shown =
        movie ? FrameRange{frame_number(run_, request_.first_frame), frame_number(run_, request_.last_frame)}
              : FrameRange{frame_number(run_, request_.frame), frame_number(run_, request_.frame)};
    if (shown.count() < 1)
      throw FileError(fmt::format("--frames: the last frame {} comes before the first, {}", shown.last, shown.first));
    try {
      if (movie)
        draw_movie(shown);
      else
        draw_picture(shown);
      progress_.finish({1, movie ? fmt::format("{} frames", shown.count()) : "picture", elapsed()});
      return true;
    } catch (const RenderStopped&) {
      return false;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  void draw_picture(const FrameRange& shown) {
    survey(shown);
    write_png(picture(shown.first, "picture", 0, 1), request_.out);
  }

  void draw_movie(const FrameRange& shown) {
    const double rate = request_.frame_rate > 0 ? request_.frame_rate : run_.scene.baked.settings.frame_rate;
    Movie movie(request_.out, {request_.look.width, request_.look.height, rate});  // complains before the work begins
    survey(shown);
    for (int f = shown.first; f <= shown.last; ++f)
      movie.add(picture(f, fmt::format("frame {} of {}", f - shown.first + 1, shown.count()), f - shown.first,
                        shown.count()));
    movie.finish();
  }

  // the camera, the ground and the colour scale
  void survey(const FrameRange& shown) {
    request_.framing.aspect = double(request_.look.width) / request_.look.height;
    Survey survey(request_.framing, request_.look.color);
    for (int frame : frames_to_survey(run_, request_, shown)) {
      if (interrupted_) throw RenderStopped();
      const RecordedFrame recorded = read_recorded_frame(run_, frame), all = with_followers(run_, recorded);
      survey.add(all.model, all.state, contacts_in(recorded));
    }
    camera_ = request_.camera.value_or(survey.camera());
    request_.look.extent = survey.bounds();
    if (!request_.look.ground_height && survey.lowest() < forever) request_.look.ground_height = survey.lowest();
    if (!request_.look.color_limit) request_.look.color_limit = survey.scale_end();
    print_scale();
    began_ = Clock::now();
  }

  Picture picture(int frame, const std::string& what, int done, int count) {
    const RecordedFrame recorded = read_recorded_frame(run_, frame), all = with_followers(run_, recorded);
    RenderOptions look = request_.look;
    look.contacts = contacts_in(recorded);
    look.go_on = [&](double part) {
      if (progress_.wants_update()) progress_.update({(done + part) / count, what, elapsed()});
      return !interrupted_;
    };
    Picture picture = render::render(all.model, all.state, camera_, look);
    if (const ColoringName* shown = shown_quantity()) draw_color_bar(*shown, *look.color_limit, picture);
    return picture;
  }

  // what the colours show; nullptr: nothing but themselves
  const ColoringName* shown_quantity() const {
    for (const ColoringName& name : coloring_names())
      if (name.coloring == request_.look.color && name.coloring != Coloring::rod) return &name;
    return nullptr;
  }

  void print_scale() const {
    if (const ColoringName* shown = shown_quantity())
      fmt::print("colours: {} from 0 (blue) to {:.4g}{}{} (red)\n", shown->name, *request_.look.color_limit,
                 *shown->unit ? " " : "", shown->unit);
    if (request_.look.color == Coloring::contact && !run_.scene.baked.settings.contact)
      fmt::print("contact is off in this scene: every rod shows 0\n");
  }

  // how many pairs within the reach of their barriers each segment is part of, when that is to be shown
  std::vector<float> contacts_in(const RecordedFrame& frame) {
    const BakedScene& baked = run_.scene.baked;
    if (request_.look.color != Coloring::contact || !baked.settings.contact) return {};
    if (!near_) near_.emplace(baked.model, baked.state, contact_options(baked.settings));
    std::vector<float> count(baked.model.segments.size(), 0);
    const auto is_whole = [&](int s) { return frame.model.segments[s].EA > 0; };
    for (const NearPair& pair : near_->find(frame.state)) {
      if (pair.body_a >= 0 || !is_whole(pair.a) || (pair.body < 0 && !is_whole(pair.b))) continue;
      ++count[pair.a];
      if (pair.body < 0) ++count[pair.b];
    }
    add_guides_values(count);
    return count;
  }

  // followers show what their guides do
  template <class Value>
  void add_guides_values(std::vector<Value>& of_segments) const {
    const BakedScene& baked = run_.scene.baked;
    if (of_segments.empty() || baked.followers.empty()) return;
    for (int s : with_followers(baked.model, baked.followers, baked.state).guide) of_segments.push_back(of_segments[s]);
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  const RecordedRun& run_;
  RenderRequest request_;
  const std::atomic<bool>& interrupted_;
  Camera camera_;
  std::optional<NearPairs> near_;
  Progress progress_{stderr, request_.quiet ? Progress::Style::none : Progress::style_for(stderr)};
  Clock::time_point began_ = Clock::now();
};

}  // namespace

bool render_run(const RecordedRun& run, const RenderRequest& request) { return RunRenderer(run, request).draw(); }

}  // namespace tendril::app
