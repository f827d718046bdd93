#pragma once
// A DRAM channel as a module: a memory link from each L2 slice of the channel and from who else reads and writes it, FR-FCFS behind them (common section 7).
// Holds the identity of the last store of each sector when verifying: memory is what L2 has written back.

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
    bool verify;                    // versions are kept
    std::uint32_t other_links = 0;  // of who stands before the slices (a Morpheus controller)
    SectorContents* contents = nullptr;  // what the bytes of versions are; null: nobody asks
  };

  /// `link_queue`: requests of one slice that wait for the channel or are on their way to it.
  DramChannel(sc_core::sc_module_name name, const DramParams& params, std::uint32_t link_queue, unsigned number,
              const Environment& environment);

  /// The slices' links come first.
  tlm::tlm_target_socket<>& upstream(unsigned link) { return links_.at(link).port.socket; }

  void act(Cycle now) override;
  /// Does, and counts, all up to the present, after its edges.
  void catch_up() {
    work_before(clock_.present_cycle() + 1);
    logic_.refresh_until(clock_.present_cycle());
  }
  void inspect(std::vector<Wait>& waits) const override;
  /// As it is after the edges of the present.
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
    bool blocked = false;        // the slice has not taken the last answer
    std::vector<Payload*> done;  // answers that wait for it to do so, oldest first
  };

  Acceptance request(unsigned index, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned index, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override;
  GateTerms gate_terms(unsigned) const override { return {&clock_, contents_of_}; }
  void work_before(Cycle end);
  Cycle next_step() const;
  Cycle next_answer() const;
  void wake(Cycle cycle);
  void settle(Cycle now);
  bool settles_after(Cycle now) const;
  void accept(Cycle now);
  void answer(Cycle now);
  void answer_waiting();
  void access_contents(Payload& payload);
  Address local_address(Address address) const;

  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  unsigned next_link_ = 0;       // round robin
  Cycle next_request_ = kNever;  // when the first of the links' oldest requests has come
  Cycle awake_at_ = kNever;      // when this block acts next; there is nothing to be answered before
  std::uint32_t writes_ = 0;     // not answered yet
  bool pending_ = false;         // a link has a request that waits for its place
  bool waiting_ = false;         // a link has answers that wait
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
