#pragma once
// A cache-mode SM between a scripted controller on the reply network and one on the request network.

#include "model/designs/morpheus/cache_mode/cache_mode_sm.h"
#include "model/network/flits.h"
#include "tests/block/network/message_rig.h"

namespace wharf::block_rig {

/// Endpoints: SMs 0 to 3 (3 is in cache mode), then two partitions of two banks. Warp w has row 10 + w of partition w % 2.
class EllcBlock {
 public:
  static constexpr unsigned kFirstSlice = 4, kBanks = 2, kEndpoint = 3;

  explicit EllcBlock(const EllcKernelParams& params = {}, LineContents contents = {}, ClockOptions options = {})
      : clock("clock", 1710, options),
        script(clock),
        controller("controller", clock),
        sm("sm", params, environment(params, contents)),
        results("results", clock) {
    connect(controller.port.socket, to_, sm.input());
    connect(sm.output(), from_, results.port.socket);
    results.then = [this](Payload& payload) {
      words.push_back(EllcWord::unpack(payload.message().tag));
      lines.push_back(payload.access().line.number);
      payload.release();
    };
  }

  /// The request arrives at the SM in cycle `cycle`.
  void ask(Cycle cycle, unsigned warp, EllcOp op, std::uint64_t line, MessageKind kind = MessageKind::ellc_request) {
    Access access = a_load(line);
    if (op == EllcOp::write) access = a_store(line);
    access.id = ++last_id_;
    EllcWord word;
    word.row = static_cast<std::uint8_t>(10 + warp);
    word.op = op;
    word.data = op == EllcOp::write || op == EllcOp::insert;
    Payload& payload = pool.acquire(access);
    payload.message().source = static_cast<std::uint16_t>(kFirstSlice + kBanks * (warp % 2) + word.row % kBanks);
    payload.message().destination = kEndpoint;
    payload.message().traffic = Traffic::to_ellc;
    payload.message().kind = kind;
    payload.message().flits = static_cast<std::uint8_t>(network::flits_of(ellc_payload_bytes(kind, word), 32));
    payload.message().tag = word.pack();
    controller.post(cycle, payload);
  }
  void run() {
    run_kernel();
    for (const ProtocolChecker* checker : {&to_, &from_}) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws().empty());
  }
  std::uint64_t count(const std::string& metric) const { return counted(registry, "ellc." + metric); }
  const MessageIn::Message& sent(std::size_t n) const { return results.messages.at(n); }

  ClockDomain clock;
  PayloadPool pool;
  stats::Registry registry;
  Script script;
  MessageOut controller;
  std::vector<std::pair<EllcRow, EllcChange>> changes;
  Cycle end = kNever;  // when the machine is idle
  CacheModeSm sm;
  MessageIn results;
  std::vector<EllcWord> words;       // words that were sent
  std::vector<std::uint64_t> lines;  // their lines

 private:
  CacheModeSm::Environment environment(const EllcKernelParams& params, LineContents contents) {
    std::vector<EllcRow> rows;
    for (unsigned warp = 0; warp < params.warps(); ++warp) rows.push_back({warp % 2, 10 + warp});
    return {clock,
            pool,
            pool,
            registry,
            0,
            kEndpoint,
            kFirstSlice,
            kBanks,
            32,
            rows,
            {1710, MissFetch::controller, true, 1, std::move(contents)},
            [this](const EllcRow& row, const EllcChange& change) { changes.emplace_back(row, change); },
            [this] { return clock.present_cycle() < end; }};
  }

  std::uint64_t last_id_ = 0;
  ProtocolChecker to_{"to_ellc", LinkKind::message}, from_{"from_ellc", LinkKind::message};
};

}  // namespace wharf::block_rig
