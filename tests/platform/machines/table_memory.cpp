// The estimate of the host memory that a machine's tables need.

#include "platforms/frame/table_memory.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/platform/machines/apart.h"
#include "tests/support/program_under_test.h"

namespace wharf::test {
namespace {

using Settings = std::vector<std::string>;

double mib(const GpuParams& params) {
  const auto tables = table_memory(params, false);
  std::uint64_t bytes = 0;
  for (const TableMemory& table : tables) bytes += table.bytes;
  return static_cast<double>(bytes) / (1 << 20);
}

/// Peak memory of the program when it builds the machine and runs it only briefly.
double measured_mib(const std::string& config, const Settings& settings) {
  const cli::TemporaryFolder folder;
  std::vector<std::string> arguments = {"run", config, "--stimulus", "synthetic:loads=10,ctas=1,warps=1,instructions=20", "--out", "o"};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  const cli::Ended ended = cli::wharf(folder, arguments);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  return cli::read_json(folder / "o/result.json")["host"]["rss_mb"].get<double>() * 1e6 / (1 << 20);
}

TEST_CASE("the estimate of a machine's tables is what the program takes more for them, within a quarter") {
  struct Grown {
    const char* config;
    Settings settings;
  };
  for (const Grown& grown :
       {Grown{"private", {"l1.capacity_kib=4096"}}, Grown{"private", {"l1.capacity_kib=4096", "l1.ways=32"}},
        Grown{"private", {"l2.slice_kib=16384"}}, Grown{"private", {"l1.mshr_entries=65536"}}, Grown{"private", {"l2.mshr_entries=65536"}},
        Grown{"dc_l1", {"l1.capacity_kib=4096"}}, Grown{"ata", {"l1.capacity_kib=4096"}},
        Grown{"morpheus", {"morpheus.mshr_entries=65536"}},
        Grown{"morpheus", {"morpheus.kernel.register_file_kib=4096", "morpheus.kernel.l1_kib=4096"}},
        Grown{"loscache", {"l2.slice_kib=16384"}},
        Grown{"private", {"sm.interference.passive=true", "sm.interference.victim_sets=64", "sm.interference.victim_ways=64"}}}) {
    const double estimated = mib(machine(grown.config, grown.settings)) - mib(machine(grown.config));
    const double measured = measured_mib(grown.config, grown.settings) - measured_mib(grown.config, {});
    INFO(grown.config << " with " << grown.settings.front());
    CHECK(estimated == Approx(measured).epsilon(0.25));
  }
}

TEST_CASE("the largest tables come first, with their key and its value") {
  CHECK(table_memory(machine("private", {"l1.capacity_kib=1048576"}), false).front().key == "l1.capacity_kib: 1048576");
  CHECK(table_memory(machine("private", {"l2.mshr_entries=65536"}), false).front().key == "l2.mshr_entries: 65536");
  CHECK(available_memory() > 100'000'000);
}

}  // namespace
}  // namespace wharf::test
