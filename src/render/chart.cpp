#include "render/chart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace tendril {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_header(const fs::path& csv) {
  std::ifstream in(csv);
  std::string line;
  if (!in || !std::getline(in, line)) throw std::runtime_error(fmt::format("cannot read {}", csv.string()));
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> names;
  std::istringstream fields(line);
  for (std::string name; std::getline(fields, name, ',');) names.push_back(name);
  return names;
}

// insertions, deletions and changes that make one word the other
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// counted from one, as gnuplot does
int column_number(const std::vector<std::string>& names, const std::string& column, const fs::path& csv) {
  const auto found = std::find(names.begin(), names.end(), column);
  if (found != names.end()) return int(found - names.begin()) + 1;
  const auto nearest = std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(a, column) < edit_distance(b, column);
  });
  throw std::invalid_argument(fmt::format("{} has no column '{}'{}", csv.string(), column,
                                          nearest == names.end() ? "" : fmt::format(": did you mean '{}'?", *nearest)));
}

// a text of gnuplot's language
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n') continue;
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

std::string terminal(const fs::path& out) {
  const std::string extension = out.extension().string();
  if (extension == ".png") return "pngcairo size 1280,720 noenhanced font 'sans,16' background rgb '#ffffff'";
  if (extension == ".svg") return "svg size 1280,720 noenhanced font 'sans,16' background rgb '#ffffff'";
  throw std::invalid_argument(fmt::format("cannot draw a chart as '{}': name it .png or .svg", out.string()));
}

std::string script(const fs::path& csv, const std::vector<std::string>& columns, const fs::path& out,
                   const std::string& terminal, const std::string& title) {
  static const std::vector<std::string> colors = {"#2f6db5", "#e07b39", "#3c9d6b", "#c8473f", "#7d5ba6", "#2a9da8"};
  const std::vector<std::string> names = read_header(csv);
  const int time = column_number(names, "time", csv);
  std::string curves;
  for (std::size_t k = 0; k < columns.size(); ++k)
    curves += fmt::format("{}{} using {}:{} with lines linewidth 2.5 linecolor rgb '{}' title {}", k ? ", " : "",
                          quoted(csv.string()), time, column_number(names, columns[k], csv), colors[k % colors.size()],
                          quoted(columns[k]));
  return fmt::format(
      "set terminal {}\n"
      "set output {}\n"
      "set datafile separator ','\n"
      "set datafile missing 'inf'\n"
      "set key autotitle columnhead outside top right horizontal\n"
      "set title {}\n"
      "set xlabel 'time [s]'\n"
      "set border 3 linecolor rgb '#555555'\n"
      "set tics nomirror\n"
      "set grid linecolor rgb '#dddddd' linewidth 1\n"
      "plot {}\n",
      terminal, quoted(out.string()), quoted(title), curves);
}

// runs gnuplot on a script file; what it complains about goes to `complaints`
void run_gnuplot(const fs::path& script_file, const fs::path& complaints) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::string program = "gnuplot", file = script_file.string();
  char* arguments[] = {program.data(), file.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw std::runtime_error("charts need gnuplot, which is not here: install the package gnuplot-nox");
  if (error) throw std::system_error(error, std::generic_category(), "cannot start gnuplot");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  std::ifstream in(complaints);
  const std::string said(std::istreambuf_iterator<char>(in), {});
  throw std::runtime_error(fmt::format("gnuplot failed: {}", said));
}

// files beside the chart that vanish however it ends
struct Scratch {
  fs::path path;
  ~Scratch() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

}  // namespace

void plot_csv(const fs::path& csv, const std::vector<std::string>& columns, const fs::path& out,
              const std::string& title) {
  if (columns.empty()) throw std::invalid_argument("a chart needs at least one column");
  const Scratch picture{out.string() + ".part"}, commands{out.string() + ".gnuplot"}, complaints{out.string() + ".log"};
  const std::string text = script(csv, columns, picture.path, terminal(out), title);
  std::ofstream(commands.path) << text;
  if (!fs::exists(commands.path))
    throw std::runtime_error(fmt::format("cannot write {}: is its folder there?", out.string()));
  run_gnuplot(commands.path, complaints.path);
  std::error_code error;
  fs::rename(picture.path, out, error);
  if (error) throw std::system_error(error, fmt::format("cannot write the chart {}", out.string()));
}

}  // namespace tendril
