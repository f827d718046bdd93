// The kernel as a rate server (morpheus section 9.1): slots and times in the SM. Also a controller's sets with sectors
// (morpheus section 6.5), stores, atomics, false positives and victims.

#include <catch2/catch.hpp>

#include "tests/designs/morpheus/unit/ellc_script.h"
#include "tests/unit/network/rate_rig.h"

namespace wharf::test {
namespace {

constexpr SectorMask kFirst = 0b0001, kSecond = 0b0010;

}  // namespace

TEST_CASE("rate service: a line every 3.765 ns and 95 ns in the SM, whatever its set") {
  EllcKernelParams params;
  params.service = EllcService::rate;
  EllcScript script(params);
  EllcWord hit;
  hit.op = EllcOp::read;
  // 128 B at 34 GB/s are 6.438 cycles at 1710 MHz; 185 ns less two networks of 45 are 162 cycles.
  const std::vector<Cycle> starts = {1000, 1007, 1013, 1020, 1026};
  for (const Cycle start : starts) {
    const auto sends = script.ask(0, hit, EllcScript::an_access(EllcOp::read, 5), 1000);
    REQUIRE(sends.size() == 1);
    CHECK(sends[0].ready == start + 162);
    CHECK(sends[0].word.data);
  }
  CHECK(script.count("block_operations") == 5);
  CHECK(script.laws_hold());
}

TEST_CASE("rate service: probes and insertions take a slot as reads do, and bring nothing back") {
  EllcKernelParams params;
  params.service = EllcService::rate;
  EllcScript script(params);
  EllcWord probe, insert;
  probe.result = EllcResult::miss;
  insert.op = EllcOp::insert;
  insert.result = EllcResult::done;
  CHECK_FALSE(script.ask(3, probe, EllcScript::an_access(EllcOp::read, 5), 1000)[0].word.data);
  const auto second = script.ask(4, insert, EllcScript::an_access(EllcOp::insert, 6), 1000);
  CHECK(second[0].ready == 1007 + 162);
  CHECK_FALSE(second[0].word.data);
  CHECK(script.count("tag_only_operations") == 1);
}

TEST_CASE("rate service: the instruction saves 7 ns of a register file's read and as much of its slot, compression adds 20 to a write") {
  EllcKernelParams params;
  params.service = EllcService::rate;
  params.indirect_mov = IndirectMov::isa;
  EllcScript script(params);
  EllcWord hit, packed;
  packed.op = EllcOp::write;
  packed.result = EllcResult::done;
  packed.packs = true;
  const unsigned l1_warp = params.rf_warps;
  CHECK(script.ask(0, hit, EllcScript::an_access(EllcOp::read, 5), 1000)[0].ready == 1000 + 150);        // 178 - 90 = 88 ns
  CHECK(script.ask(l1_warp, hit, EllcScript::an_access(EllcOp::read, 6), 1000)[0].ready == 1007 + 162);  // 6.194 cycles later
  CHECK(script.ask(1, packed, EllcScript::an_access(EllcOp::write, 7), 2000)[0].ready == 2000 + 197);    // 205 - 90 = 115 ns
}

TEST_CASE("rate service: hits of one set go side by side, and a line that is read twice may be one operation") {
  RateRig rig;
  rig.fill(5);
  rig.fill(7);
  const std::uint64_t before = rig.kernel->counters().requests.value();
  Transaction &first = rig.request(AccessKind::load, 5), &second = rig.request(AccessKind::load, 7),
              &again = rig.request(AccessKind::load, 5);
  for (Transaction* request : {&first, &second, &again}) REQUIRE(rig.decide(*request) == nullptr);
  rig.run(500);
  for (const Transaction* request : {&first, &second, &again}) CHECK(rig.answered(*request));
  CHECK(rig.kernel->counters().requests.value() == before + 2);
  CHECK(rig.count("combined") == 1);
  CHECK(rig.registry.broken_laws().empty());
}

TEST_CASE("rate service: a store of whole sectors fetches nothing and blocks nothing, and a load of the rest fetches the rest alone") {
  RateRig rig;
  REQUIRE(rig.decide(rig.request(AccessKind::store, 5, kFirst)) == nullptr);
  CHECK(rig.dram_reads == std::vector<SectorMask>{});
  Transaction& own = rig.request(AccessKind::load, 5, kFirst);
  REQUIRE(rig.decide(own) == nullptr);
  rig.run(500);
  CHECK(rig.answered(own));
  CHECK(rig.dram_reads == std::vector<SectorMask>{});
  Transaction& both = rig.request(AccessKind::load, 5, kFirst | kSecond);
  REQUIRE(rig.decide(both) == nullptr);
  rig.run(2000);
  CHECK(rig.answered(both));
  CHECK(rig.dram_reads == std::vector<SectorMask>{kSecond});
  CHECK(both.versions[0] == 1);
  CHECK(both.versions[1] == RateRig::kInDram);
}

TEST_CASE("rate service: a false positive asks the SM, then DRAM, and a predicted miss goes straight there") {
  RateRig rig;
  rig.says_hit = true;
  Transaction& wrong = rig.request(AccessKind::load, 5);
  REQUIRE(rig.decide(wrong) == nullptr);
  CHECK(rig.dram_reads.empty());
  rig.run(2000);
  CHECK(rig.answered(wrong));
  CHECK(rig.count("false_positives") == 1);
  rig.says_hit = false;
  REQUIRE(rig.decide(rig.request(AccessKind::load, 6)) == nullptr);
  CHECK(rig.dram_reads.size() == 2);
  rig.run(2000);
  CHECK(rig.kernel->counters().tag_only_operations.value() == 1);
  CHECK(rig.logic->idle());
}

TEST_CASE("rate service: a read of a dirty victim in flight to memory is ordered after it and returns its data") {
  RateRig rig;
  REQUIRE(rig.decide(rig.request(AccessKind::store, 1)) == nullptr);
  for (std::uint64_t line = 2; line <= rig.ways() + 1; ++line) REQUIRE(rig.decide(rig.request(AccessKind::store, line)) == nullptr);
  Transaction& read = rig.request(AccessKind::load, 1);
  REQUIRE(rig.decide(read) == nullptr);
  CHECK(rig.dram_reads.empty());
  rig.run(3000);
  CHECK(rig.answered(read));
  CHECK(read.versions == SectorVersions{1, 1, 1, 1});
  CHECK(rig.count("forced") == 1);
}

TEST_CASE("rate service: an atomic takes effect at once and is answered when its sectors are here") {
  RateRig rig;
  Transaction& atomic = rig.request(AccessKind::atomic, 5, kFirst);
  Transaction& read = rig.request(AccessKind::load, 5, kFirst);
  REQUIRE(rig.decide(atomic) == nullptr);
  REQUIRE(rig.decide(read) == nullptr);
  CHECK(rig.dram_reads == std::vector<SectorMask>{kFirst});
  rig.run(2000);
  CHECK(rig.answered(atomic));
  CHECK(rig.answered(read));
  CHECK(atomic.versions[0] == 1);
  CHECK(read.versions[0] == 1);
}

TEST_CASE("rate service: no more operations are under way than may be, and the next is refused until one has come back") {
  MorpheusParams params = RateRig::rate();
  params.kernel.rate.in_flight = 2;
  RateRig rig(params);
  for (std::uint64_t line = 1; line <= 2; ++line) REQUIRE(rig.decide(rig.request(AccessKind::store, line)) == nullptr);
  Transaction& third = rig.request(AccessKind::store, 3);
  CHECK(rig.decide(third) == &rig.logic->counters().queue_full);
  rig.run(500);
  CHECK(rig.decide(third) == nullptr);
}

TEST_CASE("rate service: random requests to few lines read what was written last, whatever is displaced meanwhile") {
  RateRig rig;
  Rng rng(11);
  std::vector<Transaction*> reads;
  for (int i = 0; i < 4000; ++i) {
    const AccessKind kind = rng.chance(0.4) ? AccessKind::store : rng.chance(0.2) ? AccessKind::atomic : AccessKind::load;
    Transaction& request = rig.request(kind, 1 + rng.below(3 * rig.ways()), static_cast<SectorMask>(1 + rng.below(kAllSectors)));
    rig.says_hit = rng.chance(0.1);
    rig.expect(request);
    while (rig.decide(request) != nullptr) rig.run(1);
    rig.run(static_cast<int>(rng.below(30)));
  }
  rig.run(5000);
  CHECK(rig.logic->idle());
  CHECK(rig.wrong == 0);
  CHECK(rig.unanswered() == 0);
  CHECK(rig.registry.broken_laws().empty());
}

}  // namespace wharf::test
