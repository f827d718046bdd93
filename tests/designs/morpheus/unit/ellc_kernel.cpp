// Operations of register-file and shared-memory sets: their results, their victims, their times
// (morpheus sections 5.5, 6.4, 6.5, 6.8 and 9.4).

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/designs/morpheus/unit/ellc_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

constexpr Cycle kInsert = kAround + Steps::victim + Steps::rf_software;
constexpr Cycle kDirtyVictim = Steps::rf_software + Steps::writeback;

/// Warp 0 has a register-file set of two blocks.
EllcKernelParams small_register_file() {
  EllcKernelParams p;
  p.rf_warps = 48;
  p.l1_warps = 0;
  p.register_file_kib = 72;  // 12 registers per warp: 9 auxiliary, 1 metadata
  return p;
}

double ns(Cycle cycles) { return static_cast<double>(cycles) * 1000 / 1710; }

void check_single(const EllcScript::Sends& sends, EllcResult result, Cycle ready) {
  REQUIRE(sends.size() == 1);
  CHECK(sends[0].kind == MessageKind::ellc_result);
  CHECK(sends[0].word.result == result);
  CHECK(sends[0].ready == ready);
  CHECK(sends[0].carrier != nullptr);
}

}  // namespace

TEST_CASE("ellc kernel: a read hit takes delivery, tags, the register and the result, and brings the line") {
  EllcScript script;
  script.insert(0, 5, false, 0, {1, 2, 3, 4});
  const auto sends = script.ask(0, EllcOp::read, 5, 1000);
  check_single(sends, EllcResult::hit, 1000 + kRead);
  CHECK(sends[0].word.data);
  CHECK(sends[0].carrier->versions == SectorVersions{1, 2, 3, 4});
  CHECK(script.laws_hold());
}

TEST_CASE("ellc kernel: the totals of morpheus section 9.4 hold within 1 ns with 45 ns of network each way") {
  const auto c2c = [](EllcKernelParams p, unsigned warp) {
    EllcScript script(p);
    if (p.unit_of(warp) == EllcUnit::l1) {
      script.ask(warp, EllcOp::touch, 5, 0);
      script.fill(warp, 5, 500);
    } else {
      script.insert(warp, 5);
    }
    return 90 + ns(script.ask(warp, EllcOp::read, 5, 10'000)[0].ready - 10'000);
  };
  EllcKernelParams p;
  CHECK(c2c(p, 0) == Approx(165 + 11).margin(1));
  CHECK(c2c(p, 40) == Approx(165 + 34).margin(1));
  p.indirect_mov = IndirectMov::isa;
  CHECK(c2c(p, 0) == Approx(165 + 4).margin(1));
  p = {};
  p.l1_warps = 0;
  p.smem_warps = 16;
  CHECK(c2c(p, 40) == Approx(165 + 25).margin(1));
  EllcScript script(small_register_file());
  CHECK(90 + ns(script.insert(0, 1, true)[0].ready) == Approx(182).margin(1));
  script.insert(0, 2, false, 1000);
  CHECK(90 + ns(script.insert(0, 3, false, 2000).back().ready - 2000) == Approx(213).margin(1));
  CHECK(90 + ns(script.ask(0, EllcOp::read, 99, 3000)[0].ready - 3000) == Approx(165).margin(1));  // 773 - 608
}

TEST_CASE("ellc kernel: with fewer warps a request is delivered sooner, 168 ns and a sixth for each") {
  for (const std::uint32_t warps : {1u, 8u, 16u, 32u, 48u}) {
    EllcKernelParams p;
    p.rf_warps = warps;
    p.l1_warps = 0;
    EllcScript script(p);
    script.insert(0, 5);
    CHECK(90 + ns(script.ask(0, EllcOp::read, 5, 1000)[0].ready - 1000) == Approx(168 + warps / 6.0).margin(1));
  }
}

TEST_CASE("ellc kernel: a read that misses says so after the tags and leaves the warp free") {
  EllcScript script;
  const auto sends = script.ask(3, EllcOp::read, 5, 100);
  check_single(sends, EllcResult::miss, 100 + kAround);
  CHECK_FALSE(sends[0].word.data);
  CHECK(script.kernel.unfinished(3) == nullptr);
  CHECK(script.count("tag_only_operations") == 1);
  script.insert(3, 5, false, 1000);
  CHECK(script.ask(3, EllcOp::read, 5, 2000)[0].word.result == EllcResult::hit);
}

TEST_CASE("ellc kernel: the block of a read without an MSHR is put in and reported done, and with miss_fetch warp its line comes with it") {
  for (const MissFetch fetch : {MissFetch::controller, MissFetch::warp}) {
    EllcScript script({}, fetch);
    script.ask(3, EllcOp::read, 5, 100);
    const auto sends = script.block(3, 5, 1000, {1, 2, 3, 4});
    check_single(sends, fetch == MissFetch::warp ? EllcResult::hit : EllcResult::done,
                 1000 + Steps::deliver + Steps::victim + Steps::rf_software + Steps::result);
    CHECK(sends[0].word.data == (fetch == MissFetch::warp));
    const auto again = script.ask(3, EllcOp::read, 5, 2000);
    CHECK(again[0].carrier->versions == SectorVersions{1, 2, 3, 4});
    CHECK(script.laws_hold());
  }
}

TEST_CASE(
    "ellc kernel: a write changes its sectors and makes the block dirty, with the software sequence even where reads are one instruction") {
  EllcKernelParams p = small_register_file();
  p.indirect_mov = IndirectMov::isa;
  EllcScript script(p);
  script.insert(0, 5, false, 0, {1, 2, 3, 4});
  EllcWord word;
  word.op = EllcOp::write;
  const auto sends = script.ask(0, word, EllcScript::an_access(EllcOp::write, 5, 0b0110, 0), 1000, {0, 8, 9, 0});
  check_single(sends, EllcResult::done, 1000 + kAround + Steps::rf_software);
  CHECK_FALSE(sends[0].word.data);
  CHECK(script.ask(0, EllcOp::read, 5, 2000)[0].carrier->versions == SectorVersions{1, 8, 9, 4});
  script.insert(0, 6, false, 3000);
  const auto evicting = script.insert(0, 7, false, 4000);
  REQUIRE(evicting.size() == 2);
  CHECK(evicting[0].kind == MessageKind::ellc_writeback);
  CHECK(evicting[0].line == LineAddress{5});
  CHECK(evicting[0].versions == SectorVersions{1, 8, 9, 4});
}

TEST_CASE("ellc kernel: a dirty victim is read and sent before the result of the insertion that displaced it, a clean one goes silently") {
  EllcScript script(small_register_file());
  script.insert(0, 1, true, 0, {1, 1, 1, 1});
  script.insert(0, 2, false, 1000);
  const auto dirty = script.insert(0, 3, false, 2000);
  REQUIRE(dirty.size() == 2);
  CHECK(dirty[0].kind == MessageKind::ellc_writeback);
  CHECK(dirty[0].ready == 2000 + Steps::deliver + Steps::tag + Steps::victim + kDirtyVictim);
  CHECK(dirty[1].ready == 2000 + kInsert + kDirtyVictim);
  CHECK(script.kernel.changes().size() == 2);
  check_single(script.insert(0, 4, false, 3000), EllcResult::done, 3000 + kInsert);
  CHECK(script.count("evictions") == 2);
  CHECK(script.count("dirty_victims") == 1);
}

TEST_CASE("ellc kernel: a clean insertion that finds its block is dropped, a dirty one overwrites it") {
  EllcScript script;
  script.insert(0, 5, true, 0, {1, 1, 1, 1});
  check_single(script.insert(0, 5, false, 1000, {2, 2, 2, 2}), EllcResult::dropped, 1000 + kAround);
  CHECK(script.ask(0, EllcOp::read, 5, 2000)[0].carrier->versions == SectorVersions{1, 1, 1, 1});
  check_single(script.insert(0, 5, true, 3000, {3, 3, 3, 3}), EllcResult::done, 3000 + kRead);
  CHECK(script.ask(0, EllcOp::read, 5, 4000)[0].carrier->versions == SectorVersions{3, 3, 3, 3});
  CHECK(script.count("duplicate_inserts") == 2);
  CHECK(script.count("drops") == 1);
  CHECK(script.laws_hold());
}

TEST_CASE("ellc kernel: a write of the whole line that misses is put in, one of a part waits for the block and is merged into it") {
  EllcScript script;
  check_single(script.ask(0, EllcOp::write, 5, 0, {7, 7, 7, 7}), EllcResult::done, kInsert);
  CHECK(script.ask(0, EllcOp::read, 5, 1000)[0].carrier->versions == SectorVersions{7, 7, 7, 7});

  EllcWord word;
  word.op = EllcOp::write;
  const Access part = EllcScript::an_access(EllcOp::write, 6, 0b0001, 0b0001);
  check_single(script.ask(1, word, part, 2000, {9, 0, 0, 0}), EllcResult::miss, 2000 + kAround);
  CHECK(script.kernel.waits_for_block(1));
  const auto sends = script.block(1, 6, 3000, {1, 2, 3, 4});
  check_single(sends, EllcResult::done, 3000 + Steps::deliver + Steps::victim + Steps::rf_software + Steps::result);
  CHECK(sends[0].carrier->access.kind == AccessKind::store);  // the operation's own access is returned
  CHECK(script.kernel.unfinished(1) == nullptr);
  CHECK(script.ask(1, EllcOp::read, 6, 4000)[0].carrier->versions == SectorVersions{9, 2, 3, 4});
  CHECK(script.laws_hold());
}

TEST_CASE("ellc kernel: an atomic reads, modifies and writes back, and its result brings the line") {
  EllcScript script;
  script.insert(0, 5, false, 0, {1, 2, 3, 4});
  EllcWord word;
  word.op = EllcOp::atomic;
  const auto sends = script.ask(0, word, EllcScript::an_access(EllcOp::atomic, 5, 0b0010), 1000, {0, 8, 0, 0});
  check_single(sends, EllcResult::done, 1000 + kRead + Steps::atomic);
  CHECK(sends[0].word.data);
  CHECK(sends[0].carrier->versions == SectorVersions{1, 8, 3, 4});
  check_single(script.ask(0, word, EllcScript::an_access(EllcOp::atomic, 6, 1), 2000, {5}), EllcResult::miss, 2000 + kAround);
  check_single(script.block(0, 6, 3000), EllcResult::done,
               3000 + Steps::deliver + Steps::victim + Steps::rf_software + Steps::atomic + Steps::result);
}

TEST_CASE("ellc kernel: operations of one unit start no closer together than its issue gap, whatever the others do") {
  EllcKernelParams p;
  p.time_ns.rf_issue = 10;  // 17.1 cycles
  EllcScript script(p);
  for (unsigned warp = 0; warp < 32; ++warp) script.insert(warp, warp, false, 0);
  const auto ready = [&](unsigned warp) { return script.ask(warp, EllcOp::read, warp, 10'000)[0].ready - 10'000 - kRead; };
  CHECK(ready(0) == 0);
  CHECK(ready(1) == 18);   // 17.1
  CHECK(ready(2) == 35);   // 34.2
  CHECK(ready(10) == 52);  // 51.3
  CHECK(script.ask(40, EllcOp::touch, 5, 10'000).back().ready == 10'000 + Steps::deliver + Steps::tag + Steps::l1 + Steps::l1_fetch);
}

TEST_CASE("ellc kernel: results say whether every block has been used since the controller had that forgotten") {
  EllcScript script(small_register_file());
  script.insert(0, 1);
  CHECK(script.insert(0, 2, false, 1000)[0].word.all_touched);
  EllcWord word;
  word.op = EllcOp::read;
  word.clear_touched = true;
  CHECK_FALSE(script.ask(0, word, EllcScript::an_access(EllcOp::read, 2), 2000)[0].word.all_touched);
  CHECK(script.ask(0, EllcOp::read, 1, 3000)[0].word.all_touched);
}

TEST_CASE("ellc kernel: busy cycles run from the arrival of an operation to its result, also while it waits for its block") {
  EllcScript script;
  script.insert(0, 5, false, 0);
  CHECK(script.count("busy_warp_cycles") == kInsert);
  EllcWord word;
  word.op = EllcOp::atomic;
  script.ask(0, word, EllcScript::an_access(EllcOp::atomic, 6, 1), 1000);
  const auto done = script.block(0, 6, 3000);
  CHECK(script.count("busy_warp_cycles") == kInsert + (done[0].ready - 1000));
  CHECK(script.count("kernel_instructions") > 0);
}

TEST_CASE("ellc kernel: what cannot arrive stops the run") {
  EllcScript script;
  CHECK_THROWS_AS(script.ask(0, EllcOp::touch, 5), SimulationError);
  CHECK_THROWS_AS(script.insert(40, 5), SimulationError);
  CHECK_THROWS_AS(script.block(0, 5), SimulationError);
  CHECK_THROWS_AS(script.fill(40, 5), SimulationError);
  EllcWord word;
  word.op = EllcOp::atomic;
  script.ask(1, word, EllcScript::an_access(EllcOp::atomic, 6, 1), 1000);
  CHECK_THROWS_AS(script.ask(1, EllcOp::read, 6, 1100), SimulationError);
  CHECK_THROWS_AS(script.block(1, 7, 1100), SimulationError);
}
