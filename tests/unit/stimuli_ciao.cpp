// What the workloads of the suite `ciao` ask of a GPU, beside the table of their source (ciao section 9; docs/ciao-workloads.md).

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "stimuli/catalogue.h"
#include "stimuli/suites.h"
#include "stimuli_walk.h"

using namespace wharf;

namespace {

constexpr std::uint32_t kSms = 15, kWarps = 48, kCtas = 8, kRegisters = 32768, kSharedBytes = 48 << 10;  // gpus/fermi_15sm

struct Demand {
  double apki = 0;          // line transactions of loads and stores per 1000 thread instructions
  double shared_share = 0;  // of the kernel that uses most: its CTAs on an SM that is full of them
  bool barriers = false;
  std::uint32_t warps = 0;  // on an SM, of the launch that has most of them
};

/// CTAs that an SM has room for.
std::uint32_t resident_ctas(const KernelLaunch& launch) {
  const std::uint32_t threads = launch.warps_per_cta() * kLanes;
  std::uint32_t ctas = std::min({kCtas, kWarps * kLanes / threads, kRegisters / (launch.registers_per_thread * threads)});
  if (launch.shared_bytes != 0) ctas = std::min(ctas, kSharedBytes / launch.shared_bytes);
  return ctas;
}

std::uint64_t lines_of(const WarpInstruction& i) {
  std::uint64_t lines[kLanes];
  std::size_t count = 0;
  for (LaneMask rest = i.active; rest != 0; rest &= rest - 1) lines[count++] = i.addresses[unsigned(__builtin_ctz(rest))] / kLineBytes;
  std::sort(lines, lines + count);
  return std::uint64_t(std::unique(lines, lines + count) - lines);
}

Demand demand_of(const std::string& spec) {
  Demand demand;
  std::uint64_t lines = 0, thread_instructions = 0;
  wharf::test::walk(*make_stimulus(spec, 1), [&](const KernelLaunch& launch, const WarpInstruction& i, std::uint64_t cta, unsigned warp) {
    thread_instructions += std::uint64_t(i.repeat) * std::uint64_t(__builtin_popcount(i.active));
    if (i.unit == Unit::load || i.unit == Unit::store) lines += lines_of(i);
    demand.barriers |= i.unit == Unit::barrier;
    if (cta != 0 || warp != 0) return;
    const std::uint32_t ctas = resident_ctas(launch), dispatched = std::uint32_t((launch.grid.count() + kSms - 1) / kSms);
    demand.shared_share = std::max(demand.shared_share, double(ctas) * launch.shared_bytes / kSharedBytes);
    demand.warps = std::max(demand.warps, std::min(ctas, dispatched) * launch.warps_per_cta());
  });
  demand.apki = 1000.0 * double(lines) / double(thread_instructions);
  return demand;
}

}  // namespace

TEST_CASE("the workloads of CIAO ask for what docs/ciao-workloads.md says", "[stimuli][ciao]") {
  struct Row {
    double apki, shared_percent;
    bool barriers;
    std::uint32_t warps;
  };
  const std::map<std::string, Row> rows = {
      {"atax@ciao", {127, 0, true, 16}},
      {"bicg@ciao", {162, 0, false, 16}},
      {"mvt@ciao", {162, 0, false, 16}},
      {"mars_kmeans@ciao", {73.9, 62.5, true, 40}},
      {"kmeans@ciao", {167, 0, false, 48}},
      {"gesummv@ciao", {202, 0, false, 16}},
      {"syr2k@ciao", {179, 0, false, 32}},
      {"syrk@std", {175, 0, false, 32}},
      {"inverted_index@ciao", {99.6, 62.5, true, 16}},
      {"page_view_count@ciao", {79.0, 62.5, true, 24}},
      {"similarity_score@ciao", {28.2, 62.5, true, 48}},
      {"string_match@ciao", {137, 62.5, true, 16}},
      {"word_count@ciao", {80.1, 62.5, true, 48}},
      {"gaussian@std", {13.9, 0, false, 16}},
      {"2dconv@ciao", {10.5, 0, false, 40}},
      {"corr@ciao", {30.3, 0, false, 48}},
      {"backprop@std", {4.0, 13.2812, true, 48}},
      {"hotspot@ciao", {1.3, 18.75, true, 24}},
      {"lud@std", {2.8, 50, true, 32}},
      {"nn@std", {5.4, 0, false, 48}},
      {"nw@std", {11.0, 35.4818, true, 5}},
  };
  const auto suites = load_suites(WHARF_SOURCE_DIR "/stimuli/suites.yaml");
  for (const std::string& spec : find_suite(suites, "ciao").workloads()) {
    const Demand demand = demand_of(spec);
    CAPTURE(spec);
    REQUIRE(rows.count(spec) == 1);
    const Row& row = rows.at(spec);
    CHECK(demand.apki == Approx(row.apki).epsilon(0.02));
    CHECK(100 * demand.shared_share == Approx(row.shared_percent).margin(0.5));
    CHECK(demand.barriers == row.barriers);
    CHECK(demand.warps == row.warps);
  }
}
