#include "view/page.h"

// the bytes of a file, as the assembler finds them
asm(R"(
  .pushsection .rodata
  .global tendril_page, tendril_page_end
tendril_page:
  .incbin ")" TENDRIL_PAGE R"("
tendril_page_end:
  .byte 0
  .popsection
)");

extern "C" const char tendril_page[], tendril_page_end[];

namespace tendril::app {

std::string_view embedded_page() { return {tendril_page, std::size_t(tendril_page_end - tendril_page)}; }

}  // namespace tendril::app
