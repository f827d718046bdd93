#pragma once
// Loads, stores and atomics of a warp: lane addresses, checks, and the effect on memory (CU-27, 43, 48).

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/warp_instruction.h"
#include "stimuli/ptx/execution/fault.h"
#include "stimuli/ptx/execution/frame.h"
#include "stimuli/ptx/execution/launch_state.h"

namespace wharf::ptx {

class MemoryAccess {
 public:
  MemoryAccess(CtaState& cta, unsigned warp) : cta_(cta), warp_(warp) {}

  /// Common properties of the addresses of an access.
  struct Extent {
    Address least = ~Address{0}, most = 0, bits = 0;  // bits: that any has, below the size of the access
    bool contiguous = false;                          // all 32 lanes', without gaps
  };

  using Addresses = std::array<Address, kLanes>;

  /// Writes the lanes' addresses as the program computes them.
  static void compute_addresses(const Operation& operation, const Rows& rows, Addresses& addresses);
  /// As that, of further address `number`.
  static void compute_further_addresses(const Operation& operation, unsigned number, Operand base, const Rows& rows, Addresses& addresses);

  /// The space of the next part of an access, with the lanes of `mask` in it, where the space is not `generic` or `shared_cluster` already
  /// for all. Their addresses become offsets in the window, or cluster_address() in the shared memory of other CTAs.
  static StateSpace split(StateSpace space, LaneMask mask, Addresses& addresses, LaneMask& part);

  /// The effect of an access of the lanes of `mask` to one space. Throws SimulationError where a lane's address is no good.
  void execute(const Operation& operation, std::uint32_t pc, StateSpace space, const Rows& rows, const Frame& frame, LaneMask mask,
               const std::array<Address, kLanes>& addresses);

  /// Throws SimulationError where the cluster has no CTA of that rank.
  void require_rank(unsigned rank, std::uint32_t pc, unsigned lane) const;
  /// The CTA of that rank, whose shared memory the lane names. Throws SimulationError where it is not running.
  CtaState& peer(unsigned rank, std::uint32_t pc, unsigned lane);
  /// What a bulk copy reads or writes: host bytes behind the shared memory of `of`, and behind global memory. Throw as execute() does.
  std::byte* shared_part(CtaState& of, std::uint64_t offset, unsigned count, std::uint32_t pc, unsigned lane);
  std::byte* writable(Address address, unsigned count, std::uint32_t pc, unsigned lane);

  /// The warp's part of local memory, for system functions. Bytes [offset, offset + count) of a lane's stack, or of a generic address.
  std::byte* local(unsigned lane, std::uint64_t offset);
  const std::vector<std::byte>& stacks() const { return stacks_; }
  /// Host bytes behind a generic address, for reading `count` bytes; throws as execute() does.
  const std::byte* readable(Address generic, unsigned count, std::uint32_t pc, unsigned lane);

 private:
  struct Target {
    std::uintptr_t base = 0;      // the host address behind address 0 of lane 0
    std::size_t lane_stride = 0;  // what each lane's space lies behind the one before
  };
  void execute_at_peers(const Operation& operation, std::uint32_t pc, const Rows& rows, LaneMask mask, const Addresses& addresses);
  /// Returns true where memory has changed.
  static bool perform(const Operation& operation, const Rows& rows, const Target& to, const Extent& range, LaneMask mask,
                      const Addresses& addresses);
  Target target(const Operation& operation, std::uint32_t pc, StateSpace space, const Frame& frame, LaneMask mask,
                const std::array<Address, kLanes>& addresses, const Extent& range);
  void check_global(const Operation& operation, std::uint32_t pc, LaneMask mask, const std::array<Address, kLanes>& addresses,
                    const Extent& range);
  [[noreturn]] void fail_range(const Operation& operation, std::uint32_t pc, StateSpace space, LaneMask mask,
                               const std::array<Address, kLanes>& addresses, std::uint64_t limit);
  void warn_near_allocation(const Operation& operation, const FaultPlace& place, Address address);
  void warn_beyond_end(const Operation& operation, const FaultPlace& place, Address address, const DeviceMemory::Allocation& found);
  void check_alignment(const Operation& operation, std::uint32_t pc, LaneMask mask, const std::array<Address, kLanes>& addresses);

  CtaState& cta_;
  unsigned warp_;
  Address known_base_ = 1, known_end_ = 0;  // an allocation that accesses have hit
  bool known_constant_ = false;
  std::vector<std::byte> stacks_;  // of all lanes, once one is used
};

}  // namespace wharf::ptx
