#include "take_of_run.h"

#include <memory>

#include "io/file.h"
#include "strands_of_model.h"

namespace tendril::app {

namespace {

// the positions alone
Moment of_vertices(const State& state) { return {state.time, state.x, state.v, {}}; }

// the frames of a run with its followers
class FrameReader {
 public:
  explicit FrameReader(const RecordedRun& run)
      : folder_(run.folder),
        followers_(run.scene.baked.followers),
        all_(with_followers(run.scene.baked.model, followers_, run.scene.baked.state)) {}

  const Model& model() const { return all_.model; }
  RecordedState read(int frame) const {
    RecordedState out = read_recorded_state(folder_, frame);
    if (out.state.x.size() + followers_.point_count() != all_.model.vertices.size() ||
        out.state.q.size() + all_.guide.size() != all_.model.segments.size())
      throw FileError("a frame does not belong to the scene of its run");
    out.state = with_followers(followers_, all_, std::move(out.state));
    out.broken = with_followers(all_, std::move(out.broken));
    return out;
  }

 private:
  std::filesystem::path folder_;
  Followers followers_;
  FollowedModel all_;
};

}  // namespace

Take take_of_frames(const RecordedRun& run, const std::vector<double>& times, int first, int count, Follow follow) {
  Take take;
  take.title = run.scene.baked.title;
  take.frame_rate = run.scene.baked.settings.frame_rate;
  take.times.assign(times.begin() + first, times.begin() + first + count);
  const auto reader = std::make_shared<const FrameReader>(run);
  const Model& model = reader->model();
  const State start = reader->read(first).state;

  if (follow == Follow::vertices) {
    take.strands = vertices_of_rods(model);
    take.strands.points = start.x;
    take.moment = [reader, first](int k) { return of_vertices(reader->read(first + k).state); };
    return take;
  }

  // what has broken stays broken: the last frame knows of all
  const std::vector<int> ever_broken = reader->read(first + count - 1).broken;
  const auto strands = std::make_shared<const StrandsOfModel>(model, start, ever_broken);
  take.strands = strands->strands();
  take.moment = [strands, reader, first](int k) {
    const RecordedState frame = reader->read(first + k);
    return strands->moment(frame.state, frame.broken);
  };
  take.strands.points = take.moment(0).x;
  return take;
}

Take take_of_run(const RecordedRun& run, Follow follow) {
  return take_of_frames(run, recorded_times(run), 0, run.frame_count, follow);
}

Take take_of_scene(const LoadedScene& scene, Follow follow) {
  Take take;
  take.title = scene.baked.title;
  take.frame_rate = scene.baked.settings.frame_rate;
  take.times = {scene.baked.state.time};
  const BakedScene& baked = scene.baked;
  const FollowedModel all = with_followers(baked.model, baked.followers, baked.state);
  const State state = with_followers(baked.followers, all, baked.state);
  Moment start = of_vertices(state);
  if (follow == Follow::vertices) {
    take.strands = vertices_of_rods(all.model);
    take.strands.points = start.x;
  } else {
    const StrandsOfModel strands(all.model, state, {});
    take.strands = strands.strands();
    start = strands.moment(state, {});
  }
  take.moment = [start](int) { return start; };
  return take;
}

Follow follow_for(const std::string& extension) { return extension == ".csv" ? Follow::vertices : Follow::segments; }

}  // namespace tendril::app
