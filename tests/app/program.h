#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.h"
#include "scratch.h"

namespace tendril::app {

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
    rusage used{};
    wait4(child_, &status, 0, &used);
    cpu_seconds_ = seconds(used.ru_utime) + seconds(used.ru_stime);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // processor time that all its threads took so far, or until it ended [s]
  double cpu_seconds() const {
    clockid_t clock = 0;
    timespec now{};
    if (cpu_seconds_ > 0 || clock_getcpuclockid(child_, &clock) != 0 || clock_gettime(clock, &now) != 0)
      return cpu_seconds_;
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
  }
  std::string output() const {
    std::stringstream text;
    text << std::ifstream(output_).rdbuf();
    return text.str();
  }

 private:
  static double seconds(const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); }

  std::filesystem::path output_;
  pid_t child_ = 0;
  mutable double cpu_seconds_ = 0;  // set by exit_code()
};

}  // namespace tendril::app
