// Writes a report of invented runs: every table that a run can have, as many kernels as the largest suite, and names that would do harm if
// the page treated them as HTML or script. report_fixture FILE WITHOUT writes it into FILE, and also into WITHOUT, in the form of a program
// that was built without the charting library.

#include <fmt/core.h>

#include <cmath>
#include <iostream>

#include "model/base/files/output_files.h"
#include "platforms/cli/report/report_page.h"

namespace wharf::cli {
namespace {

constexpr const char* kHostile = "</script><img src=x onerror=\"window.harmed=1\"><script>window.harmed=1</script>{{data}}";

/// A number in [0, 1), the same in every run.
double noise(std::size_t seed) { return std::fmod(std::fabs(std::sin(static_cast<double>(seed) * 12.9898) * 43758.5453), 1.0); }

Json latency_stack(std::size_t seed) {
  Json rows = Json::array();
  for (const char* served_by : {"l1", "peer", "l2", "dram", "all"}) {
    Json row = {served_by, std::lround(1000 + noise(++seed) * 9000)};
    for (int stage = 0; stage < 8; ++stage) row.push_back(noise(++seed) * 60.0);
    rows.push_back(row);
  }
  return {{"help", ""},
          {"columns", {"served_by", "loads", "lsu", "l1", "queueing", "network", "peer", "l2", "dram", "merged"}},
          {"rows", rows}};
}

/// Slots of every kind of cause; their sum is the number of all slots.
Json cycle_stack(std::size_t seed) {
  constexpr int kParts = 14;
  std::vector<double> parts;
  double all = 0.0;
  for (int i = 0; i < kParts; ++i) all += parts.emplace_back(0.1 + noise(++seed));
  Json rows = Json::array();
  int next = 0;
  const auto add = [&](const char* cause, const char* server, const char* stage) {
    const double share = parts[static_cast<std::size_t>(next++)] / all;
    rows.push_back({cause, server, stage, share * 1e6, share});
  };
  for (const char* cause : {"issued", "issuing", "tail", "barrier", "result_alu", "result_shared", "loads_limit", "stores"})
    add(cause, "", "");
  for (const char* stage : {"l1", "mshr_full", "network_up", "l2"}) add("load", "l2", stage);
  add("load", "dram", "dram_queue");
  add("load", "peer", "peer");
  return {{"help", ""}, {"columns", {"cause", "served_by", "stage", "slots", "share"}}, {"rows", rows}};
}

/// More than the page shows. One of them has an unknown source line and no loads.
Json instructions(std::size_t seed) {
  Json rows = Json::array();
  for (int i = 0; i < 12; ++i) {
    const bool is_load = i != 3;
    const double loads = is_load ? 1000.0 : 0.0, hits = std::round(900.0 * noise(++seed));
    rows.push_back({i == 1 ? kHostile : "made_up", is_load ? "stimuli/kernels/polybench/made_up.cpp" : "", is_load ? 20 + i : 0,
                    16 * (20 + i), is_load ? "load" : "alu", 1e6 / (i + 1), 0.3 / (i + 1), loads, is_load ? Json(hits / 1000.0) : Json(),
                    is_load ? Json(noise(++seed)) : Json(), is_load ? hits : 0.0, 0, 0, 0, 0, is_load ? 1000.0 - hits : 0.0});
  }
  return {{"help", ""},
          {"columns",
           {"kernel", "file", "line", "pc", "unit", "slots", "share", "loads", "hit_rate", "replication", "l1", "peer", "home", "l2",
            "ellc", "dram"}},
          {"rows", rows}};
}

/// Every level that a machine can have.
Json memory_levels(std::size_t seed) {
  Json rows = Json::array();
  const auto add = [&](const char* level, double reads, Json read_bytes, Json written_bytes, Json hit_rate, Json peak) {
    rows.push_back({level, reads, reads / 2, read_bytes, written_bytes, hit_rate, noise(++seed), noise(++seed), peak});
  };
  add("sm", 1e5, {}, {}, {}, 100.0);
  add("shared_memory", 2e5, {}, {}, {}, {});
  const double more = noise(++seed), hits = noise(++seed);
  add("l1", 9e5, 9e7 * (1.0 + more), {}, hits, 14000.0);
  add("other_l1", 1e4, 1e6, {}, {}, {});
  add("between_l1", 0.0, 2e6, {}, {}, {});
  add("request", 3e5, {}, 2e7, {}, {});
  add("reply", 3e5, 5e7, {}, {}, {});
  add("l2", 3e5, 4e7 * (2.0 - more), {}, 1.0 - hits, 700.0);
  add("extended_llc", 2e4, {}, {}, more, {});
  add("dram", 8e4, 5e6, 1e6, hits, 473.0);
  return {{"help", ""},
          {"columns", {"level", "reads", "writes", "read_bytes", "written_bytes", "hit_rate", "utilisation", "busiest", "peak"}},
          {"rows", rows}};
}

/// A mesh of 6 x 6 routers and a crossbar of 80 inputs and 32 outputs.
Json links(std::size_t seed) {
  Json rows = Json::array();
  const auto add = [&](const char* network, std::string from, std::string to, int x0, int y0, int x1, int y1) {
    const double busy = noise(++seed) * 0.9;
    rows.push_back({network, from, to, x0, y0, x1, y1, std::lround(busy * 1e5), busy});
  };
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      const std::string here = fmt::format("router {}", y * 6 + x);
      if (x < 5) add("request", here, fmt::format("router {}", y * 6 + x + 1), x, y, x + 1, y);
      if (x > 0) add("request", here, fmt::format("router {}", y * 6 + x - 1), x, y, x - 1, y);
      if (y < 5) add("request", here, fmt::format("router {}", y * 6 + x + 6), x, y, x, y + 1);
      if (y > 0) add("request", here, fmt::format("router {}", y * 6 + x - 6), x, y, x, y - 1);
      add("request", here, "node of " + here, x, y, x, y);
    }
  }
  for (int i = 0; i < 80; ++i) add("reply", fmt::format("SM {}", i), "crossbar", i, 0, i, 0);
  for (int i = 0; i < 32; ++i) add("reply", "crossbar", fmt::format("slice {}", i), i, 1, i, 1);
  return {{"help", ""}, {"columns", {"network", "from", "to", "x0", "y0", "x1", "y1", "flits", "utilisation"}}, {"rows", rows}};
}

Json bandwidth(std::size_t seed) {
  Json rows = Json::array();
  for (int i = 0; i < 256; ++i) {
    const double wave = 1.0 + std::sin(i * 0.1 + noise(seed));
    rows.push_back({1000 * (i + 1), 900.0 * wave + 90.0 * noise(++seed), 300.0 * wave, 120.0 * wave * noise(++seed)});
  }
  return {{"help", ""}, {"columns", {"cycle", "l1", "l2", "dram"}}, {"rows", rows}};
}

/// 64 slices and 32 channels. One of each is far busier than the others.
Json parts_over_time(std::size_t seed) {
  Json columns = {"cycle"}, rows = Json::array();
  for (int slice = 0; slice < 64; ++slice) columns.push_back(fmt::format("l2.{}", slice));
  for (int channel = 0; channel < 32; ++channel) columns.push_back(fmt::format("dram.{}", channel));
  for (int i = 0; i < 64; ++i) {
    Json& row = rows.emplace_back(Json{4000 * i});
    for (int part = 0; part < 96; ++part) row.push_back(std::lround(part % 64 == 5 ? 800 + 100 * noise(seed) : 200 * noise(++seed)));
  }
  return {{"help", ""}, {"columns", columns}, {"rows", rows}};
}

/// The idle power of the chip, with waves on top of it. No design adds anything.
Json energy_over_time(std::size_t seed) {
  Json rows = Json::array();
  for (int i = 0; i < 256; ++i) {
    const double wave = 1.0 + std::sin(i * 0.1 + noise(seed));
    rows.push_back(
        {1000 * (i + 1), 40.0 + 9.0 * wave, 5.0 * wave, noise(++seed), 3.0 * wave, 2.0, 4.0 * wave, 1.0, 20.0 * wave, 0.0, 25.0});
  }
  return {{"help", ""},
          {"columns", {"cycle", "core", "l1", "smem", "noc_dyn", "noc_static", "l2_dyn", "l2_leak", "dram", "extras", "constant"}},
          {"rows", rows}};
}

/// Warps are isolated, and some of them stalled, while interference is high.
Json warps_over_time(std::size_t seed) {
  Json rows = Json::array();
  for (int i = 0; i < 200; ++i) {
    const double wave = 0.5 + 0.5 * std::sin(i * 0.05 + noise(seed)), isolated = 20 * wave, stalled = 8 * wave * noise(++seed);
    const double l1 = 9000 * wave * noise(++seed), shared = 0.2 * l1;
    rows.push_back({100000 * i, 800, 125 * (2 - wave), 48 - isolated - stalled, isolated, stalled, std::lround((l1 + shared) / 10),
                    l1 + shared, l1, shared});
  }
  return {{"help", ""},
          {"columns",
           {"thread_instructions", "cycles", "ipc", "active", "isolated", "stalled", "vta_hits", "interference", "interference_l1",
            "interference_shared"}},
          {"rows", rows}};
}

/// One or two warps do most of the damage to each.
Json interference(std::size_t seed) {
  Json rows = Json::array();
  for (int victim = 0; victim < 48; ++victim) {
    rows.push_back({victim, (victim * 7 + 3) % 48, std::lround(2000 * noise(++seed))});
    for (int interferer = 0; interferer < 48; interferer += 5) rows.push_back({victim, interferer, std::lround(200 * noise(++seed))});
  }
  return {{"help", ""}, {"columns", {"victim", "interferer", "hits"}}, {"rows", rows}};
}

Outcome outcome(const std::string& config, const std::string& stimulus, std::size_t seed, bool with_tables) {
  const double ns = 1e5 * (0.5 + noise(seed));
  Outcome made{config, stimulus, {}, {}, {}};
  made.run = {{"cycles", ns},
              {"time_ns", ns},
              {"thread_instructions", 1000000},
              {"warp_instructions", 40000 + std::lround(1e4 * noise(seed + 5))},
              {"sm.slots.all", 1e12},
              {"ipc", 1e8 / ns},
              {"l1.miss_rate", noise(seed + 1)},
              {"l1.latency", 100.0 + 400.0 * noise(seed + 2)},
              {"inter_core_locality", noise(seed + 3)},
              {"power.total", 100.0 + 20.0 * noise(seed + 4)},
              {"energy.total", (100.0 + 20.0 * noise(seed + 4)) * ns}};
  if (with_tables)
    made.tables = {{"cycle_stack", cycle_stack(seed)},
                   {"instructions", instructions(seed)},
                   {"memory_levels", memory_levels(seed)},
                   {"latency_stack", latency_stack(seed)},
                   {"links", links(seed)},
                   {"bandwidth", bandwidth(seed)},
                   {"parts_over_time", parts_over_time(seed)},
                   {"energy_over_time", energy_over_time(seed)},
                   {"warps_over_time", warps_over_time(seed)},
                   {"interference", interference(seed)}};
  return made;
}

Comparison group(const std::vector<std::string>& configs, const std::vector<std::string>& stimuli, bool with_tables) {
  Comparison made{configs, stimuli, configs.front(), {}};
  std::size_t seed = 0;
  for (const std::string& stimulus : stimuli)
    for (const std::string& config : configs) made.outcomes.push_back(outcome(config, stimulus, seed += 7, with_tables));
  for (const std::string& config : configs)
    made.resolved.push_back(fmt::format("sms: 28\nl1: {{capacity_kib: {}, ways: 4}}\nmade_up: '{}'\n", config.size(), config));
  return made;
}

int write_fixture(const std::string& file, const std::string& without) {
  std::vector<std::string> kernels;
  for (int i = 0; i < 40; ++i) kernels.push_back(fmt::format("kernel_{}@std", i));
  kernels.push_back(kHostile);
  Comparison first = group({"remote_sharing/baseline", "remote_sharing", kHostile, "shared_l1/dyn_eb"}, kernels, true);
  first.refused = {{"ata", std::string("x.yaml:1:1: sms: is not a multiple; ") + kHostile}};
  Comparison second = group({"private", "private_16x_l1"}, {"gemm@std", "atax@std"}, false);
  second.outcomes[3].run = Json();  // a run that failed
  const ReportText text = {
      std::string("Made up ") + kHostile, "Nothing here was measured.", {headline_table(first)}, detail_tables(second)};
  const std::vector<Comparison> groups = {first, second, group({"private"}, {"gemm@std"}, false)};
  write_file(file, report_html(text, groups));
  write_file(without, report_html(text, groups, {}));
  return 0;
}

}  // namespace
}  // namespace wharf::cli

// libsystemc.so names sc_main (with C linkage); nothing is simulated here.
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  if (argc == 3) return wharf::cli::write_fixture(argv[1], argv[2]);
  std::cerr << "usage: report_fixture FILE WITHOUT\n";
  return 2;
}
