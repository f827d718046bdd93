// Bulk copies without a machine: the bytes of an mbarrier's phase, the lines of a copy, and what cannot be copied.

#include <catch2/catch.hpp>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/error.h"
#include "model/sm/copies/async_operations.h"
#include "model/sm/copies/copy_engine.h"

using namespace wharf;
using Catch::Matchers::Contains;

namespace {

BulkCopy copy(Address from, std::uint32_t bytes, std::uint32_t ranks = 1) {
  BulkCopy copy;
  copy.from = from;
  copy.row_bytes = bytes;
  copy.ranks = ranks;
  return copy;
}

std::string refusal(const BulkCopy& copy, unsigned ctas) {
  WarpInstruction instruction;
  try {
    copy.put_into(instruction, ctas);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// CL-8
TEST_CASE("mbarriers: a phase ends when all have arrived and all bytes have come, whichever is last") {
  Mbarriers mbarriers;
  mbarriers.init(8, 1);
  CHECK(mbarriers.wait(8, 0, 3));
  CHECK(mbarriers.arrive(8, 1, 32) == 0);
  CHECK(mbarriers.arrive(8, 0, -16) == 0);
  CHECK(mbarriers.arrive(8, 0, -16) == 0b1000);
  // The next phase, whose bytes come before it expects them.
  CHECK(mbarriers.wait(8, 1, 5));
  CHECK(mbarriers.arrive(8, 0, -64) == 0);
  CHECK(mbarriers.arrive(8, 0, 64) == 0);
  CHECK(mbarriers.arrive(8, 1) == 0b100000);
}

// CL-6
TEST_CASE("mbarriers: threads may arrive together, and an mbarrier that was made invalid can be initialised again") {
  Mbarriers mbarriers;
  mbarriers.init(8, 64);
  CHECK(mbarriers.wait(8, 0, 1));
  CHECK(mbarriers.arrive(8, 32) == 0);
  CHECK(mbarriers.arrive(8, 31) == 0);
  CHECK_THROWS_WITH(mbarriers.arrive(8, 2), Contains("gets 2 arrivals, and its phase lacks 1; initialise it for as many as arrive"));
  CHECK_THROWS_WITH(mbarriers.invalidate(8), Contains("is made invalid while warps wait for it; let them go on first"));
  CHECK(mbarriers.arrive(8, 1) == 0b10);
  mbarriers.invalidate(8);
  CHECK_THROWS_WITH(mbarriers.arrive(8, 1), Contains("is not initialised"));
  mbarriers.init(8, 1);
  CHECK_FALSE(mbarriers.wait(8, 1, 1));
}

// CL-6
TEST_CASE("mbarriers: arrivals that are dropped are not awaited in later phases") {
  Mbarriers mbarriers;
  mbarriers.init(8, 3);
  mbarriers.drop(8, 2);
  CHECK(mbarriers.wait(8, 0, 0));
  CHECK(mbarriers.arrive(8, 2) == 0);  // the present phase still needs three
  CHECK(mbarriers.arrive(8, 1) == 1);
  CHECK(mbarriers.wait(8, 1, 0));
  CHECK(mbarriers.arrive(8, 1) == 1);
  CHECK_THROWS_WITH(mbarriers.drop(8, 2), Contains("loses 2 arrivals of each phase, which needs 1; drop at most as many as arrive"));
}

// CL-6
TEST_CASE("mbarriers: lanes that arrive one after the other may end several phases, but a thread's arrivals may not") {
  const auto by_lanes = [](std::uint32_t lanes, MbarrierOp op = MbarrierOp::arrive) {
    MbarrierUse use{op, 8, lanes};
    use.lanes = lanes;
    return use;
  };
  Mbarriers mbarriers;
  mbarriers.init(8, 12);
  CHECK(mbarriers.wait(8, 0, 3));
  CHECK(mbarriers.arrive(by_lanes(32)) == 0b1000);
  CHECK(mbarriers.words()[0].parity == 0);
  CHECK(mbarriers.words()[0].missing == 4);
  // Four lanes end this phase, so that the next one needs eight arrivals. Four more arrive there, and later phases need four.
  CHECK(mbarriers.arrive(by_lanes(8, MbarrierOp::arrive_drop)) == 0);
  CHECK(mbarriers.words()[0].parity == 1);
  CHECK(mbarriers.words()[0].missing == 4);
  CHECK(mbarriers.words()[0].arrivals == 4);
  CHECK_THROWS_WITH(mbarriers.arrive(8, 5), Contains("gets 5 arrivals, and its phase lacks 4"));
  mbarriers.arrive(8, 4, 16);
  CHECK_THROWS_WITH(mbarriers.arrive(by_lanes(2)), Contains("has all arrivals of its phase, which lacks 16 bytes"));
}

// CL-6
TEST_CASE("mbarriers: a wait that times out is no longer released") {
  Mbarriers mbarriers;
  mbarriers.init(8, 1);
  CHECK(mbarriers.wait(8, 0, 3));
  CHECK(mbarriers.wait(8, 0, 5));
  mbarriers.stop_waiting(3);
  CHECK(mbarriers.arrive(8, 1) == 0b100000);
}

// CL-8
TEST_CASE("mbarriers: bytes that nobody expects, an arrival too many and counts that cannot be are refused with the remedy") {
  Mbarriers mbarriers;
  mbarriers.init(8, 1);
  mbarriers.arrive(8, 0, -16);
  CHECK_THROWS_WITH(mbarriers.arrive(8, 1),
                    Contains("byte 8 of shared memory has received 16 bytes more than its phase expects; expect them"));
  mbarriers.init(16, 1);
  mbarriers.arrive(16, 1, 32);
  CHECK_THROWS_WITH(mbarriers.arrive(16, 1), Contains("has all arrivals of its phase, which lacks 32 bytes; wait for the end"));
  CHECK_THROWS_WITH(mbarriers.arrive(16, 0, -48), Contains("has received 16 bytes more than its phase expects"));
  mbarriers.init(24, 1);
  mbarriers.arrive(24, 0, 1 << 19);
  CHECK_THROWS_WITH(mbarriers.arrive(24, 0, 1 << 19), Contains("expects 1048576 bytes in a phase; choose at most 1048575"));
}

// MG-18
TEST_CASE("asynchronous loads: a warp waits for all groups but the latest, whichever load ends first") {
  AsyncOperations loads;
  loads.commit();
  CHECK_FALSE(loads.wait(0));
  const auto a = loads.issued(), b = loads.issued();
  loads.commit();
  const auto c = loads.issued();
  loads.commit();
  const auto open = loads.issued();
  CHECK_FALSE(loads.wait(2));
  CHECK(loads.wait(1));
  CHECK_FALSE(loads.finished(b).ends_wait);
  CHECK(loads.finished(a).ends_wait);
  loads.commit();
  CHECK(loads.wait(0));
  CHECK_FALSE(loads.finished(open).ends_wait);
  CHECK(loads.finished(c).ends_wait);
  CHECK_FALSE(loads.wait(0));
}

// MG-18
TEST_CASE("asynchronous loads: an arrival awaits those before it, and not those after it") {
  AsyncOperations loads;
  const MbarrierUse first{MbarrierOp::arrive_later, 8, 32, 0}, second{MbarrierOp::arrive_later, 16, 1, 0};
  CHECK_FALSE(loads.arrive_later(first));
  const auto a = loads.issued();
  CHECK(loads.arrive_later(first));
  const auto b = loads.issued();
  CHECK(loads.arrive_later(second));
  CHECK(loads.finished(b).arrivals.empty());
  const std::vector<MbarrierUse> both = loads.finished(a).arrivals;
  REQUIRE(both.size() == 2);
  CHECK(both[0].at == 8);
  CHECK(both[0].value == 32);
  CHECK(both[1].at == 16);
  CHECK_FALSE(loads.arrive_later(first));
}

// MG-18
TEST_CASE("asynchronous loads: more groups than a load's name tells apart end together") {
  AsyncOperations loads;
  std::vector<std::uint8_t> names;
  for (unsigned i = 0; i < 1000; ++i) {
    names.push_back(loads.issued());
    loads.commit();
  }
  CHECK(loads.wait(0));
  for (unsigned i = 0; i + 1 < names.size(); ++i) CHECK_FALSE(loads.finished(names[i]).ends_wait);
  CHECK(loads.finished(names.back()).ends_wait);
  // Numbers go on from there.
  for (unsigned i = 0; i < 1000; ++i) {
    const auto name = loads.issued();
    loads.commit();
    CHECK(loads.wait(0));
    CHECK(loads.finished(name).ends_wait);
  }
}

// CL-8, CL-9
TEST_CASE("copies: sizes, addresses and ranks that the hardware does not have are refused with the remedy") {
  CHECK(refusal(copy(16, 256 << 10, 0b11), 2).empty());
  CHECK_THAT(refusal(copy(0, 100), 1), Contains("has 100 bytes; choose a multiple of 16 from 16 to 262144"));
  CHECK_THAT(refusal(copy(0, 0), 1), Contains("has 0 bytes"));
  CHECK_THAT(refusal(copy(0, (256 << 10) + 16), 1), Contains("has 262160 bytes"));
  CHECK_THAT(refusal(copy(8, 16), 1), Contains("reads from byte 8 of global memory on; align it to 16 bytes"));
  BulkCopy shifted = copy(0, 16);
  shifted.to = 24;
  CHECK_THAT(refusal(shifted, 1), Contains("writes from byte 24 of shared memory on; align it to 16 bytes"));
  shifted.direction = BulkCopy::Direction::to_global;
  CHECK_THAT(refusal(shifted, 1), Contains("writes from byte 24 of global memory on; align it to 16 bytes"));
  shifted.from = 8;
  CHECK_THAT(refusal(shifted, 1), Contains("reads from byte 8 of shared memory on; align it to 16 bytes"));
  CHECK_THAT(refusal(copy(0, 16, 0), 1), Contains("has no CTA that receives it; set the bit of at least one rank"));
  CHECK_THAT(refusal(copy(0, 16, 0b1011), 3), Contains("names rank 3 in a cluster of 3 CTAs; set bits below 3 only"));
}

// CL-8, CL-9
TEST_CASE("copies: a copy requests the sectors that it touches line by line, and writes each line to each CTA in turn") {
  stats::Registry registry;
  CopyEngine engine({10, 2, 64}, registry, 0);
  engine.start(copy(96, 32 + 128 + 16, 0b11), {}, {{0, 0}, {1, 0}}, Access(), {}, 100);
  CHECK(engine.next_read(CopyEngine::global) == 110);
  std::vector<Access> lines(3);
  engine.read(lines[0], 110);
  CHECK(engine.next_read(CopyEngine::global) == 111);  // 32 B at 64 B per cycle
  engine.read(lines[1], 111);
  CHECK(engine.next_read(CopyEngine::global) == kNever);  // two are in flight
  CHECK(lines[0].sectors == 0b1000);
  CHECK(lines[1].sectors == 0b1111);
  CHECK(lines[1].line == LineAddress{1});
  engine.returned(lines[0], 300);
  CHECK(engine.next_write(CopyEngine::shared) == 300);
  Access written;
  engine.deliver(written);
  CHECK(engine.next_read(CopyEngine::global) == kNever);
  CHECK(place_of(written.line).sm == 0);
  engine.deliver(written);
  CHECK(place_of(written.line).sm == 1);
  CHECK(written.written_bytes == 32);
  CHECK(engine.next_write(CopyEngine::shared) == kNever);
  CHECK(engine.next_read(CopyEngine::global) == 113);  // 128 B took two cycles
  engine.read(lines[2], 113);
  CHECK(lines[2].sectors == 0b0001);
}

// CL-8
TEST_CASE("copies: rows of a tensor are read each from where it lies, and written one behind the other") {
  stats::Registry registry;
  CopyEngine engine({10, 64, 64}, registry, 0);
  BulkCopy tile = copy(0x1040, 96);
  tile.rows = 3;
  tile.row_stride = 0x400;
  engine.start(tile, {}, {{0, 0}}, Access(), {}, 100);
  // The first row lies in two lines, and so do the others.
  const struct {
    Address line;
    SectorMask sectors;
    std::uint32_t bytes;
  } expected[] = {{0x1000, 0b1100, 64}, {0x1080, 0b0001, 32}, {0x1400, 0b1100, 64},
                  {0x1480, 0b0001, 32}, {0x1800, 0b1100, 64}, {0x1880, 0b0001, 32}};
  std::vector<Access> lines;
  for (const auto& part : expected) {
    Access& line = lines.emplace_back();
    engine.read(line, engine.next_read(CopyEngine::global));
    CHECK(line.line == LineAddress::of(part.line));
    CHECK(line.sectors == part.sectors);
  }
  CHECK(engine.next_read(CopyEngine::global) == kNever);
  // The answers come in another order.
  std::uint32_t written = 0;
  bool last = false;
  for (unsigned i : {5u, 0u, 3u, 1u, 2u, 4u}) {
    engine.returned(lines[i], 300 + written);
    Access access;
    engine.deliver(access);
    CHECK(access.written_bytes == expected[i].bytes);
    CHECK(access.line == LineAddress::of(i / 2 * 96 + i % 2 * 64));
    written += access.written_bytes;
    CHECK_FALSE(last);
    last = engine.acknowledged(access, 400).whole;
  }
  CHECK(last);
  CHECK(written == tile.bytes());
  CHECK(engine.idle());
}

// CL-8
TEST_CASE("copies: what lies outside a tensor is written without being read") {
  stats::Registry registry;
  CopyEngine engine({10, 64, 64}, registry, 0);
  BulkCopy outside = copy(0, 0);
  outside.filled = 4096;
  engine.start(outside, {}, {{0, 0}}, Access(), {}, 100);
  CHECK(engine.next_read(CopyEngine::global) == kNever);
  CHECK(engine.next_write(CopyEngine::shared) == 110);
  Access access;
  engine.deliver(access);
  CHECK(access.written_bytes == 4096);
  CHECK(is_copied(access));
  CHECK(engine.acknowledged(access, 200).whole);
  CHECK(engine.idle());
}

// CL-8
TEST_CASE("copies: a copy to global memory reads shared memory in pieces that are lines there, and stores the bytes of each") {
  stats::Registry registry;
  CopyEngine engine({10, 64, 64}, registry, 0);
  BulkCopy rows = copy(0, 64);
  rows.direction = BulkCopy::Direction::to_global;
  rows.from = 1024 + 16;
  rows.to = 0x1050;
  rows.ranks = 0;
  rows.rows = 2;
  rows.row_stride = 0x400;
  Access like;
  like.warp = 3;
  engine.start(rows, {7, 2}, {}, like, {4, 5}, 100);
  CHECK(engine.next_read(CopyEngine::global) == kNever);
  CHECK(engine.next_read(CopyEngine::shared) == 110);
  // The first row ends in the second line.
  const struct {
    Address offset, line;
    SectorMask sectors, covered;
    std::uint32_t bytes, first_bytes;
  } expected[] = {{0, 0x1000, 0b1100, 0b1000, 48, 0xFFFF'0000},
                  {48, 0x1080, 0b0001, 0, 16, 0xFFFF},
                  {64, 0x1400, 0b1100, 0b1000, 48, 0xFFFF'0000},
                  {112, 0x1480, 0b0001, 0, 16, 0xFFFF}};
  std::vector<Access> reads;
  for (const auto& part : expected) {
    Access& read = reads.emplace_back(engine.like_of_read());
    engine.read(read, engine.next_read(CopyEngine::shared));
    CHECK(is_read_by_copy(read));
    CHECK(read.line == LineAddress::of(shared_address({7, 2}, 1040 + part.offset)));
    CHECK(sector_count(read.sectors) * kSectorBytes >= part.bytes);
  }
  for (unsigned i = 0; i < 4; ++i) {
    const CopyEngine::Completed read = engine.returned(reads[i], 200 + i);
    CHECK(read.reads == (i == 3));
    CHECK(read.names.reads == 4);
  }
  CHECK(engine.next_write(CopyEngine::shared) == kNever);
  CHECK(engine.next_write(CopyEngine::global) == 200);
  std::vector<Access> writes;
  for (const auto& part : expected) {
    const CoalescedLines::Part store = engine.part_to_store();
    CHECK(engine.kind_of_store() == AccessKind::store);
    CHECK(store.line == LineAddress::of(part.line));
    CHECK(store.sectors == part.sectors);
    CHECK(store.covered == part.covered);
    CHECK(store.written.of_sector(lowest_sector(store.sectors)) == part.first_bytes);
    // Each sector is a store of its own.
    for (SectorMask left = store.sectors; left != 0; left &= static_cast<SectorMask>(left - 1)) {
      CHECK(engine.part_to_store().sectors == left);
      writes.push_back(engine.like_of_write(CopyEngine::global));
      engine.stored(static_cast<SectorMask>(left & ~(left - 1)));
    }
  }
  CHECK(engine.next_write(CopyEngine::global) == kNever);
  // The last acknowledgement to become known is not the last to arrive.
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const CopyEngine::Completed done = engine.acknowledged(writes[i], i == 0 ? 900 : 500);
    CHECK(done.whole == (i + 1 == writes.size()));
    CHECK(done.at == 900);
    CHECK(done.names.whole == 5);
  }
  CHECK(engine.idle());
  CHECK(engine.delivered_bytes() == engine.bytes());
}

// CL-8
TEST_CASE("copies: a copy between shared memories divides into lines of the one that it reads") {
  stats::Registry registry;
  CopyEngine engine({10, 64, 64}, registry, 0);
  BulkCopy move = copy(96, 64, 0b10);
  move.direction = BulkCopy::Direction::between_shared;
  move.to = 256;
  engine.start(move, {0, 0}, {{1, 4}}, Access(), {}, 100);
  for (const std::uint32_t bytes : {32u, 32u}) {
    Access read, write;
    engine.read(read, engine.next_read(CopyEngine::shared));
    CHECK(sector_count(read.sectors) * kSectorBytes == bytes);
    CHECK_FALSE(engine.returned(read, 150).reads);
    engine.deliver(write);
    CHECK(place_of(write.line).sm == 1);
    CHECK(write.written_bytes == bytes);
    CHECK(engine.acknowledged(write, 300).whole == (engine.next_read(CopyEngine::shared) == kNever));
  }
  CHECK(engine.idle());
}

// CL-8
TEST_CASE("copies: a line that is prefetched makes room when it arrives, and writes nothing") {
  stats::Registry registry;
  CopyEngine engine({10, 1, 64}, registry, 0);
  BulkCopy prefetch = copy(0, 256, 0);
  prefetch.direction = BulkCopy::Direction::prefetch;
  engine.start(prefetch, {0, 0}, {}, Access(), {}, 100);
  Access first, second;
  engine.read(first, 110);
  CHECK_FALSE(engine.returned(first, 300).whole);
  engine.forget_prefetched(299);
  CHECK(engine.next_read(CopyEngine::global) == kNever);
  engine.forget_prefetched(300);
  CHECK(engine.next_read(CopyEngine::global) == 112);
  engine.read(second, 300);
  CHECK(engine.returned(second, 400).whole);
  engine.forget_prefetched(400);
  CHECK(engine.idle());
  CHECK(engine.bytes() == 0);
}
