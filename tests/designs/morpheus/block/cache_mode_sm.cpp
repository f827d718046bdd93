// Cycles and messages of an SM in cache mode (morpheus sections 5.6, 6, 8 and 9.4).

#include "model/base/error.h"
#include "tests/designs/morpheus/block/ellc_rig.h"
#include "tests/designs/morpheus/unit/ellc_script.h"

using namespace wharf;
using namespace wharf::block_rig;
using wharf::test::Steps;

namespace {

constexpr Cycle kAround = Steps::deliver + Steps::tag + Steps::result;
constexpr Cycle kPoll = 274;   // 160 ns at 1710 MHz
constexpr Cycle kSoonest = 2;  // from the arrival of a message to the earliest message that a warp sends in response

/// 48 register-file warps with sets of two blocks.
EllcKernelParams small() {
  EllcKernelParams p;
  p.rf_warps = 48;
  p.l1_warps = 0;
  p.register_file_kib = 72;
  return p;
}

}  // namespace

TEST_CASE("cache-mode sm: a read hit is at the network after delivery, tags, register and result, with 136 bytes for the bank of its row") {
  EllcBlock block;
  block.ask(100, 3, EllcOp::insert, 5);
  block.ask(1000, 3, EllcOp::read, 5);
  block.run();
  REQUIRE(block.results.messages.size() == 2);
  CHECK(block.sent(0).cycle == 100 + kAround + Steps::victim + Steps::rf_software);
  CHECK(block.sent(0).header.flits == 1);  // 8 + 8 B
  CHECK(block.sent(1).cycle == 1000 + kAround + Steps::rf_software);
  CHECK(block.sent(1).header.flits == 5);  // 8 + 128 B
  CHECK(block.sent(1).header.kind == MessageKind::ellc_result);
  CHECK(block.sent(1).header.traffic == Traffic::from_ellc);
  CHECK(block.sent(1).header.source == EllcBlock::kEndpoint);
  // Warp 3: partition 1, row 13.
  CHECK(block.sent(1).header.destination == EllcBlock::kFirstSlice + 1 * EllcBlock::kBanks + 13 % EllcBlock::kBanks);
  CHECK(block.words[1].row == 13);
}

TEST_CASE("cache-mode sm: a dirty victim leaves before the result behind it, for the same bank whatever its line") {
  EllcBlock block(small());
  block.ask(100, 2, EllcOp::write, 5);
  block.ask(1000, 2, EllcOp::insert, 6);
  block.ask(2000, 2, EllcOp::insert, 7);
  block.run();
  REQUIRE(block.results.messages.size() == 4);
  CHECK(block.sent(2).header.kind == MessageKind::ellc_writeback);
  CHECK(block.lines[2] == 5);
  CHECK(block.sent(2).cycle == 2000 + Steps::deliver + Steps::tag + Steps::victim + Steps::rf_software + Steps::writeback);
  CHECK(block.sent(3).cycle == block.sent(2).cycle + Steps::rf_software + Steps::result);
  CHECK(block.sent(2).header.destination == block.sent(3).header.destination);
  CHECK(block.count("dirty_victims") == 1);
  CHECK(block.count("message_bytes") == 3 * (160 + 32));  // a line and its operation, done; the victim pays for itself
}

TEST_CASE("cache-mode sm: warps work side by side, each on one operation, and results leave as they are ready") {
  EllcBlock block;
  for (unsigned warp = 0; warp < 32; ++warp) block.ask(100 + warp, warp, EllcOp::insert, warp);
  for (unsigned warp = 0; warp < 32; ++warp) block.ask(2000 + warp, warp, EllcOp::read, warp);
  block.run();
  for (unsigned warp = 0; warp < 32; ++warp) CHECK(block.sent(32 + warp).cycle == 2000 + warp + kAround + Steps::rf_software);
  CHECK(block.count("hits") == 32);
}

TEST_CASE("cache-mode sm: while the network takes nothing results wait, and operations are taken all the same") {
  EllcBlock block;
  block.results.takes = [](std::size_t n) { return n != 0; };
  for (unsigned warp = 0; warp < 8; ++warp) block.ask(100 + warp, warp, EllcOp::read, warp);
  block.script.at(1000, [&] {
    CHECK(block.results.messages.size() == 1);
    CHECK(block.controller.arrived.size() == 8);
    block.results.accept_waiting();
  });
  block.run();
  CHECK(block.results.messages.size() == 8);
  for (std::size_t n = 1; n < 8; ++n) CHECK(block.sent(n).cycle == 1002);  // all others in the next cycle
  CHECK(block.controller.taken_later.empty());
}

TEST_CASE("cache-mode sm: the L1 asks for its line before a touch is done, and a fill without a waiting warp sends nothing") {
  EllcBlock block;
  block.ask(100, 40, EllcOp::touch, 5);
  block.ask(1000, 40, EllcOp::touch, 5, MessageKind::ellc_fill);
  block.ask(2000, 40, EllcOp::read, 5);
  block.run();
  REQUIRE(block.results.messages.size() == 3);
  CHECK(block.sent(0).header.kind == MessageKind::ellc_fetch);
  CHECK(block.sent(0).cycle == 100 + Steps::deliver + Steps::tag + Steps::l1 + Steps::l1_fetch);
  CHECK(block.sent(0).header.flits == 1);
  CHECK(block.words[1].result == EllcResult::done);
  CHECK(block.sent(2).cycle == 2000 + kAround + Steps::l1);
  CHECK(block.words[2].data);
  CHECK(block.count("message_bytes") == (32 + 32) + (32 + 160));  // the touch's and the read's; the L1's line pays for itself
}

TEST_CASE("cache-mode sm: every change of a set is reported with its row") {
  EllcBlock block(small());
  for (std::uint64_t line = 1; line <= 3; ++line) block.ask(1000 * line, 4, EllcOp::insert, line);
  block.run();
  REQUIRE(block.changes.size() == 4);
  const auto is = [&](std::size_t n, std::uint64_t line, bool here) {
    const auto& [row, change] = block.changes[n];
    return row.partition == 0 && row.row == 14 && change.line == LineAddress{line} && change.here == here;
  };
  CHECK(is(0, 1, true));
  CHECK(is(1, 2, true));
  CHECK(is(2, 3, true));
  CHECK(is(3, 1, false));
}

TEST_CASE("cache-mode sm: the contents that decide a level are those at the end of the cycle in which the operation arrives") {
  EllcKernelParams params;
  params.compression.algorithm = "bdi";
  LineBytes image{};
  EllcBlock block(params, [&](LineAddress, LineBytes& bytes) {
    bytes = image;
    return true;
  });
  block.script.at(100, [&] { image[4] = std::byte{0xFF}, image[5] = std::byte{0x7F}; });  // 0x7FFF next to 0: level low
  block.ask(100, 0, EllcOp::insert, 1);
  block.run();
  CHECK(block.count("kept_low") == 1);
  CHECK(block.sent(0).cycle == 100 + kAround + Steps::victim + Steps::rf_software + Steps::compress);
}

TEST_CASE("cache-mode sm: a message for a row that is not one of its warps stops the run") {
  EllcBlock block;
  block.ask(100, 3, EllcOp::read, 5);
  block.ask(200, 100, EllcOp::read, 5);
  CHECK_THROWS_AS(block.run(), SimulationError);
  block.results.messages.clear();
}

TEST_CASE("cache-mode sm: warps that spin load their rows from the start, evenly spread, with 8 bytes each for the bank of the row") {
  EllcKernelParams params;
  params.delivery = Delivery::spin;
  EllcBlock block(params);
  block.run();
  REQUIRE(block.results.messages.size() == 48);
  for (unsigned warp = 0; warp < 48; ++warp) {
    CHECK(block.sent(warp).cycle == 1 + kSoonest + kPoll * warp / 48);
    CHECK(block.sent(warp).header.kind == MessageKind::ellc_poll);
    CHECK(block.sent(warp).header.traffic == Traffic::from_ellc);
    CHECK(block.sent(warp).header.flits == 1);
    CHECK(block.words[warp].row == 10 + warp);
    CHECK(block.sent(warp).header.destination == EllcBlock::kFirstSlice + warp % 2 * EllcBlock::kBanks + (10 + warp) % EllcBlock::kBanks);
  }
  CHECK(block.count("message_bytes") == 0);  // each pays for itself
}

TEST_CASE(
    "cache-mode sm: an empty row is loaded again 160 ns after the last time, or when its answer is delivered, until the run is over") {
  EllcKernelParams params;
  params.delivery = Delivery::spin;
  EllcBlock block(params);
  block.end = 2000;
  const Cycle first = 1 + kSoonest + kPoll * 47 / 48;
  block.ask(first + 40, 47, EllcOp::read, 0, MessageKind::ellc_poll);
  block.ask(1000, 5, EllcOp::read, 0, MessageKind::ellc_poll);
  block.ask(1200, 6, EllcOp::insert, 9);
  block.ask(2000, 7, EllcOp::read, 0, MessageKind::ellc_poll);
  block.run();
  REQUIRE(block.results.messages.size() == 48 + 4);
  CHECK(block.sent(48).cycle == first + kPoll);
  CHECK(block.words[48].row == 10 + 47);
  CHECK(block.sent(49).cycle == 1000 + Steps::deliver);
  CHECK(block.words[49].row == 10 + 5);
  CHECK(block.sent(50).header.kind == MessageKind::ellc_result);
  CHECK(block.sent(51).header.kind == MessageKind::ellc_poll);
  CHECK(block.sent(51).cycle == block.sent(50).cycle);
  CHECK(block.words[51].row == 10 + 6);
  CHECK(block.count("polls.empty") == 2);
}
