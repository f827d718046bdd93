#pragma once
// The hierarchy alone (docs/performance.md): the L1s, crossbars, L2 slices and DRAM channels of a private-L1 GPU, with a driver in place of
// each SM that keeps a number of line loads outstanding. It measures only the blocks below the SM.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/rng.h"
#include "model/dram/dram_channel.h"
#include "model/l1/l1_cache.h"
#include "model/l2/l2_slice.h"
#include "model/network/interconnect.h"
#include "model/nic/l2_nic.h"
#include "model/nic/sm_nic.h"
#include "platforms/frame/directory_commit.h"
#include "platforms/frame/gpu_params.h"

namespace wharf::cli {

/// The load mix of the drivers. The remaining loads go to lines that no driver has read before, and so to DRAM.
struct LineMix {
  std::uint32_t l1_percent = 50;  // loads of the driver's own lines, which stay in its L1
  std::uint32_t l2_percent = 30;  // loads from a region that all drivers read at random, too large for an L1 and small enough for the L2
  std::uint32_t l1_lines = 8;     // few, so that a set of the L1 keeps its line between two loads of it
  std::uint32_t l2_lines = 4096;
  std::uint32_t outstanding = 32;     // per driver
  std::uint64_t transactions = 1000;  // per driver
};

/// Takes the place of an SM: one load per cycle while fewer than mix.outstanding are unanswered.
class LineDriver final : public sc_core::sc_module, public Clocked, private MemoryInitiator {
 public:
  /// Driver `number` of `drivers`. Throws InputError where the L1 announces answers too far ahead.
  LineDriver(sc_core::sc_module_name name, const LineMix& mix, const L1Params& l1, unsigned number, unsigned drivers, ClockDomain& clock,
             PayloadPool& pool);

  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }
  std::uint64_t answered() const { return answered_; }

  void act(Cycle now) override;

 private:
  friend class MemoryInitiatorPortOf<LineDriver>;

  /// The target lines of a kind of load: one of `count` lines at random, or the first, and then on by `stride`.
  struct Lines {
    std::uint64_t first, count, stride;
  };

  void prepare_next();
  LineAddress next_line();
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;

  static constexpr Cycle kAhead = 32;  // a power of two

  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  std::uint32_t places_;                          // loads that may be sent now
  std::array<std::uint8_t, kAhead> returning_{};  // [cycle % kAhead] answers that arrive in that cycle
  std::uint64_t left_, answered_ = 0;
  bool blocked_ = false;
  MemoryInitiatorPortOf<LineDriver> downstream_;
  PayloadPool& pool_;
  const std::uint64_t l1_below_, l2_below_;  // percentages of the draw below which a load is for the L1, and for L1 or L2
  std::array<Lines, 3> lines_;               // for the L1, L2 and DRAM
  Rng rng_;
  Access next_;  // the next load, without its time
};

/// The machine of `params` with drivers in place of SMs. One per process, like every SystemC model.
class HierarchyBench {
 public:
  HierarchyBench(const GpuParams& params, const LineMix& mix);

  /// Runs until every load is answered and nothing is in flight. Throws SimulationError for a broken law.
  void run();

  std::uint64_t transactions() const;
  const stats::Registry& statistics() const { return registry_; }

 private:
  ClockDomain& clock(const char* name, std::uint32_t mhz);
  void build_sm_side();
  void build_memory_side();

  const GpuParams params_;
  const LineMix mix_;
  stats::Registry registry_;
  std::vector<std::unique_ptr<ClockDomain>> clocks_;
  PayloadPool pool_{/*versions=*/false};
  std::unique_ptr<AddressMap> addresses_;
  LineDirectory directory_;
  DirectoryCommit directory_commit_{directory_};
  std::unique_ptr<Interconnect> interconnect_;
  std::vector<std::unique_ptr<LineDriver>> drivers_;
  std::vector<std::unique_ptr<L1Cache>> caches_;
  std::vector<std::unique_ptr<SmNic>> sm_nics_;
  std::vector<std::unique_ptr<L2Nic>> l2_nics_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::vector<std::unique_ptr<DramChannel>> channels_;
};

}  // namespace wharf::cli
