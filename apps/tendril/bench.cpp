#include <fmt/format.h>

#include <iostream>

#include "benchmark.h"
#include "verbs.h"

namespace tendril::app {

void add_bench(CLI::App& app, int& exit_code) {
  auto* verb = app.add_subcommand("bench", "the papers' tables and figures, our numbers beside theirs");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto options = std::make_shared<BenchOptions>();
  std::vector<std::string> names;
  std::string help = "which; all when absent:";
  for (const Benchmark& b : benchmarks()) names.push_back(b.name), help += fmt::format("\n  {}: {}", b.name, b.meaning);
  verb->add_option("NAME", *name, help)->check(CLI::IsMember(names));
  verb->add_flag("--json", *json, "for programs");
  verb->add_option("--seconds", options->seconds, "of measuring per case")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->callback([=, &exit_code] {
    options->quiet = *json;
    BenchResults all = BenchResults::array();
    for (const Benchmark& b : benchmarks())
      if (name->empty() ? !b.is_within_another : *name == b.name)
        for (auto& result : b.run(*options)) all.push_back(result);
    if (*json) std::cout << all.dump(2) << "\n";
    exit_code = exit_good;
  });
}

}  // namespace tendril::app
