#pragma once

// Which layer sees which: the table of ARCHITECTURE.md, held by the compiler. Each folder is a namespace, and a folder
// of its own in a folder is one within, as solvers::block: a name of a lower layer is used as it is, one of an upper
// layer is not found. What sees a layer sees all that this layer sees.

namespace tendril {

namespace math {}

namespace rod {
using namespace math;
}

namespace contact {
using namespace rod;
}

namespace solvers {
using namespace contact;
}

namespace io {
using namespace rod;
}

namespace scene {
using namespace io;
}

namespace sim {
using namespace solvers;
using namespace io;
}  // namespace sim

namespace engine {
using namespace sim;
using namespace scene;
}  // namespace engine

namespace render {
using namespace rod;
}

namespace session {
using namespace engine;
using namespace render;
}  // namespace session

namespace app {  // apps/ and bench/
using namespace session;
}

}  // namespace tendril
