#pragma once
// Decisions and counters of a node of the shared L1 organisation (shared_l1 sections 5 to 9): the path of an SM's access, the flits of a
// packet, and the events that its L1's organisation receives. It receives the time only as an argument.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/designs/shared_l1/shared_l1_params.h"
#include "model/network/sm_groups.h"
#include "model/nic/l2_route.h"
#include "model/nic/nic_params.h"
#include "policies/set_index/set_index.h"

namespace wharf {

struct HomeRouterCounters {
  /// `sm`: group of the counters that an SM's network interface has on every platform.
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

/// The number of accesses in flight, as of the end of the last cycle. So the order of events within a cycle does not matter.
class InFlight {
 public:
  void change(int by, Cycle now) {
    if (now != changed_) {
      before_ = count_;
      changed_ = now;
    }
    count_ += static_cast<std::uint64_t>(static_cast<std::int64_t>(by));
  }
  /// Count at the end of cycle `now` - 1.
  std::uint64_t before(Cycle now) const { return changed_ == now ? before_ : count_; }

 private:
  std::uint64_t count_ = 0, before_ = 0;
  Cycle changed_ = 0;
};

class HomeRouterLogic {
 public:
  struct Place {
    unsigned core = 0;  // this SM
    unsigned cores = 1;
    SmGroups::Group group;  // SMs whose L1s are homes for each other
    L2Route l2;
    std::uint32_t flit_bytes = 32;
    std::uint32_t peer_flit_bytes = 32;                // of the network between SMs
    std::function<unsigned(unsigned, unsigned)> hops;  // between endpoints: the SMs, then the slices
    unsigned slices = 1;
  };
  /// `l1_sets`, `index`: number of sets and set index of one L1.
  HomeRouterLogic(const SharedL1Params& params, const PacketParams& packets, SetIndex index, std::uint32_t l1_sets, const Place& place,
                  stats::Registry& registry);

  enum class Path : std::uint8_t {
    local,   // this SM's L1
    remote,  // the L1 of the home
    direct,  // the L2 slice
  };
  /// Implements shared_l1 section 5.1 for an access of this SM that is at the router in cycle `now`. Fills in the header unless the path is
  /// local.
  Path route(Transaction& transaction, Cycle now);

  /// Fills in the header of the L1's message to L2: a fetch, a store or an atomic.
  void head_for_l2(Transaction& transaction);
  /// Fills in the header of the L1's answer to another SM's access.
  void head_for_requester(Transaction& transaction);

  // Messages from the network: announced in cycle `now`, arriving in cycle `arrival`.
  void l2_answers_l1(const Transaction& transaction, Cycle now, Cycle arrival);
  /// L2's answer to a direct access of this SM.
  void l2_answers_core(const Transaction& transaction, Cycle now);
  void home_answers(const Transaction& transaction, Cycle now, Cycle arrival);
  void arrives_at_home(const Access& access);
  /// The L1 has looked up an access.
  void looked_up(LineAddress line, unsigned core, bool hit, bool merged, std::uint32_t latency, Cycle now);
  /// A store or atomic of this SM is complete.
  void store_done(const Access& access, Cycle now);

  /// A kernel starts in cycle `now`.
  void kernel_starts(Cycle now) { organisation_->kernel_starts(now, stores_.before(now)); }
  /// True if this SM does not use a copy of the line in its L1, because the line has another home and the SM shares (SL-26, SL-27). Texture
  /// lines have no homes but count as such lines, because core bits do not distinguish them.
  bool leftover(LineAddress line, Cycle now);

  /// The SM to whose L1 this SM's accesses to the line are sent.
  unsigned home_of(LineAddress line) const { return organisation_->shared(odd(line)) ? home_in_group(line) : place_.core; }
  /// True if this SM's L1 may hold a copy of a line that is not homed here.
  bool may_hold_foreign_lines() const { return foreign_; }
  const CacheOrganisation& organisation() const { return *organisation_; }
  /// Saves or loads the state between kernels (model/base/archive.h).
  void archive(Archive& file);
  HomeRouterCounters& counters() { return counters_; }

 private:
  using Kind = OrganisationEvent::Kind;
  unsigned home_in_group(LineAddress line) const { return place_.group.first + homes_->locate(line).core; }
  bool odd(LineAddress line) const { return (index_(line.number) & 1) != 0; }
  void advance(Cycle now);
  void report_lookup_event(Kind kind, LineAddress line, Cycle now, std::uint32_t latency = 0);
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
  InFlight remote_reads_, stores_;  // of this SM; stores_ counts stores and atomics
  std::size_t phases_seen_ = 1;
};

}  // namespace wharf
