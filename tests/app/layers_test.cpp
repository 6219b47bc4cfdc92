#include "layers.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "contact/contact.h"
#include "engine/engine.h"
#include "io/strands.h"
#include "math/vec3.h"
#include "render/picture.h"
#include "rod/model.h"
#include "scene/scene.h"
#include "sim/simulation.h"
#include "solvers/solver.h"

// A namesake of one type of each layer, which a layer finds when it does not see the type itself.
struct Vec3d {};
struct Model {};
struct Contact {};
struct SolverInfo {};
struct Strands {};
struct Scene {};
struct Simulation {};
struct Engine {};
struct Picture {};

#define SEEN(Type, layer) (std::is_same_v<Type, ::Type> ? "" : " " layer)
#define LAYERS_SEEN                                                                                             \
  std::string layers_seen() {                                                                                   \
    return std::string() + SEEN(Vec3d, "math") + SEEN(Model, "rod") + SEEN(Contact, "contact") +                \
           SEEN(SolverInfo, "solvers") + SEEN(Strands, "io") + SEEN(Scene, "scene") + SEEN(Simulation, "sim") + \
           SEEN(Engine, "engine") + SEEN(Picture, "render");                                                    \
  }

namespace tendril::math {
LAYERS_SEEN
}
namespace tendril::rod {
LAYERS_SEEN
}
namespace tendril::contact {
LAYERS_SEEN
}
namespace tendril::solvers {
LAYERS_SEEN
}
namespace tendril::solvers::of_ones_own {
LAYERS_SEEN
}
namespace tendril::io {
LAYERS_SEEN
}
namespace tendril::scene {
LAYERS_SEEN
}
namespace tendril::sim {
LAYERS_SEEN
}
namespace tendril::engine {
LAYERS_SEEN
}
namespace tendril::render {
LAYERS_SEEN
}

namespace tendril::app {
LAYERS_SEEN

// as the table of ARCHITECTURE.md has it
TEST(Layers, SeeTheLowerOnesAlone) {
  EXPECT_EQ(math::layers_seen(), " math");
  EXPECT_EQ(rod::layers_seen(), " math rod");
  EXPECT_EQ(contact::layers_seen(), " math rod contact");
  EXPECT_EQ(solvers::layers_seen(), " math rod contact solvers");
  EXPECT_EQ(solvers::of_ones_own::layers_seen(), " math rod contact solvers");
  EXPECT_EQ(io::layers_seen(), " math rod io");
  EXPECT_EQ(scene::layers_seen(), " math rod io scene");
  EXPECT_EQ(sim::layers_seen(), " math rod contact solvers io sim");
  EXPECT_EQ(engine::layers_seen(), " math rod contact solvers io scene sim engine");
  EXPECT_EQ(render::layers_seen(), " math rod render");
  EXPECT_EQ(app::layers_seen(), " math rod contact solvers io scene sim engine render");
}

}  // namespace tendril::app
