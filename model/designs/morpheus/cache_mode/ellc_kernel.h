#pragma once
// The extended LLC kernel of one cache-mode SM. Each warp serves one set, one operation at a time (morpheus section 6). The kernel receives
// every message for a warp and returns what the warp sends, and when.
//
//   operation          register file, shared memory                        L1
//   read               hit with the line, or miss                          hit with the line, fetched first if absent
//   write, atomic      done (atomic: with the old line); a miss waits      done, after the line is fetched if it is needed
//                      for ellc_block and is then done
//   write of an        inserted, done                                      inserted, done
//   absent whole line
//   insert             done; a clean one whose block is present: dropped   - (an L1 set is sent a touch instead)
//   touch              -                                                   done, with a fetch; dropped if the line is present or pending
//
// A dirty victim is sent before the result of the operation that evicted it. In the L1, the hardware allocates, fetches and evicts. These
// steps start right after the L1 lookup and cost the kernel no time (morpheus section 6.6). Operations of one unit start at least its issue
// gap apart.
//
// With service by rate, a controller changes the sets when it decides a request, between begin() and sent()
// (model/designs/morpheus/controller/rate_service_logic.h). An operation that arrives here then only takes time.
//
// Not modelled: instruction fetches of the kernel; conflicts of shared memory and L1 banks between warps (morpheus section 9.4 gives
// means); an L1 with fewer MSHRs than a set has ways. A block whose level is drawn at random gets the same level when it returns.

#include <functional>
#include <memory>
#include <vector>

#include "model/base/access.h"
#include "model/base/rng.h"
#include "model/designs/morpheus/cache_mode/ellc_blocks.h"
#include "model/designs/morpheus/cache_mode/ellc_costs.h"
#include "model/designs/morpheus/cache_mode/ellc_counters.h"

namespace wharf {

class Archive;

/// A line that a set has inserted or evicted.
struct EllcChange {
  LineAddress line;
  bool here = false;
  bool dirty = false;  // evicted, and on its way to DRAM
};

/// Reads the present contents of a line. Returns false if the stimulus does not know them.
using LineContents = std::function<bool(LineAddress, LineBytes&)>;

/// A message that a warp sends.
struct EllcSend {
  MessageKind kind = MessageKind::ellc_result;
  EllcWord word;
  // Result: the operation's own transaction, with its access and versions. Poll: the transaction of the previous poll, or null. Otherwise
  // null.
  Transaction* carrier = nullptr;
  LineAddress line;
  SectorVersions versions{};  // of a writeback, like its sectors
  SectorMask sectors = kAllSectors;
  Cycle ready = 0;  // cycle in which the network receives it
};

class EllcKernel {
 public:
  struct Environment {
    std::uint32_t core_mhz = 1000;
    MissFetch miss_fetch = MissFetch::controller;
    bool verify = false;     // blocks carry versions
    std::uint64_t seed = 0;  // for drawn levels
    LineContents contents;   // may be empty
  };
  EllcKernel(const EllcKernelParams& params, const Environment& environment, stats::Group& group);

  /// Handles a message for `warp`, whose row is `word.row`. The kernel keeps the transaction of a request or block until a result carries
  /// it (the request's, or the block's if one arrived). It does not keep the transaction of a fill. The returned messages are valid until
  /// the next call. Throws SimulationError for a message that cannot arrive in the present state.
  const std::vector<EllcSend>& arrived(unsigned warp, MessageKind kind, const EllcWord& word, Transaction& message, Cycle now);

  /// Returns the first load of a warp's row, before any message, if warps spin. The first loads are spread evenly over one poll interval.
  EllcSend first_poll(unsigned warp, Cycle now);
  /// Prefetches the warp's set and line into the host's cache before a message arrives for them.
  void prefetch(unsigned warp, LineAddress line) const {
    const char* const begin = reinterpret_cast<const char*>(&warps_[warp]);
    for (std::size_t at = 0; at < sizeof(Warp); at += 64) __builtin_prefetch(begin + at);
    warps_[warp].blocks.prefetch(line);
  }

  /// Inserts a line into a warp's set before the first message.
  void preload(unsigned warp, LineAddress line) { warps_[warp].blocks.insert(line, CompressionLevel::uncompressed); }
  /// The changes that the last message made to the warp's set, in order. The controller learns of them with the operation's result, because
  /// a dirty victim may be in flight until then (morpheus section 5.6 rule 3).
  const std::vector<EllcChange>& changes() const { return changes_; }

  // For service by rate. begin() starts an operation of a set and changes nothing. insert() inserts its line, like EllcBlocks::insert().
  // updated() moves a written block to a place of its level. end() ends the operation and possibly an epoch. Evicted blocks are sent with
  // the next message.
  EllcBlocks& begin(unsigned warp, std::uint8_t row, EllcOp op, LineAddress line);
  void end(unsigned warp, Cycle now);
  EllcBlocks::Slot insert(unsigned warp);
  void updated(unsigned warp, EllcBlocks::Slot slot);
  void reported() { changes_.clear(); }
  bool displaces(unsigned warp) const {
    const Warp& w = warps_[warp];
    return !w.displaced.empty() && w.displaced.back().with > w.messages;
  }
  /// The next message of the set has been sent.
  void sent(unsigned warp) { ++warps_[warp].messages; }
  /// True if the operation compresses the line, or reads a compressed line.
  bool packs(unsigned warp, LineAddress line, EllcOp op) const;
  /// Records the latest operation of the line, if the line is present.
  void note_flight(unsigned warp, LineAddress line, std::uint32_t flight) {
    EllcBlocks& blocks = warps_[warp].blocks;
    if (const EllcBlocks::Slot slot = blocks.find(line); slot != EllcBlocks::kNone) blocks[slot].flight = flight;
  }
  bool all_touched(unsigned warp) const { return warps_[warp].blocks.all_touched(); }
  void clear_touched(unsigned warp) { warps_[warp].blocks.clear_touched(); }

  /// The operation that a warp has not finished; null if the warp waits for the next one.
  const Access* unfinished(unsigned warp) const { return warps_[warp].state == State::idle ? nullptr : &warps_[warp].access; }
  bool waits_for_block(unsigned warp) const { return warps_[warp].state == State::missed; }
  const EllcBlocks& blocks(unsigned warp) const { return warps_[warp].blocks; }
  EllcCounters& counters() { return counters_; }
  /// Saves or loads the state between kernels.
  void archive(Archive& file);

 private:
  enum class State : std::uint8_t {
    idle,
    missed,    // a write or atomic that waits for ellc_block
    fetching,  // waits for the line that it has requested
    no_way,    // waits for a fill of its set, to free a way
  };
  struct Warp {
    Warp(EllcUnit of, std::uint32_t tags, std::uint32_t places, std::uint64_t seed) : blocks(tags, places), unit(of), rng(seed) {}
    EllcBlocks blocks;
    EllcUnit unit;
    bool has_been_full = false;  // a block has been evicted for another
    State state = State::idle;
    EllcWord word;                // of the operation
    Access access;                // of the operation, also of a read that missed
    SectorVersions versions{};    // the versions that the operation writes
    Transaction* held = nullptr;  // fetching, no_way
    Cycle since = 0;
    Cycle polled = 0;         // cycle in which its last load of the row was sent
    std::uint64_t epoch = 0;  // morpheus section 7
    std::array<std::uint32_t, kCompressionLevels> epoch_counts{};
    Rng rng;  // for drawn levels
    // Service by rate: messages that are sent with a later message, and the count of the set's messages.
    struct Displaced {
      EllcSend send;
      std::uint64_t with;  // number of the message with which it is sent
      template <class File>
      void archive(File& file) {
        file(send.kind, send.word, send.line, send.versions, send.sectors, with);  // a writeback, which no transaction carries
      }
    };
    std::vector<Displaced> displaced;          // oldest first
    std::uint64_t messages = 0, arrivals = 0;  // messages of the set, sent and received
  };

  void request(Warp& warp, Transaction& message, Cycle now);
  void block(Warp& warp, Transaction& message, Cycle now);
  void fill(Warp& warp, const Transaction& message, Cycle now);
  void poll_again(Warp& warp, Transaction& message, Cycle now);
  EllcSend poll(Warp& warp, Cycle ready);
  void operate(Warp& warp, Transaction& message, Cycle start, EllcStep steps);
  void insert(Warp& warp, Transaction& message, EllcBlocks::Slot slot, Cycle start, EllcStep steps);
  void hit(Warp& warp, Transaction& message, EllcBlocks::Slot slot, Cycle start, EllcStep steps);
  void miss(Warp& warp, Transaction& message, Cycle start, EllcStep steps);
  void miss_in_l1(Warp& warp, Transaction& message, Cycle start, EllcStep steps);
  void insert_block(Warp& warp, Transaction& message, bool dirty, Cycle start, EllcStep steps);
  void perform(Warp& warp, Transaction& message, EllcBlocks::Slot slot, Cycle start, EllcStep steps);
  void write(Warp& warp, EllcBlocks::Slot slot, const SectorVersions& versions, SectorMask sectors, Cycle start, EllcStep& steps);
  void finish(Warp& warp, Transaction& message, EllcResult result, EllcBlocks::Slot data, Cycle start, EllcStep steps);
  void hold(Warp& warp, Transaction& message, State state);
  EllcBlocks::Slot insert_line(Warp& warp, CompressionLevel level);
  void evict_victims(Warp& warp, Cycle start, EllcStep& steps);
  void write_back(const Warp& warp, const EllcBlocks::Block& block, SectorMask sectors, Cycle ready);
  void serve(Warp& warp, const EllcWord& word, Transaction& message, Cycle now);
  void save_displaced(Warp& warp);
  void profile(Warp& warp);
  CompressionLevel level_of(Warp& warp, LineAddress line, const EllcBlocks::Block* block);
  CompressionLevel level_now(Warp& warp, LineAddress line, const EllcBlocks::Block* block);
  void count_level(Warp& warp, CompressionLevel level);
  CompressionLevel random_level(std::uint64_t random) const;
  void end_epoch(Warp& warp, Cycle start, EllcStep& steps);
  Cycle issue(EllcUnit unit, Cycle now);
  bool compresses(const Warp& warp) const { return params_.compresses(warp.unit); }
  const EllcStep& read_step(const Warp& warp) const { return costs_.read[static_cast<unsigned>(warp.unit)]; }
  const EllcStep& write_step(const Warp& warp) const { return costs_.write[static_cast<unsigned>(warp.unit)]; }

  static constexpr Cycle kParts = 1000;  // parts per cycle, the unit of issue slots and of the rate
  static constexpr Cycle kLeast = 2;     // minimum from a message's arrival to the warp's next message

  const EllcKernelParams params_;
  const Environment environment_;
  const EllcCosts costs_;
  std::unique_ptr<Compressor> compressor_;
  EllcCounters counters_;
  std::vector<Warp> warps_;
  std::array<std::uint64_t, kEllcUnits> next_issue_{};  // in 1/1000 cycles
  std::uint64_t next_slot_ = 0;                         // next slot of the rate, in 1/1000 cycles
  std::vector<EllcSend> sends_;
  std::vector<EllcChange> changes_;
};

}  // namespace wharf
