// The two-bit sharing predictor as RTL against its TLM form.

#include <pc_two_bit_counted_sets.h>

#include <catch2/catch.hpp>
#include <systemc>

#include "model/base/rng.h"
#include "model/rtl/blocks/pc_two_bit_rtl.h"
#include "tests/rtl/coverage.h"

namespace wharf::test {
namespace {

using Ticket = SharingPredictor::Ticket;

struct PredictorPair {
  std::unique_ptr<SharingPredictor> rtl, tlm;
  std::vector<Ticket> open;

  bool predict(std::uint32_t pc) {
    const SharingPredictor::Answer expected = tlm->predict({pc, false}), answer = rtl->predict({pc, false});
    REQUIRE(answer.shared == expected.shared);
    REQUIRE(answer.ticket.packed() == expected.ticket.packed());
    open.push_back(expected.ticket);
    return expected.shared;
  }
  void fill(std::size_t index, bool from_core) {
    tlm->filled(open[index], from_core);
    rtl->filled(open[index], from_core);
    open[index] = open.back();
    open.pop_back();
  }
  void start_kernel() {
    tlm->kernel_started();
    rtl->kernel_started();
  }
};

/// More pcs than a small table has entries. Some share, some do not, some change.
void compare(PredictorPair& pair, std::uint64_t seed) {
  Rng rng(seed);
  unsigned shared = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::uint32_t pcs = i % 10000 < 7000 ? 6 : 100, pc = 0x10 * static_cast<std::uint32_t>(rng.below(pcs));
    shared += pair.predict(pc);
    while (pair.open.size() > 24) pair.fill(rng.below(pair.open.size()), rng.chance(i % 5000 < 2500 ? 0.5 : 0.01));
    if (i % 6000 == 5999) pair.start_kernel();
  }
  CHECK(shared > 3000);
  CHECK(shared < 27000);
  // More misses in flight than a counter can represent.
  for (int i = 0; i < 1100; ++i) pair.predict(0x5000);
  while (!pair.open.empty()) pair.fill(0, false);
  pair.predict(0x5000);
}

SharingPredictorOptions options_of(const std::string& parameters) {
  SharingPredictorOptions options;
  if (parameters == "ENTRIES=64 WINDOW=32 COUNT_AT=complete PROBED=first SURVIVES_KERNELS=true") return options;
  REQUIRE(parameters == "ENTRIES=8 WINDOW=32 COUNT_AT=issue PROBED=spread SURVIVES_KERNELS=false");
  options.pc_two_bit = {8, 32, CountAt::issue, ProbedShare::spread, false};
  return options;
}

}  // namespace

TEST_CASE("pc_two_bit as RTL answers each miss as its TLM form does, and the stimulus reaches every line") {
  std::vector<PredictorPair> pairs;
  rtl::visit_pc_two_bit_counted_sets([&](auto set) {
    using Rtl = rtl::LinkedSharingPredictor<typename decltype(set)::Model>;
    pairs.push_back({std::make_unique<Rtl>(sc_core::sc_gen_unique_name("predictor"), "pc_two_bit", set.text),
                     make_sharing_predictor("pc_two_bit", options_of(set.text)),
                     {}});
  });
  REQUIRE(pairs.size() == 2);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CHECK(line_coverage("pc_two_bit.sv").unreached.size() > 3);
  for (PredictorPair& pair : pairs) compare(pair, 5);
  const LineCoverage coverage = line_coverage("pc_two_bit.sv");
  CHECK(coverage.reached > 10);
  CHECK(coverage.unreached == std::vector<std::string>{});
}

}  // namespace wharf::test
