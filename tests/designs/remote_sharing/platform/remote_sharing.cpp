// The schemes of remote_sharing compared with each other, and the machines that are refused.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

constexpr Address kShared = 0x100'0000, kOwn = 0x800'0000;

/// 28 CTAs read the same lines, one after the other, each in its own order.
std::vector<ScriptedKernel> all_read_the_same(unsigned lines) {
  ScriptedKernel kernel;
  for (unsigned cta = 0; cta < 28; ++cta) {
    Instructions reads;
    for (unsigned i = 0; i < lines; ++i) reads.push_back(load(kShared + (i * 7 + cta * 5) % lines * kLineBytes, 1, 1));
    reads.push_back(exit_warp());
    kernel.ctas.push_back({reads});
  }
  return {kernel};
}

/// Each CTA reads lines that no other CTA reads.
std::vector<ScriptedKernel> nobody_shares(unsigned lines) {
  ScriptedKernel kernel;
  for (unsigned cta = 0; cta < 28; ++cta) {
    Instructions reads;
    for (unsigned i = 0; i < lines; ++i) reads.push_back(load(kOwn + (std::uint64_t{cta} * lines + i) * kLineBytes, 1, 1));
    reads.push_back(exit_warp());
    kernel.ctas.push_back({reads});
  }
  return {kernel};
}

Outcome run(const std::string& configuration, const std::vector<ScriptedKernel>& kernels, const std::vector<std::string>& settings = {}) {
  const Outcome outcome = run_apart(machine("remote_sharing/" + configuration, settings), kernels, checked());
  INFO(configuration << ": " << outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

TEST_CASE("perfect probing hits at least as often as direct probing, and that as often as a search of a few cores") {
  const auto kernels = all_read_the_same(120);
  const double perfect = run("pp", kernels).ratio("remote_hit_rate");
  const double direct = run("dp", kernels).ratio("remote_hit_rate");
  const double some = run("coverage:c5", kernels).ratio("remote_hit_rate");
  CHECK(run("baseline", kernels).run("probes.filled_by_peer") == 0);
  CHECK(perfect > 0.5);
  CHECK(perfect + 0.02 >= direct);
  CHECK(direct + 0.02 >= some);
  CHECK(some > 0.0);
}

TEST_CASE("perfect probing fills every miss that another core could have served") {
  const Outcome outcome = run("pp", all_read_the_same(120));
  CHECK(outcome.ratio("remote_hit_rate") == Approx(outcome.ratio("inter_core_locality")).margin(0.01));
  CHECK(outcome.run("supplier.possible") >= outcome.run("probes.filled_by_peer"));
}

// A reduction invalidates a line with other sectors pending. A load of the line then sends a second request for the one MSHR entry.
TEST_CASE("a miss waits where as many misses are searched for as the L1 has MSHR entries, with loads and reductions of the same lines") {
  Rng random(7, 0);
  ScriptedKernel kernel;
  kernel.warps_per_cta = 4;
  for (unsigned cta = 0; cta < 28; ++cta) {
    Warps warps;
    for (unsigned w = 0; w < 4; ++w) {
      Instructions program;
      for (unsigned i = 0; i < 120; ++i) {
        const Address address = kShared + random.below(6) * kLineBytes + random.below(4) * kSectorBytes;
        program.push_back(random.below(3) == 0 ? atomic(address) : load(address, static_cast<RegisterId>(1 + i % 8)));
      }
      program.push_back(exit_warp());
      warps.push_back(program);
    }
    kernel.ctas.push_back(warps);
  }
  for (const char* entries : {"l1.mshr_entries=1", "l1.mshr_entries=2"})
    for (const char* scheme : {"ip_15_2_02", "rp_5_2_05"}) CHECK(run(scheme, {kernel}, {entries}).run("probes.searches") > 0);
}

TEST_CASE("where nothing is shared the two-bit predictor ends with 4 probed misses of 256") {
  const Outcome outcome = run("rp_5_2_05", nobody_shares(2 * 256 + 32 + 64 + 128));
  // Each core uses one pc: 32 + 16 + 8 of the first windows, then 4 of every 256.
  CHECK(outcome.run("probes.filled_by_peer") == 0);
  CHECK(outcome.run("probes.misses") == 28 * 736);
  CHECK(outcome.run("predictor.false_positive") == 28 * (32 + 16 + 8 + 4 + 4));
  // Half of them get two probes.
  CHECK(outcome.run("probes.searches") == outcome.run("predictor.false_positive"));
  CHECK(outcome.run("probes.injected") > outcome.run("probes.searches") * 5 / 4);
  CHECK(outcome.run("probes.injected") < outcome.run("probes.searches") * 7 / 4);
}

TEST_CASE("misses, shared misses and remote fills of each pc stand in a table") {
  std::vector<ScriptedKernel> kernels = all_read_the_same(60);
  for (Warps& cta : kernels[0].ctas)
    for (std::size_t i = 0; i < cta[0].size(); ++i) cta[0][i].pc = i < 30 ? 0x50 : 0x120;
  const Outcome outcome = run("pp", kernels);
  const auto& rows = outcome.result.at("tables").at("sharing_by_pc").at("rows");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][0] == 0x50);
  CHECK(rows[1][0] == 0x120);
  std::uint64_t misses = 0, filled = 0;
  for (const auto& row : rows) {
    misses += row[1].get<std::uint64_t>();
    filled += row[3].get<std::uint64_t>();
    CHECK(row[2].get<std::uint64_t>() >= row[3].get<std::uint64_t>());
  }
  CHECK(misses == outcome.run("probes.misses"));
  CHECK(filled == outcome.run("probes.filled_by_peer"));
}

// RS-10: a line that no other L1 holds is not shared.
TEST_CASE("an oracle sends nobody in vain where nothing is shared, a degraded one every fifth miss") {
  const auto kernels = nobody_shares(400);
  CHECK(run("ip_15_2_02", kernels).run("probes.injected") == 0);
  const Outcome degraded = run("precision:ip_15_2_02_p80", kernels);
  CHECK(degraded.ratio("predictor.degraded_as_defined") == Approx(0.8).margin(0.02));
  CHECK(degraded.run("probes.failed_searches") == degraded.run("predictor.false_positive"));
}

TEST_CASE("IP(27,1,0.5) searches half of the shared misses") {
  const Outcome outcome = run("probes:half", all_read_the_same(120));
  const double shared = static_cast<double>(outcome.run("predictor.true_positive"));
  CHECK(static_cast<double>(outcome.run("probes.searches")) / shared == Approx(0.5).margin(0.05));
}

// RS-27: the queues must have room for every miss.
TEST_CASE("machines that cannot search are refused with the reason") {
  const auto refused = [](const std::string& configuration, const std::vector<std::string>& settings, const char* reason) {
    CHECK_THROWS_WITH(machine(configuration, settings), Catch::Contains(reason));
  };
  refused("remote_sharing/rp_5_2_05", {"l1.mshr_entries=64"}, "queues.outgoing would have to refuse");
  refused("remote_sharing/rp_5_2_05", {"remote_sharing.queues.selective_l2=16"}, "queues.selective_l2 has no place");
  refused("remote_sharing/rp_5_2_05", {"network.topology=crossbar"}, "no way from one SM to another");
  refused("remote_sharing/dp", {"oracle_directory=false"}, "asks the oracle");
  refused("remote_sharing/dp", {"remote_sharing.probes=2"}, "nearest selects a single SM");
  refused("remote_sharing/dp", {"l2.line_policy=last_sharer"}, "beside remote_sharing.scheme");
  refused("remote_sharing/dp", {"l1.sectored=true", "l2.sectored=true", "transaction=sector"}, "SMs search for lines");
  refused("gpus/28sm_mesh", {"remote_sharing.coverage=3"}, "platform is not remote_sharing");
  refused("gpus/28sm_mesh", {"l2.line_policy=last_sharer"}, "forwards reads to SMs, which cannot answer them on this platform");
  refused("remote_sharing/baseline", {"remote_sharing.coverage=3"}, "scheme is not probe");
}

}  // namespace
}  // namespace wharf::test
