// The extended LLC of one SM against the published figures (morpheus sections 9.2, 9.4 and 14, checks 4 and 5).

#include <catch2/catch.hpp>

#include "stimuli/synthetic/synthetic.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

Outcome characterised(const std::vector<std::string>& settings, const RunOptions& options = {}) {
  const Outcome outcome = run_apart(
      machine("morpheus/characterise", settings),
      [] { return make_synthetic(parse_synthetic("loads=0,ctas=1,warps=1,instructions=40000,run=1000"), 1); }, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

const std::vector<std::string> kRegisterFile = {"morpheus.kernel.rf_warps=48", "morpheus.kernel.l1_warps=0"};
const std::vector<std::string> kShared = {"morpheus.kernel.rf_warps=0", "morpheus.kernel.l1_warps=0", "morpheus.kernel.smem_warps=48"};
const std::vector<std::string> kL1 = {"morpheus.kernel.rf_warps=0", "morpheus.kernel.l1_warps=48"};

double bandwidth(std::vector<std::string> settings, bool networks = true) {
  if (!networks)
    for (const char* setting : {"closed_loop.networks=false", "morpheus.kernel.time_ns.deliver=0", "morpheus.kernel.time_ns.result=0"})
      settings.emplace_back(setting);
  return characterised(settings, checked()).ratio("eLLC.bandwidth");
}

}  // namespace

TEST_CASE("characterise: 48 warps are within 10 % of 34 GB/s in register file and L1, and of 37 in the register file") {
  CHECK(bandwidth({}) == Approx(34).epsilon(0.1));
  CHECK(bandwidth(kRegisterFile) == Approx(37).epsilon(0.1));
  CHECK(bandwidth(kShared) == Approx(31.2).epsilon(0.1));
  CHECK(bandwidth(kL1) == Approx(27.7).epsilon(0.15));
}

TEST_CASE("characterise: over a crossbar, too, the reads of one partition's warps come back") {
  const Outcome one = characterised({"network.topology=crossbar", "morpheus.kernel.rf_warps=1", "morpheus.kernel.l1_warps=0"}, checked());
  CHECK(one.run("closed_loop.reads") > 100);
  CHECK(characterised({"network.topology=crossbar"}, checked()).ratio("eLLC.bandwidth") > one.ratio("eLLC.bandwidth"));
}

TEST_CASE("characterise: without networks, delivery and results the units reach 290, 106 and 97 GB/s within 2 %") {
  CHECK(bandwidth(kRegisterFile, false) == Approx(290).epsilon(0.02));
  CHECK(bandwidth(kShared, false) == Approx(106).epsilon(0.02));
  CHECK(bandwidth(kL1, false) == Approx(97).epsilon(0.02));
}

TEST_CASE("characterise: a byte costs the price of one and 0.7 W meanwhile, within a pJ of the 61 that the price is made from") {
  const Outcome both = characterised({});
  CHECK(both.ratio("eLLC.energy_per_byte") == Approx(40.4 + 700 / both.ratio("eLLC.bandwidth")).margin(0.5));
  CHECK(both.ratio("eLLC.energy_per_byte") == Approx(61).margin(1));
}

TEST_CASE("characterise: messages are paid with the bytes that they are for, not with those of networks, and without networks neither") {
  for (const char* networks : {"closed_loop.networks=true", "closed_loop.networks=false"}) {
    const Outcome outcome = characterised({networks});
    CHECK(outcome.run("ellc.message_bytes") > 0);
    CHECK(outcome.ratio("energy.noc_dyn") == Approx(0).margin(100));  // nJ: the reads in flight at the end
  }
}

TEST_CASE("characterise: a read takes 176 ns in a register file of 48 warps and 168 1/6 in one warp alone") {
  CHECK(characterised(kRegisterFile).ratio("eLLC.c2c_latency") == Approx(176).margin(2));
  CHECK(characterised({"morpheus.kernel.rf_warps=1", "morpheus.kernel.l1_warps=0"}).ratio("eLLC.c2c_latency") == Approx(168.2).margin(1));
}

TEST_CASE("characterise: results do not depend on the order of blocks") {
  RunOptions scrambled;
  scrambled.scramble = true;
  CHECK(characterised({}).bytes() == characterised({}, scrambled).bytes());
}

}  // namespace wharf::test
