#pragma once
// An L1 between a scripted SM and a scripted network interface, with protocol checkers on both links.

#include "model/l1_sharing/remote_port.h"
#include "model/l1_sharing/shared_memory/shared_memory_port.h"
#include "tests/block/block_rig.h"

namespace wharf::block_rig {

/// 16 lines in four sets of four ways. The latencies differ, so that a sum shows which of them it contains.
inline L1Params l1_params() {
  L1Params p;
  p.capacity_kib = 2;
  p.ways = 4;
  p.tag_cycles = 4;
  p.data_cycles = 24;
  p.fill_cycles = 3;
  p.mshr_entries = 4;
  return p;
}

class L1Block {
 public:
  explicit L1Block(const L1Params& params, TransactionUnit unit = TransactionUnit::line, unsigned ports = 1,
                   std::uint32_t unified_bytes = 0, std::uint32_t remote_places = 0, const SharedMemoryCacheParams& shared_memory = {})
      : l1("l1", params, unit, 0, ports, environment(unified_bytes, remote_places, shared_memory)) {
    for (unsigned i = 0; i < ports; ++i) {
      const std::string n = std::to_string(i);
      sms.push_back(std::make_unique<Initiator>(("sm" + n).c_str(), clock, pool));
      nics.push_back(std::make_unique<Target>(("nic" + n).c_str(), clock));
      checkers_.push_back(std::make_unique<ProtocolChecker>(("sm_to_l1_" + n).c_str(), LinkKind::memory));
      connect(sms.back()->port.socket, *checkers_.back(), l1.upstream(i));
      checkers_.push_back(std::make_unique<ProtocolChecker>(("l1_to_nic_" + n).c_str(), LinkKind::memory));
      connect(l1.downstream(i), *checkers_.back(), nics.back()->port.socket);
    }
    if (remote_places != 0) {
      sms.push_back(std::make_unique<Initiator>("peer", clock, pool));
      checkers_.push_back(std::make_unique<ProtocolChecker>("peer_to_l1", LinkKind::memory));
      connect(sms.back()->port.socket, *checkers_.back(), l1.companion<RemotePort>().socket());
    }
  }

  Initiator& sm() { return *sms[0]; }
  /// The other SM, if there is a remote port.
  Initiator& peer() { return *sms.back(); }
  Target& nic() { return *nics[0]; }
  std::uint64_t count(const std::string& metric) const { return counted(registry, "l1." + metric); }

  /// Runs until no event is left. Then every access has been answered and no transaction is left.
  void run() {
    run_kernel();
    for (const auto& checker : checkers_) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(l1.logic().idle());
    CHECK(registry.broken_laws().empty());
    for (const auto& sm : sms) CHECK(sm->replies.size() == sm->arrived.size());
  }

  ClockDomain clock{"clock", 1400, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  SharedMemoryTurns turns;  // of the SM's shared memory, if it is used as a cache
  L1Cache l1;
  std::vector<std::unique_ptr<Initiator>> sms;
  std::vector<std::unique_ptr<Target>> nics;

 private:
  L1Cache::Environment environment(std::uint32_t unified_bytes, std::uint32_t remote_places, const SharedMemoryCacheParams& shared_memory) {
    L1Cache::Environment environment{clock, pool, registry, nullptr, nullptr, true, unified_bytes, 0};
    if (remote_places != 0) environment.companions.push_back(l1_companion<RemotePort>(remote_places));
    if (shared_memory.on())
      environment.companions.push_back(l1_companion<SharedMemoryPort>(shared_memory, std::ref(registry), &turns, true));
    return environment;
  }

  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

}  // namespace wharf::block_rig
