#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.h"
#include "scratch.h"

namespace tendril {

// the program in a process of its own; its words and what it prints go through a file
class Program {
 public:
  // `before`: done in the new process, behind its standard streams
  Program(const Scratch& scratch, std::vector<std::string> words, const std::function<void()>& before = {})
      : output_(scratch / "output") {
    words.insert(words.begin(), "tendril");
    child_ = fork();
    if (child_ != 0) return;
    const int file = open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    close(file);
    if (before) before();
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    const int code = run_command_line(int(pointers.size()), pointers.data());
    std::fflush(nullptr);
    _exit(code);
  }

  // waits until it has printed this; false when it never does
  bool says(const std::string& what) const {
    for (int n = 0; n < 3000 && output().find(what) == std::string::npos; ++n) usleep(10'000);
    return output().find(what) != std::string::npos;
  }
  void interrupt() const { kill(child_, SIGINT); }
  void terminate() const { kill(child_, SIGTERM); }
  int exit_code() const {
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string output() const {
    std::stringstream text;
    text << std::ifstream(output_).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path output_;
  pid_t child_ = 0;
};

}  // namespace tendril
