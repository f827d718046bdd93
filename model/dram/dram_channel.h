#pragma once
// The module around a DRAM channel: one memory link per L2 slice of the channel and per other initiator, with FR-FCFS behind them
// (common section 7). When verifying, it holds the last version of each sector that L2 has written back.

#include <memory>
#include <systemc>
#include <unordered_map>

#include "model/base/host/fixed_array.h"
#include "model/dram/dram_logic.h"
#include "model/monitor/watchdog.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/request_queue.h"
#include "policies/address_map/address_map.h"

namespace wharf {

class DramChannel final : public sc_core::sc_module, public Clocked, public Inspectable, private MemoryTarget {
 public:
  struct Environment {
    ClockDomain& clock;
    stats::Registry& registry;
    const AddressMap& addresses;
    std::uint32_t slices_per_channel;
    bool verify;                         // keep versions
    std::uint32_t other_links = 0;       // links of initiators other than slices (a Morpheus controller)
    SectorContents* contents = nullptr;  // the bytes of versions; null if nobody needs them
  };

  /// `link_queue` is the number of requests of one slice that wait for the channel or are on their way to it.
  DramChannel(sc_core::sc_module_name name, const DramParams& params, std::uint32_t link_queue, unsigned number,
              const Environment& environment);

  /// The links of the slices come first, then those of other initiators.
  tlm::tlm_target_socket<>& upstream(unsigned link) { return links_.at(link).port.socket; }

  void act(Cycle now) override;
  /// Performs and counts everything up to the end of the present cycle.
  void catch_up() {
    work_before(clock_.present_cycle() + 1);
    logic_.refresh_until(clock_.present_cycle());
  }
  /// Reads or writes the versions of the access's sectors, if versions are kept, in no time and uncounted.
  void access_contents(const Access& access, SectorVersions& versions);
  /// As access_contents(), and counts the bursts.
  void perform(const Access& access, SectorVersions& versions) {
    access_contents(access, versions);
    logic_.count_bursts(access.sectors, access.kind == AccessKind::store);
  }
  /// Called between kernels.
  void archive(Archive& file);
  void inspect(std::vector<Wait>& waits) const override;
  /// The logic, brought up to the end of the present cycle.
  DramLogic& logic() {
    catch_up();
    return logic_;
  }

 private:
  friend class MemoryTargetPortOf<DramChannel>;
  struct Link {
    Link(const std::string& name, DramChannel& owner, unsigned index, std::uint32_t entries) : queue(entries), port(name, owner, index) {}
    RequestQueue queue;
    MemoryTargetPortOf<DramChannel> port;
    Cycle free = 0;              // the next answer may leave; kNever: the slice has not accepted the last one
    std::vector<Payload*> done;  // answers that wait for this, oldest first
  };

  Acceptance request(unsigned index, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned index, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override;
  GateTerms gate_terms(unsigned) const override { return {&clock_, contents_of_}; }
  void work_before(Cycle end);
  Cycle next_step() const;
  Cycle next_answer() const;
  void wake(Cycle cycle);
  void admit_pending(Cycle now);
  bool admits_after(Cycle now) const;
  void accept(Cycle now);
  void answer(Cycle now);
  void answer_waiting(Cycle now);
  void respond(Link& link, Payload& payload);
  Address local_address(Address address) const;

  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  unsigned next_link_ = 0;       // round robin
  Cycle next_request_ = kNever;  // arrival of the first of the links' oldest requests
  Cycle awake_at_ = kNever;      // cycle of the next act; no answer is due before it
  std::uint32_t writes_ = 0;     // unanswered writes
  bool pending_ = false;         // a link has a request that waits for a queue entry
  bool waiting_ = false;         // a link has waiting answers
  bool verify_;
  const AddressMap& addresses_;
  std::uint32_t slices_;
  FixedArray<Link> links_;
  std::string path_;
  stats::Group group_;
  DramLogic logic_;
  SectorContents* contents_of_;
  std::unordered_map<std::uint64_t, SectorVersions> contents_;
};

}  // namespace wharf
