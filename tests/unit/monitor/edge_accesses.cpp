// Accesses of SMs to one byte in one edge that several threads process.

#include "model/monitor/edge_accesses.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/error.h"

namespace wharf {
namespace {

WarpInstruction access(Unit unit, Address first, unsigned stride = 4, Space space = Space::global) {
  WarpInstruction instruction;
  instruction.unit = unit;
  instruction.space = space;
  for (unsigned lane = 0; lane < kLanes; ++lane) instruction.addresses[lane] = first + lane * stride;
  return instruction;
}

WarpInstruction copy(BulkCopy::Direction direction, Address from, Address to, std::uint32_t bytes) {
  BulkCopy copy;
  copy.direction = direction;
  copy.from = from;
  copy.to = to;
  copy.row_bytes = bytes;
  copy.ranks = 1;
  WarpInstruction instruction;
  copy.put_into(instruction, 1);
  return instruction;
}

/// What two islands access in each edge, and the conflicts that are reported.
class TwoIslands {
 public:
  void edge(const std::vector<WarpInstruction>& of_first, const std::vector<WarpInstruction>& of_second) {
    Islands::act([&](unsigned island) {
      for (const WarpInstruction& instruction : island == 1 ? of_first : of_second) accesses_.add(instruction);
    });
  }
  void edge_of_one_thread(const std::vector<WarpInstruction>& all) {
    for (const WarpInstruction& instruction : all) accesses_.add(instruction);
  }
  const std::vector<std::string>& conflicts() const { return conflicts_; }

 private:
  Islands islands_{2};
  std::vector<std::string> conflicts_;
  EdgeAccesses accesses_{[this](const std::string& what) { conflicts_.push_back(what); }};
};

TEST_CASE("two islands that access a byte in one edge are a conflict if one of them writes it") {
  const auto conflict = [](const WarpInstruction& one, const WarpInstruction& other) {
    TwoIslands islands;
    islands.edge({one}, {other});
    islands.edge({}, {});
    return islands.conflicts().empty() ? std::string() : islands.conflicts().at(0);
  };
  const WarpInstruction load = access(Unit::load, 0x1000), store = access(Unit::store, 0x1000), atomic = access(Unit::atomic, 0x1000, 0);
  CHECK(conflict(load, store) == "two SMs read and write the byte at 0x1000 in one cycle");
  CHECK(conflict(store, load) == "two SMs read and write the byte at 0x1000 in one cycle");
  CHECK(conflict(store, store) == "two SMs write the byte at 0x1000 in one cycle");
  CHECK(conflict(atomic, atomic) == "two SMs write the byte at 0x1000 in one cycle");
  CHECK(conflict(access(Unit::texture, 0x1040), store) == "two SMs read and write the byte at 0x1040 in one cycle");
  CHECK(conflict(load, load).empty());
}

TEST_CASE("different bytes of a line are no conflict, nor are the accesses of one island or of different edges") {
  const auto is_conflict = [](const std::vector<std::vector<WarpInstruction>>& edges) {
    TwoIslands islands;
    for (std::size_t i = 0; i < edges.size(); i += 2) islands.edge(edges[i], edges[i + 1]);
    return !islands.conflicts().empty();
  };
  const WarpInstruction store = access(Unit::store, 0x1000);
  WarpInstruction even = access(Unit::store, 0x1000, 8), odd = access(Unit::load, 0x1004, 8);
  CHECK_FALSE(is_conflict({{even}, {odd}}));
  odd.access_bytes = 8;
  CHECK(is_conflict({{even}, {odd}}));
  WarpInstruction first_half = store, second_half = store;
  first_half.active = 0x0000FFFF;
  second_half.active = 0xFFFF0000;
  CHECK_FALSE(is_conflict({{first_half}, {second_half}}));
  second_half.active = 0xFFFF8000;
  CHECK(is_conflict({{first_half}, {second_half}}));
  CHECK_FALSE(is_conflict({{store, store}, {}}));
  CHECK_FALSE(is_conflict({{store}, {}, {}, {store}}));
  CHECK_FALSE(is_conflict({{store}, {}, {access(Unit::load, 0x2000)}, {store}}));
}

TEST_CASE("an access that crosses a line is in both lines") {
  TwoIslands islands;
  WarpInstruction across = access(Unit::load, 0x107E);
  across.active = 1;
  islands.edge({across}, {access(Unit::store, 0x1080)});
  REQUIRE(islands.conflicts().size() == 1);
  CHECK(islands.conflicts()[0] == "two SMs read and write the byte at 0x1080 in one cycle");
}

TEST_CASE("shared and local memory have no conflicts, and a bulk copy has those of its bytes in global memory") {
  const auto is_conflict = [](const WarpInstruction& one, const WarpInstruction& other) {
    TwoIslands islands;
    islands.edge({one}, {other});
    return !islands.conflicts().empty();
  };
  const WarpInstruction store = access(Unit::store, 0x1000), local = access(Unit::store, 0x1000, 4, Space::local);
  CHECK_FALSE(is_conflict(local, local));
  CHECK_FALSE(is_conflict(access(Unit::shared, 0x1000), store));
  using Direction = BulkCopy::Direction;
  CHECK(is_conflict(copy(Direction::to_global, 0, 0xF00, 272), store));
  CHECK_FALSE(is_conflict(copy(Direction::to_global, 0, 0xF00, 256), store));
  CHECK(is_conflict(copy(Direction::to_shared, 0xF00, 0, 272), store));
  CHECK_FALSE(is_conflict(copy(Direction::to_shared, 0xF00, 0x1000, 256), store));
  CHECK_FALSE(is_conflict(copy(Direction::to_shared, 0x1000, 0, 256), access(Unit::load, 0x1000)));
  CHECK(is_conflict(copy(Direction::reduce_in_global, 0, 0x1000, 16), copy(Direction::reduce_in_global, 0, 0x1000, 16)));
  CHECK_FALSE(is_conflict(copy(Direction::between_shared, 0x1000, 0x1000, 256), store));
}

TEST_CASE("a CTA's barrier is no copy, whatever its number is and its addresses have been") {
  TwoIslands islands;
  WarpInstruction barrier = copy(BulkCopy::Direction::to_global, 0, 0x1000, 16);
  barrier.barrier = {static_cast<std::uint8_t>(MbarrierOp::copy)};
  islands.edge({barrier}, {access(Unit::store, 0x1000)});
  CHECK(islands.conflicts().empty());
}

TEST_CASE("an edge that one thread processes has no conflicts") {
  TwoIslands islands;
  islands.edge_of_one_thread({access(Unit::store, 0x1000), access(Unit::store, 0x1000)});
  islands.edge({access(Unit::load, 0x1000)}, {});
  CHECK(islands.conflicts().empty());
}

TEST_CASE("what only one thread may do is refused while islands act") {
  CHECK_NOTHROW(Islands::require_mainland("it does"));
  const Islands islands(2);
  CHECK_THROWS_AS(Islands::act([](unsigned) { Islands::require_mainland("it does"); }), OneThreadNeeded);
}

}  // namespace
}  // namespace wharf
