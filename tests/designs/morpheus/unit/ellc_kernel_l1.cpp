// Operations of L1 sets: the hardware fetches, evicts and writes back (morpheus section 6.6).

#include <catch2/catch.hpp>

#include "tests/designs/morpheus/unit/ellc_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

constexpr unsigned kWarp = 40;
constexpr Cycle kKnown = Steps::deliver + Steps::tag + Steps::l1;  // the L1's lookup is complete
constexpr Cycle kFetch = kKnown + Steps::l1_fetch;

/// L1 sets of two lines.
EllcKernelParams small_l1_sets(EllcL1Write write = EllcL1Write::back) {
  EllcKernelParams p;
  p.l1_kib = 4;
  p.l1_ext_write = write;
  return p;
}

/// Puts a line into the set before `now`.
void bring(EllcScript& script, std::uint64_t line, Cycle now) {
  script.ask(kWarp, EllcOp::touch, line, now);
  script.fill(kWarp, line, now + 500, {1, 2, 3, 4});
}

EllcScript::Sends part_write(EllcScript& script, std::uint64_t line, Cycle now) {
  EllcWord word;
  word.op = EllcOp::write;
  return script.ask(kWarp, word, EllcScript::an_access(EllcOp::write, line, 0b0001, 0b0001), now, {9, 0, 0, 0});
}

}  // namespace

TEST_CASE("ellc kernel l1: a touch has the line fetched and is done without waiting, and its result is not before the fetch") {
  EllcScript script;
  const auto sends = script.ask(kWarp, EllcOp::touch, 5, 100);
  REQUIRE(sends.size() == 2);
  CHECK(sends[0].kind == MessageKind::ellc_fetch);
  CHECK(sends[0].line == LineAddress{5});
  CHECK(sends[0].carrier == nullptr);
  CHECK(sends[0].ready == 100 + kFetch);
  CHECK(sends[1].word.result == EllcResult::done);
  CHECK(sends[1].ready == 100 + kFetch);
  CHECK(script.kernel.unfinished(kWarp) == nullptr);
  CHECK(script.fill(kWarp, 5, 1000, {1, 2, 3, 4}).empty());
  const auto hit = script.ask(kWarp, EllcOp::read, 5, 2000);
  CHECK(hit[0].ready == 2000 + kKnown + Steps::result);
  CHECK(hit[0].carrier->versions == SectorVersions{1, 2, 3, 4});
  CHECK(script.laws_hold());
}

TEST_CASE("ellc kernel l1: a touch of a line that is there or on its way is dropped") {
  EllcScript script;
  script.ask(kWarp, EllcOp::touch, 5, 100);
  const auto sends = script.ask(kWarp, EllcOp::touch, 5, 1000);
  REQUIRE(sends.size() == 1);
  CHECK(sends[0].word.result == EllcResult::dropped);
  CHECK(sends[0].ready == 1000 + Steps::deliver + Steps::tag + Steps::result);
}

TEST_CASE("ellc kernel l1: a read that misses sends the L1's fetch, and its result with the line follows the fill") {
  EllcScript script;
  const auto fetch = script.ask(kWarp, EllcOp::read, 5, 100);
  REQUIRE(fetch.size() == 1);
  CHECK(fetch[0].kind == MessageKind::ellc_fetch);
  CHECK(fetch[0].ready == 100 + kFetch);
  REQUIRE(script.kernel.unfinished(kWarp) != nullptr);
  CHECK(script.kernel.unfinished(kWarp)->line == LineAddress{5});
  const auto result = script.fill(kWarp, 5, 1000, {1, 2, 3, 4});
  REQUIRE(result.size() == 1);
  CHECK(result[0].word.result == EllcResult::hit);
  CHECK(result[0].word.data);
  CHECK(result[0].ready == 1000 + Steps::fill + Steps::result);
  CHECK(result[0].carrier->versions == SectorVersions{1, 2, 3, 4});
  CHECK(script.count("misses") == 1);
  CHECK(script.count("block_operations") == 1);
  CHECK(script.count("tag_only_operations") == 1);
}

TEST_CASE("ellc kernel l1: a read behind a touch waits for the line that is on its way, without a fetch of its own") {
  EllcScript script;
  script.ask(kWarp, EllcOp::touch, 5, 100);
  CHECK(script.ask(kWarp, EllcOp::read, 5, 500).empty());
  const auto result = script.fill(kWarp, 5, 1000);
  REQUIRE(result.size() == 1);
  CHECK(result[0].ready == 1000 + Steps::fill + Steps::result);
  CHECK(script.count("pending_hits") == 1);
  CHECK(script.laws_hold());
}

TEST_CASE(
    "ellc kernel l1: a partial write that misses waits for its line, a whole one allocates without a fetch, an atomic answers with the "
    "line") {
  EllcScript script;
  CHECK(part_write(script, 5, 100)[0].kind == MessageKind::ellc_fetch);
  const auto done = script.fill(kWarp, 5, 1000, {1, 2, 3, 4});
  CHECK(done[0].word.result == EllcResult::done);
  CHECK_FALSE(done[0].word.data);
  CHECK(script.ask(kWarp, EllcOp::read, 5, 2000)[0].carrier->versions == SectorVersions{9, 2, 3, 4});

  const auto whole = script.ask(kWarp, EllcOp::write, 6, 3000);
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].ready == 3000 + kKnown + Steps::result);

  script.ask(kWarp, EllcOp::atomic, 7, 4000);
  const auto atomic = script.fill(kWarp, 7, 5000);
  CHECK(atomic[0].ready == 5000 + Steps::fill + Steps::atomic + Steps::result);
  CHECK(atomic[0].word.data);
}

TEST_CASE(
    "ellc kernel l1: a dirty line that gives way leaves when the L1 has been looked up, before the fetch and at no cost to the kernel") {
  EllcScript script(small_l1_sets());
  bring(script, 1, 0);
  bring(script, 2, 1000);
  part_write(script, 1, 2000);
  script.ask(kWarp, EllcOp::read, 2, 3000);
  const auto sends = script.ask(kWarp, EllcOp::touch, 3, 4000);
  REQUIRE(sends.size() == 3);
  CHECK(sends[0].kind == MessageKind::ellc_writeback);
  CHECK(sends[0].line == LineAddress{1});
  CHECK(sends[0].versions == SectorVersions{9, 2, 3, 4});
  CHECK(sends[1].kind == MessageKind::ellc_fetch);
  CHECK(sends[0].ready == 4000 + kKnown);
  CHECK(sends[1].ready == 4000 + kFetch);
  CHECK(sends[2].ready == 4000 + kFetch);
}

TEST_CASE("ellc kernel l1: with write-through every write sends its line to DRAM and no line is ever dirty") {
  EllcScript script(small_l1_sets(EllcL1Write::through));
  bring(script, 1, 0);
  const auto write = part_write(script, 1, 2000);
  REQUIRE(write.size() == 2);
  CHECK(write[0].kind == MessageKind::ellc_writeback);
  CHECK(write[0].versions == SectorVersions{9, 2, 3, 4});
  CHECK(write[0].ready == 2000 + kKnown);
  CHECK(write[1].ready == 2000 + kKnown + Steps::result);
  CHECK(script.ask(kWarp, EllcOp::write, 2, 3000).size() == 2);
  CHECK(script.ask(kWarp, EllcOp::write, 3, 4000).size() == 2);  // its victim is clean
  CHECK(script.count("dirty_victims") == 0);
}

TEST_CASE("ellc kernel l1: an operation that finds every line of its set on its way waits for the first of them") {
  EllcScript script(small_l1_sets());
  script.ask(kWarp, EllcOp::touch, 1, 0);
  script.ask(kWarp, EllcOp::touch, 2, 200);
  CHECK(script.ask(kWarp, EllcOp::read, 3, 400).empty());
  const auto sends = script.fill(kWarp, 2, 1000);
  REQUIRE(sends.size() == 1);
  CHECK(sends[0].kind == MessageKind::ellc_fetch);
  CHECK(sends[0].line == LineAddress{3});
  CHECK(sends[0].ready == 1000 + Steps::fill + Steps::l1 + Steps::l1_fetch);
  CHECK(script.fill(kWarp, 1, 1100).empty());
  CHECK(script.fill(kWarp, 3, 2000)[0].word.result == EllcResult::hit);
  CHECK(script.count("way_waits") == 1);
  CHECK(script.laws_hold());
}
