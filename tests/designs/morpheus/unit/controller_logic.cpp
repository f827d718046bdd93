// The query logic of a Morpheus controller, rule by rule (morpheus sections 5.1 to 5.6).
#include "model/designs/morpheus/controller/controller_logic.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/designs/morpheus/unit/controller_rig.h"

using namespace wharf;
using test::ControllerRig;
using Answer = ControllerHost::Answer;

namespace {

constexpr std::uint32_t kRegisterFileRow = 0, kL1Row = 1;

/// Complete operations, one after the other.
Transaction& done(ControllerRig& rig, AccessKind kind, std::uint64_t line, std::uint32_t row = kRegisterFileRow,
                  SectorMask sectors = kAllSectors) {
  Transaction& request = rig.request(kind, line, sectors);
  request.versions.fill(static_cast<StoreId>(line * 100 + 1));
  rig.begin();
  REQUIRE(rig.decide(request, row) == nullptr);
  rig.end();
  rig.run(40);
  REQUIRE(rig.quiet());
  return request;
}

}  // namespace

TEST_CASE("a predicted miss reads DRAM at once, answers from there, and the line is in its set afterwards") {
  ControllerRig rig;
  const Transaction& first = done(rig, AccessKind::load, 5);
  CHECK(first.reply.served_by == ServedBy::dram);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::insert});
  const Transaction& second = done(rig, AccessKind::load, 5);
  CHECK(second.reply.served_by == ServedBy::ellc);
  CHECK(rig.answers.back().how == Answer::from_buffer);
  CHECK(rig.count("predicted_misses") == 1);
  CHECK(rig.count("predicted_hits") == 1);
  CHECK(rig.count("hits") == 1);
  CHECK(rig.count("misses") == 1);
}

TEST_CASE("a write of the whole line that is predicted to miss needs nothing of DRAM and is acknowledged when it has its place") {
  ControllerRig rig;
  Transaction& store = rig.request(AccessKind::store, 5);
  rig.begin();
  REQUIRE(rig.decide(store, kRegisterFileRow) == nullptr);
  CHECK(rig.answered(store));
  rig.end();
  rig.run(20);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::insert});
  CHECK(rig.count("dram_reads") == 0);
  CHECK(rig.kernel[kRegisterFileRow].lines.at(0).dirty);
}

TEST_CASE("a partial write that is predicted to miss is acknowledged when DRAM's line is here, and goes to the set merged and dirty") {
  ControllerRig rig;
  rig.dram[5] = {7, 7, 7, 7};
  Transaction& store = rig.request(AccessKind::store, 5, 0b0010);
  store.versions = {0, 9, 0, 0};
  rig.begin();
  REQUIRE(rig.decide(store, kRegisterFileRow) == nullptr);
  rig.end();
  CHECK_FALSE(rig.answered(store));
  rig.run(40);
  CHECK(rig.answered(store));
  CHECK(rig.kernel[kRegisterFileRow].lines.at(0).versions == SectorVersions{7, 9, 7, 7});
  CHECK(rig.kernel[kRegisterFileRow].lines.at(0).dirty);
}

TEST_CASE("requests to a line on its way merge in order: a read sees the write before it and not the one after") {
  ControllerRig rig;
  Transaction* requests[4];
  rig.begin();
  for (int i = 0; i < 4; ++i) {
    requests[i] = &rig.request(i % 2 == 0 ? AccessKind::load : AccessKind::store, 5, 1);
    if (i % 2 == 1) requests[i]->versions[0] = static_cast<StoreId>(i);
    REQUIRE(rig.decide(*requests[i], kRegisterFileRow) == nullptr);
  }
  rig.end();
  rig.run(40);
  CHECK(requests[0]->versions[0] == 0);
  CHECK(requests[2]->versions[0] == 1);
  CHECK(rig.count("dram_reads") == 1);
  CHECK(rig.count("merged") == 3);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::insert});
}

TEST_CASE("an entry serves mshr_merges requests, and the next is refused for that") {
  MorpheusParams params;
  params.mshr_merges = 2;
  ControllerRig rig(params);
  rig.begin();
  for (int i = 0; i < 2; ++i) REQUIRE(rig.decide(rig.request(AccessKind::load, 5), kRegisterFileRow) == nullptr);
  CHECK(rig.decide(rig.request(AccessKind::load, 5), kRegisterFileRow) == &rig.logic->counters().targets_full);
  params.mshr_entries = params.banks_per_partition = 1;
  ControllerRig small(params);
  small.begin();
  REQUIRE(small.decide(small.request(AccessKind::load, 5), kRegisterFileRow) == nullptr);
  CHECK(small.decide(small.request(AccessKind::load, 7), kRegisterFileRow) == &small.logic->counters().mshr_full);
  small.dram_has_room = false;
}

TEST_CASE("an atomic on a line from DRAM is performed in the set, behind the insertion, and what came after it stays behind it") {
  ControllerRig rig;
  rig.begin();
  for (const AccessKind kind : {AccessKind::load, AccessKind::atomic, AccessKind::load, AccessKind::store})
    REQUIRE(rig.decide(rig.request(kind, 5), kRegisterFileRow) == nullptr);
  rig.end();
  rig.run(80);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::insert, EllcOp::atomic, EllcOp::read, EllcOp::write});
  CHECK(rig.quiet());
}

TEST_CASE("a set works at one operation at a time, in the order of the queue, while another set goes on") {
  MorpheusParams params;
  params.combine = false;
  ControllerRig rig(params, {{0, 0, EllcUnit::register_file, 2}, {0, 1, EllcUnit::register_file, 2}});
  for (const std::uint64_t line : {2u, 4u, 3u}) done(rig, AccessKind::store, line, static_cast<std::uint32_t>(line % 2));
  rig.performed.clear();
  rig.begin();
  for (const std::uint64_t line : {2u, 4u, 2u, 3u})
    REQUIRE(rig.decide(rig.request(AccessKind::load, line), static_cast<std::uint32_t>(line % 2)) == nullptr);
  rig.end();
  CHECK(rig.logic->queue().size() == 3);  // one dispatch per cycle
  rig.run(1);
  CHECK(rig.logic->queue().size() == 2);  // the other set's operation, ahead of two older ones
  rig.run(1);
  CHECK(rig.logic->queue().size() == 2);
  rig.run(5);
  CHECK(rig.logic->queue().size() == 1);
}

TEST_CASE("the queue refuses what has no entry, and data that have no slot") {
  MorpheusParams params;
  params.request_queue = 3;
  params.payload_slots = 1;
  ControllerRig rig(params, ControllerRig::two_sets(), "none");
  rig.begin();
  REQUIRE(rig.decide(rig.request(AccessKind::store, 2), kRegisterFileRow) == nullptr);
  CHECK(rig.decide(rig.request(AccessKind::store, 4), kRegisterFileRow) == &rig.logic->counters().payload_full);
  CHECK(rig.decide(rig.request(AccessKind::atomic, 4), kRegisterFileRow) == &rig.logic->counters().payload_full);
  REQUIRE(rig.decide(rig.request(AccessKind::load, 4), kRegisterFileRow) == nullptr);
  REQUIRE(rig.decide(rig.request(AccessKind::load, 6), kRegisterFileRow) == nullptr);
  CHECK(rig.decide(rig.request(AccessKind::load, 8), kRegisterFileRow) == &rig.logic->counters().queue_full);
}

TEST_CASE("a write joins a write of its line that waits, and a read the reads before it, but nothing joins across another operation") {
  ControllerRig rig;
  done(rig, AccessKind::store, 4);
  done(rig, AccessKind::store, 5, kL1Row);
  rig.performed.clear();
  rig.begin();
  REQUIRE(rig.decide(rig.request(AccessKind::load, 4), kRegisterFileRow) == nullptr);  // keeps the warp busy
  Transaction* stores[2];
  for (unsigned i = 0; i < 2; ++i) {
    stores[i] = &rig.request(AccessKind::store, 4, static_cast<SectorMask>(1u << i));
    stores[i]->versions[i] = 900 + i;
    REQUIRE(rig.decide(*stores[i], kRegisterFileRow) == nullptr);
    CHECK(rig.answered(*stores[i]));
  }
  Transaction* reads[3];
  for (Transaction*& read : reads) {
    read = &rig.request(AccessKind::load, 4);
    REQUIRE(rig.decide(*read, kRegisterFileRow) == nullptr);
  }
  Transaction& late = rig.request(AccessKind::store, 4, 1);
  late.versions[0] = 950;
  REQUIRE(rig.decide(late, kRegisterFileRow) == nullptr);
  rig.end();
  rig.run(60);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::read, EllcOp::write, EllcOp::read, EllcOp::write});
  CHECK(rig.count("combined") == 3);
  for (const Transaction* read : reads) CHECK(read->versions == SectorVersions{900, 901, 401, 401});
  CHECK(rig.kernel[kRegisterFileRow].lines.at(0).versions[0] == 950);
  CHECK(rig.quiet());
}

TEST_CASE("a read that was wrongly predicted frees its warp, and takes every younger operation on its line along") {
  ControllerRig rig({}, ControllerRig::two_sets(), "none");
  Transaction& wrong = rig.request(AccessKind::load, 5);
  Transaction& store = rig.request(AccessKind::store, 5, 1);
  store.versions[0] = 9;
  Transaction& after = rig.request(AccessKind::load, 5);
  Transaction& other = rig.request(AccessKind::load, 7);
  rig.begin();
  for (Transaction* request : {&wrong, &store, &after, &other}) REQUIRE(rig.decide(*request, kRegisterFileRow) == nullptr);
  rig.end();
  rig.run(60);
  CHECK(rig.count("pulled") == 2);
  CHECK(rig.count("forced") == 2);
  CHECK(rig.count("dram_reads") == 2);
  CHECK(wrong.versions[0] == 0);
  CHECK(after.versions[0] == 9);
  CHECK(rig.count("false_positives") == 2);  // for the two predicted hits; forced operations do not count
  CHECK(rig.quiet());
}

TEST_CASE("the places that atomics hold while their line is fetched do not keep the line out of the queue") {
  MorpheusParams params;
  params.combine = false;
  params.request_queue = 4;
  params.payload_slots = 2;
  ControllerRig rig(params, ControllerRig::two_sets(), "none");
  rig.begin();
  REQUIRE(rig.decide(rig.request(AccessKind::load, 5), kRegisterFileRow) == nullptr);
  rig.end();
  rig.begin();
  for (const AccessKind kind : {AccessKind::atomic, AccessKind::atomic, AccessKind::load, AccessKind::load})
    REQUIRE(rig.decide(rig.request(kind, 5), kRegisterFileRow) == nullptr);
  rig.end();
  rig.run(100);
  CHECK(rig.count("pulled") == 4);
  CHECK(rig.quiet());
  CHECK(rig.answers.size() == 5);
}

TEST_CASE("a partial write that was wrongly predicted keeps its warp, which gets the line and reports done") {
  ControllerRig rig({}, ControllerRig::two_sets(), "none");
  done(rig, AccessKind::store, 5, kRegisterFileRow, 0b0100);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::write});
  CHECK(rig.count("row_fetches") == 1);
  CHECK(rig.count("false_positives") == 1);
  CHECK(rig.kernel[kRegisterFileRow].lines.at(0).versions == SectorVersions{0, 0, 501, 0});
}

TEST_CASE("a read that finds no MSHR free is answered when DRAM's line is here, and its warp inserts the line") {
  MorpheusParams params;
  params.mshr_entries = params.banks_per_partition = 1;
  ControllerRig rig(params, {{0, 0, EllcUnit::register_file, 2}, {0, 1, EllcUnit::register_file, 2}}, "none");
  rig.dram_steps = [](const Transaction& read) { return read.access.line.number == 5 ? 100 : 10; };
  rig.begin();
  Transaction& long_one = rig.request(AccessKind::load, 5);
  Transaction& other = rig.request(AccessKind::load, 6);
  REQUIRE(rig.decide(long_one, 1) == nullptr);
  REQUIRE(rig.decide(other, 0) == nullptr);
  rig.end();
  rig.run(60);
  CHECK(rig.answered(other));
  CHECK_FALSE(rig.answered(long_one));
  CHECK(rig.count("row_fetches") == 1);
  CHECK(rig.directory.resident({6}));
  rig.run(80);
  CHECK(rig.quiet());
}

TEST_CASE("with miss_fetch: warp the requester hears from the warp, after its line has been there") {
  MorpheusParams params;
  params.miss_fetch = MissFetch::warp;
  ControllerRig rig(params, ControllerRig::two_sets(), "none");
  rig.begin();
  Transaction& read = rig.request(AccessKind::load, 5);
  REQUIRE(rig.decide(read, kRegisterFileRow) == nullptr);
  rig.end();
  while (rig.dram_reads.empty()) rig.run(1);
  while (!rig.dram_reads.empty()) rig.run(1);
  CHECK_FALSE(rig.answered(read));
  rig.run(20);
  CHECK(rig.answered(read));
}

TEST_CASE("a predicted miss of an L1 set has the L1 fetch the line too, from the same read of DRAM") {
  ControllerRig rig;
  const Transaction& read = done(rig, AccessKind::load, 5, kL1Row);
  CHECK(read.reply.served_by == ServedBy::dram);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::touch});
  CHECK(rig.count("dram_reads") == 1);
  CHECK(done(rig, AccessKind::load, 5, kL1Row).reply.served_by == ServedBy::ellc);
  const Transaction& store = done(rig, AccessKind::store, 7, kL1Row, 1);
  CHECK(rig.answered(store));
  CHECK(rig.count("row_fetches") == 1);  // by the L1 itself
}

TEST_CASE("the fetch of an L1 that finds its line absent is the notice of a miss: the requester is answered from DRAM") {
  ControllerRig rig({}, ControllerRig::two_sets(), "none");
  const Transaction& read = done(rig, AccessKind::load, 5, kL1Row);
  CHECK(read.reply.served_by == ServedBy::dram);
  CHECK(rig.answers.size() == 1);
  CHECK(rig.count("false_positives") == 1);
  CHECK(rig.count("c2c_reads") == 0);
}

TEST_CASE("a clean line that finds no slot is dropped above fill_drop_percent of the MSHRs, a dirty one waits") {
  for (const bool dirty : {false, true}) {
    MorpheusParams params;
    params.banks_per_partition = 1;
    params.mshr_entries = 2;
    params.payload_slots = 1;
    params.request_queue = 4;
    ControllerRig rig(params, {{0, 0, EllcUnit::register_file, 2}, {0, 1, EllcUnit::register_file, 2}});
    rig.way_steps = [] { return 60; };
    rig.begin();
    REQUIRE(rig.decide(rig.request(AccessKind::store, 1), 1) == nullptr);  // both are inserted: one is in the warp, one in the slot
    rig.end();
    rig.begin();
    REQUIRE(rig.decide(rig.request(AccessKind::store, 3), 1) == nullptr);
    REQUIRE(rig.decide(rig.request(AccessKind::load, 2), 0) == nullptr);
    REQUIRE(rig.decide(rig.request(dirty ? AccessKind::store : AccessKind::load, 4, 1), 0) == nullptr);
    rig.end();
    rig.run(30);
    CHECK(rig.count("fills_dropped") == 1);  // then one of two MSHRs is in use, which is less
    rig.run(400);
    CHECK(rig.quiet());
    CHECK(rig.directory.resident({4}));
    CHECK_FALSE(rig.directory.resident({2}));
  }
}

TEST_CASE("a block from a warp waits for a place in the read data buffer") {
  MorpheusParams params;
  params.read_buffer = 1;
  ControllerRig rig(params);
  EllcWord word;
  CHECK(rig.logic->result_fits(word));
  word.data = true;
  CHECK(rig.logic->result_fits(word));
  done(rig, AccessKind::store, 5);
  rig.begin();
  Transaction& read = rig.request(AccessKind::load, 5);
  REQUIRE(rig.decide(read, kRegisterFileRow) == nullptr);
  rig.logic->dispatch(rig.now);
  Transaction& result = *rig.to_warps.back().message;
  EllcWord hit = EllcWord::unpack(result.message.tag);
  hit.result = EllcResult::hit;
  hit.data = true;
  result.message.tag = hit.pack();
  rig.logic->result(result, rig.now);
  CHECK_FALSE(rig.logic->result_fits(word));
  rig.logic->free_read_buffer_entry();
  CHECK(rig.logic->result_fits(word));
}

namespace {

/// Predicts wrongly once, about one line.
class Liar final : public HitPredictor {
 public:
  bool predict_hit(const Block& block) const override { return block.line.number != 5; }
};

}  // namespace

TEST_CASE("a predicted miss of a line that its set holds stops the run with the line's name, and with the check off reads stale data") {
  ControllerRig rig;
  done(rig, AccessKind::store, 5);
  rig.predictor = std::make_unique<Liar>();
  rig.begin();
  CHECK_THROWS_WITH(rig.decide(rig.request(AccessKind::load, 5), kRegisterFileRow),
                    Catch::Contains("false negative of the hit predictor: line 5 is in row 0 of partition 0"));
  ControllerRig unchecked({}, ControllerRig::two_sets(), "bloom", false);
  done(unchecked, AccessKind::store, 5);
  unchecked.predictor = std::make_unique<Liar>();
  CHECK(done(unchecked, AccessKind::load, 5).versions[0] == 0);  // DRAM's version, not the 501 of the set
}

TEST_CASE("a result that no row waits for is an error of the model") {
  ControllerRig rig;
  Transaction& message = rig.make({});
  message.message.tag = EllcWord{}.pack();
  CHECK_THROWS_AS(rig.logic->result(message, 1), SimulationError);
}
