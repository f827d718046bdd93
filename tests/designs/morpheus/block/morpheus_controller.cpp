// Cycles of a Morpheus controller between a network interface, an L2 slice, DRAM and a warp that the test simulates
// (morpheus sections 5 and 9.4).

#include "model/designs/morpheus/controller/morpheus_controller.h"
#include "model/base/error.h"
#include "model/designs/morpheus/controller/hit_predictor_unit.h"
#include "model/monitor/golden_memory.h"
#include "tests/block/l2_rig.h"
#include "tests/block/network/message_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

constexpr Cycle kAccess = 20, kFill = 3, kExtra = 10, kDram = 100;  // as in l2_params() and the DRAM of the rig
constexpr unsigned kSm = 0, kBank = 1;                              // endpoints: the cache-mode SM, then the slice

/// Never predicts a hit, even for a resident line. A correct predictor must not do that.
class AlwaysWrong final : public HitPredictor {
 public:
  bool predict_hit(const Block&) const override { return false; }
};

/// One partition of one bank, and register-file sets in one cache-mode SM.
struct ControllerBlock {
  explicit ControllerBlock(const MorpheusParams& params = {}, std::unique_ptr<HitPredictor> predictor = nullptr,
                           bool stop_at_false_negatives = true, ClockOptions options = {})
      : clock("clock", 1710, options),
        script(clock),
        geometry(params.kernel, 1, 1),
        directory(1, geometry.most_blocks()),
        controller("controller", one_bank(params), l2_params(), 0,
                   {clock, pool, registry, *addresses, geometry, directory, 1, kSm, kBank, 32, false, stop_at_false_negatives}),
        unit(
            "unit", [&] { return predictor != nullptr ? std::move(predictor) : bloom(); }, 0, clock, registry) {
    nic.port.socket.bind(at_sm.target_socket);
    at_sm.initiator_socket.bind(at_order.target_socket);
    connect(at_order.initiator_socket, above_, controller.bank(0).upstream());
    connect(controller.bank(0).downstream(), beside_, slice.port.socket);
    connect(controller.dram(0), below_, dram.port.socket);
    connect(controller.to_sms(0), there_, warps.port.socket);
    connect(results.port.socket, back_, controller.from_sms(0));
    controller.predictor().bind(unit.port());
    dram.latency = kDram;
  }

  /// The first lines of the extended LLC, or of the conventional one.
  std::vector<std::uint64_t> lines(bool extended, std::size_t count) const {
    const AddressSeparator separator(geometry.rows(0), l2_params().slice_kib * 1024 / kLineBytes);
    std::vector<std::uint64_t> found;
    for (std::uint64_t line = 0; found.size() < count; ++line)
      if (separator.of(line).extended == extended) found.push_back(line);
    return found;
  }
  std::uint32_t row_of(std::uint64_t line) const {
    return AddressSeparator(geometry.rows(0), l2_params().slice_kib * 1024 / kLineBytes).of(line).row;
  }
  /// The warp completes the n-th message. The result arrives at the controller in cycle `cycle`.
  void finish(std::size_t n, Cycle cycle, EllcResult result) {
    Payload& payload = *warps.messages.at(n).payload;
    EllcWord word = EllcWord::unpack(payload.message().tag);
    if (word.op == EllcOp::insert) directory.report(0, word.row, payload.access().line, true);
    word.result = result;
    word.data = result == EllcResult::hit;
    if (word.data) payload.versions() = {};  // never written
    payload.message().kind = MessageKind::ellc_result;
    payload.message().tag = word.pack();
    results.post(cycle, payload);
  }
  EllcWord word(std::size_t n) const { return EllcWord::unpack(warps.messages.at(n).header.tag); }
  void run() {
    run_kernel();
    for (const ProtocolChecker* checker : {&above_, &beside_, &below_, &there_, &back_}) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(controller.logic().idle());
    CHECK(registry.broken_laws().empty());
  }

  ClockDomain clock;
  PayloadPool pool;
  stats::Registry registry;
  Script script;
  GoldenMemory golden{registry};
  std::unique_ptr<AddressMap> addresses = make_address_map("interleave", 1, 1);
  EllcGeometry geometry;
  EllcDirectory directory;
  Initiator nic{"nic", clock, pool};
  GoldenSmMonitor at_sm{"at_sm", golden};
  GoldenOrderMonitor at_order{"at_order", golden};
  MorpheusController controller;
  HitPredictorUnit unit;
  Target slice{"slice", clock}, dram{"dram", clock};
  MessageIn warps{"warps", clock};
  MessageOut results{"results", clock};

 private:
  static MorpheusParams one_bank(MorpheusParams params) {
    params.banks_per_partition = 1;
    return params;
  }
  std::unique_ptr<HitPredictor> bloom() const {
    HitPredictorOptions options;
    for (const EllcSet& set : geometry.rows(0)) options.associativity.push_back(set.blocks);
    return make_hit_predictor("bloom", options);
  }

  ProtocolChecker above_{"nic_to_controller", LinkKind::memory}, beside_{"controller_to_l2", LinkKind::memory},
      below_{"controller_to_dram", LinkKind::memory};
  ProtocolChecker there_{"to_ellc", LinkKind::message}, back_{"from_ellc", LinkKind::message};
};

/// Only register-file sets.
MorpheusParams plain() {
  MorpheusParams params;
  params.kernel.l1_warps = 0;
  return params;
}

}  // namespace

TEST_CASE("controller: a request to a conventional line and its answer pass in the cycle in which they come") {
  ControllerBlock block(plain());
  const std::uint64_t id = block.nic.send(100, a_load(block.lines(false, 1)[0]));
  block.run();
  CHECK(block.slice.arrivals() == Cycles{100});
  CHECK(block.nic.answered(id) == 100 + block.slice.latency);
}

TEST_CASE("controller: a predicted miss takes what an L2 miss does, and its insertion leaves in the cycle after its line has come") {
  ControllerBlock block(plain());
  const std::uint64_t id = block.nic.send(100, a_load(block.lines(true, 1)[0]));
  block.script.at(400, [&] { block.finish(0, 402, EllcResult::done); });
  block.run();
  const Cycle line_here = 100 + kAccess - 1 + kExtra + kDram;
  CHECK(block.dram.arrivals() == Cycles{100 + kAccess - 1 + kExtra});
  CHECK(block.nic.answered(id) == line_here + kFill);
  CHECK(block.nic.reply_to(id).hint.served_by == ServedBy::dram);
  REQUIRE(block.warps.cycles() == Cycles{line_here + 1});
  CHECK(block.word(0).op == EllcOp::insert);
  CHECK(block.warps.messages[0].header.flits == 5);  // 16 + 128 B
}

TEST_CASE("controller: a predicted hit is at the network after the partition's traversal, and its answer one cycle after the result") {
  ControllerBlock block(plain());
  const std::uint64_t line = block.lines(true, 1)[0];
  block.nic.send(100, a_load(line));
  block.script.at(400, [&] { block.finish(0, 402, EllcResult::done); });
  const std::uint64_t hit = block.nic.send(500, a_load(line));
  block.script.at(700, [&] { block.finish(1, 702, EllcResult::hit); });
  block.run();
  REQUIRE(block.warps.messages.size() == 2);
  CHECK(block.warps.messages[1].cycle == 500 + kAccess);
  CHECK(block.warps.messages[1].header.flits == 1);  // 8 + 8 B
  CHECK(block.nic.answered(hit) == 702 + 1);
  CHECK(block.nic.reply_to(hit).hint.served_by == ServedBy::ellc);
  CHECK(counted(block.registry, "morpheus.c2c_sum") == 702 - (500 + kAccess - 1));
}

TEST_CASE("controller: the next message to a warp leaves when the network has accepted the last one") {
  constexpr Cycle kTaken = 300, kAccepted = 310;
  ControllerBlock block(plain());
  const std::vector<std::uint64_t> lines = block.lines(true, 2);
  REQUIRE(block.row_of(lines[0]) != block.row_of(lines[1]));
  for (unsigned i = 0; i < 2; ++i) block.nic.send(100 + i, a_load(lines[i]));
  block.warps.takes = [](std::size_t n) { return n != 0; };
  block.script.at(kTaken, [&] { block.warps.accept_waiting(kAccepted - kTaken); });
  block.script.at(400, [&] {
    block.finish(0, 402, EllcResult::done);
    block.finish(1, 403, EllcResult::done);
  });
  block.run();
  REQUIRE(block.warps.messages.size() == 2);
  CHECK(block.warps.messages[0].cycle < kTaken);
  CHECK(block.warps.messages[1].cycle == kAccepted + 1);
}

TEST_CASE("controller: a block that has left the read data buffer makes room in the next cycle, whoever acts first") {
  MorpheusParams params = plain();
  params.hit_predictor = "none";
  params.read_buffer = 1;
  ClockOptions options;
  options.ticking = true;  // the controller acts after the script, which was registered first
  ControllerBlock block(params, make_hit_predictor("none", {}), true, options);
  const auto lines = block.lines(true, 40);
  std::vector<std::uint64_t> ids;
  for (std::size_t n : {0, 39}) ids.push_back(block.nic.send(100 + n, a_load(lines[n])));
  block.nic.takes = [](std::size_t n) { return n != 0; };
  block.script.at(300, [&] {
    block.finish(0, 302, EllcResult::hit);
    block.finish(1, 303, EllcResult::hit);
  });
  block.script.at(320, [&] { block.nic.accept_waiting(); });
  block.run();
  CHECK(block.nic.answered(ids[0]) == 321);
  CHECK(block.nic.answered(ids[1]) == 322);  // taken from the warp in 321, after the first was sent
  CHECK(counted(block.registry, "morpheus.refused.read_buffer_full") == 321 - 303);
}

TEST_CASE("controller: a load of a row is answered at once, with nothing or with the operation that waits there") {
  MorpheusParams params = plain();
  params.kernel.delivery = Delivery::spin;
  ControllerBlock block(params);
  const std::uint64_t line = block.lines(true, 1)[0];
  EllcWord word;
  word.row = static_cast<std::uint8_t>(block.row_of(line));
  const auto poll = [&](Cycle cycle) {
    Payload& payload = block.pool.acquire(Access{});
    payload.message().kind = MessageKind::ellc_poll;
    payload.message().traffic = Traffic::from_ellc;
    payload.message().tag = word.pack();
    block.results.post(cycle, payload);
  };
  const std::uint64_t id = block.nic.send(100, a_load(line));
  const Cycle line_here = 100 + kAccess - 1 + kExtra + kDram;
  poll(line_here - 10);
  block.script.at(line_here + 50, [&] { poll(line_here + 60); });
  block.script.at(400, [&] {
    block.warps.messages.at(0).payload->release();
    block.finish(1, 402, EllcResult::done);
  });
  block.run();
  CHECK(block.nic.answered(id) == line_here + kFill);  // waits for no warp
  REQUIRE(block.warps.cycles() == Cycles{line_here - 10 + 1, line_here + 60 + 1});
  CHECK(block.warps.messages[0].header.kind == MessageKind::ellc_poll);
  CHECK(block.word(0).nothing);
  CHECK(block.warps.messages[0].header.flits == 1);  // 8 + 8 B
  CHECK(block.warps.messages[1].header.kind == MessageKind::ellc_request);
  CHECK(block.word(1).op == EllcOp::insert);
  CHECK(counted(block.registry, "morpheus.poll_wait_cycles") == 60);
}

namespace {

/// A line is written into its set, and then read through a predictor that predicts its absence.
void read_past_the_set(ControllerBlock& block) {
  const std::uint64_t line = block.lines(true, 1)[0];
  block.nic.send(100, a_store(line));
  block.script.at(300, [&] { block.finish(0, 302, EllcResult::done); });
  block.nic.send(500, a_load(line));
  run_kernel();
}

}  // namespace

TEST_CASE("controller: a predictor that misses what a set holds stops the run") {
  ControllerBlock block(plain(), std::make_unique<AlwaysWrong>());
  CHECK_THROWS_WITH(read_past_the_set(block), Catch::Contains("false negative of the hit predictor"));
}

TEST_CASE("controller: with that check off golden memory sees the stale line of a false negative") {
  ControllerBlock block(plain(), std::make_unique<AlwaysWrong>(), false);
  CHECK_THROWS_WITH(read_past_the_set(block), Catch::Contains("golden memory"));
}
