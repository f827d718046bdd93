#pragma once
// What the load/store unit asks of the memory hierarchy (CM-5), and what a network carries for it (CM-6).

#include <array>
#include <cstdint>

#include "model/base/stage_times.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"

namespace wharf {

enum class AccessKind : std::uint8_t { load, store, atomic, instruction, texture, constant, shared, metadata };

/// Who answered (CM-5, reply hint).
enum class ServedBy : std::uint8_t { none, l1, peer, home, l2, ellc, dram };
inline constexpr unsigned kServedBy = 7;
/// As metrics call them.
inline constexpr const char* kServedByNames[kServedBy] = {"none", "l1", "peer", "home", "l2", "ellc", "dram"};

/// 16 bits that policies may set at issue and read on the way (CM-5).
struct AccessHint {
  AccessHint() : isolated(false), no_install(false), probe(false), tags_only(false) {}
  bool isolated : 1;
  bool no_install : 1;
  bool probe : 1;                    // of another SM's L1: only looked up there (RS-28)
  bool tags_only : 1;                // a probe that wants no data
  std::uint8_t predicted_count = 0;  // 6 bits
};

/// One transaction of one warp with one line. Immutable once made.
struct Access {
  std::uint64_t id = 0;              // unique in a run, in order of making
  LineAddress line;
  SectorMask sectors = kAllSectors;  // sectors touched
  SectorMask covered = 0;            // store: sectors of which every byte is written
  AccessKind kind = AccessKind::load;
  Space space = Space::global;
  CacheOp cache_op = CacheOp::all;
  AccessHint hint;
  std::uint16_t sm = 0;
  std::uint16_t warp = 0;            // hardware warp slot of the SM
  std::uint32_t cta = 0;             // linear CTA number in its kernel
  std::uint32_t pc = 0;
  std::uint32_t slot = 0;            // the issuer's own bookkeeping, returned with the reply
  Cycle issue_cycle = 0;             // core cycle of acceptance at the load/store unit
};
static_assert(sizeof(Access) == 48, "most of a cache line of the host");

/// Set by whoever answers (CM-5).
struct ReplyHint {
  Cycle l1_done = 0;  // core cycle at which the L1 was done with it, a miss without the time below (the metric l1.latency)
  SectorMask held = 0;       // sectors that the L1 which looked it up had
  SectorMask from_peer = 0;  // sectors that the L1 of another SM had
  union {
    std::uint16_t forward_to = 0;
    std::uint16_t count;   // of a count probe: accesses that the line has had, 0 where it is not here (loscache section 5.5)
  };
  bool forwarded = false;  // by an L2 slice, to the SM named beside, which answers in its place (CM-19)
  bool mispredict = false; // the line had been given up too early for the prediction of the access (loscache section 7)
  bool found = false;      // the L1 that looked it up had all its sectors
  ServedBy served_by = ServedBy::none;
};

enum class MessageKind : std::uint8_t {
  read_request,
  write_request,
  atomic_request,
  data_reply,
  write_ack,
  count_reply,     // of an L2 slice to a count probe
  probe,           // to a core that may have the line (remote_sharing section 2)
  probe_return,    // home again without data: a leader's is the NACK
  peer_reply,      // data of another core
  forward,         // of a slice to the last sharer (LA-LLC)
  forward_return,  // the sharer did not have the line: to the slice, or back to the requester
  // Between a Morpheus controller and a cache-mode SM (morpheus section 8); what the words say is in model/morpheus/ellc_message.h.
  ellc_request,    // an operation for the warp of a row, with its data (messages 6 and 7)
  ellc_block,      // the block that the warp of a row has waited for (7, state FETCH)
  ellc_fill,       // the line that the L1 of a cache-mode SM has asked for (12)
  ellc_result,     // how an operation has ended, with the data of a read hit (8 and 9)
  ellc_writeback,  // a dirty victim, past the conventional LLC (10)
  ellc_fetch,      // the L1 of a cache-mode SM asks for a line, past the conventional LLC (11)
  ellc_poll,       // a warp that spins loads its row, and the answer that there is nothing (morpheus section 5.3)
};

/// What a message is for: the virtual network of CM-6. The first two travel on the request network, the next two on the reply network.
enum class Traffic : std::uint8_t {
  to_l2,      // a request to an L2 slice
  to_peer,    // a request to another SM, from an SM or forwarded by a slice
  from_l2,    // the answer of a slice
  from_peer,  // the answer of an SM to another SM
  to_ellc,    // from a partition to a cache-mode SM, on the reply network
  from_ellc,  // from a cache-mode SM to a partition, on the request network, never held up by requests (morpheus section 5.6 rule 7)
};
inline constexpr unsigned kTraffics = 6;

/// The header of a message; the access travels beside it in the same payload (CM-6). Sources and destinations are endpoints: the SMs
/// first, then the L2 slices.
struct MessageHeader {
  std::uint16_t source = 0, destination = 0;
  Traffic traffic = Traffic::to_l2;
  std::uint8_t flits = 1;
  MessageKind kind = MessageKind::read_request;
  std::uint32_t tag = 0;             // whoever sends a request keeps a word of its own here and finds it in the answer
  bool direct = false;               // a request that went past the L1s: the reply goes to the SM
  Cycle ready = 0;                   // when the endpoint that sends it may let it go, in its own clock
};

/// The identity of the store that wrote a sector; 0 = the initial contents. Used only when verifying (common section 10).
using StoreId = std::uint32_t;
using SectorVersions = std::array<StoreId, kSectorsPerLine>;

struct ProbeBody;  // model/l1_sharing/probes/probe_body.h

/// All that travels with one access. The pure parts of the model see this; the payload of a link carries it. What every block touches
/// comes first, and shares two of the host's cache lines up to the beginning of `stages`.
struct Transaction {
  Access access;
  MessageHeader message{};
  ReplyHint reply{};
  Transaction* next = nullptr;  // intrusive lists of whoever holds it
  StageTimes stages{};          // of a load that an SM waits for, and of what is sent for it
  ProbeBody* body = nullptr;    // lists of a probe (CM-6), null for everything else
  SectorVersions versions{};    // of the sectors read, or the identity of the store; only when verifying

  /// Somebody will look at it soon: a hint to the host's cache.
  void prefetch() const {
    __builtin_prefetch(this);
    __builtin_prefetch(&message);
  }

  /// The load is answered with what `reply` has brought, now: its own request, or that of the load it merged with.
  void served(const Transaction& reply, Picoseconds now) {
    if (reply.access.id != access.id)
      stages.claim_to(Stage::merged, now);
    else
      answered_by(reply);
  }

  /// The same, where `answer` has come back to the request that was sent for this very access.
  void answered_by(const Transaction& answer) {
    if (answer.stages.counted()) stages = answer.stages;
    reply.mispredict |= answer.reply.mispredict;
  }
};

}  // namespace wharf
