#pragma once

#include <string_view>

namespace tendril {

// web/dist/index.html as it was when the program was built; empty where there was none
std::string_view embedded_page();

}  // namespace tendril
