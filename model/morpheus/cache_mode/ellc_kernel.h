#pragma once
// The extended LLC kernel of one cache-mode SM: each warp serves one set, one operation at a time (morpheus section 6). Told of every
// message for a warp, it says what the warp sends and when.
//
//   operation          register file, shared memory                        L1
//   read               hit with the line, or miss                          hit with the line, after it has been fetched where it was absent
//   write, atomic      done (atomic: with the old line); miss, and then    done, after the line has been fetched where it is needed
//                      ellc_block brings the line: done
//   write of a whole line that is absent: inserted, done
//   insert             done; dropped where a clean one finds its block     as left
//   touch              -                                                   done, and the line is fetched; dropped where it is there or on
//   its way
//
// A dirty victim leaves before the result of the operation that displaced it. In the L1, allocation, fetches and victims are the
// hardware's: known when the L1 has been looked up, they cost the kernel no time (morpheus section 6.6). Operations of one unit start
// no closer together than its issue gap.
//
// Where the kernel is a server of a rate, its sets change when their controllers decide (model/morpheus/controller/rate_service_logic.h), between begin() and
// sent(), and an operation that arrives only takes its time.
//
// Not modelled: instruction fetches of the kernel, conflicts of shared memory and L1 banks between warps (morpheus section 9.4 has means),
// an L1 with fewer MSHRs than a set has ways; a level that was drawn is drawn alike when a block comes back.

#include <functional>
#include <memory>
#include <vector>

#include "model/base/access.h"
#include "model/base/rng.h"
#include "model/morpheus/cache_mode/ellc_blocks.h"
#include "model/morpheus/cache_mode/ellc_costs.h"
#include "model/morpheus/cache_mode/ellc_counters.h"

namespace wharf {

/// A line that a set has taken in, or given up.
struct EllcChange {
  LineAddress line;
  bool here = false;
  bool dirty = false;  // given up, and on its way to DRAM
};

/// What a line holds now, where the stimulus knows: false elsewhere.
using LineContents = std::function<bool(LineAddress, LineBytes&)>;

/// What a warp sends.
struct EllcSend {
  MessageKind kind = MessageKind::ellc_result;
  EllcWord word;
  // A result: the operation's own transaction, with its access and versions; a poll: that of the one before, or null; else null.
  Transaction* carrier = nullptr;
  LineAddress line;
  SectorVersions versions{};  // a writeback's, and its sectors
  SectorMask sectors = kAllSectors;
  Cycle ready = 0;            // when the network gets it
};

class EllcKernel {
 public:
  struct Environment {
    std::uint32_t core_mhz = 1000;
    MissFetch miss_fetch = MissFetch::controller;
    bool verify = false;     // blocks keep versions
    std::uint64_t seed = 0;  // of drawn levels
    LineContents contents;   // may be empty
  };
  EllcKernel(const EllcKernelParams& params, const Environment& environment, stats::Group& group);

  /// A message for `warp`, whose row is `word.row`, has arrived. The transaction of a request or block stays with the kernel until a result
  /// carries it (a request's, or the block's where one came); that of a fill does not. The answer is valid until the next call.
  /// Throws SimulationError for what cannot arrive now.
  const std::vector<EllcSend>& arrived(unsigned warp, MessageKind kind, const EllcWord& word, Transaction& message, Cycle now);

  /// Where warps spin, of each before anything else: its first load of its row. They begin evenly spread over the time between two loads.
  EllcSend first_poll(unsigned warp, Cycle now);
  /// A message for the warp and line follows: a hint to the host's cache.
  void prefetch(unsigned warp, LineAddress line) const {
    const char* const begin = reinterpret_cast<const char*>(&warps_[warp]);
    for (std::size_t at = 0; at < sizeof(Warp); at += 64) __builtin_prefetch(begin + at);
    warps_[warp].blocks.prefetch(line);
  }

  /// Before the first message: a warp holds a line.
  void preload(unsigned warp, LineAddress line) { warps_[warp].blocks.insert(line, CompressionLevel::uncompressed); }
  /// What that message has changed in the warp's set, in order. The controller knows of it when the result of the operation arrives, not
  /// before: until then a dirty victim may be on its way (morpheus section 5.6 rule 3).
  const std::vector<EllcChange>& changes() const { return changes_; }

  // Service by rate. An operation of a set begins, which changes nothing; take() puts its line in, as insert() of the blocks does; updated() has
  // a block that has been written find its place; the operation's end may be that of an epoch. What is displaced leaves with the next message.
  EllcBlocks& begin(unsigned warp, std::uint8_t row, EllcOp op, LineAddress line);
  void end(unsigned warp, Cycle now);
  EllcBlocks::Slot take(unsigned warp);
  void updated(unsigned warp, EllcBlocks::Slot slot);
  void reported() { changes_.clear(); }
  bool displaces(unsigned warp) const {
    const Warp& w = warps_[warp];
    return !w.displaced.empty() && w.displaced.back().with > w.messages;
  }
  /// The next message of the set is on its way.
  void sent(unsigned warp) { ++warps_[warp].messages; }
  /// The line is compressed by that operation, or kept so where it is read.
  bool packs(unsigned warp, LineAddress line, EllcOp op) const;
  /// Its latest operation, where the line is here.
  void note_flight(unsigned warp, LineAddress line, std::uint32_t flight) {
    EllcBlocks& blocks = warps_[warp].blocks;
    if (const EllcBlocks::Slot slot = blocks.find(line); slot != EllcBlocks::kNone) blocks[slot].flight = flight;
  }
  bool all_touched(unsigned warp) const { return warps_[warp].blocks.all_touched(); }
  void clear_touched(unsigned warp) { warps_[warp].blocks.clear_touched(); }

  /// The operation that a warp has not finished; null where it waits for the next.
  const Access* unfinished(unsigned warp) const { return warps_[warp].state == State::idle ? nullptr : &warps_[warp].access; }
  bool waits_for_block(unsigned warp) const { return warps_[warp].state == State::missed; }
  const EllcBlocks& blocks(unsigned warp) const { return warps_[warp].blocks; }
  EllcCounters& counters() { return counters_; }

 private:
  enum class State : std::uint8_t {
    idle,
    missed,    // a write or atomic that waits for ellc_block
    fetching,  // for the line that it has asked for
    no_way,    // for any line of its set
  };
  struct Warp {
    Warp(EllcUnit of, std::uint32_t tags, std::uint32_t places, std::uint64_t seed) : blocks(tags, places), unit(of), rng(seed) {}
    EllcBlocks blocks;
    EllcUnit unit;
    bool has_been_full = false;  // a block has given way to another
    State state = State::idle;
    EllcWord word;                // of the operation
    Access access;                // of the operation: also of a read that missed
    SectorVersions versions{};    // what it writes
    Transaction* held = nullptr;  // fetching, no_way
    Cycle since = 0;
    Cycle polled = 0;         // when its last load of the row left
    std::uint64_t epoch = 0;  // morpheus section 7
    std::array<std::uint32_t, kCompressionLevels> epoch_counts{};
    Rng rng;                          // of drawn levels
    // Service by rate: what leaves with a message, which messages of a set follow each other.
    struct Displaced {
      EllcSend send;
      std::uint64_t with;  // number of the message
    };
    std::vector<Displaced> displaced;           // oldest first
    std::uint64_t messages = 0, arrivals = 0;  // of the set, sent and come
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
  void put_in(Warp& warp, Transaction& message, bool dirty, Cycle start, EllcStep steps);
  void perform(Warp& warp, Transaction& message, EllcBlocks::Slot slot, Cycle start, EllcStep steps);
  void write(Warp& warp, EllcBlocks::Slot slot, const SectorVersions& versions, SectorMask sectors, Cycle start, EllcStep& steps);
  void finish(Warp& warp, Transaction& message, EllcResult result, EllcBlocks::Slot data, Cycle start, EllcStep steps);
  void hold(Warp& warp, Transaction& message, State state);
  EllcBlocks::Slot take_in(Warp& warp, CompressionLevel level);
  void give_way(Warp& warp, Cycle start, EllcStep& steps);
  void write_back(const Warp& warp, const EllcBlocks::Block& block, SectorMask sectors, Cycle ready);
  void serve(Warp& warp, const EllcWord& word, Transaction& message, Cycle now);
  void keep_displaced(Warp& warp);
  void profile(Warp& warp);
  CompressionLevel level_of(Warp& warp, LineAddress line, const EllcBlocks::Block* block);
  CompressionLevel level_now(Warp& warp, LineAddress line, const EllcBlocks::Block* block);
  void count_level(Warp& warp, CompressionLevel level);
  CompressionLevel drawn_level(std::uint64_t random) const;
  void end_epoch(Warp& warp, Cycle start, EllcStep& steps);
  Cycle issue(EllcUnit unit, Cycle now);
  bool compresses(const Warp& warp) const { return params_.compresses(warp.unit); }
  const EllcStep& read_step(const Warp& warp) const { return costs_.read[static_cast<unsigned>(warp.unit)]; }
  const EllcStep& write_step(const Warp& warp) const { return costs_.write[static_cast<unsigned>(warp.unit)]; }

  static constexpr Cycle kParts = 1000;  // of a cycle, in which issue slots and those of the rate are counted
  static constexpr Cycle kLeast = 2;     // from a message to what it makes a warp send

  const EllcKernelParams params_;
  const Environment environment_;
  const EllcCosts costs_;
  std::unique_ptr<Compressor> compressor_;
  EllcCounters counters_;
  std::vector<Warp> warps_;
  std::array<std::uint64_t, kEllcUnits> next_issue_{};  // in 1/1000 cycles
  std::uint64_t next_slot_ = 0;                         // of the rate, in 1/1000 cycles
  std::vector<EllcSend> sends_;
  std::vector<EllcChange> changes_;
};

}  // namespace wharf
