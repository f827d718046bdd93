#include "model/monitor/golden_memory_logic.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/monitor/shared_memory/golden_shared_memory.h"

namespace wharf {

namespace {

bool has(SectorMask sectors, unsigned sector) { return (sectors >> sector & 1) != 0; }

std::string place(LineAddress line, unsigned sector) {
  return fmt::format("{:#x} (sector {} of line {:#x})", line.byte_address() + sector * kSectorBytes, sector, line.byte_address());
}

}  // namespace

GoldenMemory::GoldenMemory(stats::Registry& registry)
    : stale_own_(registry, "stale_own"),
      early_(registry, "early"),
      coalesced_(registry, "coalesced"),
      golden_(registry, "golden"),
      stale_peer_(stale_own_, "peer", "sectors loaded older than the SM's own last store, from a peer (CM-32)", stats::Unit::accesses),
      stale_atomic_(stale_own_, "atomic", "sectors loaded older than the SM's own last atomic (CM-32)", stats::Unit::accesses),
      stale_texture_(stale_own_, "texture",
                     "sectors loaded as texture, older than the SM's own last store, which takes the path through the home (CM-26)",
                     stats::Unit::accesses),
      stale_mode_change_(stale_own_, "mode_change", "sectors loaded older than the SM's own store, which a mode change overtook (CM-32)",
                         stats::Unit::accesses),
      early_peer_(early_, "peer", "sectors loaded with another SM's store before the ordering point had it", stats::Unit::accesses),
      coalesced_stores_(coalesced_, "stores", "sectors stored and overwritten in a write-back cache, never sent on", stats::Unit::accesses),
      checked_sectors_(golden_, "checked_sectors", "sectors of loads checked against golden memory", stats::Unit::accesses) {}

GoldenMemory::~GoldenMemory() = default;

GoldenSharedMemory& GoldenMemory::check_shared_memory() {
  shared_memory_ = std::make_unique<GoldenSharedMemory>(golden_);
  return *shared_memory_;
}

void GoldenMemory::allow(Departure departure) {
  allowed_[static_cast<unsigned>(departure)] = true;
  if (departure != Departure::stale_boundary) return;
  stale_.emplace(golden_.registry(), "stale");
  stale_boundary_.emplace(*stale_, "boundary", "sectors loaded with a value overwritten before the kernel of the load started",
                          stats::Unit::accesses);
}

StoreId GoldenMemory::store_issued(const Access& store) {
  const Islands::Lock lock(mutex_);
  const StoreId id = first_ + static_cast<StoreId>(stores_.size());
  stores_.push_back(
      {store.line, store.id, store.issue_cycle, store.pc, store.sm, store.warp, store.sectors, store.kind == AccessKind::atomic, {}, 0});
  if (own_.size() <= store.sm) own_.resize(store.sm + 1u);
  SectorVersions& own = own_[store.sm][store.line.number];
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    if (!has(store.sectors, sector)) continue;
    own[sector] = id;
    ++unordered_;
  }
  return id;
}

void GoldenMemory::ordered(const SectorVersions& versions, LineAddress line, SectorMask sectors, Picoseconds at, Picoseconds now) {
  const Islands::Lock lock(mutex_);
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector)
    if (has(sectors, sector)) order_one(versions[sector], line, sector, at, now);
}

void GoldenMemory::order_one(StoreId id, LineAddress line, unsigned sector, Picoseconds at, Picoseconds now) {
  Store* store = find(id);
  const char* wrong = nullptr;
  if (store == nullptr) {
    wrong = "no SM has sent in this kernel";
  } else if (store->line != line || !has(store->sectors, sector)) {
    wrong = "was sent to another sector";
  } else if (store->order[sector] != 0) {
    wrong = "has arrived before";
  }
  if (wrong != nullptr)
    throw SimulationError(fmt::format("golden memory: at the ordering point, {} is written at {} ps by {}, which {}", place(line, sector),
                                      at, name(id, line, sector), wrong));
  store->order[sector] = ++last_order_;
  store->ordered_at = at;
  store->ordering_reported = now;
  --unordered_;
  Line& state = lines_[line.number];
  if (state.kernel != kernel_) {
    if (!starts_.empty()) save_earlier(line, state);
    state.at_boundary = state.newest;
    state.kernel = kernel_;
  }
  state.newest[sector] = {id, store->sm, store->warp, store->pc, at};
}

LoadTicket GoldenMemory::load_issued(const Access& load) const {
  const Islands::Lock lock(mutex_);
  if (load.sm >= own_.size()) return {};
  const auto it = own_[load.sm].find(load.line.number);
  return it == own_[load.sm].end() ? LoadTicket{} : LoadTicket{it->second};
}

LoadTicket GoldenMemory::load_arrived(const Access& load) const {
  const Islands::Lock lock(mutex_);
  LoadTicket ticket;
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector)
    if (const Version* version = newest(load.line, sector)) ticket.at_least[sector] = version->id;
  return ticket;
}

SectorVersions GoldenMemory::current(const Access& load, Picoseconds now) const {
  SectorVersions versions = load_issued(load).at_least;
  const Islands::Lock lock(mutex_);
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    // Returns the SM's own last store even if others have overwritten it, unless they did before the load's kernel started beside others. The
    // SM's own stores may overtake each other, so the store ordered last may be older than one that the SM has sent.
    const Version* const boundary = at_boundary(load.line, sector, load.kernel);
    const Store* const own = find(versions[sector]);
    const Store* const before = boundary == nullptr ? nullptr : find(boundary->id);
    const bool is_overwritten =
        own != nullptr && before != nullptr && own->order[sector] != 0 && own->order[sector] < before->order[sector];
    if (own != nullptr && !is_overwritten) continue;
    const Version* version = newest(load.line, sector);
    const Store* last = version == nullptr ? nullptr : find(version->id);
    if (last != nullptr && last->ordering_reported >= now) version = boundary;
    if (version != nullptr) versions[sector] = version->id;
  }
  return versions;
}

void GoldenMemory::check(const Access& load, const LoadTicket& ticket, const SectorVersions& returned, Picoseconds now) {
  const Islands::Lock lock(mutex_);
  present_ = now;
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    if (!has(load.sectors, sector)) continue;
    ++checked_sectors_;
    const StoreId own = ticket.at_least[sector], got = returned[sector];
    const Verdict verdict = judge(load, sector, own, got);
    if (verdict == Verdict::legal || excused(load, verdict, own)) continue;
    const Version* boundary = at_boundary(load.line, sector, load.kernel);
    const StoreId oldest = own != 0 ? own : boundary == nullptr ? 0 : boundary->id;
    switch (verdict) {
      case Verdict::legal:
        break;
      case Verdict::no_version:
        fail(load, sector, oldest, got, "whoever answers a load must say which store it returns");
      case Verdict::never_stored:
        fail(load, sector, oldest, got, "no SM has sent such a store");
      case Verdict::elsewhere:
        fail(load, sector, oldest, got, "that store went to another sector");
      case Verdict::before_boundary:
        fail(load, sector, oldest, got, "a value overwritten before the last kernel boundary must not be seen (CM-32)");
      case Verdict::unordered_of_other:
        fail(load, sector, oldest, got, "another SM's store must not be seen before the ordering point has it (CM-31)");
      case Verdict::older_than_own:
        fail(load, sector, oldest, got, "an SM must not see a value older than its own last store (CM-32)");
    }
  }
}

void GoldenMemory::check_arrived(const Access& load, const LoadTicket& ticket, const SectorVersions& returned) {
  const Islands::Lock lock(mutex_);
  present_ = kLater;
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    if (!has(load.sectors, sector)) continue;
    const StoreId bound = ticket.at_least[sector], got = returned[sector];
    const Store* store = find(got);
    // An id from an earlier kernel is legal only if it was the newest version when the load arrived.
    const bool known =
        store == nullptr ? got == bound : store->line == load.line && has(store->sectors, sector) && store->order[sector] != 0;
    if (!known || older(got, bound, sector))
      fail(load, sector, bound, got, "the ordering point must return what was newest when the load arrived there (CM-31)");
  }
}

void GoldenMemory::acknowledged(const Access& write, const SectorVersions& versions) {
  const Islands::Lock lock(mutex_);
  present_ = kLater;
  SectorVersions& newest = acknowledged_[write.line.number];
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector)
    if (has(write.sectors, sector) && older(newest[sector], versions[sector], sector)) newest[sector] = versions[sector];
}

LoadTicket GoldenMemory::load_entered(const Access& load) const {
  const Islands::Lock lock(mutex_);
  const auto it = acknowledged_.find(load.line.number);
  return it == acknowledged_.end() ? LoadTicket{} : LoadTicket{it->second};
}

void GoldenMemory::check_entered(const Access& load, const LoadTicket& ticket, const SectorVersions& returned) {
  const Islands::Lock lock(mutex_);
  present_ = kLater;
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector)
    if (has(load.sectors, sector) && older(returned[sector], ticket.at_least[sector], sector))
      fail(load, sector, ticket.at_least[sector], returned[sector],
           "L2 must not return a value older than a store acknowledged before the load reached it (modern_gpus section 2)");
}

void GoldenMemory::kernel_boundary() {
  if (unordered_ != 0) expect_all_ordered();
  if (shared_memory_ != nullptr) shared_memory_->kernel_boundary();
  first_ += static_cast<StoreId>(stores_.size());
  stores_.clear();
  acknowledged_.clear();
  for (auto& own : own_) own.clear();
  unordered_ = 0;
  earlier_.clear();
  ++kernel_;
}

void GoldenMemory::kernel_started(unsigned place) {
  if (place >= starts_.size()) starts_.resize(place + 1, kNotRunning);
  starts_[place] = ++kernel_;
}

void GoldenMemory::expect_all_ordered() {
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    const Store& store = stores_[i];
    const SectorVersions& last = own_[store.sm].at(store.line.number);
    for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
      if (!has(store.sectors, sector) || store.order[sector] != 0) continue;
      const bool merged = find(last[sector])->order[sector] != 0;
      if (!merged || !allowed_[static_cast<unsigned>(Departure::coalesced_store)])
        throw SimulationError(
            fmt::format("golden memory: at the kernel boundary, {} has not received {}: every store must reach the "
                        "ordering point (CM-29)",
                        place(store.line, sector), name(first_ + static_cast<StoreId>(i), store.line, sector)));
      ++coalesced_stores_;
    }
  }
}

GoldenMemory::Store* GoldenMemory::find(StoreId id) {
  return id < first_ || id - first_ >= stores_.size() ? nullptr : &stores_[id - first_];
}

const GoldenMemory::Store* GoldenMemory::find(StoreId id) const {
  return id < first_ || id - first_ >= stores_.size() ? nullptr : &stores_[id - first_];
}

/// Returns nullptr for the initial contents.
const GoldenMemory::Version* GoldenMemory::newest(LineAddress line, unsigned sector) const {
  const auto it = lines_.find(line.number);
  return it == lines_.end() || it->second.newest[sector].id == 0 ? nullptr : &it->second.newest[sector];
}

const GoldenMemory::Version* GoldenMemory::at_boundary(LineAddress line, unsigned sector, unsigned kernel) const {
  const auto it = lines_.find(line.number);
  if (it == lines_.end()) return nullptr;
  const std::uint64_t start = start_of(kernel);
  const Version* version = it->second.kernel >= start ? &it->second.at_boundary[sector] : &it->second.newest[sector];
  const auto kept = earlier_.find(line.number);
  if (kept != earlier_.end())
    for (auto earlier = kept->second.rbegin(); earlier != kept->second.rend() && earlier->first >= start; ++earlier)
      version = &earlier->second[sector];
  return version->id == 0 ? nullptr : version;
}

/// Keeps the boundary of `state` as long as a running kernel may need it. A later one is about to replace it.
void GoldenMemory::save_earlier(LineAddress line, const Line& state) {
  auto& earlier = earlier_[line.number];
  if (*std::min_element(starts_.begin(), starts_.end()) > state.kernel)
    earlier.clear();
  else
    earlier.emplace_back(state.kernel, state.at_boundary);
}

GoldenMemory::Verdict GoldenMemory::judge(const Access& load, unsigned sector, StoreId own, StoreId got) const {
  if (got == kNoVersion) return Verdict::no_version;
  if (got < first_) {
    const Version* boundary = at_boundary(load.line, sector, load.kernel);
    if (got != (boundary == nullptr ? 0 : boundary->id)) return Verdict::before_boundary;
    return own == 0 ? Verdict::legal : Verdict::older_than_own;
  }
  const Store* store = find(got);
  if (store == nullptr) return Verdict::never_stored;
  if (store->line != load.line || !has(store->sectors, sector)) return Verdict::elsewhere;
  if (const Version* boundary = starts_.empty() ? nullptr : at_boundary(load.line, sector, load.kernel);
      boundary != nullptr && boundary->id != got && order_of(*store, sector) != 0 && older(got, boundary->id, sector))
    return Verdict::before_boundary;
  if (store->sm == load.sm) {
    if (got >= own || (order_of(*store, sector) != 0 && !older(got, own, sector))) return Verdict::legal;
    return Verdict::older_than_own;
  }
  if (order_of(*store, sector) == 0) return Verdict::unordered_of_other;
  return own != 0 && older(got, own, sector) ? Verdict::older_than_own : Verdict::legal;
}

/// True if `bound` comes after `got`, a store that is ordered or from an earlier kernel. An unordered store comes after all others.
bool GoldenMemory::older(StoreId got, StoreId bound, unsigned sector) const {
  if (got == bound) return false;
  const Store* later = find(bound);
  if (later == nullptr) return false;
  const Store* earlier = find(got);
  if (earlier == nullptr) return true;
  if (order_of(*earlier, sector) == 0) return false;
  return order_of(*later, sector) == 0 || order_of(*later, sector) > order_of(*earlier, sector);
}

bool GoldenMemory::excused(const Access& load, Verdict verdict, StoreId own) {
  const auto allowed = [this](Departure departure) { return allowed_[static_cast<unsigned>(departure)]; };
  stats::Counter* counter = nullptr;
  if (verdict == Verdict::unordered_of_other && allowed(Departure::early_peer)) counter = &early_peer_;
  if (verdict == Verdict::before_boundary && allowed(Departure::stale_boundary)) counter = &*stale_boundary_;
  if (verdict == Verdict::older_than_own) {
    const Store* store = find(own);
    if (load.kind == AccessKind::texture && allowed(Departure::stale_own_texture)) {
      counter = &stale_texture_;
    } else if (store != nullptr && store->atomic && allowed(Departure::stale_own_atomic)) {
      counter = &stale_atomic_;
    } else if (allowed(Departure::stale_own_peer)) {
      counter = &stale_peer_;
    } else if (allowed(Departure::stale_own_mode_change)) {
      counter = &stale_mode_change_;
    }
  }
  if (counter == nullptr) return false;
  ++*counter;
  return true;
}

std::string GoldenMemory::name(StoreId id, LineAddress line, unsigned sector, unsigned kernel) const {
  if (id == kNoVersion) return "no version";
  if (id == 0) return "the initial contents";
  if (const Store* store = find(id)) {
    const std::string ordering = store->order[sector] == 0 ? "not ordered yet" : fmt::format("ordered at {} ps", store->ordered_at);
    return fmt::format("store {} (SM {}, warp {}, pc {:#x}, access {}, sent in cycle {}, {})", id, store->sm, store->warp, store->pc,
                       store->access, store->issue_cycle, ordering);
  }
  for (const Version* version : {at_boundary(line, sector, kernel), newest(line, sector)})
    if (version != nullptr && version->id == id)
      return fmt::format("store {} (SM {}, warp {}, pc {:#x}, ordered at {} ps, before the kernel boundary)", id, version->sm,
                         version->warp, version->pc, version->ordered_at);
  return id < first_ ? fmt::format("store {} (of an earlier kernel)", id) : fmt::format("store {} (never sent)", id);
}

void GoldenMemory::fail(const Access& load, unsigned sector, StoreId expected, StoreId got, const char* rule) const {
  throw SimulationError(
      fmt::format("golden memory: SM {}, warp {}, pc {:#x}, access {} of cycle {}: the load of {} returned {}; expected {} or newer: {}",
                  load.sm, load.warp, load.pc, load.id, load.issue_cycle, place(load.line, sector),
                  name(got, load.line, sector, load.kernel), name(expected, load.line, sector, load.kernel), rule));
}

void GoldenMemory::archive(Archive& file) {
  file.expect_quiet(stores_.empty() && unordered_ == 0, "golden memory");
  file(first_, last_order_, kernel_, lines_);
}

}  // namespace wharf
