#include "take_of_run.h"

#include <memory>

#include "strands_of_model.h"

namespace tendril {

namespace {

// the positions alone
Moment of_vertices(const State& state) { return {state.time, state.x, state.v, {}}; }

}  // namespace

Take take_of_frames(const RecordedRun& run, const std::vector<double>& times, int first, int count, Follow follow) {
  Take take;
  take.title = run.scene.baked.title;
  take.frame_rate = run.scene.baked.settings.frame_rate;
  take.times.assign(times.begin() + first, times.begin() + first + count);
  const Model& model = run.scene.baked.model;
  const State start = read_recorded_state(run.folder, first).state;

  if (follow == Follow::vertices) {
    take.strands = vertices_of_rods(model);
    take.strands.points = start.x;
    take.moment = [folder = run.folder, first](int k) {
      return of_vertices(read_recorded_state(folder, first + k).state);
    };
    return take;
  }

  // what has broken stays broken: the last frame knows of all
  const std::vector<int> ever_broken = read_recorded_state(run.folder, first + count - 1).broken;
  const auto strands = std::make_shared<const StrandsOfModel>(model, start, ever_broken);
  take.strands = strands->strands();
  take.moment = [strands, folder = run.folder, first](int k) {
    const RecordedState frame = read_recorded_state(folder, first + k);
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
  Moment start = of_vertices(scene.baked.state);
  if (follow == Follow::vertices) {
    take.strands = vertices_of_rods(scene.baked.model);
    take.strands.points = start.x;
  } else {
    const StrandsOfModel strands(scene.baked.model, scene.baked.state, {});
    take.strands = strands.strands();
    start = strands.moment(scene.baked.state, {});
  }
  take.moment = [start](int) { return start; };
  return take;
}

Follow follow_for(const std::string& extension) { return extension == ".csv" ? Follow::vertices : Follow::segments; }

}  // namespace tendril
