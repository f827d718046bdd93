#include "model/cache/line_directory.h"

#include <string>
#include <utility>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf {
namespace {

constexpr std::size_t kFirstEntries = 256;

HolderMask any_of(const std::array<HolderMask, kSectorsPerLine>& holders) {
  HolderMask any;
  for (const HolderMask& of_sector : holders)
    for (unsigned word = 0; word < HolderMask::kMaxHolders / 64; ++word) any.word(word) |= of_sector.word(word);
  return any;
}

}  // namespace

LineDirectory::LineDirectory(unsigned holders, bool sectored) : sectored_(sectored) {
  if (holders == 0 || holders > HolderMask::kMaxHolders)
    throw InputError("a directory of " + std::to_string(holders) + " L1 caches is not offered; choose 1 to " +
                     std::to_string(HolderMask::kMaxHolders) + " caches, or oracle_directory: off");
  make(kFirstEntries);
}

/// Makes 2^n free entries.
void LineDirectory::make(std::size_t entries) {
  entries_.assign(entries, {});
  shift_ = 64 - floor_log2(entries);
}

bool LineDirectory::others_hold(LineAddress line, SectorMask missing, unsigned self) const {
  const Entry& entry = entries_[find(line.number)];
  const unsigned asked = wanted(missing);
  if (entry.many == 0) {
    // All of them without a branch, because how many there are is unpredictable.
    unsigned others = 0;
    for (const Copy copy : entry.few) others |= holder_of(copy) == self ? 0 : sectors_of(copy) & asked;
    return others != 0;
  }
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    if ((asked >> sector & 1) == 0) continue;
    HolderMask others = many_[entry.many - 1][sector];
    others.reset(self);
    if (!others.none()) return true;
  }
  return false;
}

HolderMask LineDirectory::holders(LineAddress line, SectorMask wanted_sectors) const {
  const Entry& entry = entries_[find(line.number)];
  const unsigned asked = wanted(wanted_sectors);
  HolderMask found;
  if (entry.many == 0) {
    for (unsigned i = 0; i < entry.copies; ++i)
      if ((sectors_of(entry.few[i]) & asked) == asked) found.set(holder_of(entry.few[i]));
    return found;
  }
  const SectorHolders& all = many_[entry.many - 1];
  found = any_of(all);
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector)
    for (unsigned word = 0; word < HolderMask::kMaxHolders / 64 && (asked >> sector & 1) != 0; ++word)
      found.word(word) &= all[sector].word(word);
  return found;
}

SectorMask LineDirectory::sectors(LineAddress line, unsigned holder) const {
  const Entry& entry = entries_[find(line.number)];
  unsigned valid = 0;
  if (entry.many == 0)
    for (const Copy copy : entry.few) valid |= holder_of(copy) == holder ? sectors_of(copy) : 0;
  else
    for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) valid |= unsigned{many_[entry.many - 1][sector].test(holder)} << sector;
  return static_cast<SectorMask>(valid);
}

std::array<std::uint64_t, kSectorsPerLine> LineDirectory::sector_holders(LineAddress line) const {
  const Entry& entry = entries_[find(line.number)];
  std::array<std::uint64_t, kSectorsPerLine> found{};
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    if (entry.many == 0)
      for (unsigned i = 0; i < entry.copies; ++i)
        found[sector] |= std::uint64_t{sectors_of(entry.few[i]) >> sector & 1} << holder_of(entry.few[i]) % 64;
    else
      found[sector] = many_[entry.many - 1][sector].word(0);
  }
  return found;
}

void LineDirectory::apply(std::vector<Report>& log) {
  HolderMask emptied;
  bool sweeping = false;
  for (const Report& report : log) {
    if (report.change == Change::invalidate_cache) {
      emptied.set(report.holder);
      sweeping = true;
      continue;
    }
    if (sweeping) {
      // Invalidations of whole caches must be applied before a later report.
      sweep(emptied);
      emptied = {};
      sweeping = false;
    }
    apply(report);
  }
  if (sweeping) sweep(emptied);
  log.clear();
}

void LineDirectory::apply(const Report& report) {
  const std::size_t at = find(report.line.number);
  Entry& entry = entries_[at];
  if (entry.number == kFree) {
    if (report.valid == 0) return;
    entry.number = report.line.number;
    ++lines_;
  }
  copies_ -= entry.copies;
  set(entry, report.holder, report.valid == 0 ? 0 : wanted(report.valid));
  copies_ += entry.copies;
  if (entry.copies == 0)
    erase(at);
  else if (2 * lines_ > entries_.size())
    grow();
}

void LineDirectory::set(Entry& entry, unsigned holder, unsigned valid) {
  if (entry.many == 0)
    set_few(entry, holder, valid);
  else
    set_many(entry, holder, valid);
}

void LineDirectory::set_few(Entry& entry, unsigned holder, unsigned valid) {
  unsigned at = entry.copies;
  for (unsigned i = 0; i < kFewCopies; ++i) at = holder_of(entry.few[i]) == holder ? i : at;
  if (valid != 0) {
    if (at == kFewCopies) {
      change_to_many(entry);
      return set_many(entry, holder, valid);
    }
    entry.few[at] = static_cast<Copy>(16 * holder + valid);
    entry.copies += at == entry.copies ? 1 : 0;
  } else if (at != entry.copies) {
    --entry.copies;
    entry.few[at] = entry.few[entry.copies];
    entry.few[entry.copies] = kNoCopy;
  }
}

void LineDirectory::set_many(Entry& entry, unsigned holder, unsigned valid) {
  unsigned held = 0;
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    std::uint64_t& word = many_[entry.many - 1][sector].word(holder / 64);
    held |= word >> holder % 64 & 1;
    word = (word & ~(std::uint64_t{1} << holder % 64)) | std::uint64_t{valid >> sector & 1} << holder % 64;
  }
  entry.copies += (valid != 0 ? 1 : 0) - held;
}

void LineDirectory::change_to_many(Entry& entry) {
  if (free_many_.empty()) {
    many_.emplace_back();
    free_many_.push_back(static_cast<std::uint32_t>(many_.size()));
  }
  entry.many = free_many_.back();
  free_many_.pop_back();
  entry.copies = 0;
  for (const Copy copy : std::exchange(entry.few, Entry().few)) set_many(entry, holder_of(copy), sectors_of(copy));
}

/// Frees the entry of a line without copies, and moves up those that lie behind only because it was in use.
void LineDirectory::erase(std::size_t at) {
  if (entries_[at].many != 0) free_many_.push_back(entries_[at].many);
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t behind = next(at); entries_[behind].number != kFree; behind = next(behind)) {
    if (((behind - home(entries_[behind].number)) & mask) < ((behind - at) & mask)) continue;
    entries_[at] = entries_[behind];
    at = behind;
  }
  entries_[at] = {};
  --lines_;
}

void LineDirectory::sweep(const HolderMask& emptied) {
  for (std::size_t at = 0; at < entries_.size() && lines_ != 0; ++at) {
    // An entry that moves up to here is next.
    while (entries_[at].number != kFree) {
      copies_ -= entries_[at].copies;
      empty(entries_[at], emptied);
      copies_ += entries_[at].copies;
      if (entries_[at].copies != 0) break;
      erase(at);
    }
  }
}

/// Removes the copies of the `emptied` caches.
void LineDirectory::empty(Entry& entry, const HolderMask& emptied) {
  if (entry.many == 0) {
    for (unsigned i = entry.copies; i-- > 0;)
      if (emptied.test(holder_of(entry.few[i]))) set_few(entry, holder_of(entry.few[i]), 0);
    return;
  }
  SectorHolders& all = many_[entry.many - 1];
  for (HolderMask& of_sector : all)
    for (unsigned word = 0; word < HolderMask::kMaxHolders / 64; ++word) of_sector.word(word) &= ~emptied.word(word);
  entry.copies = any_of(all).count();
}

void LineDirectory::grow() {
  const std::vector<Entry> old = std::move(entries_);
  make(2 * old.size());
  for (const Entry& entry : old)
    if (entry.number != kFree) entries_[find(entry.number)] = entry;
}

void LineDirectory::archive(Archive& file) {
  for (const std::vector<Report>& log : logs_) file.expect_quiet(log.empty(), "directory");
  file(entries_, many_, free_many_, lines_, copies_);
  shift_ = 64 - floor_log2(entries_.size());
}

}  // namespace wharf
