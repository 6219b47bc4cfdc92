#include <fmt/format.h>

#include "recorded_run.h"
#include "render/chart.h"
#include "verbs.h"

namespace tendril {

void add_plot(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("plot", "a chart of columns of a run's metrics.csv over time");
  auto run = std::make_shared<std::string>();
  auto columns = std::make_shared<std::vector<std::string>>();
  auto out = std::make_shared<std::string>("plot.png");
  verb->add_option("RUN", *run, "a run folder")->required();
  verb->add_option("COLUMN", *columns, "what to draw; default: kinetic elastic gravity");
  verb->add_option("-o,--out", *out, "the chart, x.png or x.svg")->capture_default_str();
  verb->callback([=, &exit_code] {
    const RecordedRun recorded = open_run(*run);
    const std::vector<std::string> energies{"kinetic", "elastic", "gravity"};
    plot_csv(recorded.folder / "metrics.csv", columns->empty() ? energies : *columns, *out, recorded.scene.baked.title);
    fmt::print("{}\n", *out);
    exit_code = exit_good;
  });
}

}  // namespace tendril
