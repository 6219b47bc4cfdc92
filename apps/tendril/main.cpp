#include "command_line.h"

int main(int argc, char** argv) { return tendril::app::run_command_line(argc, argv); }
