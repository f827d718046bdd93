#pragma once
// The query logic for service by rate (`morpheus.kernel.service: rate`; morpheus section 9.1). A set changes when its controller decides a
// request, like the tags of an L2 slice. The message to the cache-mode SM and its result only take time, one slot of the SM's rate each. No
// request waits for another request of its set.
//
//   read, all its sectors in the set         to the SM and back with the line; later reads of the line may share the answer
//   read, predicted to miss                  directly to DRAM; the line is inserted into its set with the data
//   read, predicted to hit, but absent       to the SM and back without data (a probe), then to DRAM
//   write                                    acknowledged; an absent line is inserted, and its sectors are fetched as in a slice
//   atomic                                   takes effect in the set at once, as in a slice; answered when its sectors are present
//
// Lines have the sectors of the slices (morpheus section 6.5): valid, partly written, dirty. A line with a fetch in flight is no victim
// (CM-11). A dirty victim is sent with the message of the operation that evicted it. Until the victim reaches the controller, requests for
// it go to the SM, whose answer follows the victim (morpheus section 5.6 rule 3).

#include <functional>
#include <vector>

#include "model/designs/morpheus/cache_mode/ellc_kernel.h"
#include "model/designs/morpheus/controller/controller_counters_logic.h"
#include "model/designs/morpheus/controller/controller_host.h"
#include "model/designs/morpheus/controller/ellc_directory.h"
#include "model/designs/morpheus/controller/ellc_misses_logic.h"
#include "model/designs/morpheus/ellc_geometry.h"
#include "model/designs/morpheus/morpheus_params.h"
#include "model/l2/l2_params.h"

namespace wharf {

class RateService {
 public:
  struct Partition {
    unsigned number;
    const std::vector<EllcSet>& rows;
    EllcDirectory& directory;
    std::function<EllcKernel&(unsigned)> kernel_of;  // the kernel of a cache-mode SM
    bool sectored;
    WriteMiss write_miss;
  };
  /// Answers a request whose versions are set, and the requests linked behind it.
  using Answer = std::function<void(Transaction& request, const Transaction& source, ControllerHost::Answer how)>;
  RateService(const MorpheusParams& params, const Partition& partition, ControllerHost& host, Answer answer, ControllerCounters& counters,
              EllcMisses& misses);

  /// decide, result and filled work as in ControllerLogic.
  stats::Counter* decide(Transaction& request, const EllcOperation& operation, Cycle now);
  void result(Transaction& message, const EllcWord& word, Cycle now);
  void filled(EllcMisses::Index index, const Transaction& reply, Cycle now);
  /// A message has been sent to the network.
  void injected(const Transaction& message) {
    Flight& flight = flights_[message.access.slot];
    flight.open &= flight.op == EllcOp::read;
  }
  /// A dirty victim has arrived from its SM.
  void written_back(std::uint32_t row, LineAddress line);
  bool idle() const { return free_.size() == flights_.size(); }
  /// Saves or loads the state between kernels (model/base/archive.h), when the service is idle.
  template <class File>
  void archive(File& file) {
    std::uint64_t flights = flights_.size();
    file(flights, free_, leaving_);
    flights_.resize(flights);
  }

 private:
  using Block = EllcBlocks::Block;
  using Slot = EllcBlocks::Slot;
  static constexpr Slot kNone = EllcBlocks::kNone;

  /// A message to a cache-mode SM and its result; Access::slot is its index.
  struct Flight {
    const Transaction* message = nullptr;
    LineAddress line;
    EllcOp op = EllcOp::read;                    // an insertion counts as a write
    bool open = false;                           // other requests may still join
    Transaction* requester = nullptr;            // of a read hit or an atomic, until it is answered
    EllcMisses::Index miss = EllcMisses::kNone;  // of a probe: the miss that reads from DRAM next
    Cycle sent = 0;
    std::uint32_t riders = 0;
  };
  struct Look {
    EllcBlocks& blocks;
    Slot slot;
    SectorMask complete;  // sectors whose every byte is present
    bool is_present() const { return slot != kNone; }
  };

  const EllcSet& set(std::uint32_t row) const { return partition_.rows[row]; }
  EllcKernel& kernel(std::uint32_t row) const { return partition_.kernel_of(set(row).cache_sm); }
  Look look_up(const EllcOperation& operation);
  SectorMask to_fetch(const Access& access, SectorMask complete) const;
  std::size_t in_flight() const { return flights_.size() - free_.size(); }
  bool is_leaving(const EllcOperation& operation) const;
  bool joins(const EllcOperation& operation, const Look& at);
  Slot insert(const EllcOperation& operation, Look& at);
  void write(const EllcOperation& operation, Look& at);
  void await(const EllcOperation& operation, SectorMask fetch, bool waits, bool probe, Cycle now);
  void report(const EllcOperation& operation);
  void used(const EllcOperation& operation, Cycle now);
  bool is_new(LineAddress line, Cycle now) const;
  Flight& send(const EllcOperation& operation, EllcOp op, EllcResult result, Cycle now);
  void end(const EllcOperation& operation, Cycle now);
  void read_dram(EllcMisses::Index index, const Transaction& cause);
  void serve(EllcMiss& miss, const Transaction& reply, SectorMask complete);

  const MorpheusParams& params_;
  const Partition partition_;
  ControllerHost& host_;
  const Answer answer_;
  ControllerCounters& counters_;
  EllcMisses& misses_;
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_;                // unused indices of flights_
  std::vector<std::vector<LineAddress>> leaving_;  // [row] dirty victims on their way here; short lists
  std::vector<LineAddress> used_now_;              // lines used in cycle used_in_: the predictor learns of them at the end of that cycle
  Cycle used_in_ = kNever;
};

}  // namespace wharf
