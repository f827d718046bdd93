#pragma once
// The checks of a program, of a launch, and of a CTA: the executor calls the last one where warps access memory, shuffle and meet (CU-59).
// They only look on: no result depends on them.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/barriers/bulk_copy.h"
#include "stimuli/ptx/checks/access_shadow.h"
#include "stimuli/ptx/checks/byte_set.h"
#include "stimuli/ptx/checks/check_set.h"
#include "stimuli/ptx/checks/cta_order.h"
#include "stimuli/ptx/checks/findings.h"
#include "stimuli/ptx/checks/pending_copies.h"
#include "stimuli/ptx/checks/warp_order.h"
#include "stimuli/ptx/execution/fault.h"
#include "stimuli/ptx/execution/launch_state.h"

namespace wharf::ptx {

/// "load", "store", "atomic" or "asynchronous copy", for messages.
std::string_view verb(Action action);

/// Texts of findings: lanes of a member mask, or of a warp at a barrier, are missing.
std::string missing_lanes(LaneMask missing, std::uint32_t members);
std::string missing_at_barrier(LaneMask missing);

/// Checks of a program: the state that its launches share.
class Checks {
 public:
  explicit Checks(CheckSet which) : which_(which) {}

  bool has(Check check) const { return which_.has(check); }
  CheckSet which() const { return which_; }
  const Findings& findings() const { return findings_; }
  Findings& findings() { return findings_; }

  /// Nobody has written the bytes of an allocation yet. Memory without this call counts as written.
  void expect_writes(Address base, std::uint64_t bytes) { unwritten_[base] = bytes; }
  void write(Address base, std::uint64_t bytes) {
    if (has(Check::init)) written_.add(base, bytes);
  }
  bool is_written(Address address, std::uint64_t bytes) const;

 private:
  CheckSet which_;
  Findings findings_;
  std::map<Address, std::uint64_t> unwritten_;  // allocations
  ByteSet written_;
};

/// Checks of a launch: accesses of its CTAs to global memory.
struct LaunchChecks {
  explicit LaunchChecks(Checks& program) : checks(program) {}
  Checks& checks;
  AccessShadow global;
  CtaOrder order;
};

/// An access of lanes of a warp to one space, before it has its effect.
struct CheckedAccess {
  const Operation& operation;
  std::uint32_t pc = 0;
  unsigned warp = 0;
  StateSpace space = StateSpace::global;
  LaneMask mask = 0;
  const std::array<Address, kLanes>& addresses;  // offsets in shared and local memory
  const Rows& rows;
  std::uintptr_t base = 0;  // of global and shared memory: the host address behind address 0
};

/// A bulk copy, before it has its effect, which counts as done when the copy issues: races with threads that are told of it before the warp
/// awaits it, or that change what it still reads, are missed.
struct CheckedBulkCopy {
  const Operation& operation;
  FaultPlace place;
  BulkCopy copy;
  const std::byte* from = nullptr;
  const std::byte* present = nullptr;  // contents of the global memory that is written; null where it writes shared memory
};

class CtaChecks {
 public:
  /// Both references must outlive the object.
  CtaChecks(LaunchChecks& launch, const CtaState& cta, unsigned warps);

  void on_access(const CheckedAccess& access);
  /// A lane's access reaches behind the end of an allocation, but stays within its granule.
  void on_access_beyond_end(const FaultPlace& place, const std::string& what);
  /// `mask`: the lanes that execute; `split`: those that run together, of which others have a false predicate.
  void on_compute(const Operation& operation, const Rows& rows, const FaultPlace& warp, LaneMask mask, LaneMask split);
  /// Lanes wait at `place` in vain for others. Where those went past it and ended, `parted` is the place where they went on.
  void on_missing(const FaultPlace& place, const std::string& what, const FaultPlace* parted = nullptr);
  void on_fence(unsigned warp);
  /// What the warp has done is visible to those that acquire later: arrivals at mbarriers and at the barrier of the cluster.
  void on_release(unsigned warp);
  /// The warp takes notice of all that has been released: the end of a wait for those.
  void on_acquire(unsigned warp);
  /// Bytes of the CTA's shared memory are written by another CTA of the cluster, or by a bulk copy. Takes no part in the check of races.
  void on_write_from_outside(Address offset, std::uint64_t bytes);
  void on_bulk_copy(const CheckedBulkCopy& copy);
  /// `cp.async` of these lanes, which has had its effect, to offsets in shared memory.
  void on_copy(std::uint32_t pc, unsigned warp, LaneMask lanes, const std::array<Address, kLanes>& offsets, unsigned bytes);
  /// The lanes commit their copies to a group, await all groups but the last `kept`, or all copies.
  void on_commit_of_copies(unsigned warp, LaneMask lanes);
  void on_wait_for_groups(unsigned warp, LaneMask lanes, std::uint32_t kept);
  void on_wait_for_copies(unsigned warp, LaneMask lanes);
  /// `others`: lanes of the warp that meet the barrier at other instructions than the arrival's.
  void on_barrier(const BarrierArrival& arrival, const std::vector<FaultPlace>& others);
  void on_allocate(Address base, std::uint64_t bytes);
  void on_end_of_warp() { order_.end_warp(); }

 private:
  Finding* count(Check check, const FaultPlace& place, std::uint32_t other_pc = kNone);
  FindingPlace place_of(const FaultPlace& place, const Dim3& block) const;
  void name_other(Finding& finding, const FaultPlace& place, const Dim3& block, std::string what) const;
  std::string allocation_at(StateSpace space, Address address) const;
  void check_written(const CheckedAccess& access, unsigned lane);
  void check_races(const CheckedAccess& access);
  void check_pending_copies(const CheckedAccess& access);
  void check_bulk_bytes(const CheckedBulkCopy& bulk, StateSpace space, Address address, bool reads);
  void check_bulk_races(const CheckedBulkCopy& bulk, StateSpace space, Address address, AccessShadow::Kind kind);
  void check_lanes_of_store(const CheckedAccess& access);
  Finding* count_race(const FaultPlace& place, StateSpace space, Address address, const Access& earlier);
  void check_members(const Operation& operation, const Rows& rows, const FaultPlace& warp, LaneMask mask, LaneMask split);
  void check_sources(const Operation& operation, const Rows& rows, const FaultPlace& warp, LaneMask mask);

  LaunchChecks& launch_;
  Checks& checks_;
  const CtaState& cta_;
  WarpOrder order_;
  AccessShadow shared_;
  PendingCopies copies_;
  ByteSet shared_written_, local_written_;
};

}  // namespace wharf::ptx
