#pragma once
// An L1-class cache: tags, sectors, MSHRs, store policies (common sections 3 and 4). Decides and counts; knows time only as an argument.
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

/// What the L1s of a cluster know of each other (ata sections 4 and 5).
class Neighbours {
 public:
  virtual ~Neighbours() = default;
  struct Offer {
    SectorMask sectors = 0;  // of those asked for, what one of them is to supply
    std::uint8_t from = 0;   // that one: its number in the cluster
    bool diverted = false;   // one has them, and the miss goes below because it cannot be asked now
    bool room = true;        // false: it cannot be asked now, and the miss waits
  };
  /// Changes nothing.
  virtual Offer ask(const Access& load, SectorMask missing) = 0;
  struct Copies {
    std::uint64_t holders = 0;  // bit i: number i of the cluster has one to invalidate
    bool room = true;           // false: they cannot be told now
  };
  /// The other copies of a store's sectors. Changes nothing.
  virtual Copies copies_of(const Access& store) = 0;
  /// From the next cycle on these sectors of the line are VALID here; `modified`: its SM has written to it.
  virtual void holds(LineAddress line, SectorMask valid, bool modified) = 0;
  /// Nothing is.
  virtual void holds_nothing() = 0;
};

/// A store beside an L1, such as shared memory that is used as a cache: loads that the L1's tags do not have may be looked up there, and
/// some bring their lines there. A line is never valid in both.
class SideStore {
 public:
  enum class Found : std::uint8_t { hit, merged, miss };
  /// A line that has given way.
  struct Evicted {
    LineAddress line;
    LineOrigin origin;
  };
  virtual ~SideStore() = default;
  /// A load that the tags do not have is looked up here. Changes nothing.
  virtual bool looks_up(const Access& load) const = 0;
  /// Of the loads looked up here: its line lives here, and moves here where the L1 has it. Changes nothing.
  virtual bool claims(const Access& load) const = 0;
  /// A load is looked up now; false where the kernel that has begun since leaves nothing to look it up in.
  virtual bool opens(const Access& load) = 0;
  /// What became of it; not where it was refused.
  virtual void looked_up(const Access& load, Found found) = 0;
  /// A line moves here, of a load that has found it in the L1.
  virtual void attracted(const Access& load) = 0;
  /// Sectors of the line that are here.
  virtual SectorMask held(LineAddress line) const = 0;
  /// Of the sectors held, where versions are kept.
  virtual void read(LineAddress line, SectorMask sectors, SectorVersions& versions) const = 0;
  /// `sectors` of the line of `access` have come.
  virtual std::optional<Evicted> install(const Access& access, SectorMask sectors, const SectorVersions& versions) = 0;
  /// The copies of these sectors are old, or the line lives elsewhere now.
  virtual void invalidate(LineAddress line, SectorMask sectors) = 0;
  /// Loads served from here, and cycles that a line waited to move here.
  virtual stats::Counter& served() = 0;
  virtual stats::Counter& replies_full() = 0;
};

class L1Logic {
 public:
  /// `unit`: the transaction of this machine; an MSHR entry stands for one. `scale` > 1 builds the single L1 of that many SMs.
  /// `directory` may be null (oracle_directory off); `self` is this cache's number in it.
  /// `seed`: of the run, for replacement: random. `homes`: this cache is one of several homes and indexes its sets with what the map makes
  /// of a line (CM-21); null: with the line number.
  L1Logic(const L1Params& params, TransactionUnit unit, std::uint32_t scale, stats::Group& group, LineDirectory* directory, unsigned self,
          bool verify, std::uint64_t seed = 0, const HomeMap* homes = nullptr);

  /// From now on lines of which this is true give way before others (SL-26). Asked when a full set gives a line up, never for a refusal.
  void prefer_victims(std::function<bool(LineAddress)> preferred) {
    preferred_victim_ = std::move(preferred);
    prefers_ = preferred_victim_ != nullptr;
  }

  /// From now on what stores and atomics go to is told to `written`, where those of the other caches are too. `in_order`: what this cache
  /// sends for a line reaches L2 in that order; otherwise a copy may be older than its own store.
  void tell_writes(StoredLines& written, bool in_order) {
    written_ = &written;
    writer_ = in_order ? self_ : StoredLines::kNobody;
  }

  /// From now on `told` hears whose lines come and go, in the order in which it happens.
  void tell_events(std::function<void(const CacheEvent&)> told) {
    tell_ = std::move(told);
    has_listener_ = tell_ != nullptr;
  }

  /// What a perfect cache answers with (DC-21), where versions are kept.
  void answer_with(std::function<SectorVersions(const Access&)> newest) { newest_ = std::move(newest); }

  /// Goes below without a lookup, and is answered from there.
  bool bypasses(const Access& access) const {
    const Passes passes = passes_[kind_of(access)];
    return passes != Passes::never && (passes == Passes::always || !is_kept(access));
  }
  /// From now on misses of loads are offered to the other L1s of the cluster.
  void join(Neighbours& neighbours) { neighbours_ = &neighbours; }
  bool joined() const { return neighbours_ != nullptr; }

  /// From now on loads are looked up in `store` too.
  void join(SideStore& store);

  /// The line will be looked up soon: a hint to the host's cache, no result changes.
  void prefetch(const Access& access) const {
    tags_.prefetch(access.line.number);
    mshrs_.prefetch(key(access));
  }
  /// The same where its line will be filled.
  void prefetch_fill(const Transaction& reply) const {
    tags_.prefetch_near(guess_slot(reply), reply.access.line.number);
    mshrs_.prefetch_arrival(guess_entry(reply), key(reply.access));
  }

  enum class Outcome : std::uint8_t {
    hit,          // data in data_cycles
    merged,       // waits for a request on its way
    miss,         // waits; `request` of the verdict must be sent below
    pass,         // goes below itself and is answered from there: store, atomic, bypass
    stored_here,  // a write-back store: answered at once, nothing goes below
    look_beside,  // a load that is not here, undecided and uncounted: look_beside() comes next
    refused,
    migrate,  // a load that has found its line here, undecided and uncounted, whose line is to live beside: migrate() comes next
  };
  struct Verdict {
    Outcome outcome = Outcome::hit;
    Refusal cause = Refusal::mshr_full;
    SectorMask request = 0;     // miss: sectors to fetch from below
    SectorMask from_peer = 0;   // miss: sectors to read from another L1
    std::uint8_t peer = 0;      // that one: its number in the cluster
    SectorMask used = 0;        // sectors read or written here: their data banks
    bool writeback = false;     // a dirty victim must be sent below as well: victim()
    bool found = false;         // a store's sectors were all here
    bool diverted = false;      // miss: another L1 has some of it, and had no room to be asked
    bool alone = false;         // miss: nobody else waits for the line, and `request` is what the access asks for and no more
    std::uint64_t holders = 0;  // store: the L1s of the cluster whose copies are old
  };
  /// The line that the last access with `writeback` displaced, as a store to send below.
  struct Victim {
    Access access;
    SectorVersions versions{};
  };
  const Victim& victim() const { return victim_; }

  /// Decide on `transaction`. `queue_room`: entries free in the miss queue. `busy`: sectors whose banks are taken. A refusal changes
  /// nothing but its counter. The verdict holds until the next one.
  const Verdict& access(Transaction& transaction, std::uint32_t queue_room, SectorMask busy = 0);

  /// Decide on a load whose outcome was `look_beside` when it was looked up here: hit, merged, miss or refused.
  const Verdict& look_beside(Transaction& transaction, std::uint32_t queue_room);
  /// Decide on a load that `leaves`: refused, or merged into a request for `used` sectors of its line, which are here no longer. Their
  /// `versions` are the answer to it, to be filled when the line has been read out.
  Verdict migrate(Transaction& transaction, SectorVersions& versions);
  /// Where the fill of this reply goes.
  MshrFile::FillTo goes_to(const Access& reply) const { return mshrs_[mshrs_.find(key(reply))].to; }

  /// Why another SM's read of sectors that it was shown does not get them (ata sections 6.2 and 6.4).
  enum class Denial : std::uint8_t { none, dirty, evicted };
  struct Supply {
    SectorMask sectors = 0;        // granted
    Denial denial = Denial::none;  // of the others: evicted stands for a sector that is not VALID as well
    bool whole_line = false;       // no sector of the line can be had
  };
  /// Another SM reads `sectors` of the line. `touch`: that is a use of it (ATA-O21).
  Supply supply(const Access& reader, SectorMask sectors, bool touch, SectorVersions& versions);

  enum class Copy : std::uint8_t { absent, clean, written };
  /// Whether all sectors of a load are here, for another SM's probe, and whether this SM has written to the line since it came in:
  /// nothing changes and nothing is counted (RS-28, RS-29). A copy of some of the sectors is none (ATA-O29).
  Copy probe(Transaction& transaction) const;
  /// Which access brought the line in, null where a sector of `access` is missing. With versions where they are kept.
  const LineOrigin* copy_of(const Access& access, SectorVersions& versions) const;

  /// A fetched reply has arrived, of whose sectors the data are there in cycle `data_at`. Calls served(waiter) in order of arrival for
  /// each access whose sectors are now all here; its message.ready is the cycle of the last of them, as replies may overtake each other.
  /// `reply` may be one of those accesses: it has come back from below.
  template <class Served>
  void fill(Transaction& reply, Served served, Cycle data_at = 0) {
    reply.message.ready = 0;
    const TagArray::Slot slot = tags_.find_near(guess_slot(reply), reply.access.line.number);
    const MshrFile::Index index = install(reply, slot);
    const SectorMask from_peer = reply.reply.served_by == ServedBy::peer ? reply.access.sectors : SectorMask{0};
    mshrs_.take(index, [&](Transaction& waiter) {
      if (tags_.keeps_versions()) take_versions(waiter, reply, slot);
      waiter.reply.from_peer |= from_peer & waiter.access.sectors & ~waiter.reply.held;
      if ((waiter.access.sectors & reply.access.sectors) != 0) arrived(waiter, reply, data_at);
      if ((waiter.access.sectors & mshrs_[index].outstanding) != 0) return false;
      served(waiter);
      return true;
    });
    if (slot != TagArray::kNone) tags_.line(slot).overwritten &= ~reply.access.sectors;
    if (mshrs_[index].outstanding == 0) finish(index, slot);
  }

  /// The copy of these sectors of the line is old: it goes, and what is on its way leaves no copy (SL-28).
  void invalidate(LineAddress line, SectorMask sectors = kAllSectors);
  /// Kernel boundary: everything is invalidated, and the cache takes `ways` ways from now on. What is on its way then (a load that
  /// nobody waits for) serves its waiters and leaves no copy.
  void invalidate_all(std::uint32_t ways);
  /// A kernel starts beside others: the same, but dirty lines of local memory stay, as they belong to threads that run.
  void invalidate_all_clean();
  /// Kernel boundary at which clean lines stay: those go that another cache has written to, which tell_writes() knows.
  void invalidate_written_by_others();
  /// The next dirty line of a write-back cache, removed from it as a store to send below; false where there is none.
  bool drain(Access& writeback, SectorVersions& versions);

  bool idle() const { return mshrs_.empty(); }
  /// While it is idle.
  void archive(Archive& file);
  const MshrFile& mshrs() const { return mshrs_; }
  std::uint32_t ways() const { return tags_.ways(); }
  L1Counters& counters() { return counters_; }
  /// Sectors of the line that are dirty here, for debug access.
  SectorMask dirty_sectors(LineAddress line) const;
  /// Sectors of the line that are here, and their versions where they are kept.
  SectorMask held(LineAddress line, SectorVersions& versions) const { return tags_.held(tags_.find(line.number), versions); }
  /// A line of [first, last] is here, or will come.
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
  bool looks_up_side_store(const Access& access) const { return side_store_ != nullptr && side_store_->looks_up(access); }
  /// What is known of it from its kind and operator alone.
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
  void check_single_copy(LineAddress line, bool here, bool beside) const;
  [[gnu::noinline]] const Verdict& pass(Transaction& transaction, std::uint32_t queue_room);
  const Verdict& refuse(Refusal cause);
  /// For a load that does not hit.
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
  void tell(CacheEvent::Kind kind, const Access& access) const;
  void tell_gone(CacheEvent::Kind kind, TagArray::Slot slot, const Access& by) const;
  void tell_gone(CacheEvent::Kind kind, LineAddress line, const LineOrigin& origin, bool from_shared, const Access& by) const;
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
  [[gnu::noinline]] void take_versions(Transaction& waiter, const Transaction& reply, TagArray::Slot slot) const;
  /// ATA-O31: what another L1 has served is done with its data.
  static void arrived(Transaction& waiter, const Transaction& reply, Cycle data_at) {
    waiter.message.ready = std::max(waiter.message.ready, data_at);
    const ServedBy by = reply.reply.served_by;
    if (by == ServedBy::peer || by == ServedBy::l1) waiter.reply.l1_done = std::max(waiter.reply.l1_done, data_at);
  }
  void wait(MshrFile::Index index, Transaction& transaction);
  /// A request carries the numbers of its entry and its line's slot, and its answer brings them back: 16 bits each, and nobody relies on
  /// them. What they say is looked at before anything is searched for.
  static std::uint32_t guess(MshrFile::Index index, TagArray::Slot slot) { return index << 16 | (slot & 0xFFFF); }
  static MshrFile::Index guess_entry(const Transaction& reply) { return reply.message.tag >> 16; }
  static TagArray::Slot guess_slot(const Transaction& reply) { return reply.message.tag & 0xFFFF; }
  void count_sectors(const Access& access, SectorMask missing, SectorMask pending);

  // What nearly every access asks comes first.
  TransactionUnit unit_;
  SectorMask whole_;  // sectors that a miss has fetched beside those that it asks for: all, or none where lines are sectored
  const bool perfect_, lineless_cache_;
  bool prefers_ = false;       // some lines give way before others
  bool has_listener_ = false;  // somebody hears whose lines come and go
  std::array<Passes, 2 * kAccessKinds> passes_;
  bool overtaken_ = false;  // a kernel boundary has left MSHR entries without their lines
  unsigned self_;
  std::uint32_t dirty_lines_ = 0;
  TagArray::Slot drained_to_ = 0;  // a drain goes on there
  std::uint32_t lineless_ = 0;     // MSHR entries whose fill takes no way
  Verdict verdict_;                // the last one
  LineDirectory* directory_;
  Neighbours* neighbours_ = nullptr;  // null: none
  SideStore* side_store_ = nullptr;   // null: none
  StoredLines* written_ = nullptr;    // null: nobody asks what is written
  unsigned writer_ = StoredLines::kNobody;
  TagArray tags_;
  MshrFile mshrs_;
  alignas(kHostLineBytes) L1Counters counters_;
  const L1Params params_;
  Victim victim_;
  std::function<bool(LineAddress)> preferred_victim_;  // empty: none is preferred
  std::function<SectorVersions(const Access&)> newest_;
  std::function<void(const CacheEvent&)> tell_;  // empty: nobody listens
};

// A load that hits is looked up in the caller itself, and a reply filled there: so much of all that happens is one.

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
    if (looks_up_side_store(access)) return decide(Outcome::look_beside);
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
  // What a store has written in part while it was on its way is missing, though its fill will serve this load (CM-46).
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
  if (reply.reply.served_by != ServedBy::l1) ++counters_.fills;  // not of a line that migrates
  if (entry.to == MshrFile::FillTo::beside) install_in_side_store(reply, kept);
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
