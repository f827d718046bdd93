#pragma once
// The request distributor of an L1 in a cluster (ata sections 5 and 6): it asks the aggregated tag array who has the sectors of a
// miss, reads them from that L1 over the request crossbar, and supplies the others with what they have been shown here.
//
// A message is acted on in the last cycle of its way, as an access is in the last cycle of its tags: the crossbars are a cycle shorter than
// ata.crossbar.latency says. A read waits for the data banks of its sectors, one by one, behind lookups and fills (ATA-O10). Sectors leave
// when their banks have given them, those of one cycle in one packet of a flit each; what is denied leaves a cycle later in one NACK. What
// comes back is a fill whose data go to the SM at once; what was denied is fetched from L2 under the same MSHR, whenever there is room for
// it, so that a NACK can always be taken. While the reply crossbar has not taken a packet, no bank is given to reads.
//
// Not modelled: dynamic energy; a line that has left its way and come back before a waiting read's turn is given, not denied.

#include <algorithm>
#include <vector>

#include "model/base/transaction_list.h"
#include "model/cache/line_set.h"
#include "model/designs/ata/ata_params.h"
#include "model/designs/ata/hit_vector.h"
#include "model/l1/l1_companion.h"
#include "model/tlm/lookup_link.h"
#include "model/tlm/message_link.h"

namespace wharf {

class Distributor final : public L1Companion, private AgedWork, private Neighbours, private MessageSource, private MessageSink {
 public:
  Distributor(L1Cache& cache, const ClusterPlace& place, stats::Registry& registry);

  /// What it is bound to: the aggregated tag array, and the request and reply crossbars both ways.
  struct Sockets {
    tlm::tlm_initiator_socket<>&tags, &requests;
    tlm::tlm_target_socket<>& reads;
    tlm::tlm_initiator_socket<>& supplies;
    tlm::tlm_target_socket<>& answers;
  };
  Sockets sockets() { return {tags_.socket, request_link_.port.socket, reads_in_.socket, supply_link_.port.socket, answers_in_.socket}; }

  void kernel_starts(const Event& event) override { keeps_marks_ = event.beside; }
  /// The stores of kernels that run may still be on their way: their marks stay.
  void kernel_started() override {
    if (!keeps_marks_) written_.clear();
  }
  void begin(Cycle now, L1Cache::Work& work) override;
  void looked_up(Payload& payload, const L1Logic::Verdict& verdict) override;
  /// An answer, reads of others, and what leaves.
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
    bool blocked = false;  // a message is pending
    Cycle free_at = 0;     // the next may go from this cycle on
    bool flows(Cycle now) const { return !blocked && free_at <= now; }
  };
  struct Read {
    Payload* payload;
    SectorMask left;  // sectors whose banks have not been given
    Cycle since;
    SectorMask granted = 0;  // in this cycle
  };

  Cycle waiting_since(Cycle now) const override { return std::min(answered_at(), read_at(now)); }
  void serve_oldest(Cycle now, L1Cache::Work& work) override;
  Offer ask(const Access& load, SectorMask missing) override;
  Copies copies_of(const Access& store) override;
  void holds(LineAddress line, SectorMask valid, bool modified) override;
  void holds_nothing() override;
  /// A load has missed, and reads some of its sectors from another L1.
  void decided(const Transaction& load, const L1Logic::Verdict& miss);
  /// A store or atomic goes below. `holders`: the L1s whose copies are old.
  void passed(const Access& access, std::uint64_t holders);
  /// When the answer that fills next arrived, and the read that is served next before its turn; kNever where there is none.
  Cycle answered_at() const { return answer_tried_ ? kNever : answers_.next_ready(); }
  Cycle read_at(Cycle now) const { return reads_tried_ < reads_.size() && supply_link_.flows(now) ? reads_[reads_tried_].since : kNever; }
  /// False where there is no answer, or its data banks are taken.
  bool fill(Cycle now, SectorMask& taken);
  /// The nth read gets those of its banks that are free; true where it is done and others have moved up.
  bool serve(unsigned nth, Cycle now, SectorMask& taken);
  void posted(unsigned index, Picoseconds at) override;
  bool message(unsigned index, Payload& payload, Picoseconds at) override;
  HitVector look(LineAddress line);
  /// The header of a message to `endpoint`.
  void head(Payload& payload, unsigned endpoint, MessageKind kind, Traffic traffic, SectorMask data);
  void fetch_denied();
  void serve_in_turn(Cycle now, SectorMask& taken);
  void supply(Read& read, Cycle now);
  Payload& answer(Read& read, SectorMask sectors, bool last, Cycle now);
  bool leave(Link& link, TransactionList& queue, Cycle now);

  const ClusterPlace place_;
  unsigned self_;  // number in the cluster
  stats::Group cluster_;
  Counters counters_;
  LookupInitiatorPort tags_;
  MessageSinkPort reads_in_, answers_in_;
  Link request_link_, supply_link_;
  TransactionList requests_, supplies_, nacks_;  // messages in order, each with the cycle before which it does not leave
  TransactionList denied_;                       // reads that go to L2 when there is room
  RequestQueue arrivals_, answers_;              // reads and invalidations; data and NACKs
  Cycle filled_at_ = kNever;
  std::vector<Read> reads_;              // in order of arrival
  bool answer_tried_ = false;            // in this cycle, before its turn
  unsigned reads_tried_ = 0;             // of the reads, the first so many
  unsigned turn_[kSectorsPerLine] = {};  // of the L1s, at each sector's bank
  bool keeps_marks_ = false;             // when a kernel starts: others run
  LineSet written_;                      // lines that this SM has written in this kernel
};

}  // namespace wharf
