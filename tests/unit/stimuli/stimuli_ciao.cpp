// The demands of the workloads of suite `ciao` on a GPU, compared with the table of their source (ciao section 9).

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "stimuli/catalogue.h"
#include "stimuli/suites.h"
#include "stimuli_walk.h"
#include "test_paths.h"

using namespace wharf;

namespace {

constexpr std::uint32_t kSms = 15, kWarps = 48, kCtas = 8, kRegisters = 32768, kSharedBytes = 48 << 10;  // gpus/fermi_15sm

struct Demand {
  double apki = 0;          // CIAO-O30: line transactions of loads and stores per 1000 thread instructions
  double shared_share = 0;  // share of shared memory that the most demanding kernel's CTAs use on a full SM
  bool barriers = false;
  std::uint32_t warps = 0;  // warps on an SM in the launch that has most
};

/// Number of CTAs that fit on an SM.
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

std::uint32_t warps_on_an_sm(const KernelLaunch& launch) {
  const auto dispatched = std::uint32_t((launch.grid.count() + kSms - 1) / kSms);
  return std::min(resident_ctas(launch), dispatched) * launch.warps_per_cta();
}

/// Warps of the first launch, without running it.
std::uint32_t warps_at_first(const std::string& spec) {
  struct Seen {
    std::uint32_t warps;
  };
  try {
    wharf::test::walk(*make_stimulus(spec, 1), [](const KernelLaunch& launch, const WarpInstruction&, std::uint64_t, unsigned) {
      throw Seen{warps_on_an_sm(launch)};
    });
  } catch (const Seen& seen) {
    return seen.warps;
  }
  return 0;
}

Demand demand_of(const std::string& spec) {
  Demand demand;
  std::uint64_t lines = 0, thread_instructions = 0;
  wharf::test::walk(*make_stimulus(spec, 1), [&](const KernelLaunch& launch, const WarpInstruction& i, std::uint64_t cta, unsigned warp) {
    thread_instructions += std::uint64_t(i.repeat) * std::uint64_t(__builtin_popcount(i.active));
    if (i.unit == Unit::load || i.unit == Unit::store) lines += lines_of(i);
    demand.barriers |= i.unit == Unit::barrier;
    if (cta != 0 || warp != 0) return;
    demand.shared_share = std::max(demand.shared_share, double(resident_ctas(launch)) * launch.shared_bytes / kSharedBytes);
    demand.warps = std::max(demand.warps, warps_on_an_sm(launch));
  });
  demand.apki = 1000.0 * double(lines) / double(thread_instructions);
  return demand;
}

}  // namespace

TEST_CASE("the workloads of CIAO have these APKI, shared memory, barriers and warps", "[stimuli][ciao]") {
  struct Row {
    double apki, shared_percent;
    bool barriers;
    std::uint32_t warps;
    const char* less = nullptr;  // the same loops with fewer rows: walked instead, because the full size would take minutes
  };
  const std::map<std::string, Row> rows = {
      {"atax@ciao", {62.8, 0, false, 16, "atax:n=512,pitch=4096,alu=4"}},
      {"bicg@ciao", {62.8, 0, false, 16, "bicg:n=512,pitch=4096,alu=4"}},
      {"mvt@ciao", {62.8, 0, false, 16, "mvt:n=512,pitch=4096,alu=4"}},
      {"mars_kmeans@ciao", {42, 62.5, true, 40}},
      {"kmeans@ciao", {83, 0, false, 48, "kmeans:points=2048,alu=2.5"}},
      {"gesummv@ciao", {137, 0, false, 16, "gesummv:n=512,pitch=4096,gap=2048,alu=2.8"}},
      {"syr2k@ciao", {107, 0, false, 32, "syr2k:n=64,m=256,pitch=2048,alu=2.2"}},
      {"syrk@ciao", {97.8, 0, false, 32, "syrk:n=64,m=256,alu=2.6"}},
      {"inverted_index@ciao", {70, 62.5, true, 16}},
      {"page_view_count@ciao", {59, 62.5, true, 24}},
      {"similarity_score@ciao", {28.2, 62.5, true, 48}},
      {"string_match@ciao", {135, 62.5, true, 16}},
      {"word_count@ciao", {80.1, 62.5, true, 48}},
      {"gaussian@std", {13.9, 0, false, 16}},
      {"2dconv@ciao", {10.5, 0, false, 40}},
      {"corr@ciao", {30.3, 0, false, 48}},
      {"backprop@paper", {4.0, 13.2812, true, 48, "backprop@std"}},
      {"hotspot@ciao", {1.3, 18.75, true, 24}},
      {"lud@std", {2.8, 50, true, 32}},
      {"nn@std", {5.4, 0, false, 48}},
      {"nw@std", {11.0, 35.4818, true, 5}},
  };
  const auto suites = load_suites(WHARF_SOURCE_DIR "/stimuli/suites.yaml");
  for (const std::string& spec : find_suite(suites, "ciao").workloads()) {
    CAPTURE(spec);
    const std::string size = spec.substr(0, spec.find(':'));  // a limit on instructions does not change it
    REQUIRE(rows.count(size) == 1);
    const Row& row = rows.at(size);
    const Demand demand = demand_of(row.less != nullptr ? row.less : size);
    CHECK(demand.apki == Approx(row.apki).epsilon(0.02));
    CHECK(100 * demand.shared_share == Approx(row.shared_percent).margin(0.5));
    CHECK(demand.barriers == row.barriers);
    CHECK((row.less != nullptr ? warps_at_first(size) : demand.warps) == row.warps);
  }
}
