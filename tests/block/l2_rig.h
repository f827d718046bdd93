#pragma once
// An L2 slice between a scripted network interface and a scripted DRAM channel, with protocol checkers on both links.

#include "model/l2/l2_slice.h"
#include "tests/block/block_rig.h"

namespace wharf::block_rig {

/// 16 lines in four sets of four ways. The latencies differ, so that a sum shows which of them it contains.
inline L2Params l2_params() {
  L2Params p;
  p.slice_kib = 2;
  p.ways = 4;
  p.access_cycles = 20;
  p.fill_cycles = 3;
  p.dram_extra_cycles = 10;
  p.input_queue = 40;
  return p;
}

/// From the ejection of a request's tail to its data at the network, through DRAM.
inline Cycle miss_cycles(const L2Params& p, Cycle dram) { return (p.access_cycles - 1) + p.dram_extra_cycles + dram + p.fill_cycles; }

class L2Block {
 public:
  explicit L2Block(const L2Params& params, TransactionUnit unit = TransactionUnit::line)
      : l2("l2", params, unit, 0, {clock, pool, registry, *addresses, true, nullptr}) {
    connect(nic.port.socket, above_, l2.upstream());
    connect(l2.downstream(), below_, dram.port.socket);
    dram.latency = 100;
  }
  std::uint64_t count(const std::string& metric) const { return counted(registry, "l2." + metric); }

  void run() {
    run_kernel();
    CHECK(above_.check_end().empty());
    CHECK(below_.check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws().empty());
    CHECK(nic.replies.size() == nic.arrived.size());
  }

  ClockDomain clock{"clock", 1400, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  std::unique_ptr<AddressMap> addresses = make_address_map("interleave", 1, 1);
  Initiator nic{"nic", clock, pool};
  L2Slice l2;
  Target dram{"dram", clock};

 private:
  ProtocolChecker above_{"nic_to_l2", LinkKind::memory}, below_{"l2_to_dram", LinkKind::memory};
};

}  // namespace wharf::block_rig
