#include <fmt/format.h>

#include <algorithm>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/monitor/shared_memory/golden_shared_memory.h"

namespace wharf {

namespace {

void join(std::vector<std::uint32_t>& clock, const std::vector<std::uint32_t>& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

/// The masks of `bytes` bytes from `first` on, row by row.
std::vector<ByteMask> rows_of(Address first, std::uint32_t bytes) {
  std::vector<ByteMask> rows;
  for (const Address end = first + bytes; first != end;) {
    const auto offset = static_cast<unsigned>(first % kLineBytes),
               part = static_cast<unsigned>(std::min<Address>(kLineBytes - offset, end - first));
    rows.emplace_back().add(offset, part);
    first += part;
  }
  return rows;
}

}  // namespace

GoldenSharedMemory::GoldenSharedMemory(stats::Group& group)
    : turns_(group, "shared_turns", "turns at shared memory checked against the order that the program demands (CL-10)",
             stats::Unit::accesses) {}

void GoldenSharedMemory::launched(CtaPlace place, const ClusterMember& member, std::uint64_t id, WarpPlace first, unsigned warps) {
  const Islands::Lock lock(mutex_);
  std::weak_ptr<Cluster>& known = clusters_[id];
  std::shared_ptr<Cluster> cluster = known.lock();
  if (cluster == nullptr) known = cluster = std::make_shared<Cluster>();
  ctas_[key_of(place)].rank = member.rank;
  for (unsigned w = 0; w < warps; ++w) {
    Warp& warp = warp_at({first.sm, static_cast<std::uint16_t>(first.warp + w)});
    warp = {};
    warp.cluster = cluster;
    warp.number = member.rank * warps + w;
    warp.clock.resize(warp.number + 1);
    warp.clock[warp.number] = 1;
  }
}

GoldenSharedMemory::Entry GoldenSharedMemory::entry_of(WarpPlace by, Kind kind, LineAddress line, Cycle now) {
  const Warp& warp = warp_at(by);
  Entry entry;
  entry.number = ++issued_;
  entry.kind = kind;
  entry.sm = by.sm;
  entry.warp = by.warp;
  entry.issued = now;
  entry.line = line;
  entry.cluster = warp.cluster;
  entry.by = warp.number;
  entry.stamp = warp.clock[warp.number];
  return entry;
}

/// Finds those that must take their turns before the entry.
void GoldenSharedMemory::add(Entry entry, Cta& cta) {
  const Clock& clock = warp_at({entry.sm, entry.warp}).clock;
  const auto writes = [](const Entry& e) { return e.kind == Kind::store || e.kind == Kind::atomic || e.kind == Kind::copy_write; };
  for (const Entry& earlier : cta.pending) {
    if (is_copy(earlier) || earlier.kind == Kind::arrival || earlier.number == entry.number) continue;
    if (earlier.direct && entry.direct) continue;  // in the order in which their operands were collected (CM-40)
    const bool same_way = earlier.sm == entry.sm && earlier.warp == entry.warp && !earlier.direct && !entry.direct && !is_copy(entry) &&
                          earlier.line == entry.line;
    const bool ordered =
        !earlier.counted && earlier.cluster == entry.cluster && earlier.by < clock.size() && clock[earlier.by] >= earlier.stamp;
    const std::uint64_t row = earlier.line.number - entry.line.number;
    const bool meets = row < entry.bytes.size() && entry.bytes[row].overlaps(earlier.bytes.front());
    if (same_way || (ordered && meets && (writes(earlier) || writes(entry)))) entry.after.push_back(earlier.number);
  }
  if (!is_copy(entry) || !entry.after.empty()) cta.pending.push_back(std::move(entry));
}

void GoldenSharedMemory::issued(WarpPlace by, std::uint32_t slot, const WarpInstruction& placed, bool direct, Cycle now) {
  const Islands::Lock lock(mutex_);
  const Kind kind = placed.unit == Unit::shared_atomic && placed.destination != kNoRegister ? Kind::atomic
                    : placed.destination == kNoRegister                                     ? Kind::store
                                                                                            : Kind::load;
  std::vector<Entry> entries;
  for (const unsigned lane : set_bits(placed.active)) {
    const LineAddress line = LineAddress::of(placed.addresses[lane]);
    auto entry = std::find_if(entries.begin(), entries.end(), [line](const Entry& e) { return e.line == line; });
    if (entry == entries.end()) {
      entry = entries.insert(entries.end(), entry_of(by, kind, line, now));
      entry->direct = direct;
      entry->counted = placed.mbarrier != kNoMbarrier;
      entry->slot = slot;
      entry->pc = placed.pc;
      entry->bytes.resize(1);
    }
    entry->bytes.front().add(static_cast<unsigned>(placed.addresses[lane] % kLineBytes), placed.access_bytes);
  }
  for (Entry& entry : entries) add(std::move(entry), ctas_[key_of(place_of(entry.line))]);
}

void GoldenSharedMemory::copy_issued(WarpPlace by, const BulkCopy& copy, CtaPlace own, const std::vector<CtaPlace>& receivers, Cycle now) {
  const Islands::Lock lock(mutex_);
  const auto add_range = [&](Kind kind, CtaPlace place, Address from, std::uint32_t bytes) {
    if (bytes == 0) return;
    const Address first = shared_address(place, from);
    Entry entry = entry_of(by, kind, LineAddress::of(first), now);
    entry.bytes = rows_of(first, bytes);
    add(std::move(entry), ctas_[key_of(place)]);
  };
  if (copy.reads_shared()) add_range(Kind::copy_read, own, copy.from, copy.read());
  if (!copy.writes_shared()) return;
  for (const CtaPlace place : receivers) add_range(Kind::copy_write, place, copy.to, copy.bytes());
}

void GoldenSharedMemory::check_order(const Entry& entry, const Cta& cta, Cycle now) const {
  for (const Entry& other : cta.pending) {
    if (std::find(entry.after.begin(), entry.after.end(), other.number) == entry.after.end()) continue;
    const bool same_way = other.sm == entry.sm && other.warp == entry.warp && !other.direct && !entry.direct && other.line == entry.line;
    fail(fmt::format("{} takes its turn in cycle {}, before {}", name(entry), now, name(other)),
         same_way ? "accesses of a warp to a row of 128 B take their turns in the order of their issue (CL-4)"
                  : "the program orders them the other way round, so the values that they exchanged are not those of the memory (CL-10)");
  }
}

void GoldenSharedMemory::direct_turn(CtaPlace place, std::uint32_t slot, Cycle now) {
  const Islands::Lock lock(mutex_);
  Cta& cta = ctas_[key_of(place)];
  const auto is_this = [&](const Entry& e) { return e.direct && e.sm == place.sm && e.slot == slot; };
  for (const Entry& entry : cta.pending) {
    if (!is_this(entry)) continue;
    check_order(entry, cta, now);
    ++turns_;
  }
  cta.pending.erase(std::remove_if(cta.pending.begin(), cta.pending.end(), is_this), cta.pending.end());
  forget_copies(cta);
}

/// A line of a copy takes its turn.
void GoldenSharedMemory::copy_turn(const Access& access, Cta& cta, Cycle now) {
  ++turns_;
  if (is_copied(access)) cta.uncounted.push_back({access.sm, access.pc, access.line});
  const Kind kind = is_copied(access) ? Kind::copy_write : Kind::copy_read;
  for (const Entry& copy : cta.pending)
    if (copy.kind == kind && copy.sm == access.sm && access.line.number - copy.line.number < copy.bytes.size()) check_order(copy, cta, now);
}

void GoldenSharedMemory::turn(const Access& access, Cycle now) {
  const Islands::Lock lock(mutex_);
  Cta& cta = ctas_[key_of(place_of(access.line))];
  if (is_copied(access) || is_read_by_copy(access)) return copy_turn(access, cta, now);
  const bool arrives = access.kind == AccessKind::shared;
  const auto entry = std::find_if(cta.pending.begin(), cta.pending.end(), [&](const Entry& e) {
    if (e.sm != access.sm || e.direct || !(e.line == access.line)) return false;
    return arrives ? e.kind == Kind::arrival && e.warp == access.warp && e.slot == access.pc
                   : e.kind <= Kind::atomic && e.slot == access.slot;
  });
  if (entry == cta.pending.end())
    fail(fmt::format("an access of SM {}, warp {}, to {} takes a turn in cycle {} that it has taken before, or was never issued", access.sm,
                     access.warp, place_name(access.line), now),
         "each access takes one turn (CL-10)");
  check_order(*entry, cta, now);
  ++turns_;
  if (arrives) {
    const MeetingKey key{Meeting::Kind::mbarrier, place_of(access.line).sm, place_of(access.line).slot, access.pc};
    join(entry->cluster->left[key], entry->clock);
  } else {
    unanswered_[access.sm].push_back({access.sm, access.slot, access.line});
  }
  if (counted_bytes(access) != 0) cta.uncounted.push_back({access.sm, access.pc, access.line});
  cta.pending.erase(entry);
  forget_copies(cta);
}

/// Forgets copies when all that they must follow have taken their turns.
void GoldenSharedMemory::forget_copies(Cta& cta) {
  const auto is_free = [&cta](const Entry& copy) {
    const auto precedes = [&copy](const Entry& e) { return std::find(copy.after.begin(), copy.after.end(), e.number) != copy.after.end(); };
    return is_copy(copy) && std::none_of(cta.pending.begin(), cta.pending.end(), precedes);
  };
  std::vector<Entry> kept;
  for (Entry& entry : cta.pending)
    if (!is_free(entry)) kept.push_back(entry);
  cta.pending = std::move(kept);
}

void GoldenSharedMemory::answered(const Access& access, Cycle now) {
  const Islands::Lock lock(mutex_);
  std::vector<Done>& done = unanswered_[access.sm];
  const auto is_this = [&](const Done& d) { return d.slot == access.slot && d.line == access.line; };
  const auto found = std::find_if(done.begin(), done.end(), is_this);
  if (found == done.end())
    fail(fmt::format("SM {}, warp {}: the access to {} that was sent in cycle {} is answered in cycle {}, before its turn or once more",
                     access.sm, access.warp, place_name(access.line), access.issue_cycle, now),
         "each access is answered once, after its turn (CL-10)");
  done.erase(found);
}

void GoldenSharedMemory::counted(const Access& access, Cycle now) {
  const Islands::Lock lock(mutex_);
  std::vector<Done>& done = ctas_[key_of(place_of(access.line))].uncounted;
  const auto is_this = [&](const Done& d) { return d.sm == access.sm && d.slot == access.pc && d.line == access.line; };
  const auto found = std::find_if(done.begin(), done.end(), is_this);
  if (found == done.end())
    fail(fmt::format("the mbarrier at byte {} counts bytes of SM {}, warp {}, at {} in cycle {}, before they are written or once more",
                     access.pc, access.sm, access.warp, place_name(access.line), now),
         "a phase ends when its bytes have been written (CL-6, CL-8)");
  done.erase(found);
}

GoldenSharedMemory::MeetingKey GoldenSharedMemory::key_of(const Meeting& at, std::uint32_t cluster_arrivals) {
  // A warp may arrive at the next barrier of the cluster before others have passed the present one.
  if (at.kind == Meeting::Kind::cluster_barrier) return {at.kind, 0, 0, cluster_arrivals % 2};
  return {at.kind, at.place.sm, at.place.slot, at.number};
}

void GoldenSharedMemory::arrives(WarpPlace by, const Meeting& at) {
  const Islands::Lock lock(mutex_);
  Warp& warp = warp_at(by);
  if (at.kind == Meeting::Kind::cluster_barrier) ++warp.cluster_arrivals;
  join(warp.cluster->left[key_of(at, warp.cluster_arrivals)], warp.clock);
  ++warp.clock[warp.number];
}

void GoldenSharedMemory::sends(WarpPlace by, const Access& arrival, Cycle now) {
  const Islands::Lock lock(mutex_);
  Warp& warp = warp_at(by);
  Entry entry = entry_of(by, Kind::arrival, arrival.line, now);
  entry.slot = arrival.pc;
  entry.clock = warp.clock;
  ctas_[key_of(place_of(arrival.line))].pending.push_back(std::move(entry));
  ++warp.clock[warp.number];
}

void GoldenSharedMemory::waits(WarpPlace by, const Meeting& at) {
  const Islands::Lock lock(mutex_);
  Warp& warp = warp_at(by);
  warp.awaited = key_of(at, warp.cluster_arrivals);
  warp.waits = true;
}

void GoldenSharedMemory::passes(WarpPlace by) {
  const Islands::Lock lock(mutex_);
  Warp& warp = warp_at(by);
  if (!warp.waits) return;
  warp.waits = false;
  const auto left = warp.cluster->left.find(warp.awaited);
  if (left != warp.cluster->left.end()) join(warp.clock, left->second);
}

void GoldenSharedMemory::forget(WarpPlace by, const Meeting& mbarrier) {
  const Islands::Lock lock(mutex_);
  warp_at(by).cluster->left.erase(key_of(mbarrier, 0));
}

void GoldenSharedMemory::kernel_boundary() {
  for (const auto& [place, cta] : ctas_)
    if (!cta.pending.empty())
      fail(fmt::format("at the kernel boundary, {} has not taken its turn", name(cta.pending.front())),
           "each access takes one turn (CL-10)");
  for (const auto& [sm, done] : unanswered_)
    if (!done.empty())
      fail(fmt::format("at the kernel boundary, SM {} has no answer of its access to {}", sm, place_name(done.front().line)),
           "each access is answered once, after its turn (CL-10)");
  ctas_.clear();
  warps_.clear();
  clusters_.clear();
}

std::string GoldenSharedMemory::place_name(LineAddress line) const {
  const CtaPlace place = place_of(line);
  const auto cta = ctas_.find(key_of(place));
  return fmt::format("bytes {:#x} and up of the CTA of rank {} (SM {}, slot {})", line.byte_address() & 0xFFFFFF,
                     cta == ctas_.end() ? 0 : cta->second.rank, place.sm, place.slot);
}

std::string GoldenSharedMemory::name(const Entry& entry) const {
  static constexpr const char* kNames[] = {"load", "store", "atomic", "copy from", "copy to", "arrival at an mbarrier"};
  return fmt::format("the {} of SM {}, warp {}, pc {:#x}, issued in cycle {}, to {}", kNames[static_cast<unsigned>(entry.kind)], entry.sm,
                     entry.warp, entry.pc, entry.issued, place_name(entry.line));
}

void GoldenSharedMemory::fail(const std::string& what, const char* rule) const {
  throw SimulationError("golden memory of shared memory: " + what + ": " + rule);
}

}  // namespace wharf
