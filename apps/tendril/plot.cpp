#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "run_table.h"
#include "verbs.h"

namespace tendril::app {
namespace {

struct Words {
  std::vector<std::string> words;  // runs, then columns
  std::string out;
  bool terminal = false, residuals = false, logarithmic = false;
  int step = -1;
};

// leading words that are runs; the first has to be one
std::vector<RunTable> read_runs(const std::vector<std::string>& words) {
  std::vector<RunTable> runs{read_run_table(words.front())};
  while (runs.size() < words.size() && is_run_folder(words[runs.size()]))
    runs.push_back(read_run_table(words[runs.size()]));
  return runs;
}

TerminalSize terminal_size() {
  TerminalSize size;
  size.colors = isatty(STDOUT_FILENO);
  winsize window{};
  if (size.colors && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
    size.columns = std::clamp<int>(window.ws_col, 40, 160);
  return size;
}

void plot(const Words& w) {
  const std::vector<RunTable> runs = read_runs(w.words);
  std::vector<std::string> columns(w.words.begin() + std::ptrdiff_t(runs.size()), w.words.end());
  if (columns.empty()) columns = {"kinetic", "elastic", "gravity"};
  Chart chart = w.residuals ? chart_residuals(runs, w.step) : chart_columns(runs, columns);
  chart.logarithmic = chart.logarithmic || w.logarithmic;
  if (w.terminal || (w.out.empty() && isatty(STDOUT_FILENO))) fmt::print("{}", terminal_chart(chart, terminal_size()));
  if (w.out.empty() && (w.terminal || isatty(STDOUT_FILENO))) return;
  const std::string out = w.out.empty() ? "plot.png" : w.out;
  draw_chart(chart, out);
  fmt::print("{}\n", out);
}

}  // namespace

void add_plot(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("plot", "a chart of what runs measured, over time");
  auto w = std::make_shared<Words>();
  verb->add_option(
          "RUN", w->words,
          "RUN [RUN…] [COLUMN…]: run folders, drawn over one another, then columns of metrics.csv: a name, the "
          "beginning of names (tip), or with * and ? (\"*.z\"); default: kinetic elastic gravity")
      ->required();
  verb->add_option("-o,--out", w->out,
                   "the chart, x.png or x.svg; default: in the terminal, or plot.png where there is none");
  verb->add_flag("--terminal", w->terminal, "in the terminal");
  verb->add_flag("--residuals", w->residuals, "residuals.csv instead: the residual after each iteration");
  verb->add_option("--step", w->step, "with --residuals: of this step only")->check(CLI::NonNegativeNumber);
  verb->add_flag("--log", w->logarithmic, "logarithmic y axis");
  verb->callback([=, &exit_code] {
    plot(*w);
    exit_code = exit_good;
  });
}

}  // namespace tendril::app
