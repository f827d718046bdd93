// Headers and counts of a DC-L1 node (dc_l1 section 4), and its cache.

#include <catch2/catch.hpp>

#include "model/designs/dc_l1/dc_l1_node_logic.h"

using namespace wharf;

namespace {

struct Node {
  explicit Node(const DcL1Params& params = {}) : logic(params, {}, {3, 83, 32}, registry) {}
  const MessageHeader& answer(AccessKind kind, SectorMask sectors, CacheOp op = CacheOp::all) {
    transaction.access.kind = kind;
    transaction.access.sectors = sectors;
    transaction.access.cache_op = op;
    transaction.access.sm = 17;
    logic.arrives(transaction.access);
    logic.head_for_core(transaction);
    return transaction.message;
  }
  stats::Registry registry;
  DcL1NodeLogic logic;
  Transaction transaction;
};

}  // namespace

// DC-13
TEST_CASE("dc_l1 node: a sectored reply has as many flits as the pieces asked for need, an acknowledgement one") {
  Node node;
  const unsigned flits[] = {2, 3, 4, 5};
  for (unsigned sectors = 1; sectors <= 4; ++sectors) {
    CAPTURE(sectors);
    CHECK(node.answer(AccessKind::load, static_cast<SectorMask>((1u << sectors) - 1)).flits == flits[sectors - 1]);
    CHECK(node.answer(AccessKind::store, static_cast<SectorMask>((1u << sectors) - 1)).flits == 1);
  }
  CHECK(node.transaction.message.source == 83);
  CHECK(node.transaction.message.destination == 17);
  CHECK(node.transaction.message.kind == MessageKind::write_ack);
}

TEST_CASE("dc_l1 node: without sectoring a reply of the cache is a line, one past the cache what was asked for") {
  DcL1Params params;
  params.sectored_replies = false;
  Node node(params);
  CHECK(node.answer(AccessKind::load, 1).flits == 5);
  CHECK(node.answer(AccessKind::load, 1, CacheOp::bypass_l1).flits == 2);
  CHECK(node.answer(AccessKind::texture, 3).flits == 3);
  CHECK(node.answer(AccessKind::atomic, 1).flits == 2);
  CHECK(node.logic.counters().reply_bytes.value() == 128 + 32 + 64 + 32);
}

TEST_CASE("dc_l1 node: what looks the cache up and what passes it by are counted apart") {
  Node node;
  node.answer(AccessKind::load, 1);
  node.answer(AccessKind::texture, 1);
  node.answer(AccessKind::load, 1, CacheOp::bypass_l1);
  node.answer(AccessKind::atomic, 1);
  node.answer(AccessKind::store, 1);
  DcL1NodeCounters& counters = node.logic.counters();
  CHECK(counters.reads.value() == 1);
  CHECK(counters.bypasses.value() == 2);
  CHECK(counters.atomics.value() == 1);
  CHECK(counters.writes.value() == 1);
  CHECK(counters.replies.value() == 4);
  CHECK(counters.acks.value() == 1);
}
