#include "engine/scene_start.h"

#include <fmt/format.h>

#include "sim/inner_forces.h"
#include "sim/sag_free.h"
#include "sim/untangle.h"

namespace tendril::engine {

ContactOptions contact_options(const Settings& settings) {
  return {settings.contact, settings.contact_distance, settings.contact_of_rods};
}

std::optional<VolumeOptions> volume_options(const Settings& settings) {
  if (!settings.hair_volume) return {};
  return VolumeOptions{settings.volume_cell, settings.volume_mixing, settings.hairs_per_strand};
}

std::string schedule_warning(const LoadedScene& loaded) {
  const Settings& s = loaded.baked.settings;
  if (s.time_step > s.duration * (1 + 1e-9))
    return fmt::format("time_step = {:g} s is longer than duration = {:g} s: one step is taken, to t = {:g} s",
                       s.time_step, s.duration, s.time_step);
  const Table simulation = loaded.scene.root.table("simulation");
  if (!simulation.has("frame_rate") || simulation.number("frame_rate") <= s.frame_rate * (1 + 1e-9)) return {};
  return fmt::format(
      "frame_rate = {:g} 1/s asks for more frames than there are steps: every step is written, {:g} "
      "frames per second",
      simulation.number("frame_rate"), s.frame_rate);
}

void refuse_overlaps(const LoadedScene& loaded) {
  refuse_overlaps(loaded,
                  find_overlaps(loaded.baked.model, loaded.baked.state, contact_options(loaded.baked.settings)));
}

void refuse_overlaps(const LoadedScene& loaded, const Overlaps& overlaps) {
  if (overlaps.empty()) return;
  throw SceneError(
      fmt::format("{}: at the start {}\nmove them apart, let `tendril run --untangle` push them apart, or "
                  "switch contact off: [contact] enabled = false",
                  loaded.scene.file, describe(overlaps, loaded.baked.model)));
}

void untangle_start(LoadedScene& loaded) {
  BakedScene& baked = loaded.baked;
  State state = baked.state;
  const UntangleReport report = untangle(baked.model, contact_options(baked.settings), state);
  if (!report.is_done)
    throw SceneError(
        fmt::format("{}: --untangle could not push everything apart in {} rounds; of {} pairs, {}\nmove "
                    "them apart, or switch contact off: [contact] enabled = false",
                    loaded.scene.file, report.rounds, report.pairs,
                    describe(find_overlaps(baked.model, state, contact_options(baked.settings)), baked.model)));
  loaded.untangled = report;
  if (report.pairs > 0) baked.state = std::move(state);
}

void choose_rest(LoadedScene& loaded) {
  try {
    make_sag_free(loaded.baked.model, loaded.baked.state);
  } catch (const NoEquilibrium& reason) {
    loaded.scene.root.table("simulation").fail("settle", reason.what());
  }
}

}  // namespace tendril::engine
