#pragma once

#include <sys/types.h>

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "layers.h"

namespace tendril::render {

// another program is not here, or failed: the message has its name and what it said
struct ProgramFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// another program that runs beside us and reads what we write to it. It does not hear the terminal's Ctrl-C: we end it
class Child {
 public:
  // words[0] is looked up in PATH; `package` is what the message tells to install when it is not there
  Child(const std::vector<std::string>& words, const std::string& package);
  ~Child();  // ends it at once if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void write(std::span<const char> bytes);  // throws ProgramFailed when it no longer reads
  void finish();  // no more input: waits for its end; throws ProgramFailed unless it went well

 private:
  int wait();  // its exit status
  [[noreturn]] void fail();

  std::string name_;
  pid_t process_ = -1;
  int input_ = -1;       // our end of its standard input
  int complaints_ = -1;  // a file in memory, its standard error
};

}  // namespace tendril::render
