#pragma once

#include <string>
#include <vector>

#include "rod/followers.h"
#include "rod/model.h"
#include "rod/state.h"
#include "scene/scene.h"

namespace tendril::scene {

enum class Settle { no, equilibrium, rest };

// [simulation]
struct Settings {
  std::string solver;
  double time_step = 0, duration = 0;  // [s]
  double frame_rate = 30;              // [1/s]; at most one frame per step
  int threads = 0;                     // 0: all
  int seed = 0;
  bool contact = true;
  double contact_distance = 0;  // [m]; 0: chosen from the radii
  bool contact_of_rods = true;  // with rods
  bool hair_volume = false;     // rods meet rods as a volume on a grid
  double volume_cell = 0;       // its edge [m]; 0: chosen by the start
  double volume_mixing = 0;     // see VolumeOptions [1/s]
  double hairs_per_strand = 1;  // likewise
  Settle settle = Settle::no;
  double settle_tolerance = 1e-8;
};

// where the radius of a [[rod]] comes from, for those who read `tendril check`
struct RadiusSource {
  std::string rod;           // the name of its table: copies share it
  std::string source;        // "its material", "its file strands.hair", …
  double low = 0, high = 0;  // the thinnest and the thickest segment [m]
};

// a scene ready to run
struct BakedScene {
  std::string title;
  Settings settings;
  Model model;
  State state;
  std::vector<RadiusSource> radius_sources;
  Followers followers;  // of the Model's rods, for those who draw or write strands
};

// builds the Model and the State at time 0; throws SceneError
BakedScene bake(const Scene& scene);

}  // namespace tendril::scene
