// Golden memory of shared memory (CL-10): legal orders of turns pass; each kind of illegal one is detected and named.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/monitor/shared_memory/golden_shared_memory.h"

using namespace wharf;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint32_t kMbarrier = 512;

/// A cluster of CTAs of two warps, rank r in slot 1 of SM r.
struct SharedHistory {
  explicit SharedHistory(unsigned ctas = 3) {
    auto ranks = std::make_shared<ClusterPlaces>();
    for (unsigned r = 0; r < ctas; ++r) ranks->push_back({static_cast<std::uint16_t>(r), 1});
    for (unsigned r = 0; r < ctas; ++r) golden.launched((*ranks)[r], {ranks, r}, 7, {static_cast<std::uint16_t>(r), 0}, 2);
    for (unsigned r = 0; r < ctas; ++r) sms.emplace_back(golden, static_cast<std::uint16_t>(r));
    places = ranks;
  }

  /// Warp `warp` of rank `by` issues an access to the first words of rank `of`, from byte `offset` on; `direct`: of its own.
  Access issue(unsigned by, unsigned of, AccessKind kind, Address offset = 256, unsigned warp = 0, bool direct = false) {
    WarpInstruction placed;
    placed.unit = kind == AccessKind::atomic ? Unit::shared_atomic : Unit::shared;
    placed.destination = kind == AccessKind::store ? kNoRegister : RegisterId{1};
    placed.pc = 0x40 + 8 * by;
    placed.active = 1;
    placed.addresses[0] = shared_address((*places)[of], offset);
    sms[by].issued(warp, ++slot, placed, direct, now += 10);
    Access access;
    access.kind = kind;
    access.space = Space::cluster;
    access.sm = static_cast<std::uint16_t>(by);
    access.warp = static_cast<std::uint16_t>(warp);
    access.slot = slot;
    access.line = LineAddress::of(placed.addresses[0]);
    access.issue_cycle = now;
    access.written_bytes = 1;
    return access;
  }
  Access store(unsigned by, unsigned of, Address offset = 256, unsigned warp = 0) { return issue(by, of, AccessKind::store, offset, warp); }
  Access load(unsigned by, unsigned of, Address offset = 256, unsigned warp = 0) { return issue(by, of, AccessKind::load, offset, warp); }
  void turn(const Access& access) { golden.turn(access, now += 10); }
  void direct_turn(const Access& access) { golden.direct_turn(place_of(access.line), access.slot, now += 10); }
  void answer(const Access& access) { golden.answered(access, now += 10); }
  void finish(const Access& access) {
    turn(access);
    answer(access);
  }
  void cluster_barrier() {
    for (const bool arrives : {true, false})
      for (const SharedReports& sm : sms)
        for (const unsigned warp : {0u, 1u}) sm.uses_barrier(warp, 1, {0, 0, arrives, true});
    for (const SharedReports& sm : sms)
      for (const unsigned warp : {0u, 1u}) sm.passes(warp);
  }
  void cta_barrier(unsigned rank) {
    for (const unsigned warp : {0u, 1u}) sms[rank].uses_barrier(warp, 1, {0, 0, false, false});
    for (const unsigned warp : {0u, 1u}) sms[rank].passes(warp);
  }
  /// Warp `warp` of rank `by` passes the mbarrier of its CTA.
  void wait(unsigned by, unsigned warp = 0) {
    sms[by].uses_mbarrier(warp, 1, {MbarrierOp::wait, kMbarrier});
    sms[by].passes(warp);
  }
  Access arrive(unsigned by, unsigned at, unsigned warp = 0) {
    Access arrival;
    arrival.kind = AccessKind::shared;
    arrival.sectors = 0;
    arrival.sm = static_cast<std::uint16_t>(by);
    arrival.warp = static_cast<std::uint16_t>(warp);
    arrival.line = LineAddress::of(shared_address((*places)[at], kMbarrier));
    arrival.pc = kMbarrier;
    sms[by].sends(warp, arrival, now);
    return arrival;
  }

  stats::Registry registry;
  stats::Group group{registry, "golden"};
  GoldenSharedMemory golden{group};
  std::vector<SharedReports> sms;
  std::shared_ptr<const ClusterPlaces> places;
  std::uint32_t slot = 0;
  Cycle now = 100;
};

}  // namespace

TEST_CASE("golden shared memory: a load behind a barrier of the cluster takes its turn after the store before it") {
  SharedHistory h;
  const Access store = h.store(1, 0);
  h.cluster_barrier();
  const Access load = h.load(2, 0);
  SECTION("that order passes") {
    h.finish(store);
    h.finish(load);
    h.golden.kernel_boundary();
  }
  SECTION("the other is reported with both accesses") {
    CHECK_THROWS_WITH(h.turn(load), Contains("the load of SM 2, warp 0, pc 0x50, issued in cycle 120, to bytes 0x100 and up of the CTA of "
                                             "rank 0 (SM 0, slot 1) takes its turn in cycle 130, before the store of SM 1, warp 0, pc "
                                             "0x48, issued in cycle 110") &&
                                        Contains("the program orders them the other way round"));
  }
}

TEST_CASE("golden shared memory: a store behind a barrier must not change what a load before it has still to read") {
  SharedHistory h;
  const Access load = h.load(1, 0);
  h.cluster_barrier();
  const Access store = h.store(2, 0);
  CHECK_THROWS_WITH(h.turn(store), Contains("the store of SM 2") && Contains("before the load of SM 1"));
  h.turn(load);
  h.turn(store);
}

TEST_CASE("golden shared memory: accesses that nothing orders, or that do not meet, may take their turns in any order") {
  SharedHistory h;
  const Access racing_store = h.store(1, 0), racing_load = h.load(2, 0);
  h.turn(racing_load);
  h.turn(racing_store);
  const Access other_word = h.store(1, 0, 260);
  const Access loads[] = {h.load(1, 0, 384), h.load(2, 0, 384)};
  h.cluster_barrier();
  const Access behind = h.load(2, 0, 256), reads_too = h.load(0, 0, 384);
  h.turn(behind);
  h.turn(reads_too);
  for (const Access& access : {other_word, loads[0], loads[1]}) h.turn(access);
}

TEST_CASE("golden shared memory: accesses of a warp to a row of 128 B take their turns in the order of their issue, whatever they access") {
  SharedHistory h;
  const Access first = h.load(1, 0, 256, 0), second = h.load(1, 0, 320, 0), other_row = h.load(1, 0, 384, 0);
  const Access of_other_warp = h.load(1, 0, 256, 1);
  h.turn(other_row);
  h.turn(of_other_warp);
  CHECK_THROWS_WITH(h.turn(second), Contains("accesses of a warp to a row of 128 B take their turns in the order of their issue (CL-4)"));
  h.turn(first);
  h.turn(second);
}

TEST_CASE("golden shared memory: an instruction of the own SM follows what its CTA has sent through the cluster port before a barrier") {
  SharedHistory h;
  const Access store = h.store(0, 0, 256, 0);
  h.cta_barrier(0);
  const Access load = h.issue(0, 0, AccessKind::load, 256, 1, true);
  CHECK_THROWS_WITH(h.direct_turn(load), Contains("the load of SM 0, warp 1") && Contains("before the store of SM 0, warp 0"));
  h.turn(store);
  h.direct_turn(load);
}

TEST_CASE("golden shared memory: instructions on the own SM take their turns as their operands are collected") {
  SharedHistory h;
  const Access load = h.issue(0, 0, AccessKind::load, 256, 0, true), store = h.issue(0, 0, AccessKind::store, 256, 0, true);
  h.direct_turn(store);
  h.direct_turn(load);
}

TEST_CASE("golden shared memory: an arrival at an mbarrier orders what its warp has done before, and nothing of other warps") {
  SharedHistory h;
  const Access store = h.store(1, 0, 256, 0), of_other_warp = h.store(1, 0, 384, 1);
  const Access arrival = h.arrive(1, 0);
  const Access later = h.store(1, 0, 640, 0);
  h.turn(arrival);
  h.wait(0);
  const Access loads[] = {h.load(0, 0, 384), h.load(0, 0, 640)};
  for (const Access& load : loads) h.turn(load);
  const Access load = h.load(0, 0, 256);
  CHECK_THROWS_WITH(h.turn(load), Contains("before the store of SM 1, warp 0"));
  for (const Access& access : {store, load, of_other_warp, later}) h.turn(access);
}

TEST_CASE("golden shared memory: an order holds through several barriers of different kinds") {
  SharedHistory h;
  const Access store = h.store(1, 0, 256, 0);
  h.cta_barrier(1);
  h.turn(h.arrive(1, 2, 1));
  h.wait(2, 0);
  h.cta_barrier(2);
  const Access load = h.load(2, 0, 256, 1);
  CHECK_THROWS_WITH(h.turn(load), Contains("before the store of SM 1, warp 0"));
  h.turn(store);
  h.turn(load);
}

TEST_CASE("golden shared memory: warps that arrive at the next barrier early add nothing to the present one") {
  SharedHistory h(2);
  h.cluster_barrier();
  const BarrierUse arrives{0, 0, true, true}, waits{0, 0, false, true};
  for (const SharedReports& sm : h.sms)
    for (const unsigned warp : {0u, 1u}) sm.uses_barrier(warp, 1, arrives);
  h.sms[0].uses_barrier(0, 1, waits);
  h.sms[0].passes(0);
  const Access load = h.load(0, 0);
  h.sms[0].uses_barrier(0, 1, arrives);
  h.sms[1].uses_barrier(0, 1, waits);
  h.sms[1].passes(0);
  const Access racing = h.store(1, 0);
  h.turn(racing);
  h.turn(load);
}

TEST_CASE("golden shared memory: an access takes one turn, and is answered once, after it") {
  SharedHistory h;
  const Access load = h.load(1, 0);
  CHECK_THROWS_WITH(h.answer(load), Contains("SM 1, warp 0") && Contains("is answered in cycle 120, before its turn or once more"));
  h.turn(load);
  CHECK_THROWS_WITH(h.turn(load), Contains("takes a turn in cycle 140 that it has taken before, or was never issued"));
  CHECK_THROWS_WITH(h.golden.kernel_boundary(), Contains("SM 1 has no answer of its access to bytes 0x100"));
  h.answer(load);
  CHECK_THROWS_WITH(h.answer(load), Contains("before its turn or once more"));
  h.golden.kernel_boundary();
}

TEST_CASE("golden shared memory: a turn that has not been taken is reported at the kernel boundary") {
  SharedHistory h;
  h.store(1, 0);
  CHECK_THROWS_WITH(h.golden.kernel_boundary(),
                    Contains("at the kernel boundary, the store of SM 1, warp 0") && Contains("has not taken its turn"));
}

TEST_CASE("golden shared memory: an mbarrier counts the bytes of a line once, after they are written") {
  SharedHistory h;
  Access line;
  line.kind = AccessKind::shared;
  line.sm = 1;
  line.line = LineAddress::of(shared_address({0, 1}, 1024));
  line.pc = kMbarrier;
  line.written_bytes = 128;
  CHECK_THROWS_WITH(h.golden.counted(line, 90),
                    Contains("the mbarrier at byte 512 counts bytes of SM 1, warp 0, at bytes 0x400 and up of the "
                             "CTA of rank 0 (SM 0, slot 1) in cycle 90, before they are written or once more"));
  h.turn(line);
  h.golden.counted(line, h.now);
  CHECK_THROWS_WITH(h.golden.counted(line, h.now), Contains("or once more"));
}

TEST_CASE("golden shared memory: a bulk copy writes after the loads before the arrival that its warp has awaited") {
  SharedHistory h;
  const Access load = h.load(1, 0, 1100);
  h.turn(h.arrive(1, 0));
  h.wait(0);
  BulkCopy copy;
  copy.to = 1024;
  copy.row_bytes = 256;
  h.sms[0].copy_issued(0, copy, {0, 1}, {{0, 1}}, h.now);
  Access line;
  line.kind = AccessKind::shared;
  line.sm = 0;
  line.line = LineAddress::of(shared_address({0, 1}, 1024));
  line.written_bytes = 128;
  CHECK_THROWS_WITH(h.turn(line), Contains("the copy to of SM 0") && Contains("before the load of SM 1"));
  h.turn(load);
  h.turn(line);
  h.answer(load);
  h.golden.kernel_boundary();
}
