#pragma once
// The parts that all platforms share: clocks, front end, SMs, networks, L2 slices, DRAM channels, and the monitors of a checked run. A
// platform adds the blocks between SMs and networks, and binds the links.

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "model/base/energy/energy_model.h"
#include "model/base/energy/noc.h"
#include "model/base/host/islands.h"
#include "model/cache/line_directory.h"
#include "model/dram/dram_channel.h"
#include "model/front_end/front_end.h"
#include "model/l1/l1_cache.h"
#include "model/l2/l2_entry.h"
#include "model/l2/l2_slice.h"
#include "model/monitor/bandwidth_meter.h"
#include "model/monitor/contents_monitor.h"
#include "model/monitor/golden_memory.h"
#include "model/monitor/protocol/protocol_checker.h"
#include "model/monitor/watchdog.h"
#include "model/network/interconnect.h"
#include "model/nic/l2_nic.h"
#include "model/nic/l2_route.h"
#include "model/sm/sm.h"
#include "model/tlm/debug_access.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/frame/run_options.h"

namespace wharf {

/// A phase of an SM's cache.
struct PhaseSpan {
  unsigned sm;
  const char* name;
  Cycle begin, end;  // core cycles
};

/// A module in a link: `in` is bound to the link's initiator, `out` to its target. Both null: no module.
struct BetweenLink {
  tlm::tlm_target_socket<>* in = nullptr;
  tlm::tlm_initiator_socket<>* out = nullptr;
};

class WarmedCaches;  // stimuli/sampling/warmed_caches.h
class EdgeAccesses;
class StimulusImage;  // platforms/frame/stimulus_image.h

/// The target of an SM without CTAs.
class IdleEnd;

class GpuFrame {
 public:
  GpuFrame(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer);
  virtual ~GpuFrame();

  FrontEnd& front_end() { return *front_end_; }
  ClockDomain& core_clock() { return *core_; }
  PayloadPool& pool() { return pool_; }
  GoldenMemory* golden() { return golden_.get(); }
  LineDirectory* directory() { return directory_.get(); }
  /// Null with `data: none`.
  SectorContents* contents() { return contents_.get(); }

  /// A debug access to the global memory (transport_dbg), in zero time, while the simulation runs. Lines that L2 or the extended LLC holds,
  /// dirty ones included, are read there, and all others from memory. A write changes every copy and memory. Returns the number of bytes
  /// read or written; 0 with `data: none`. Stores on their way to L2 are not visible; there are none between kernels.
  unsigned debug(tlm::tlm_generic_payload& transaction);
  /// True if a cache may hold or receive a line with a byte of [address, address + bytes); always true while anything is in flight.
  /// Searches the tags of all caches.
  bool holds(Address address, std::uint64_t bytes) const;
  Watchdog& watchdog() { return *watchdog_; }
  std::vector<std::unique_ptr<Sm>>& sms() { return sms_; }
  /// With RunOptions::hosted: the unbound target below SM `sm`, for the host's cores.
  tlm::tlm_target_socket<>& entry(unsigned sm) { return *entries_[sm]; }

  /// Brings the counters of sleeping blocks up to the end of the present cycle.
  virtual void catch_up();
  /// Phases of the SMs up to cycle `end`, SM by SM in order of time; empty if there are none.
  virtual std::vector<PhaseSpan> phases(Cycle end) const {
    static_cast<void>(end);
    return {};
  }
  /// All networks of the platform, as built.
  virtual std::vector<energy::NocNetwork> networks() const;
  /// Adds the design's parts to the machine whose energy is computed.
  virtual void add_to(energy::Machine& machine) const { static_cast<void>(machine); }
  /// Declares the metrics that only this design has.
  virtual void declare_metrics(stats::Registry& registry) const { static_cast<void>(registry); }
  /// Saves or loads all blocks between kernels, in one order (model/base/archive.h). Throws InputError with the name of any block or
  /// policy whose state cannot be saved.
  void archive(Archive& file);
  /// L2 as it goes through launches that run elsewhere, where l2_follows_accesses() holds (platforms/frame/l2_warmer.h).
  std::unique_ptr<WarmedCaches> warmed_l2();
  /// Describes everything that a machine still holds after draining, one text each; empty if it is in order.
  virtual std::vector<std::string> leftovers() const;

 protected:
  /// "sm", 3: "sm3".
  static std::string numbered(const char* name, unsigned i) { return name + std::to_string(i); }

  enum class Place { sm_to_l1, to_l2, to_l2_entry, elsewhere };
  /// Binds two ends of a memory link, with the monitors of a checked run between them.
  void connect(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target, const std::string& name,
               Place place = Place::elsewhere);
  void connect_messages(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target, const std::string& name,
                        LinkKind kind = LinkKind::message);
  /// The way of an SM's requests to L2 over interconnect_.
  L2Route l2_route(unsigned sm) const;
  /// Creates interconnect_ for the platform's traffic.
  void build_interconnect(TrafficPlan plan);
  /// Returns the target behind the network interface of a slice; empty if that is the slice itself.
  using BeforeSlice = std::function<tlm::tlm_target_socket<>&(unsigned slice)>;
  /// Binds the network interfaces of the L2 slices between interconnect_ and the slices. They forward reads if the plan has
  /// slices_to_peers.
  void connect_slices(const TrafficPlan& plan, const BeforeSlice& before = {});
  /// Connects the slices to `network` at its endpoints `first`, `first + 1`, ...
  void connect_slices(Network& network, unsigned first, std::uint32_t flit_bytes, std::uint32_t forward_places = 0,
                      const BeforeSlice& before = {});
  /// The environment of an L1 of this machine, without companions. `unified_bytes` is copied into it.
  L1Cache::Environment l1_environment(std::uint32_t unified_bytes);
  /// True if sectors carry the version of their last store, for golden memory or to find their bytes.
  bool keeps_versions() const { return options_.verify || contents_ != nullptr; }
  /// debug(), for blocks in front of a network that leads to L2.
  DebugWay debug_way() {
    return [this](tlm::tlm_generic_payload& transaction) { return debug(transaction); };
  }
  /// For foreign modules in front of a block of `sm`. `clock` is the block's own; null if it has none.
  GateTerms gate(ClockDomain* clock, unsigned sm) const {
    return {clock, contents_.get(), params_.transaction == TransactionUnit::sector, static_cast<std::uint16_t>(sm)};
  }
  /// Extends archive() to the design's own blocks; false if their state cannot be saved.
  virtual bool archive_design(Archive&) { return false; }
  /// Extends holds() to caches that not every platform has.
  virtual bool others_hold(LineAddress, LineAddress) const { return false; }
  /// Must be called for every port that reports accesses leaving for L2.
  void connect_listeners(SentToL2Port& port) {
    if (leaving_ != nullptr) port.bind(*leaving_);
  }
  /// Must be called for every cache of the L1 class, which serves `sms` SMs from `first` on.
  void connect_listeners(L1Cache& cache, unsigned first, unsigned sms = 1);
  /// Must be called for every block that can hold up an access.
  void watch(const Inspectable& block) { watchdog_->watch(block); }

  /// Connects an SM to L1s that are homes for several SMs, through the SM's shared-memory cache, if any.
  void connect_to_homes(unsigned sm, tlm::tlm_target_socket<>& way, const std::string& name);
  void build_sms();
  /// Companions of an SM's L1 in any design: its shared memory, where that is a cache.
  std::vector<L1Cache::MakeCompanion> make_l1_companions(unsigned sm);
  void build_bandwidth_meter();
  void build_slices();
  /// Builds the entries of an L2 in two partitions, whose slices are endpoints `first` and up, with their links.
  void build_l2_entries(unsigned first);
  ClockDomain* clock(const char* name, std::uint32_t mhz);

  /// The scope of what belongs to SM `sm`, or to L2 slice `slice`.
  Islands::Scope at_sm(unsigned sm) const;
  Islands::Scope at_slice(unsigned slice) const;
  Islands::Scope at(double part) const;

  const GpuParams params_;
  const RunOptions options_;
  stats::Registry& registry_;
  std::unique_ptr<Islands> islands_;  // null where one thread advances the machine
  ClockDomain *core_ = nullptr, *network_ = nullptr, *l2_clock_ = nullptr, *dram_clock_ = nullptr;
  std::unique_ptr<StimulusImage> own_image_;  // the stimulus's arrays; null where contents_ uses another image, or none
  std::unique_ptr<SectorContents> contents_;
  PayloadPool pool_;
  std::unique_ptr<AddressMap> addresses_;
  std::unique_ptr<L2LinePolicy> line_policy_;  // of all slices; null where there is none
  std::unique_ptr<SentToL2Listener> leaving_;  // tells SMs which of their accesses leave for L2; null where they do not need it
  std::vector<std::unique_ptr<CacheEventListener>> lines_;  // report the lines of caches that several SMs share
  std::unique_ptr<BandwidthMeter> bandwidth_meter_;         // null where no warp filter needs it
  std::unique_ptr<GpuPeriod> period_;                       // of predictions; null where each SM has its own
  std::vector<SharedMemoryTurns> shared_memory_turns_;      // [SM]; empty where no cache uses shared memory
  std::unique_ptr<LineDirectory> directory_;
  std::unique_ptr<Committed> directory_commit_;
  std::unique_ptr<StoredLines> stored_lines_;        // null where no cache keeps lines across kernels
  std::unique_ptr<SidebandListener> kernel_starts_;  // reports kernel starts to stored_lines_
  std::unique_ptr<FrontEnd> front_end_;
  std::unique_ptr<EdgeAccesses> edge_accesses_;  // null unless several threads advance kernels that compute
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<std::unique_ptr<L1Cache>> caches_;
  std::vector<std::unique_ptr<L1Cache>> fronts_;  // [SM]; empty where no shared-memory cache stands in front of shared L1s
  std::unique_ptr<Interconnect> interconnect_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::vector<std::unique_ptr<L2Entry>> l2_entries_;  // [slice]; empty unless L2 has two partitions
  std::vector<std::unique_ptr<DramChannel>> channels_;

 private:
  /// Binds the monitors one behind the other and the last to `target`. Returns the socket to bind to.
  static tlm::tlm_target_socket<>& chained(const std::vector<PassThrough*>& monitors, tlm::tlm_target_socket<>& target);
  void bind(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target, const std::string& name,
            const std::vector<PassThrough*>& monitors);
  void bind_entry(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target, const std::vector<PassThrough*>& monitors);
  PassThrough* checker(const std::string& name, LinkKind kind);

  std::vector<std::unique_ptr<ClockDomain>> clocks_;
  std::vector<std::unique_ptr<L2Nic>> l2_nics_;
  std::unique_ptr<GoldenMemory> golden_;
  std::vector<std::unique_ptr<PassThrough>> monitors_;
  std::vector<tlm::tlm_target_socket<>*> entries_;   // [SM]; empty where the cores are the SMs
  std::vector<std::unique_ptr<IdleEnd>> idle_ends_;  // of the SMs that a host's cores stand for
  std::vector<std::pair<std::string, ProtocolChecker*>> checkers_;
  std::unique_ptr<Watchdog> watchdog_;
};

/// Builds the platform that `params.platform` names.
std::unique_ptr<GpuFrame> make_platform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                        RunObserver& observer);

}  // namespace wharf
