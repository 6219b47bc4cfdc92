#include "scene_start.h"

#include <fmt/format.h>

#include "sim/untangle.h"

namespace tendril {

ContactOptions contact_options(const Settings& settings) {
  return {settings.contact, settings.contact_distance, settings.contact_of_rods};
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
  const BakedScene& baked = loaded.baked;
  State state = baked.state;
  const UntangleReport report = untangle(baked.model, contact_options(baked.settings), state);
  if (!report.is_done)
    throw SceneError(
        fmt::format("{}: --untangle could not push everything apart in {} rounds; of {} pairs, {}\nmove "
                    "them apart, or switch contact off: [contact] enabled = false",
                    loaded.scene.file, report.rounds, report.pairs,
                    describe(find_overlaps(baked.model, state, contact_options(baked.settings)), baked.model)));
  if (report.pairs == 0) return fmt::print(stderr, "nothing overlaps at the start\n");
  loaded.baked.state = std::move(state);
  fmt::print(
      stderr,
      "untangled {} pairs in {} rounds: {} vertices moved, by at most {:.3g} m; segments changed their length by "
      "at most {:.2g} %\n",
      report.pairs, report.rounds, report.moved_vertices, report.farthest, 100 * report.largest_stretch);
}

}  // namespace tendril
