#pragma once
// Blocks for foreign modules to bind to.

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include <tlm_utils/tlm_quantumkeeper.h>

#include "model/base/rng.h"
#include "tests/block/foreign/foreign_modules.h"
#include "tests/block/l1_rig.h"
#include "tests/block/l2_rig.h"

namespace wharf::foreign_rig {

/// The parts that the blocks of a system share.
template <class Memory>
struct Base {
  ClockDomain clock{"clock", 1000, {}};
  stats::Registry registry;
  std::unique_ptr<AddressMap> addresses = make_address_map("interleave", 1, 1);
  Memory memory{"memory"};
  OverlayImage image{[this](Address address, std::byte* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      to[i] = static_cast<std::byte>(address + i < kMemoryBytes ? memory.store.bytes[address + i] : 0);
  }};
  SectorContents contents{image};
  PayloadPool pool{true, &contents};
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;

  template <class From, class To>
  void join(From& from, To& to) {
    checkers.push_back(std::make_unique<ProtocolChecker>(("checker" + std::to_string(checkers.size())).c_str(), LinkKind::memory));
    from.bind(checkers.back()->target_socket);
    checkers.back()->initiator_socket.bind(to);
  }
  void run() {
    run_kernel();
    for (const auto& checker : checkers) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws().empty());
  }
  std::uint64_t count(const std::string& metric) const { return test::counted(registry, metric); }
};

inline L2Params small_l2(bool sectored = false) {
  L2Params p = block_rig::l2_params();
  p.sectored = sectored;
  p.input_queue = 4;
  return p;
}

inline L1Params small_l1(bool sectored = false) {
  L1Params p = block_rig::l1_params();
  p.sectored = sectored;
  return p;
}

/// An L2 slice before a memory.
template <class Memory>
struct L2System : Base<Memory> {
  explicit L2System(const L2Params& params = small_l2(), TransactionUnit unit = TransactionUnit::line, bool checked = true)
      : l2("l2", params, unit, 0, {this->clock, this->pool, this->registry, *this->addresses, true, nullptr}) {
    if (checked)
      this->join(l2.downstream(), this->memory.socket);
    else
      l2.downstream().bind(this->memory.socket);
  }
  tlm::tlm_target_socket<>& entry() { return l2.upstream(); }
  L2Slice l2;
};

/// An L1 before an L2 slice before a memory.
template <class Memory>
struct L1System : L2System<Memory> {
  explicit L1System(const L1Params& params = small_l1(), TransactionUnit unit = TransactionUnit::line)
      : L2System<Memory>(small_l2(params.sectored), unit),
        l1("l1", params, unit, 0, 1, {this->clock, this->pool, this->registry, nullptr, nullptr, true, 0}) {
    this->join(l1.downstream(0), this->l2.upstream());
  }
  tlm::tlm_target_socket<>& entry() { return l1.upstream(0); }
  L1Cache l1;
};

}  // namespace wharf::foreign_rig
