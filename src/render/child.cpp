#include "render/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace tendril::render {

namespace {

constexpr std::size_t most_complaints = 2000;  // characters shown of what it said

void close_file(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

// what a program wrote to its standard error, without the last line ends
std::string read_complaints(int file) {
  std::string text(most_complaints, '\0');
  const ssize_t length = ::pread(file, text.data(), text.size(), 0);
  text.resize(length > 0 ? std::size_t(length) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string describe(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with code {}", WEXITSTATUS(status));
}

}  // namespace

Child::Child(const std::vector<std::string>& words, const std::string& package) : name_(words.at(0)) {
  int ends[2] = {-1, -1};  // a socket rather than a pipe: writing to one that is closed is an error, not a signal
  complaints_ = memfd_create("complaints", MFD_CLOEXEC);
  if (complaints_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    const int error = errno;
    close_file(complaints_);
    throw ProgramFailed(fmt::format("cannot start {}: {}", name_, std::strerror(error)));
  }
  input_ = ends[0];

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, complaints_, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own, away from Ctrl-C
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int error = posix_spawnp(&process_, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close_file(ends[1]);
  if (error == 0) return;

  process_ = -1;
  close_file(input_);
  close_file(complaints_);
  throw ProgramFailed(error == ENOENT ? fmt::format("{} is not here: install the package {}", name_, package)
                                      : fmt::format("cannot start {}: {}", name_, std::strerror(error)));
}

Child::~Child() {
  close_file(input_);
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    wait();
  }
  close_file(complaints_);
}

void Child::write(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail();
    bytes = bytes.subspan(std::size_t(sent));
  }
}

void Child::finish() {
  close_file(input_);
  const int status = wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string said = read_complaints(complaints_);
  throw ProgramFailed(fmt::format("{} {}{}{}", name_, describe(status), said.empty() ? "" : ": ", said));
}

void Child::fail() {
  finish();  // throws when it failed
  throw ProgramFailed(fmt::format("{} ended before it had read everything", name_));
}

int Child::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

}  // namespace tendril::render
