#pragma once
// Checks sector by sector which store a load may return (CM-29..CM-32 of common section 10).
//
// Every store and atomic gets a StoreId when its SM sends it. When it arrives at the ordering point (the L2 slice or the eLLC set), it gets
// a place in the order of its sectors. Caches carry only StoreIds, so any cache error shows as a load that returns an illegal id. The check
// needs neither data nor knowledge of the caches.

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"

namespace wharf {

class Archive;
class GoldenSharedMemory;

/// Departures from the rule, which a design declares because its paper implies them (CM-32). Each occurrence is counted; none is an error.
enum class Departure : std::uint8_t {
  stale_own_peer,         // a value older than the SM's own last store, from a peer that kept its copy
  stale_own_atomic,       // such a value after the SM's own atomic, which bypassed the copy
  stale_own_texture,      // such a value for a texture load, which takes another path than the SM's own store
  stale_own_mode_change,  // such a value after a mode change overtook the SM's own store
  early_peer,             // another SM's store, visible in a shared copy before it is ordered
  stale_boundary,         // a value overwritten before the load's kernel started, from an L1 not invalidated because other kernels ran
  coalesced_store,        // a store that a write-back cache merged into a later one of the same SM, so that only the later one is ordered
};
inline constexpr unsigned kDepartures = 7;

/// For each sector, the oldest store that a load may return.
struct LoadTicket {
  SectorVersions at_least{};
};

/// The initial version of a load's sectors, so that a reply without versions is caught.
inline constexpr StoreId kNoVersion = ~StoreId{0};

class GoldenMemory {
  static constexpr Picoseconds kLater = std::numeric_limits<Picoseconds>::max();

 public:
  /// Registers `stale_own.*`, `early.peer`, `coalesced.stores` and `golden.checked_sectors`.
  explicit GoldenMemory(stats::Registry& registry);
  ~GoldenMemory();

  /// Allows a departure; call it before the first access. For stale_boundary, registers the counter `stale.boundary`.
  void allow(Departure departure);
  /// The versions that a perfect cache returns at time `now`: the SM's own last store, or else the version ordered before `now`.
  SectorVersions current(const Access& load, Picoseconds now) const;

  /// Records that a store or atomic leaves its SM. Returns its id, > 0 and increasing.
  StoreId store_issued(const Access& store);

  /// Records that the stores `versions[s]` of the sectors s in `sectors` arrive at the ordering point at time `at`; a writeback may carry
  /// several. `now` is the time of this call. Throws SimulationError for a store that was never sent, was sent to another sector, or
  /// arrives twice.
  void ordered(const SectorVersions& versions, LineAddress line, SectorMask sectors, Picoseconds at, Picoseconds now = 0);

  /// Returns the bounds of a load that leaves its SM.
  LoadTicket load_issued(const Access& load) const;
  /// Checks the answer `returned` to a load. Stores ordered at time `now`, the time of this call, count as unordered, so that the order of
  /// calls within an instant cannot matter. Throws SimulationError if CM-32 forbids the answer.
  void check(const Access& load, const LoadTicket& ticket, const SectorVersions& returned, Picoseconds now = kLater);

  /// Returns the bounds of a load that arrives at the ordering point.
  LoadTicket load_arrived(const Access& load) const;
  /// Checks the answer of the ordering point to a load. Throws SimulationError unless the answer is the newest version at the load's
  /// arrival, or a newer one (CM-31).
  void check_arrived(const Access& load, const LoadTicket& ticket, const SectorVersions& returned);

  /// Records that the SM of `write`, a store or atomic, may know that its `versions` are performed.
  void acknowledged(const Access& write, const SectorVersions& versions);
  /// Returns the bounds of a load that reaches L2: the versions acknowledged so far.
  LoadTicket load_entered(const Access& load) const;
  /// Checks L2's answer. Throws SimulationError if it is older than a version acknowledged before the load came (modern_gpus section 2).
  void check_entered(const Access& load, const LoadTicket& ticket, const SectorVersions& returned);

  /// CM-29: from here on, no load may return a version that was overwritten before. Throws SimulationError if a store is unordered.
  void kernel_boundary();
  /// A boundary only for the loads of one kernel, which starts while others may run. `place` is its Access::kernel. Loads of the other
  /// kernels keep their own boundary.
  void kernel_started(unsigned place);
  void kernel_ended(unsigned place) { starts_[place] = kNotRunning; }
  /// Checks the shared memory of clusters from now on. Called before the first access.
  GoldenSharedMemory& check_shared_memory();
  /// Null if it is not checked.
  GoldenSharedMemory* shared_memory() { return shared_memory_.get(); }
  /// Saves or loads; call it after a kernel boundary.
  void archive(Archive& file);

 private:
  struct Store {
    LineAddress line;
    std::uint64_t access;
    Cycle issue_cycle;
    std::uint32_t pc;
    std::uint16_t sm, warp;
    SectorMask sectors;
    bool atomic;
    std::array<std::uint64_t, kSectorsPerLine> order{};  // place in the global order, 0 = unordered
    Picoseconds ordered_at = 0, ordering_reported = 0;
  };
  /// The newest store of a sector. It includes the origin, because the Store is forgotten at the kernel boundary.
  struct Version {
    StoreId id = 0;
    std::uint16_t sm = 0, warp = 0;
    std::uint32_t pc = 0;
    Picoseconds ordered_at = 0;
  };
  using Versions = std::array<Version, kSectorsPerLine>;
  struct Line {
    Versions newest, at_boundary;
    std::uint64_t kernel = 0;  // kernel for which at_boundary was last updated
  };
  static constexpr std::uint64_t kNotRunning = ~std::uint64_t{0};
  enum class Verdict : std::uint8_t { legal, no_version, never_stored, elsewhere, before_boundary, unordered_of_other, older_than_own };

  Store* find(StoreId id);
  const Store* find(StoreId id) const;
  const Version* newest(LineAddress line, unsigned sector) const;
  /// The newest version at the start of the kernel at place `kernel`.
  const Version* at_boundary(LineAddress line, unsigned sector, unsigned kernel) const;
  void save_earlier(LineAddress line, const Line& state);
  std::uint64_t start_of(unsigned place) const {
    return place < starts_.size() && starts_[place] != kNotRunning ? starts_[place] : kernel_;
  }
  Verdict judge(const Access& load, unsigned sector, StoreId own, StoreId got) const;
  bool older(StoreId got, StoreId bound, unsigned sector) const;
  bool excused(const Access& load, Verdict verdict, StoreId own);
  void order_one(StoreId id, LineAddress line, unsigned sector, Picoseconds at, Picoseconds now);
  /// Place in the global order, 0 = unordered.
  std::uint64_t order_of(const Store& store, unsigned sector) const { return store.ordering_reported < present_ ? store.order[sector] : 0; }
  void expect_all_ordered();
  std::string name(StoreId id, LineAddress line, unsigned sector, unsigned kernel = 0) const;
  [[noreturn]] void fail(const Access& load, unsigned sector, StoreId expected, StoreId got, const char* rule) const;

  mutable std::mutex mutex_;  // of all calls with an access, whose order within an instant does not matter
  stats::Group stale_own_, early_, coalesced_, golden_;
  stats::Counter stale_peer_, stale_atomic_, stale_texture_, stale_mode_change_, early_peer_, coalesced_stores_, checked_sectors_;
  std::unique_ptr<GoldenSharedMemory> shared_memory_;
  std::optional<stats::Group> stale_;
  std::optional<stats::Counter> stale_boundary_;  // registered if that departure is allowed
  std::array<bool, kDepartures> allowed_{};

  std::vector<Store> stores_;                                       // stores of this kernel: id = first_ + index
  std::unordered_map<std::uint64_t, SectorVersions> acknowledged_;  // by line: the newest acknowledged stores of this kernel
  StoreId first_ = 1;
  std::uint64_t last_order_ = 0;
  Picoseconds present_ = kLater;       // during check(): the time of that call
  std::uint64_t unordered_ = 0;        // (store, sector) pairs in flight
  std::uint64_t kernel_ = 0;           // boundaries so far
  std::vector<std::uint64_t> starts_;  // [place]: the boundary at which its kernel has started; empty if only one kernel runs at a time
  std::unordered_map<std::uint64_t, Line> lines_;
  // Older values of Line::kernel and Line::at_boundary, ascending, kept as long as a running kernel may need them.
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint64_t, Versions>>> earlier_;
  std::vector<std::unordered_map<std::uint64_t, SectorVersions>> own_;  // [SM]: line -> its last stores of this kernel
};

}  // namespace wharf
