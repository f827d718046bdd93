// Last accesses of words and bytes.
#include "stimuli/ptx/checks/access_shadow.h"

namespace wharf::ptx {

namespace {

bool conflicts(const Access& earlier, const Access& access, const AccessOrder& order) {
  return earlier.present && earlier.agent != access.agent && !(earlier.is_strong && access.is_strong) &&
         !order.precedes(earlier, access.agent);
}

}  // namespace

AccessShadow::Page& AccessShadow::page_of(Address number) {
  if (number == last_number_) return *last_;
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    page->cells.resize(kPageBytes / kWord);
  }
  last_number_ = number;
  last_ = page.get();
  return *page;
}

void AccessShadow::split(Page& page) {
  std::vector<Cell> bytes;
  bytes.reserve(kPageBytes);
  for (const Cell& cell : page.cells) bytes.insert(bytes.end(), kWord, cell);
  page.cells = std::move(bytes);
  page.cell_bytes = 1;
}

AccessShadow::Conflict AccessShadow::conflict_of(const Cell& cell, const Access& access, Kind kind, bool changes,
                                                 const AccessOrder& order) {
  const bool decides = kind != Kind::write || changes;
  if (decides && conflicts(cell.write, access, order)) return {cell.write, true};
  if (kind == Kind::read) return {};
  if (conflicts(cell.read, access, order)) return {cell.read, false};
  if (conflicts(cell.other_read, access, order)) return {cell.other_read, false};
  return {};
}

void AccessShadow::enter(Cell& cell, const Access& access, Kind kind, const AccessOrder& order) {
  if (kind != Kind::read) {
    cell.write = access;
    cell.read = cell.other_read = {};
  }
  if (kind == Kind::write) return;
  const bool replaces_first = !cell.read.present || cell.read.agent == access.agent || order.precedes(cell.read, access.agent);
  (replaces_first ? cell.read : cell.other_read) = access;
}

AccessShadow::Conflict AccessShadow::add(Address address, unsigned bytes, const Access& access, Kind kind, std::uint32_t changed,
                                         const AccessOrder& order) {
  Page& page = page_of(address / kPageBytes);  // accesses are aligned, so that they lie in one page
  if (page.cell_bytes == kWord && (address % kWord != 0 || bytes % kWord != 0)) split(page);
  Conflict first;
  const std::uint32_t cell_mask = (1u << page.cell_bytes) - 1;
  for (unsigned i = 0; i < bytes; i += page.cell_bytes) {
    Cell& cell = page.cells[(address + i) % kPageBytes / page.cell_bytes];
    if (!first.earlier.present) first = conflict_of(cell, access, kind, (changed >> i & cell_mask) != 0, order);
    enter(cell, access, kind, order);
  }
  return first;
}

}  // namespace wharf::ptx
