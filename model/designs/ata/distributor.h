#pragma once
// The request distributor of an L1 in a cluster (ata sections 5 and 6). On a miss it looks up in the aggregated tag array who holds the
// sectors and reads them from that L1 over the request crossbar. It also serves the reads of the other L1s from its own L1.
//
// A message is processed in the last cycle of its flight, as an access is in the last cycle of its tag lookup. So the crossbars are one
// cycle shorter than ata.crossbar.latency. A read waits for the data bank of each of its sectors, behind lookups and fills (ATA-O10).
// Sectors are sent once their banks have served them. Sectors served in one cycle share one packet with one flit per sector. Denied sectors
// are sent one cycle later in one NACK.
//
// A data reply is a fill whose data go to the SM at once. Denied sectors are fetched from L2 under the same MSHR as soon as there is room,
// so a NACK can always be accepted. While the reply crossbar has not accepted a packet, banks serve no reads.
//
// Not modelled: dynamic energy. A line that was evicted and filled again while a read waits is supplied, not denied.

#include <algorithm>
#include <vector>

#include "model/base/transaction_list.h"
#include "model/cache/line_set.h"
#include "model/designs/ata/ata_params.h"
#include "model/designs/ata/hit_vector.h"
#include "model/l1/l1_companion.h"
#include "model/tlm/lookup_link.h"
#include "model/tlm/message_link.h"
#include "model/tlm/outlet.h"

namespace wharf {

class Distributor final : public L1Companion, private AgedWork, private Neighbours, private MessageSource, private MessageSink {
 public:
  Distributor(L1Cache& cache, const ClusterPlace& place, stats::Registry& registry);

  /// Sockets to bind: to the aggregated tag array, and to the request and reply crossbars in both directions.
  struct Sockets {
    tlm::tlm_initiator_socket<>&tags, &requests;
    tlm::tlm_target_socket<>& reads;
    tlm::tlm_initiator_socket<>& supplies;
    tlm::tlm_target_socket<>& answers;
  };
  Sockets sockets() { return {tags_.socket, request_link_.port.socket, reads_in_.socket, supply_link_.port.socket, answers_in_.socket}; }

  void kernel_starts(const Event& event) override { keeps_marks_ = event.concurrent; }
  /// Keeps the written marks if other kernels run, because their stores may still be on their way.
  void kernel_started() override {
    if (!keeps_marks_) written_.clear();
  }
  void begin(Cycle now, L1Cache::Work& work) override;
  void looked_up(Payload& payload, const L1Logic::Verdict& verdict) override;
  /// Handles an answer and the reads of others, then sends messages.
  void end(Cycle now, L1Cache::Work& work) override;
  Cycle next_work(Cycle now, const L1Cache::Changes& changes) override;
  bool archive(Archive& file) override;
  void inspect(std::vector<Wait>& waits) const override;

 private:
  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter requests, sectors_requested, sectors_received, sectors_denied, diverted, own_written;
    stats::Counter reads, sectors_asked, sectors_supplied, sectors_refused, nacks_dirty, nacks_evicted, invalidations, invalidated;
    stats::Counter read_wait, answer_wait;
  };
  struct Link {
    Link(const std::string& name, Distributor& owner, unsigned index) : port(name, owner, index) {}
    MessageSourcePort port;
    Outlet outlet;
  };
  struct Read {
    Payload* payload;
    SectorMask left;  // sectors that their banks have not served yet
    Cycle since;
    SectorMask granted = 0;  // sectors granted in this cycle
  };

  Cycle waiting_since(Cycle now) const override { return std::min(answered_at(), read_at(now)); }
  void serve_oldest(Cycle now, L1Cache::Work& work) override;
  Offer request_offer(const Access& load, SectorMask missing) override;
  Copies copies_of(const Access& store) override;
  void holds(LineAddress line, SectorMask valid, bool modified) override;
  void holds_nothing() override;
  /// Handles a load that missed and reads some of its sectors from another L1.
  void decided(const Transaction& load, const L1Logic::Verdict& miss);
  /// Handles a store or atomic that is sent below. `holders`: L1s with stale copies.
  void passed(const Access& access, std::uint64_t holders);
  /// answered_at: when the answer that fills next arrived. read_at: when the read that is served next, out of turn, arrived. kNever if
  /// there is none.
  Cycle answered_at() const { return answer_tried_ ? kNever : answers_.next_ready(); }
  Cycle read_at(Cycle now) const {
    return reads_tried_ < reads_.size() && supply_link_.outlet.is_open(now) ? reads_[reads_tried_].since : kNever;
  }
  /// Returns false if there is no answer or its data banks are taken.
  bool fill(Cycle now, SectorMask& taken);
  /// Gives the nth read those of its banks that are free. Returns true if the read is done and was removed, so that later ones moved up.
  bool serve(unsigned nth, Cycle now, SectorMask& taken);
  void posted(unsigned index, Picoseconds at) override;
  bool message(unsigned index, Payload& payload, Picoseconds at) override;
  HitVector read_tags(LineAddress line);
  /// Fills in the header of a message to `endpoint`.
  void fill_header(Payload& payload, unsigned endpoint, MessageKind kind, Traffic traffic, SectorMask data);
  void fetch_denied();
  void serve_in_turn(Cycle now, SectorMask& taken);
  void supply(Read& read, Cycle now);
  Payload& answer(Read& read, SectorMask sectors, bool last, Cycle now);
  bool send_front(Link& link, TransactionList& queue, Cycle now);

  const ClusterPlace place_;
  unsigned self_;  // index in the cluster
  stats::Group cluster_;
  Counters counters_;
  LookupInitiatorPort tags_;
  MessageSinkPort reads_in_, answers_in_;
  Link request_link_, supply_link_;
  TransactionList requests_, supplies_, nacks_;  // in order, each with the cycle before which it is not sent
  TransactionList denied_;                       // reads to send to L2 when there is room
  RequestQueue arrivals_, answers_;              // reads and invalidations; data and NACKs
  Cycle filled_at_ = kNever;
  std::vector<Read> reads_;              // in order of arrival
  bool answer_tried_ = false;            // in this cycle, out of turn
  unsigned reads_tried_ = 0;             // in this cycle: number of reads tried, from the oldest
  unsigned turn_[kSectorsPerLine] = {};  // the L1 whose turn it is at each sector's bank
  bool keeps_marks_ = false;             // other kernels run when a kernel starts
  LineSet written_;                      // lines that this SM has written in this kernel
};

}  // namespace wharf
