#pragma once

#include <string_view>

namespace tendril::app {

// web/dist/index.html as it was when the program was built; empty where there was none
std::string_view embedded_page();

}  // namespace tendril::app
