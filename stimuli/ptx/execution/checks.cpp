// The checks of bounds, of uninitialised bytes, and of races.
#include "stimuli/ptx/execution/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/base/bits.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx {

namespace {

unsigned bytes_of_access(const Operation& operation) { return bytes_of(operation.type) * operation.elements; }

bool is_global(StateSpace space) { return space == StateSpace::global || space == StateSpace::generic; }

std::string describe(const CheckedAccess& access, unsigned lane) {
  return fmt::format("{} {} of {} bytes at {}{:#x}", is_global(access.space) ? "global" : name_of(access.space),
                     verb(access.operation.action), bytes_of_access(access.operation), is_global(access.space) ? "" : "offset ",
                     access.addresses[lane]);
}

/// The bytes that a lane stores.
std::array<std::byte, 16> stored_bytes(const CheckedAccess& access, unsigned lane) {
  const Operation& operation = access.operation;
  const unsigned size = bytes_of(operation.type);
  std::array<std::byte, 16> bytes{};
  for (unsigned i = 0; i < operation.elements; ++i) {
    const std::size_t stride =
        size == sizeof(std::uint64_t) || (operation.data_wide >> i & 1) != 0 ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
    std::memcpy(bytes.data() + i * size, access.rows.of(operation.operands[1 + i]) + lane * stride, size);
  }
  return bytes;
}

/// Bit i: the store changes byte i.
std::uint32_t changed_bytes(const CheckedAccess& access, unsigned lane) {
  const std::array<std::byte, 16> bytes = stored_bytes(access, lane);
  const auto* const present = reinterpret_cast<const std::byte*>(access.base + access.addresses[lane]);
  std::uint32_t changed = 0;
  for (unsigned i = 0; i < bytes_of_access(access.operation); ++i) changed |= static_cast<std::uint32_t>(bytes[i] != present[i]) << i;
  return changed;
}

Dim3 block_of(std::uint64_t cta, const Dim3& grid) {
  return {static_cast<std::uint32_t>(cta % grid.x), static_cast<std::uint32_t>(cta / grid.x % grid.y),
          static_cast<std::uint32_t>(cta / grid.x / grid.y)};
}

}  // namespace

std::string_view verb(Action action) {
  if (action == Action::copy || action == Action::bulk_copy) return "asynchronous copy";
  if (is_matrix_access(action)) return action == Action::matrix_load ? "load" : "store";
  return action == Action::load ? "load" : action == Action::store ? "store" : "atomic";
}

bool Checks::is_written(Address address, std::uint64_t bytes) const {
  const auto after = unwritten_.upper_bound(address);
  if (after == unwritten_.begin()) return true;
  const auto& [base, size] = *std::prev(after);
  if (address - base >= size) return true;
  return written_.has_all(address, std::min(bytes, size - (address - base)));
}

CtaChecks::CtaChecks(LaunchChecks& launch, const CtaState& cta, unsigned warps)
    : launch_(launch), checks_(launch.checks), cta_(cta), order_(warps) {}

FindingPlace CtaChecks::place_of(const FaultPlace& place, const Dim3& block) const {
  return {cta_.launch.program.place_of(place.pc), block, thread_of(place, cta_.launch.request.block)};
}

Finding* CtaChecks::count(Check check, const FaultPlace& place, std::uint32_t other_pc) {
  Finding* const finding = checks_.findings().count(check, cta_.launch.kernel, place.pc, other_pc);
  if (finding != nullptr) finding->at = place_of(place, cta_.index);
  return finding;
}

void CtaChecks::name_other(Finding& finding, const FaultPlace& place, const Dim3& block, std::string what) const {
  finding.has_other = true;
  finding.other = place_of(place, block);
  finding.other_access = std::move(what);
}

std::string CtaChecks::allocation_at(StateSpace space, Address address) const {
  if (!is_global(space)) return {};
  const DeviceMemory::Allocation* const found = cta_.launch.memory.find(address);
  return found == nullptr ? std::string() : fmt::format("in allocation {} ({})", found->number, found->name);
}

void CtaChecks::on_access_beyond_end(const FaultPlace& place, const std::string& what) {
  if (!checks_.has(Check::bounds)) return;
  if (Finding* const finding = count(Check::bounds, place)) finding->what = what;
}

void CtaChecks::on_allocate(Address base, std::uint64_t bytes) {
  if (checks_.has(Check::init)) checks_.expect_writes(base, bytes);
}

void CtaChecks::on_access(const CheckedAccess& access) {
  if (access.space == StateSpace::param || access.space == StateSpace::constant || access.mask == 0) return;
  if (checks_.has(Check::init))
    for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) check_written(access, lowest_bit(rest));
  if (!checks_.has(Check::race) || access.space == StateSpace::local) return;
  if (access.space == StateSpace::shared) check_pending_copies(access);
  check_races(access);
}

void CtaChecks::check_written(const CheckedAccess& access, unsigned lane) {
  const unsigned bytes = bytes_of_access(access.operation);
  const bool reads = access.operation.action != Action::store, writes = access.operation.action != Action::load;
  Address address = access.addresses[lane];
  bool good = true;
  if (is_global(access.space)) {
    good = !reads || checks_.is_written(address, bytes);
    if (writes) checks_.write(address, bytes);
  } else {
    const bool is_local = access.space == StateSpace::local;
    ByteSet& written = is_local ? local_written_ : shared_written_;
    if (is_local) address += (Address{access.warp} * kLanes + lane) * kWindowBytes;
    good = !reads || written.has_all(address, bytes);
    if (writes) written.add(address, bytes);
  }
  if (good) return;
  Finding* const finding = count(Check::init, {access.pc, access.warp, lane});
  if (finding == nullptr) return;
  finding->what = describe(access, lane) + ": uninitialised bytes";
  finding->allocation = allocation_at(access.space, access.addresses[lane]);
}

void CtaChecks::check_races(const CheckedAccess& access) {
  const Operation& operation = access.operation;
  const bool strong = operation.action == Action::atomic || operation.is_strong;
  const bool writes = operation.action != Action::load, reads = operation.action != Action::store;
  const auto cta = static_cast<std::uint32_t>(cta_.number);
  if (operation.action == Action::store) check_lanes_of_store(access);
  if (strong && reads) launch_.order.strong_read(cta), order_.strong_read(access.warp);
  const auto kind = !writes ? AccessShadow::Kind::read : reads ? AccessShadow::Kind::modify : AccessShadow::Kind::write;
  const bool global = is_global(access.space);
  Access now;
  now.agent = global ? cta : access.warp;
  now.stamp = global ? launch_.order.time() : order_.time_of(access.warp);
  now.pc = access.pc;
  now.present = true;
  now.is_strong = strong;
  const AccessOrder& order = global ? static_cast<const AccessOrder&>(launch_.order) : order_;
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    now.thread = static_cast<std::uint16_t>(access.warp * kLanes + lane);
    const std::uint32_t changed = kind == AccessShadow::Kind::write ? changed_bytes(access, lane) : 0;
    const auto conflict =
        (global ? launch_.global : shared_).add(access.addresses[lane], bytes_of_access(operation), now, kind, changed, order);
    if (!conflict.earlier.present) continue;
    Finding* const finding = count_race({access.pc, access.warp, lane}, access.space, access.addresses[lane], conflict.earlier);
    if (finding != nullptr) finding->what = describe(access, lane) + finding->what;
  }
  if (strong && writes) launch_.order.strong_write(cta), order_.strong_write(access.warp);
}

void CtaChecks::check_pending_copies(const CheckedAccess& access) {
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    const PendingCopies::Copy* const copy = copies_.find(access.addresses[lane], bytes_of_access(access.operation));
    if (copy == nullptr) continue;
    Finding* const finding = count(Check::race, {access.pc, access.warp, lane}, copy->pc);
    if (finding == nullptr) continue;
    finding->what = describe(access, lane) + ": the copy to these bytes may be under way: its thread has not waited for it";
    name_other(*finding, {copy->pc, copy->thread / kLanes, copy->thread % kLanes}, cta_.index, std::string(verb(Action::copy)));
  }
}

void CtaChecks::on_copy(std::uint32_t pc, unsigned warp, LaneMask lanes, const std::array<Address, kLanes>& offsets, unsigned bytes) {
  if (!checks_.has(Check::race)) return;
  for (const unsigned lane : set_bits(lanes)) copies_.add(offsets[lane], bytes, pc, warp * kLanes + lane);
}

void CtaChecks::on_commit_of_copies(unsigned warp, LaneMask lanes) {
  for (const unsigned lane : set_bits(lanes)) copies_.commit(warp * kLanes + lane);
}

void CtaChecks::on_wait_for_groups(unsigned warp, LaneMask lanes, std::uint32_t kept) {
  for (const unsigned lane : set_bits(lanes)) copies_.await_groups(warp * kLanes + lane, kept);
}

void CtaChecks::on_wait_for_copies(unsigned warp, LaneMask lanes) {
  for (const unsigned lane : set_bits(lanes)) copies_.await_all(warp * kLanes + lane);
}

/// As count(), of a race with `earlier`. The caller puts the access in front of Finding::what.
Finding* CtaChecks::count_race(const FaultPlace& place, StateSpace space, Address address, const Access& earlier) {
  Finding* const finding = count(Check::race, place, earlier.pc);
  if (finding == nullptr) return nullptr;
  const bool global = is_global(space);
  finding->what = global ? ": another CTA accesses the same bytes in this kernel"
                         : ": another warp accesses the same bytes without a barrier in between";
  finding->allocation = allocation_at(space, address);
  const Action action = cta_.launch.program.code()[earlier.pc].action;
  const FaultPlace other{earlier.pc, earlier.thread / kLanes, earlier.thread % kLanes};
  name_other(*finding, other, global ? block_of(earlier.agent, cta_.launch.request.grid) : cta_.index, std::string(verb(action)));
  return finding;
}

void CtaChecks::on_bulk_copy(const CheckedBulkCopy& bulk) {
  const BulkCopy& copy = bulk.copy;
  const StateSpace source = copy.reads_shared() ? StateSpace::shared : StateSpace::global;
  const bool reduces = bulk.operation.modify != nullptr;
  check_bulk_bytes(bulk, source, copy.from, true);
  check_bulk_races(bulk, source, copy.from, AccessShadow::Kind::read);
  if (!copy.writes_global()) return;
  check_bulk_bytes(bulk, StateSpace::global, copy.to, reduces);
  check_bulk_races(bulk, StateSpace::global, copy.to, reduces ? AccessShadow::Kind::modify : AccessShadow::Kind::write);
  checks_.write(copy.to, copy.bytes());
}

/// Bounds, and bytes that nothing has written.
void CtaChecks::check_bulk_bytes(const CheckedBulkCopy& bulk, StateSpace space, Address address, bool reads) {
  const std::uint32_t bytes = bulk.copy.bytes();
  const std::string what =
      fmt::format("{} {} of {} bytes at {:#x}", is_global(space) ? "global" : "shared", verb(bulk.operation.action), bytes, address);
  if (const DeviceMemory::Allocation* const found = is_global(space) ? cta_.launch.memory.find(address) : nullptr;
      found != nullptr && address + bytes > found->base + found->bytes)
    on_access_beyond_end(bulk.place, fmt::format("{}: {} bytes reach beyond allocation {} ({})", what,
                                                 address + bytes - found->base - found->bytes, found->number, found->name));
  if (!checks_.has(Check::init) || !reads) return;
  if (is_global(space) ? checks_.is_written(address, bytes) : shared_written_.has_all(address, bytes)) return;
  Finding* const finding = count(Check::init, bulk.place);
  if (finding == nullptr) return;
  finding->what = what + ": uninitialised bytes";
  finding->allocation = allocation_at(space, address);
}

void CtaChecks::check_bulk_races(const CheckedBulkCopy& bulk, StateSpace space, Address address, AccessShadow::Kind kind) {
  if (!checks_.has(Check::race)) return;
  constexpr std::uint32_t kPiece = BulkCopy::kGranule;
  const bool global = is_global(space);
  Access now;
  now.agent = global ? static_cast<std::uint32_t>(cta_.number) : bulk.place.warp;
  now.stamp = global ? launch_.order.time() : order_.time_of(bulk.place.warp);
  now.pc = bulk.place.pc;
  now.thread = static_cast<std::uint16_t>(bulk.place.warp * kLanes + bulk.place.lane);
  now.present = true;
  now.is_strong = kind == AccessShadow::Kind::modify;
  const AccessOrder& order = global ? static_cast<const AccessOrder&>(launch_.order) : order_;
  for (std::uint32_t first = 0; first < bulk.copy.bytes(); first += kPiece) {
    std::uint32_t changed = 0;
    if (kind != AccessShadow::Kind::read)
      for (std::uint32_t i = 0; i < kPiece; ++i)
        changed |= static_cast<std::uint32_t>(bulk.from[first + i] != bulk.present[first + i]) << i;
    const auto conflict = (global ? launch_.global : shared_).add(address + first, kPiece, now, kind, changed, order);
    if (!conflict.earlier.present) continue;
    Finding* const finding = count_race(bulk.place, space, address + first, conflict.earlier);
    if (finding != nullptr)
      finding->what = fmt::format("{} {} of {} bytes, {} of them at {:#x}", global ? "global" : "shared", verb(bulk.operation.action),
                                  bulk.copy.bytes(), kPiece, address + first) +
                      finding->what;
  }
}

/// Accesses are aligned, so that two of one instruction overlap only where their addresses are equal.
void CtaChecks::check_lanes_of_store(const CheckedAccess& access) {
  std::array<unsigned, kLanes> lanes{};
  unsigned count_of_lanes = 0;
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) lanes[count_of_lanes++] = lowest_bit(rest);
  std::stable_sort(lanes.begin(), lanes.begin() + count_of_lanes,
                   [&](unsigned a, unsigned b) { return access.addresses[a] < access.addresses[b]; });
  for (unsigned i = 1; i < count_of_lanes; ++i) {
    const unsigned one = lanes[i - 1], two = lanes[i];
    if (access.addresses[one] != access.addresses[two] || stored_bytes(access, one) == stored_bytes(access, two)) continue;
    Finding* const finding = count(Check::race, {access.pc, access.warp, two}, access.pc);
    if (finding == nullptr) continue;
    finding->what = describe(access, two) + ": another lane of the same instruction stores a different value there";
    finding->allocation = allocation_at(access.space, access.addresses[two]);
    name_other(*finding, {access.pc, access.warp, one}, cta_.index, "store");
  }
}

void CtaChecks::on_fence(unsigned warp) {
  if (!checks_.has(Check::race)) return;
  launch_.order.fence(static_cast<std::uint32_t>(cta_.number));
  order_.fence(warp);
}

void CtaChecks::on_release(unsigned warp) {
  on_fence(warp);
  if (!checks_.has(Check::race)) return;
  launch_.order.strong_write(static_cast<std::uint32_t>(cta_.number));
  order_.strong_write(warp);
}

void CtaChecks::on_acquire(unsigned warp) {
  if (!checks_.has(Check::race)) return;
  launch_.order.strong_read(static_cast<std::uint32_t>(cta_.number));
  order_.strong_read(warp);
}

void CtaChecks::on_write_from_outside(Address offset, std::uint64_t bytes) {
  if (checks_.has(Check::init)) shared_written_.add(offset, bytes);
}

}  // namespace wharf::ptx
