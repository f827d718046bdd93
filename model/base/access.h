#pragma once
// The access that the load/store unit sends into the memory hierarchy (CM-5), and the message that carries it over a network (CM-6).

#include <array>
#include <cstdint>

#include "model/base/stage_times.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"

namespace wharf {

/// `barrier`: a CTA arrives at the barrier of its cluster; the answer comes when all have.
enum class AccessKind : std::uint8_t { load, store, atomic, instruction, texture, constant, shared, metadata, barrier };

/// Which level of the hierarchy answered (CM-5, reply hint).
enum class ServedBy : std::uint8_t { none, l1, peer, home, l2, ellc, dram };
inline constexpr unsigned kServedBy = 7;
/// Names of the levels in metrics, in the order of ServedBy.
inline constexpr const char* kServedByNames[kServedBy] = {"none", "l1", "peer", "home", "l2", "ellc", "dram"};

/// 16 bits that policies attach to an access and blocks read on its way (CM-5).
struct AccessHint {
  AccessHint() : isolated(false), no_install(false), probe(false), tags_only(false), eviction(Eviction::unhinted) {}
  bool isolated : 1;
  bool no_install : 1;
  bool probe : 1;                    // looks up another SM's L1 and changes nothing there (RS-28)
  bool tags_only : 1;                // a probe that asks for no data
  Eviction eviction : 3;             // for L2, from the instruction (LR-1)
  std::uint8_t predicted_count = 0;  // 6 bits (loscache section 5)
};

static_assert(sizeof(AccessHint) == 2, "it travels with every access");

/// One transaction of one warp with one line. An access does not change once it is created.
struct Access {
  std::uint64_t id = 0;  // unique in a run; ascending among the accesses of one block
  LineAddress line;
  SectorMask sectors = kAllSectors;  // sectors touched
  SectorMask covered = 0;            // store: sectors whose every byte is written
  AccessKind kind = AccessKind::load;
  Space space = Space::global;
  CacheOp cache_op = CacheOp::all;
  AccessHint hint;
  std::uint16_t sm = 0;
  std::uint16_t warp = 0;  // hardware warp slot of the SM
  std::uint32_t cta = 0;   // linear CTA number in its kernel
  std::uint32_t pc = 0;
  std::uint32_t slot = 0;           // the issuer's own bookkeeping, returned with the reply
  Cycle issue_cycle = 0;            // core-clock cycle in which the load/store unit accepts it
  std::uint32_t written_bytes = 0;  // store to a single sector: the bytes that it writes, bit b = byte b
  std::uint8_t kernel = 0;          // index of its kernel among those that run concurrently
};
static_assert(sizeof(Access) == 56, "most of a cache line of the host");

/// Set by the block that answers (CM-5).
struct ReplyHint {
  ReplyHint() : forwarded(false), mispredict(false), missed(false), held_elsewhere(false) {}
  Cycle l1_done = 0;         // core-clock cycle in which the L1 finished it; of a miss, less the time below L1 (metric l1.latency)
  SectorMask held = 0;       // sectors that hit in the L1 that looked them up
  SectorMask from_peer = 0;  // sectors that came from another SM's L1
  union {
    std::uint16_t forward_to = 0;
    std::uint16_t count;  // count probe: accesses to the line so far, 0 if it is absent (loscache section 5.5)
  };
  bool forwarded : 1;       // an L2 slice forwarded it to SM `forward_to`, which answers instead (CM-19)
  bool mispredict : 1;      // the line was given up before the predicted number of accesses (loscache section 7)
  bool missed : 1;          // primary miss in the L1 that looked it up
  bool held_elsewhere : 1;  // it missed, and another L1 held the missing sectors; only if there is a directory
  bool found = false;       // every sector of the access hit in the L1 that looked it up
  ServedBy served_by = ServedBy::none;
  SectorMask awaited = 0;  // sectors still to come from DRAM for an access that an L2 slice serves without storing its data
};
static_assert(sizeof(ReplyHint) == 16, "it travels with every access");

enum class MessageKind : std::uint8_t {
  read_request,
  write_request,
  atomic_request,
  data_reply,
  write_ack,
  count_reply,     // an L2 slice answers a count probe
  probe,           // asks an SM that may have the line (remote_sharing section 2)
  probe_return,    // returns without data; for a leader this is the NACK
  peer_reply,      // another SM supplies the data
  forward,         // an L2 slice passes a read to the line's last sharer (LA-LLC)
  forward_return,  // the sharer no longer has the line: returns to the slice, or continues to the requester
  // Between a Morpheus controller and a cache-mode SM (morpheus section 8); model/designs/morpheus/ellc_message.h defines the fields.
  ellc_request,    // an operation for the warp of a row, with its data (messages 6 and 7)
  ellc_block,      // the block that the warp of a row waits for (7, state FETCH)
  ellc_fill,       // the line that the L1 of a cache-mode SM has requested (12)
  ellc_result,     // the outcome of an operation, with the data of a read hit (8 and 9)
  ellc_writeback,  // a dirty victim, which bypasses the conventional LLC (10)
  ellc_fetch,      // the L1 of a cache-mode SM requests a line, bypassing the conventional LLC (11)
  ellc_poll,       // a spinning warp loads its row, and the reply that no operation waits there (morpheus section 5.3)
  // Between SMs of a cluster (modern_gpus section 4).
  shared_request,   // a load, store or atomic of another SM's shared memory
  shared_reply,     // its data or acknowledgement
  cluster_arrive,   // a CTA has arrived at the barrier
  cluster_exit,     // a CTA has ended, which counts as its arrival from now on
  cluster_release,  // all CTAs have arrived
};

/// The class of a message: its virtual network in CM-6. The first two use the request network, the next two the reply network.
enum class Traffic : std::uint8_t {
  to_l2,      // a request to an L2 slice
  to_peer,    // a request to another SM, from an SM or forwarded by a slice
  from_l2,    // a reply from a slice
  from_peer,  // a reply from one SM to another
  to_ellc,    // from a partition to a cache-mode SM, on the reply network
  from_ellc,  // from a cache-mode SM to a partition, on the request network; requests never hold it up (morpheus section 5.6 rule 7)
};
inline constexpr unsigned kTraffics = 6;
/// True for replies, which travel back to the SM. The next two functions give the stages to which a load books its time in a network.
constexpr bool is_reply(Traffic traffic) { return traffic == Traffic::from_l2 || traffic == Traffic::from_peer; }
constexpr Stage injection_stage(Traffic traffic) { return is_reply(traffic) ? Stage::inject_down : Stage::inject_up; }
constexpr Stage network_stage(Traffic traffic) { return is_reply(traffic) ? Stage::network_down : Stage::network_up; }

/// The header of a message; the same payload also carries the access (CM-6). Sources and destinations are endpoint numbers: SMs
/// first, then L2 slices.
struct MessageHeader {
  std::uint16_t source = 0, destination = 0;
  Traffic traffic = Traffic::to_l2;
  std::uint8_t flits = 1;
  MessageKind kind = MessageKind::read_request;
  std::uint32_t tag = 0;  // set by the sender of a request and returned in the reply; only the sender interprets it
  bool direct = false;    // the request bypassed the L1s, so the reply goes to the SM
  Cycle ready = 0;        // cycle of the sending endpoint's clock from which the message may leave
};

/// Identity of the store that wrote a sector; 0 = the initial contents. Used only when verifying (common section 10) or with `data: bytes`.
using StoreId = std::uint32_t;
using SectorVersions = std::array<StoreId, kSectorsPerLine>;

struct ProbeBody;  // model/designs/remote_sharing/probe_body.h

/// Everything that travels with one access. Logic without SystemC uses this type, and the payload of a link contains it. The members that
/// every block uses come first: they fill two cache lines of the host, up to `stages`.
struct Transaction {
  Access access;
  MessageHeader message{};
  ReplyHint reply{};
  Transaction* next = nullptr;    // for the intrusive list that holds the transaction
  StageTimes stages{};            // of a load that an SM waits for, and of the requests sent for it
  ProbeBody* body = nullptr;      // target list of a probe (CM-6), null for everything else
  Transaction* copies = nullptr;  // of a read: writes by copies of its reply, SM by SM along `next`, CTA by CTA along `copies` (MG-15)
  SectorVersions versions{};      // of the sectors read, or the identity of the store; used as StoreId says

  /// Brings the members that every block touches into the host's cache before they are used.
  void prefetch() const {
    __builtin_prefetch(this);
    __builtin_prefetch(&message);
  }

  /// Records that `reply` answers this load at time `now`. It answers the load's own request, or that of the load that it merged with.
  void served(const Transaction& reply, Picoseconds now) {
    if (reply.access.id != access.id)
      stages.claim_to(Stage::merged, now);
    else
      answered_by(reply);
  }

  /// As served(), for the answer to the request that was sent for this access itself.
  void answered_by(const Transaction& answer) {
    if (answer.stages.counted()) stages = answer.stages;
    reply.mispredict |= answer.reply.mispredict;
  }
};

}  // namespace wharf
