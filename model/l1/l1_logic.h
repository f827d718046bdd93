#pragma once
// An L1-class cache: tags, sectors, MSHRs, store policies (common sections 3 and 4). Decides and counts; time is only an argument.
// Not modelled: texture, constant and instruction caches of chapters 3-5 (CM-26); data beyond the identity of the last store.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "model/base/access.h"
#include "model/base/cache_event.h"
#include "model/base/host/host_lines.h"
#include "model/cache/line_directory.h"
#include "model/cache/mshr_file.h"
#include "model/cache/stored_lines.h"
#include "model/cache/tag_array.h"
#include "model/l1/l1_counters.h"
#include "model/l1/l1_params.h"

namespace wharf {

/// The L1s of a cluster, as one of them sees the others (ata sections 4 and 5).
class Neighbours {
 public:
  virtual ~Neighbours() = default;
  struct Offer {
    SectorMask sectors = 0;  // the part of the missing sectors that a neighbour supplies
    std::uint8_t from = 0;   // its number in the cluster
    bool diverted = false;   // a neighbour has them but cannot be asked now, so the miss is sent to L2
    bool room = true;        // false: it cannot be asked now, and the miss waits
  };
  /// Asks who can supply the missing sectors of a load. Changes nothing.
  virtual Offer request_offer(const Access& load, SectorMask missing) = 0;
  struct Copies {
    std::uint64_t holders = 0;  // bit i: number i of the cluster has a copy to invalidate
    bool room = true;           // false: the holders cannot be notified now
  };
  /// Finds the other copies of a store's sectors. Changes nothing.
  virtual Copies copies_of(const Access& store) = 0;
  /// From the next cycle on these sectors of the line are VALID in this cache. `modified`: its SM has written to the line.
  virtual void holds(LineAddress line, SectorMask valid, bool modified) = 0;
  /// From the next cycle on no sector is VALID in this cache.
  virtual void holds_nothing() = 0;
};

/// A store beside an L1, such as shared memory used as a cache. Loads that miss in the L1's tags may be looked up in it, and some of them
/// bring their lines into it. A line is never valid in both.
class SideStore {
 public:
  enum class Found : std::uint8_t { hit, merged, miss };
  /// A line that was evicted.
  struct Evicted {
    LineAddress line;
    LineOrigin origin;
  };
  virtual ~SideStore() = default;
  /// A load that misses in the tags is looked up here. Changes nothing.
  virtual bool looks_up(const Access& load) const = 0;
  /// For loads that are looked up here: the line belongs here, and moves here if the L1 holds it. Changes nothing.
  virtual bool claims(const Access& load) const = 0;
  /// Begins the lookup of a load; false if a kernel that has begun meanwhile leaves no such store.
  virtual bool begin_lookup(const Access& load) = 0;
  /// Records the outcome of a lookup that was not refused.
  virtual void looked_up(const Access& load, Found found) = 0;
  /// The line of a load that hit in the L1 moves here.
  virtual void record_migration(const Access& load) = 0;
  /// Returns the sectors of the line that are valid here.
  virtual SectorMask held(LineAddress line) const = 0;
  /// Reads the versions of these held sectors, if versions are kept.
  virtual void read(LineAddress line, SectorMask sectors, SectorVersions& versions) const = 0;
  /// Fills `sectors` of the line of `access`. Returns the line that was evicted, if any.
  virtual std::optional<Evicted> install(const Access& access, SectorMask sectors, const SectorVersions& versions) = 0;
  /// Invalidates these sectors, because they are stale or the line now belongs elsewhere.
  virtual void invalidate(LineAddress line, SectorMask sectors) = 0;
  virtual void invalidate_all() = 0;
  /// Counters of the loads served from here, and of the cycles in which a line waited to move here.
  virtual stats::Counter& served() = 0;
  virtual stats::Counter& replies_full() = 0;
};

class L1Logic {
 public:
  /// `unit`: the transaction of this machine; one MSHR entry covers one. `scale` > 1 builds the single L1 of that many SMs. `directory` may
  /// be null (oracle_directory off); `self` is this cache's number in it. `seed`: of the run, for replacement: random. `homes`: this cache
  /// is one of several homes and indexes its sets with the number that the map derives from a line (CM-21); null: with the line number.
  L1Logic(const L1Params& params, TransactionUnit unit, std::uint32_t scale, stats::Group& group, LineDirectory* directory, unsigned self,
          bool verify, std::uint64_t seed = 0, const HomeMap* homes = nullptr);

  /// Lines for which `preferred` is true are evicted before others from now on (SL-26). Asked only when a full set evicts, not on a
  /// refusal.
  void prefer_victims(std::function<bool(LineAddress)> preferred) {
    preferred_victim_ = std::move(preferred);
    prefers_ = preferred_victim_ != nullptr;
  }

  /// Records the lines of stores and atomics in `written` from now on; the other caches do so too. `in_order`: this cache's requests for a
  /// line reach L2 in the order in which they are sent; otherwise a copy may be older than the cache's own store.
  void record_stores(StoredLines& written, bool in_order) {
    written_ = &written;
    writer_ = in_order ? self_ : StoredLines::kNobody;
  }

  /// Reports events of lines to `listener` from now on, in the order in which they occur.
  void set_event_listener(std::function<void(const CacheEvent&)> listener) {
    listener_ = std::move(listener);
    has_listener_ = listener_ != nullptr;
  }

  /// Sets the versions with which a perfect cache answers (DC-21), if versions are kept.
  void answer_with(std::function<SectorVersions(const Access&)> newest) { newest_ = std::move(newest); }

  /// The access is sent below without a lookup and is answered from there.
  bool bypasses(const Access& access) const {
    const Passes passes = passes_[kind_of(access)];
    return passes != Passes::never && (passes == Passes::always || !is_kept(access));
  }
  /// Offers misses of loads to the other L1s of the cluster from now on.
  void join(Neighbours& neighbours) { neighbours_ = &neighbours; }
  bool joined() const { return neighbours_ != nullptr; }

  /// Looks up loads in `store` too from now on.
  void join(SideStore& store);

  /// Prefetches into the host's cache for a lookup that comes soon. Results do not depend on it.
  void prefetch(const Access& access) const {
    tags_.prefetch(access.line.number);
    mshrs_.prefetch(key(access));
  }
  /// Prefetches into the host's cache for the fill of `reply`. Results do not depend on it.
  void prefetch_fill(const Transaction& reply) const {
    tags_.prefetch_near(guess_slot(reply), reply.access.line.number);
    mshrs_.prefetch_arrival(guess_entry(reply), key(reply.access));
  }

  enum class Outcome : std::uint8_t {
    hit,                 // data after data_cycles
    merged,              // waits for a pending request
    miss,                // waits; `request` of the verdict must be sent below
    pass,                // sent below itself and answered from there: store, atomic, bypass
    stored_here,         // a write-back store: answered at once, nothing is sent below
    look_up_side_store,  // a load that misses here, neither decided nor counted yet; look_up_side_store() comes next
    refused,
    migrate,  // a load that hits a line that belongs in the side store, neither decided nor counted yet; migrate() comes next
  };
  struct Verdict {
    Outcome outcome = Outcome::hit;
    Refusal cause = Refusal::mshr_full;
    SectorMask request = 0;     // miss: sectors to fetch from below
    SectorMask from_peer = 0;   // miss: sectors to read from another L1
    std::uint8_t peer = 0;      // miss: number of that L1 in the cluster
    SectorMask used = 0;        // sectors read or written here, which occupy their data banks
    bool writeback = false;     // a dirty victim must also be sent below: victim()
    bool found = false;         // a store that found all its sectors here
    bool diverted = false;      // miss: another L1 has some of the sectors but had no room to be asked
    bool alone = false;         // miss: nobody else waits for the line, and `request` equals the access's sectors
    std::uint64_t holders = 0;  // store: L1s of the cluster whose copies are stale
  };
  /// The dirty line that the last access with `writeback` evicted, as a store to send below.
  struct Victim {
    Access access;
    SectorVersions versions{};
  };
  const Victim& victim() const { return victim_; }

  /// Decides on `transaction`. `queue_room`: free entries of the miss queue. `busy`: sectors whose banks are taken. A refusal changes only
  /// its counter. The verdict is valid until the next one.
  const Verdict& access(Transaction& transaction, std::uint32_t queue_room, SectorMask busy = 0);

  /// Decides on a load whose outcome here was `look_up_side_store`: hit, merged, miss or refused.
  const Verdict& look_up_side_store(Transaction& transaction, std::uint32_t queue_room);
  /// Decides on a load whose outcome was `migrate`: refused, or merged into a request for the `used` sectors of its line, which this cache
  /// gives up. `versions` receives the data of that request's reply, which is filled once the line has been read out.
  Verdict migrate(Transaction& transaction, SectorVersions& versions);
  /// Where the fill of this reply goes.
  MshrFile::FillTo fill_target(const Access& reply) const { return mshrs_[mshrs_.find(key(reply))].to; }

  /// Why another SM does not receive sectors that the tags showed to it (ata sections 6.2 and 6.4).
  enum class Denial : std::uint8_t { none, dirty, evicted };
  struct Supply {
    SectorMask sectors = 0;        // granted
    Denial denial = Denial::none;  // for the others; evicted also covers a sector that is not VALID
    bool whole_line = false;       // no sector of the line can be supplied
  };
  /// Another SM reads `sectors` of the line. `touch`: the read counts as a use of the line (ATA-O21).
  Supply supply(const Access& reader, SectorMask sectors, bool touch, SectorVersions& versions);

  enum class Copy : std::uint8_t { absent, clean, written };
  /// Answers another SM's probe: whether all sectors of a load are here, and whether this SM has written to the line since its fill.
  /// Changes and counts nothing (RS-28, RS-29). A copy of only some of the sectors counts as absent (ATA-O29).
  Copy probe(Transaction& transaction) const;
  /// Returns which access brought the line in; null if a sector of `access` is missing. Also reads versions if they are kept.
  const LineOrigin* copy_of(const Access& access, SectorVersions& versions) const;

  /// Handles the reply to a fetch. The data of its sectors become available in cycle `data_at`. Calls served(waiter), in order of arrival,
  /// for each access whose sectors are now all here. The waiter's message.ready is the cycle of its last sector, because replies may
  /// overtake each other. `reply` may itself be one of those accesses, returned from below.
  template <class Served>
  void fill(Transaction& reply, Served served, Cycle data_at = 0) {
    reply.message.ready = 0;
    const TagArray::Slot slot = tags_.find_near(guess_slot(reply), reply.access.line.number);
    const MshrFile::Index index = install(reply, slot);
    const SectorMask from_peer = reply.reply.served_by == ServedBy::peer ? reply.access.sectors : SectorMask{0};
    mshrs_.remove_waiting(index, [&](Transaction& waiter) {
      if (tags_.keeps_versions()) copy_versions(waiter, reply, slot);
      waiter.reply.from_peer |= from_peer & waiter.access.sectors & ~waiter.reply.held;
      if ((waiter.access.sectors & reply.access.sectors) != 0) arrived(waiter, reply, data_at);
      if ((waiter.access.sectors & mshrs_[index].outstanding) != 0) return false;
      served(waiter);
      return true;
    });
    if (slot != TagArray::kNone) tags_.line(slot).overwritten &= ~reply.access.sectors;
    if (mshrs_[index].outstanding == 0) finish(index, slot);
  }

  /// Invalidates these sectors of a stale line. Data under way leave no copy (SL-28).
  void invalidate(LineAddress line, SectorMask sectors = kAllSectors);
  /// Kernel boundary: invalidates everything, and the cache uses `ways` ways from now on. A load under way then (nobody waits for it)
  /// serves its waiters and leaves no copy.
  void invalidate_all(std::uint32_t ways);
  /// A kernel starts beside others, or a warp passes a fence: as invalidate_all(), but dirty lines of local memory stay, because they belong
  /// to running threads.
  void invalidate_all_clean();
  /// Kernel boundary at which clean lines stay: invalidates only lines that another cache has written to (see record_stores()).
  void invalidate_written_by_others();
  /// Removes the next dirty line of a write-back cache, as a store to send below; false if there is none.
  bool drain(Access& writeback, SectorVersions& versions);

  bool idle() const { return mshrs_.empty(); }
  /// Called while the cache is idle.
  void archive(Archive& file);
  const MshrFile& mshrs() const { return mshrs_; }
  std::uint32_t ways() const { return tags_.ways(); }
  L1Counters& counters() { return counters_; }
  /// Returns the dirty sectors of the line, for debug access.
  SectorMask dirty_sectors(LineAddress line) const;
  /// Returns the sectors of the line that are valid here, with their versions if these are kept.
  SectorMask held(LineAddress line, SectorVersions& versions) const { return tags_.held(tags_.find(line.number), versions); }
  /// A line of [first, last] is present or pending here.
  bool holds(LineAddress first, LineAddress last) const;

 private:
  std::uint64_t key(const Access& access) const {
    return unit_ == TransactionUnit::line ? access.line.number : access.line.number * kSectorsPerLine + lowest_sector(access.sectors);
  }
  bool writes_back(const Access& access) const { return access.space == Space::local && params_.local_stores == LocalStores::write_back; }
  const Verdict& load(Transaction& transaction, std::uint32_t queue_room, SectorMask busy);
  const Verdict& load_miss(Transaction& transaction, TagArray::Slot slot, L1Counters::Loads& counters, std::uint32_t queue_room);
  [[gnu::noinline]] const Verdict& store(Transaction& transaction, std::uint32_t queue_room, SectorMask busy);
  const Verdict& lineless_miss(Transaction& transaction, TagArray::Slot slot, MshrFile::Index index, L1Counters::Loads& counters,
                               std::uint32_t queue_room, MshrFile::FillTo to);
  bool needs_side_store_lookup(const Access& access) const { return side_store_ != nullptr && side_store_->looks_up(access); }
  /// Whether an access bypasses the cache, as far as its kind and operator tell.
  enum class Passes : std::uint8_t { never, always, unless_kept };
  static unsigned kind_of(const Access& access) { return 2 * static_cast<unsigned>(access.kind) + static_cast<unsigned>(access.cache_op); }
  Passes passes_of(AccessKind kind, CacheOp op) const;
  bool is_kept(const Access& access) const {
    return lineless_cache_ ? access.space == Space::global && access.hint.isolated : writes_back(access);
  }
  bool must_migrate(const Access& access, TagArray::Slot slot) const;
  void invalidate_side_store(const Access& access);
  bool awaits_no_line(const Access& access) const;
  void install_in_side_store(const Transaction& reply, SectorMask kept);
  void check_single_copy(LineAddress line, bool here, bool in_side_store) const;
  [[gnu::noinline]] const Verdict& pass(Transaction& transaction, std::uint32_t queue_room);
  const Verdict& refuse(Refusal cause);
  /// Checked for a load that does not hit.
  bool lacks_spare_place(std::uint32_t queue_room) const { return params_.spare_miss_place && queue_room < 2; }
  Verdict& decide(Outcome outcome) {
    verdict_ = {};
    verdict_.outcome = outcome;
    return verdict_;
  }
  bool may_take_way(const Access& access);
  TagArray::Slot find_victim(const Access& access);
  [[gnu::noinline]] TagArray::Slot choose_victim(const Access& access);
  bool replace(TagArray::Slot slot, const Access& access);
  void report_event(CacheEvent::Kind kind, const Access& access) const;
  void report_removal(CacheEvent::Kind kind, TagArray::Slot slot, const Access& by) const;
  void report_removal(CacheEvent::Kind kind, LineAddress line, const LineOrigin& origin, bool from_shared, const Access& by) const;
  void write(TagArray::Slot slot, const Transaction& transaction, SectorMask written);
  void drop(TagArray::Slot slot, SectorMask sectors);
  void forget(TagArray::Slot slot);
  void unpublish(const TagArray::Line& line);
  void publish(const TagArray::Line& line);
  SectorMask missing_of(const Access& access, TagArray::Slot slot) const;
  SectorMask written_of(const Access& store, TagArray::Slot slot) const;
  bool is_dirty(TagArray::Slot slot) const { return tags_.line(slot).present && tags_.line(slot).dirty != 0; }
  void block_fill(const Access& access);
  MshrFile::Index install(const Transaction& reply, TagArray::Slot slot);
  void finish(MshrFile::Index index, TagArray::Slot slot);
  [[gnu::noinline]] void read_versions(TagArray::Slot slot, SectorVersions& versions) const {
    for (unsigned s = 0; s < kSectorsPerLine; ++s) versions[s] = tags_.version(slot, s);
  }
  [[gnu::noinline]] void write_versions(TagArray::Slot slot, SectorMask sectors, const SectorVersions& versions) {
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if (sectors >> s & 1) tags_.version(slot, s) = versions[s];
  }
  [[gnu::noinline]] void copy_versions(Transaction& waiter, const Transaction& reply, TagArray::Slot slot) const;
  /// ATA-O31: records when data of another L1 were available.
  static void arrived(Transaction& waiter, const Transaction& reply, Cycle data_at) {
    waiter.message.ready = std::max(waiter.message.ready, data_at);
    const ServedBy by = reply.reply.served_by;
    if (by == ServedBy::peer || by == ServedBy::l1) waiter.reply.l1_done = std::max(waiter.reply.l1_done, data_at);
  }
  void wait(MshrFile::Index index, Transaction& transaction);
  /// A request carries the numbers of its MSHR entry and of its line's slot, 16 bits each, and the reply returns them. They are only hints:
  /// they are checked first, and a search follows if they are wrong.
  static std::uint32_t guess(MshrFile::Index index, TagArray::Slot slot) { return index << 16 | (slot & 0xFFFF); }
  static MshrFile::Index guess_entry(const Transaction& reply) { return reply.message.tag >> 16; }
  static TagArray::Slot guess_slot(const Transaction& reply) { return reply.message.tag & 0xFFFF; }
  void count_sectors(const Access& access, SectorMask missing, SectorMask pending);

  // Members that nearly every access reads come first.
  TransactionUnit unit_;
  SectorMask whole_;  // sectors that a miss fetches beyond the requested ones: all of the line, or none if lines are sectored
  const bool perfect_, lineless_cache_;
  bool prefers_ = false;       // some lines are evicted before others
  bool has_listener_ = false;  // somebody listens to events of lines
  std::array<Passes, 2 * kAccessKinds> passes_;
  bool overtaken_ = false;  // a kernel boundary has left MSHR entries without their lines
  unsigned self_;
  std::uint32_t dirty_lines_ = 0;
  TagArray::Slot drained_to_ = 0;  // slot at which a drain continues
  std::uint32_t lineless_ = 0;     // MSHR entries whose fill takes no way
  Verdict verdict_;                // the most recent one
  LineDirectory* directory_;
  Neighbours* neighbours_ = nullptr;  // null: none
  SideStore* side_store_ = nullptr;   // null: none
  StoredLines* written_ = nullptr;    // null: nobody asks which lines are written
  unsigned writer_ = StoredLines::kNobody;
  TagArray tags_;
  MshrFile mshrs_;
  alignas(kHostLineBytes) L1Counters counters_;
  const L1Params params_;
  Victim victim_;
  std::function<bool(LineAddress)> preferred_victim_;  // empty: none is preferred
  std::function<SectorVersions(const Access&)> newest_;
  std::function<void(const CacheEvent&)> listener_;  // empty: nobody listens
};

// The lookup of a load and the fill of a reply are inlined into their callers, because they account for most of the work.

inline void L1Logic::count_sectors(const Access& access, SectorMask missing, SectorMask pending) {
  counters_.sector_accesses += sector_count(access.sectors);
  counters_.sector_misses += sector_count(missing);
  counters_.sector_pending += sector_count(pending);
}

[[gnu::always_inline]] inline const L1Logic::Verdict& L1Logic::load(Transaction& transaction, std::uint32_t queue_room, SectorMask busy) {
  const Access& access = transaction.access;
  L1Counters::Loads& counters = counters_.loads_of(access.kind);
  if (perfect_) {
    ++counters.accesses;
    ++counters.hits;
    count_sectors(access, 0, 0);
    if (newest_) transaction.versions = newest_(access);
    return decide(Outcome::hit);
  }
  const TagArray::Slot slot = tags_.find(access.line.number);
  transaction.reply.held = 0;
  if (slot == TagArray::kNone) {
    if (needs_side_store_lookup(access)) return decide(Outcome::look_up_side_store);
    return load_miss(transaction, slot, counters, queue_room);
  }

  const TagArray::Line& line = tags_.line(slot);
  const SectorMask needed = access.sectors & ~(line.valid & ~line.partial);
  transaction.reply.held = access.sectors & ~needed;
  const SectorMask used = access.sectors & ~needed;
  if ((used & busy) != 0) return refuse(Refusal::bank_busy);
  if (needed == 0) {
    if (side_store_ != nullptr && must_migrate(access, slot)) return decide(Outcome::migrate);
    ++counters.accesses;
    ++counters.hits;
    count_sectors(access, 0, 0);
    if (!access.hint.no_install) tags_.touch(slot, access);
    if (tags_.keeps_versions()) read_versions(slot, transaction.versions);
    decide(Outcome::hit).used = used;
    return verdict_;
  }
  if ((needed & ~line.pending) != 0) {
    load_miss(transaction, slot, counters, queue_room);
    verdict_.used = used;
    return verdict_;
  }

  if (lacks_spare_place(queue_room)) return refuse(Refusal::queue_full);
  const MshrFile::Index index = mshrs_.find(key(access));
  if ((mshrs_[index].no_install & access.sectors) != 0) return refuse(Refusal::pending_store);
  if (mshrs_.targets_full(index)) return refuse(Refusal::targets_full);
  ++counters.accesses;
  ++counters.merged;
  // A pending sector that a store has partly written counts as missing, although its fill will serve this load (CM-46).
  const SectorMask rewritten = needed & line.overwritten;
  count_sectors(access, rewritten, needed & ~rewritten);
  if (!access.hint.no_install) tags_.touch(slot, access);
  if (tags_.keeps_versions()) read_versions(slot, transaction.versions);
  wait(index, transaction);
  decide(Outcome::merged).used = used;
  return verdict_;
}

[[gnu::always_inline]] inline const L1Logic::Verdict& L1Logic::access(Transaction& transaction, std::uint32_t queue_room, SectorMask busy) {
  const Access& access = transaction.access;
  if (bypasses(access)) return pass(transaction, queue_room);
  return access.kind == AccessKind::store ? store(transaction, queue_room, busy) : load(transaction, queue_room, busy);
}

/// `slot`: of the reply's line.
[[gnu::always_inline]] inline MshrFile::Index L1Logic::install(const Transaction& reply, TagArray::Slot slot) {
  const MshrFile::Index index = mshrs_.find_near(guess_entry(reply), key(reply.access));
  MshrFile::Entry& entry = mshrs_[index];
  const SectorMask arrived = reply.access.sectors;
  const SectorMask kept = arrived & ~entry.no_install;
  entry.outstanding &= ~arrived;
  if (reply.reply.served_by != ServedBy::l1) ++counters_.fills;  // a line that migrates is no fill
  if (entry.to == MshrFile::FillTo::side_store) install_in_side_store(reply, kept);
  if (slot == TagArray::kNone || entry.to != MshrFile::FillTo::line) return index;
  TagArray::Line& line = tags_.line(slot);
  line.pending &= ~arrived;
  if (tags_.keeps_versions()) write_versions(slot, kept & ~(line.dirty | line.overwritten), reply.versions);
  line.valid |= kept;
  line.partial &= ~kept;
  if (kept != 0) publish(line);
  return index;
}

[[gnu::always_inline]] inline void L1Logic::finish(MshrFile::Index index, TagArray::Slot slot) {
  if (mshrs_[index].to != MshrFile::FillTo::line) --lineless_;
  mshrs_.release(index);
  overtaken_ &= !mshrs_.empty();
  if (slot != TagArray::kNone && tags_.line(slot).valid == 0 && tags_.line(slot).pending == 0) forget(slot);
}

}  // namespace wharf
