#pragma once
// Golden memory of the shared memory of thread-block clusters (CL-10). Values are exchanged when instructions issue, and accesses take
// their turns at the memory of their CTA later. This checks that the order of turns explains the values: of two accesses to a byte, one of
// which changes it, the one that the program orders first takes its turn first. Where the program orders neither, either order is legal.
//
// The program orders accesses of a warp, and those that barriers of CTAs or clusters or arrivals at mbarriers separate. Each warp has a
// vector clock, which it hands on as it arrives somewhere and joins with what others have left there as it passes.
//
// Not compared: two instructions on the shared memory of their own SM, which take their turns as their operands are collected (CM-40).
// Not modelled: asynchronous loads, whose writes to shared memory take no turn, and the bytes that a bulk copy reads or writes as the earlier
// of two accesses. What an mbarrier counts is checked instead. An mbarrier hands on all arrivals so far, also of later phases.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/base/access.h"
#include "model/base/barriers/bulk_copy.h"
#include "model/base/cluster_member.h"
#include "model/base/stats/stats.h"
#include "model/cache/byte_mask.h"

namespace wharf {

class GoldenSharedMemory {
 public:
  /// Registers `shared_turns` in `group`.
  explicit GoldenSharedMemory(stats::Group& group);

  /// A hardware warp slot of an SM.
  struct WarpPlace {
    std::uint16_t sm = 0, warp = 0;
  };
  /// Something at which warps meet. `number`: of a barrier of the CTA at `place`, the offset of an mbarrier there, or, of the barrier of the
  /// cluster, 0.
  struct Meeting {
    enum class Kind : std::uint8_t { cta_barrier, cluster_barrier, mbarrier };
    Kind kind = Kind::cluster_barrier;
    CtaPlace place = {};
    std::uint32_t number = 0;
  };

  /// A CTA of cluster `id`, which no other cluster of the run has, gets a place and its warps.
  void launched(CtaPlace place, const ClusterMember& member, std::uint64_t id, WarpPlace first, unsigned warps);

  /// An instruction issues in cycle `now`. `placed` names bytes by shared_address(), and `slot` is Access::slot. `direct`: it takes
  /// one turn of the own SM's load/store unit; else each row of 128 B is an access of the cluster port.
  void issued(WarpPlace by, std::uint32_t slot, const WarpInstruction& placed, bool direct, Cycle now);
  /// A bulk copy of the CTA at `own`, to the CTAs at `receivers`, issues.
  void copy_issued(WarpPlace by, const BulkCopy& copy, CtaPlace own, const std::vector<CtaPlace>& receivers, Cycle now);
  /// The direct instruction with Access::slot `slot` takes its turn.
  void direct_turn(CtaPlace place, std::uint32_t slot, Cycle now);
  /// An access of the cluster port takes its turn, or an arrival at an mbarrier. Throws SimulationError, as the functions below do, if a
  /// rule of CL-10 is broken.
  void turn(const Access& access, Cycle now);
  /// The SM receives the answer to an access of an instruction.
  void answered(const Access& access, Cycle now);
  /// An mbarrier counts the bytes of a copied line or asynchronous store.
  void counted(const Access& access, Cycle now);

  /// A warp arrives: what it has done so far comes before what warps do that pass.
  void arrives(WarpPlace by, const Meeting& at);
  /// It arrives at an mbarrier of another CTA, as `arrival` takes its turn there.
  void sends(WarpPlace by, const Access& arrival, Cycle now);
  /// A warp is going to pass, at once or when it is released.
  void waits(WarpPlace by, const Meeting& at);
  void passes(WarpPlace by);
  /// The mbarrier is another one from now on.
  void forget(WarpPlace by, const Meeting& mbarrier);

  /// Nothing is in flight.
  void kernel_boundary();

 private:
  using Clock = std::vector<std::uint32_t>;  // [warp of the cluster]
  using MeetingKey = std::tuple<Meeting::Kind, std::uint16_t, std::uint16_t, std::uint32_t>;
  struct Cluster {
    std::map<MeetingKey, Clock> left;  // by those that have arrived
  };
  struct Warp {
    std::shared_ptr<Cluster> cluster;
    std::uint32_t number = 0;  // in the cluster
    Clock clock;
    std::uint32_t cluster_arrivals = 0;
    MeetingKey awaited{};
    bool waits = false;
  };
  enum class Kind : std::uint8_t { load, store, atomic, copy_read, copy_write, arrival };
  struct Entry {
    std::uint64_t number = 0;  // in order of issue
    Kind kind = Kind::load;
    bool direct = false, counted = false;
    std::uint16_t sm = 0, warp = 0;
    std::uint32_t slot = 0, pc = 0;
    Cycle issued = 0;
    LineAddress line;             // its first row; of a copy, others follow
    std::vector<ByteMask> bytes;  // of its rows
    std::shared_ptr<Cluster> cluster;
    std::uint32_t by = 0, stamp = 0;   // its warp's number, and clock at issue
    std::vector<std::uint64_t> after;  // accesses to the CTA that take their turns before
    Clock clock;                       // that an arrival hands on
  };
  /// A turn that has been taken and is not answered, or not counted.
  struct Done {
    std::uint16_t sm = 0;
    std::uint32_t slot = 0;
    LineAddress line;
  };
  struct Cta {
    unsigned rank = 0;
    std::vector<Entry> pending;   // in order of issue
    std::vector<Done> uncounted;  // in order of turns
  };

  static std::uint32_t key_of(CtaPlace place) { return std::uint32_t{place.sm} << 16 | place.slot; }
  Warp& warp_at(WarpPlace place) { return warps_[std::uint32_t{place.sm} << 16 | place.warp]; }
  static MeetingKey key_of(const Meeting& at, std::uint32_t cluster_arrivals);
  static bool is_copy(const Entry& entry) { return entry.kind == Kind::copy_read || entry.kind == Kind::copy_write; }
  Entry entry_of(WarpPlace by, Kind kind, LineAddress line, Cycle now);
  void add(Entry entry, Cta& cta);
  void check_order(const Entry& entry, const Cta& cta, Cycle now) const;
  void copy_turn(const Access& access, Cta& cta, Cycle now);
  static void forget_copies(Cta& cta);
  std::string name(const Entry& entry) const;
  [[noreturn]] void fail(const std::string& what, const char* rule) const;
  std::string place_name(LineAddress line) const;

  std::mutex mutex_;  // of all calls, whose order within an instant does not matter
  stats::Counter turns_;
  std::uint64_t issued_ = 0;
  std::unordered_map<std::uint64_t, std::weak_ptr<Cluster>> clusters_;  // by id
  std::unordered_map<std::uint32_t, Warp> warps_;
  std::unordered_map<std::uint32_t, Cta> ctas_;
  std::unordered_map<std::uint16_t, std::vector<Done>> unanswered_;  // by SM
};

/// What an SM reports to golden memory of shared memory; nothing if there is none.
class SharedReports {
 public:
  SharedReports() = default;
  SharedReports(GoldenSharedMemory& golden, std::uint16_t sm) : golden_(&golden), sm_(sm) {}
  bool on() const { return golden_ != nullptr; }

  void issued(unsigned warp, std::uint32_t slot, const WarpInstruction& placed, bool direct, Cycle now) const {
    golden_->issued(at(warp), slot, placed, direct, now);
  }
  void copy_issued(unsigned warp, const BulkCopy& copy, CtaPlace own, const std::vector<CtaPlace>& receivers, Cycle now) const {
    if (on()) golden_->copy_issued(at(warp), copy, own, receivers, now);
  }
  void direct_turn(std::uint32_t cta, std::uint32_t slot, Cycle now) const {
    if (on()) golden_->direct_turn(place(cta), slot, now);
  }
  void answered(const Access& access, Cycle now) const {
    if (on()) golden_->answered(access, now);
  }
  void counted(const Access& access, Cycle now) const {
    if (on()) golden_->counted(access, now);
  }
  void uses_barrier(unsigned warp, std::uint32_t cta, const BarrierUse& use) const {
    if (!on()) return;
    using Meeting = GoldenSharedMemory::Meeting;
    const Meeting meeting = use.of_cluster ? Meeting() : Meeting{Meeting::Kind::cta_barrier, place(cta), use.number};
    if (!use.of_cluster || use.arrives_only) golden_->arrives(at(warp), meeting);
    if (!use.arrives_only) golden_->waits(at(warp), meeting);
  }
  void uses_mbarrier(unsigned warp, std::uint32_t cta, const MbarrierUse& use) const {
    if (!on()) return;
    const GoldenSharedMemory::Meeting meeting = mbarrier(cta, use);
    if (use.op == MbarrierOp::wait) golden_->waits(at(warp), meeting);
    if (use.op == MbarrierOp::init || use.op == MbarrierOp::invalidate) golden_->forget(at(warp), meeting);
  }
  /// At an mbarrier of its own CTA.
  void arrives(unsigned warp, std::uint32_t cta, const MbarrierUse& use) const {
    if (on()) golden_->arrives(at(warp), mbarrier(cta, use));
  }
  void sends(unsigned warp, const Access& arrival, Cycle now) const {
    if (on()) golden_->sends(at(warp), arrival, now);
  }
  void passes(unsigned warp) const {
    if (on()) golden_->passes(at(warp));
  }

 private:
  GoldenSharedMemory::WarpPlace at(unsigned warp) const { return {sm_, static_cast<std::uint16_t>(warp)}; }
  CtaPlace place(std::uint32_t cta) const { return {sm_, static_cast<std::uint16_t>(cta)}; }
  GoldenSharedMemory::Meeting mbarrier(std::uint32_t cta, const MbarrierUse& use) const {
    return {GoldenSharedMemory::Meeting::Kind::mbarrier, place(cta), static_cast<std::uint32_t>(use.at)};
  }

  GoldenSharedMemory* golden_ = nullptr;
  std::uint16_t sm_ = 0;
};

}  // namespace wharf
