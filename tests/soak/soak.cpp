// The long soak: `./wharf test --soak`. Runs random traces on every configuration with each kind of keys (SoakKeys), round after round with
// new seeds until there are enough accesses.

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <vector>

#include "model/base/error.h"
#include "platforms/cli/program.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/table.h"
#include "tests/platform/soak/trace_soak.h"

namespace wharf::test {
namespace {

namespace fs = std::filesystem;

cli::CommandLine declare() {
  cli::CommandLine arguments(
      "test --soak [options]",
      "Random traces through every configuration, with golden memory and all protocol checkers, in two orders of the\n"
      "blocks, with odd seeds also in two threads, with even ones from a checkpoint; each configuration as it is, with the\n"
      "smallest queues, with keys changed at random, and as a small machine with keys changed at random. Ctrl-C ends it and sums up.");
  arguments.value("accesses", "N", "go on until so many accesses have been made, in all (default 25000000)")
      .value("configs", "NAMES", "only these configurations, separated by commas; remote_sharing/ stands for all below it")
      .value("keys", "own|smallest|random|small",
             "only the configurations as they are, with the smallest queues, with random keys, or small")
      .value("seed", "N", "seed of the first round (default 1); each round adds one")
      .value("of-a-run", "N", "about so many accesses a run (default 10000)")
      .value("out", "DIR", "folder of the traces of findings (default out/soak)");
  return arguments;
}

const char* name_of(SoakKeys keys) { return kSoakKeyNames[static_cast<unsigned>(keys)]; }

std::vector<std::string> chosen(const cli::CommandLine& arguments) {
  std::vector<std::string> all = soak_configurations();
  if (!arguments.has("configs")) return all;
  std::vector<std::string> names;
  for (const std::string& wanted : cli::split_list(arguments.text("configs"))) {
    const std::size_t before = names.size();
    for (const std::string& name : all)
      if (name == wanted || (wanted.back() == '/' && name.rfind(wanted, 0) == 0)) names.push_back(name);
    if (names.size() == before)
      throw InputError(
          fmt::format("--configs: there is no configuration '{}'{}'wharf list configs' prints them", wanted, cli::suggestion(wanted, all)));
  }
  return names;
}

/// All kinds, or those that --keys names.
std::vector<SoakKeys> chosen_keys(const cli::CommandLine& arguments) {
  constexpr std::array kAll = {SoakKeys::own, SoakKeys::smallest_queues, SoakKeys::random, SoakKeys::small_machine};
  if (!arguments.has("keys")) return {kAll.begin(), kAll.end()};
  const std::string wanted = arguments.text("keys");
  for (const SoakKeys keys : kAll)
    if (wanted == name_of(keys)) return {keys};
  throw InputError("--keys is " + wanted + "; write own, smallest, random or small, or leave it out for all");
}

std::string repeated(const TraceSoak& soak) {
  return fmt::format("./wharf test --soak --configs {} --keys {} --seed {} --of-a-run {} --accesses 1", soak.configuration,
                     name_of(soak.keys), soak.seed, soak.accesses);
}

class Soak {
 public:
  explicit Soak(const cli::CommandLine& arguments)
      : configurations_(chosen(arguments)),
        keys_(chosen_keys(arguments)),
        wanted_(arguments.count("accesses", 25'000'000, 1, ~0ull)),
        of_a_run_(arguments.count("of-a-run", 10'000, 100, 100'000'000)),
        seed_(arguments.count("seed", 1, 0, ~0ull - 1'000'000)),
        out_(arguments.text("out", "out/soak")) {}

  int run() {
    const cli::InterruptGuard guard;
    for (std::uint64_t round = 0; accesses_ < wanted_ && !cli::InterruptGuard::requested(); ++round)
      for (const std::string& name : configurations_)
        for (const SoakKeys keys : keys_)
          if (accesses_ < wanted_ && !cli::InterruptGuard::requested()) run_one({name, keys, seed_ + round, of_a_run_});
    bar_.clear();
    fmt::print(std::cout, "{} accesses in {} runs, seeds {} to {}, on {} of {} configurations, in {}: {} findings\n",
               cli::with_commas(accesses_), runs_, seed_, last_seed_,
               std::min((runs_ + keys_.size() - 1) / keys_.size(), configurations_.size()), configurations_.size(),
               cli::format_duration(elapsed_s()), findings_);
    if (cli::InterruptGuard::requested()) return 128 + cli::InterruptGuard::signal();
    return findings_ == 0 ? cli::kDone : cli::kSimulationFailed;
  }

 private:
  double elapsed_s() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  void run_one(const TraceSoak& soak) {
    bar_.show(static_cast<double>(accesses_) / static_cast<double>(wanted_),
              fmt::format("{} accesses, {} findings  {} {} keys, seed {}", cli::with_commas(accesses_), findings_, soak.configuration,
                          name_of(soak.keys), soak.seed));
    const fs::path trace = out_ / fmt::format("finding_{}", findings_ + 1);
    const TraceSoakResult result = run_trace_soak(soak, trace);
    accesses_ += result.accesses;
    last_seed_ = soak.seed;
    ++runs_;
    if (result.finding.empty()) {
      fs::remove_all(trace);
    } else if (!cli::InterruptGuard::requested()) {
      ++findings_;
      report(soak, result.finding, trace);
    }
  }

  void report(const TraceSoak& soak, const std::string& finding, const fs::path& trace) {
    bar_.clear();
    std::string settings;
    for (const std::string& setting : soak_settings(soak.configuration, soak.keys, soak.seed)) settings += " --set " + setting;
    fmt::print(std::cout, "finding {}: {}\n  again: {}\n  or: ./wharf run {} --trace {} --seed {} --verify [--scramble | --threads 2]{}\n",
               findings_, finding, repeated(soak), soak.configuration, trace.string(), soak.seed, settings);
    std::cout.flush();
  }

  std::vector<std::string> configurations_;
  std::vector<SoakKeys> keys_;
  std::uint64_t wanted_, of_a_run_, seed_;
  fs::path out_;
  cli::ProgressBar bar_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t accesses_ = 0, last_seed_ = 0;
  std::size_t runs_ = 0, findings_ = 0;
};

}  // namespace
}  // namespace wharf::test

int main(int argc, char** argv) {
  try {
    wharf::cli::CommandLine arguments = wharf::test::declare();
    if (!arguments.parse(std::vector<std::string>(argv + 1, argv + argc), std::cout)) return wharf::cli::kDone;
    return wharf::test::Soak(arguments).run();
  } catch (const wharf::InputError& error) {
    fmt::print(stderr, "wharf: {}\n", error.what());
    return wharf::cli::kBadInput;
  }
}

extern "C" int sc_main(int, char**) { return 0; }
