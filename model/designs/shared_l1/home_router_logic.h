#pragma once
// What a node of the shared L1 organisation decides and counts (shared_l1 sections 5 to 9): which way an access of its SM goes, how many
// flits a packet has, and what the organisation of its L1 hears. Knows time only as an argument.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/designs/shared_l1/shared_l1_params.h"
#include "model/nic/nic_params.h"
#include "policies/address_map/address_map.h"
#include "policies/set_index/set_index.h"

namespace wharf {

struct HomeRouterCounters {
  /// `sm` names what the network interface of an SM counts on every platform.
  HomeRouterCounters(stats::Group& sharing, stats::Group& sm);
  stats::Counter local, remote_reads, remote_writes, direct_reads, direct_writes, direct_atomics;
  stats::Counter home_replies, home_acks, direct_replies, direct_acks;
  stats::Counter served_reads, served_writes, replies_sent, acks_sent;
  stats::Counter l2_writes, l2_acks;
  stats::Counter useful_bytes[kSectorsPerLine];
  stats::Counter mode_changes;
  stats::Histogram remote_reads_in_flight, home_round_trip;
  stats::Counter requests, replies, reply_bytes;
};

/// How many accesses are on their way, as of the end of the last cycle: the order of what happens within a cycle cannot matter.
class InFlight {
 public:
  void change(int by, Cycle now) {
    if (now != changed_) {
      before_ = count_;
      changed_ = now;
    }
    count_ += static_cast<std::uint64_t>(static_cast<std::int64_t>(by));
  }
  /// At the end of cycle `now` - 1.
  std::uint64_t before(Cycle now) const { return changed_ == now ? before_ : count_; }

 private:
  std::uint64_t count_ = 0, before_ = 0;
  Cycle changed_ = 0;
};

class HomeRouterLogic {
 public:
  struct Place {
    unsigned core = 0;  // this one
    unsigned cores = 1;
    const AddressMap* addresses = nullptr;
    std::uint32_t flit_bytes = 32;
    std::uint32_t peer_flit_bytes = 32;                // of the network between SMs
    std::function<unsigned(unsigned, unsigned)> hops;  // between endpoints: the cores, then the slices
    unsigned slices = 1;
  };
  /// `l1`: sets and index of one L1.
  HomeRouterLogic(const SharedL1Params& params, const PacketParams& packets, SetIndex index, std::uint32_t l1_sets, const Place& place,
                  stats::Registry& registry);

  enum class Path : std::uint8_t {
    local,   // this core's L1
    remote,  // the L1 of the home
    direct,  // the L2 slice
  };
  /// shared_l1 section 5.1, for an access of this core that is at the router in cycle `now`; fills in the header of what is not local.
  Path route(Transaction& transaction, Cycle now);

  /// The L1 sends `transaction` to L2: a fetch, a store, an atomic.
  void head_for_l2(Transaction& transaction);
  /// The L1 has answered another core's access: the answer goes to that core.
  void head_for_requester(Transaction& transaction);

  // What comes from the network: announced in cycle `now`, there in cycle `arrival`.
  void l2_answers_l1(const Transaction& transaction, Cycle now, Cycle arrival);
  /// A direct access of this core.
  void l2_answers_core(const Transaction& transaction, Cycle now);
  void home_answers(const Transaction& transaction, Cycle now, Cycle arrival);
  void arrives_at_home(const Access& access);
  /// The L1 has looked up an access.
  void looked_up(LineAddress line, unsigned core, bool hit, bool merged, std::uint32_t latency, Cycle now);
  /// A store or atomic of this core is complete.
  void store_done(const Access& access, Cycle now);

  /// A kernel starts in cycle `now`.
  void kernel_starts(Cycle now) { organisation_->kernel_starts(now, stores_.before(now)); }
  /// A copy of the line in this core's L1 is one that the core does not look for: the line has another home and the core shares
  /// (SL-26, SL-27). Textures, which have no homes, are taken for such, as core bits do not tell them apart.
  bool leftover(LineAddress line, Cycle now);

  /// The core whose L1 this core's accesses to the line go to.
  unsigned home_of(LineAddress line) const { return organisation_->shared(odd(line)) ? homes_->locate(line).core : place_.core; }
  /// True where a copy in this core's L1 may be of a line that is not homed here.
  bool may_hold_foreign_lines() const { return foreign_; }
  const CacheOrganisation& organisation() const { return *organisation_; }
  /// Between kernels (model/base/archive.h).
  void archive(Archive& file);
  HomeRouterCounters& counters() { return counters_; }
  std::uint16_t slice_of(LineAddress line) const;

 private:
  using Kind = OrganisationEvent::Kind;
  bool odd(LineAddress line) const { return (index_(line.number) & 1) != 0; }
  void advance(Cycle now);
  void tell(Kind kind, LineAddress line, Cycle now, std::uint32_t latency = 0);
  bool nearer_to_l2(unsigned home, std::uint16_t slice) const { return direct_[home * place_.slices + slice - place_.cores]; }
  void count_path(const Access& access, Path path, Cycle now);

  const SharedL1Params params_;
  const PacketParams packets_;
  const Place place_;
  SetIndex index_;
  std::unique_ptr<HomeMap> homes_;
  std::unique_ptr<CacheOrganisation> organisation_;
  std::vector<bool> direct_;  // [home][slice]: Min(H,L2) chooses L2
  bool foreign_;
  stats::Group sharing_group_, sm_group_;
  HomeRouterCounters counters_;
  InFlight remote_reads_, stores_;  // of this core; stores and atomics
  std::size_t phases_seen_ = 1;
};

}  // namespace wharf
