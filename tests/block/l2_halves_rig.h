#pragma once
// Two mirror slices of an L2 in two partitions, with their entries and the link between them (modern_gpus section 2).

#include <array>

#include "model/l2/l2_entry.h"
#include "tests/block/l2_rig.h"

namespace wharf::block_rig {

inline constexpr Cycle kLink = 7;  // l2.link.cycles

/// With places for whatever a test sends.
inline PartitionParams partition_params() {
  PartitionParams p;
  p.partitions = 2;
  p.entry_cycles = 5;
  p.link.cycles = kLink;
  p.link.bytes_per_clock = 32;
  p.link.queue = 64;
  return p;
}

/// Slices 0 and 1 are mirrors, and each has a network interface and a DRAM channel of its own. `access_cycles` is that of the whole way.
class TwoSlices {
 public:
  explicit TwoSlices(const PartitionParams& partition = partition_params(), const L2Params& params = l2_params(),
                     TransactionUnit unit = TransactionUnit::line)
      : copies_(partition.copies()) {
    L2Params built = params;
    built.partition = partition;
    built.access_cycles -= partition.entry_cycles;
    for (unsigned i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i);
      nics[i] = std::make_unique<Initiator>(("nic" + number).c_str(), clock, pool);
      drams[i] = std::make_unique<Target>(("dram" + number).c_str(), clock);
      drams[i]->latency = 100;
      slices[i] = std::make_unique<L2Slice>(("l2_" + number).c_str(), built, unit, i,
                                            L2Slice::Environment{clock, pool, registry, *addresses, true, nullptr});
      entries[i] = std::make_unique<L2Entry>(("entry" + number).c_str(), partition, 40 + i, i,
                                             L2Entry::Environment{clock, pool, registry, *addresses, unit, PacketParams{},
                                                                  slices[i]->logic().counters().accesses, slices[i].get(), &built});
      connect_checked(nics[i]->port.socket, "nic_to_entry" + number, entries[i]->upstream());
      connect_checked(entries[i]->downstream(), "entry_to_l2_" + number, slices[i]->upstream());
      connect_checked(slices[i]->downstream(), "l2_to_dram" + number, drams[i]->port.socket);
    }
    for (unsigned i = 0; i < 2; ++i) {
      connect_checked(entries[i]->to_mirror(), "link" + std::to_string(i), entries[1 - i]->from_mirror());
      entries[1 - i]->expect_requests_of(*entries[i]);
    }
  }

  std::uint64_t count(const std::string& metric) const { return counted(registry, "l2." + metric); }

  void run() {
    run_kernel();
    for (const auto& checker : checkers_) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws().empty());
    for (const auto& nic : nics) CHECK(nic->replies.size() == nic->arrived.size());
    if (!copies_) CHECK(count("near") + count("far") == count("accesses"));
  }

  ClockDomain clock{"clock", 1400, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  std::unique_ptr<AddressMap> addresses = make_partitioned_address_map("interleave", 2, 1, 1, 8192);
  std::array<std::unique_ptr<Initiator>, 2> nics;
  std::array<std::unique_ptr<Target>, 2> drams;
  std::array<std::unique_ptr<L2Slice>, 2> slices;
  std::array<std::unique_ptr<L2Entry>, 2> entries;

 private:
  void connect_checked(tlm::tlm_initiator_socket<>& from, const std::string& name, tlm::tlm_target_socket<>& to) {
    checkers_.push_back(std::make_unique<ProtocolChecker>(name.c_str(), LinkKind::memory));
    connect(from, *checkers_.back(), to);
  }

  bool copies_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

inline constexpr std::uint64_t kHome0 = 5, kHome1 = 64 + 5;  // lines of chunk 0 and of chunk 1

}  // namespace wharf::block_rig
