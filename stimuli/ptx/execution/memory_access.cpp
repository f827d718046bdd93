// Loads, stores and atomics on lanes.
#include "stimuli/ptx/execution/memory_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/base/bits.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx {

namespace {

unsigned access_bytes(const Operation& operation) { return bytes_of(operation.type) * operation.elements; }

/// Common properties of the addresses of the lanes in `mask`, for accesses of `bytes` bytes.
MemoryAccess::Extent extent_of(LaneMask mask, const std::array<Address, kLanes>& addresses, unsigned bytes) {
  MemoryAccess::Extent extent;
  if (mask == kAllLanes) {
    Address gaps = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) gaps |= addresses[lane] ^ (addresses[0] + std::uint64_t{lane} * bytes);
    if (gaps == 0) return {addresses.front(), addresses.back(), addresses.front(), true};
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const Address address = addresses[lowest_bit(rest)];
    extent.least = std::min(extent.least, address);
    extent.most = std::max(extent.most, address);
    extent.bits |= address;
  }
  return extent;
}

/// True where the lanes' values lie in memory as in the row of the first element: a copy of the row is the whole access.
bool is_row(const Operation& operation, const MemoryAccess::Extent& extent, std::size_t stride) {
  const unsigned bytes = bytes_of(operation.type), row_bytes = (operation.data_wide & 1) != 0 ? 8 : 4;
  return extent.contiguous && stride == 0 && operation.elements == 1 && bytes == row_bytes;
}

/// The host byte of a lane's access.
std::byte* at(std::uintptr_t base, const std::array<Address, kLanes>& addresses, std::size_t stride, unsigned lane) {
  return reinterpret_cast<std::byte*>(base + addresses[lane] + lane * stride);
}

/// Loads element by element: T in memory, a row of R.
template <class T, class R>
void load_lanes(std::uintptr_t base, std::size_t stride, const std::array<Address, kLanes>& addresses, std::byte* row, LaneMask mask) {
  R* const to = reinterpret_cast<R*>(row);
  if (mask == kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      T value;
      std::memcpy(&value, at(base, addresses, stride, lane), sizeof value);
      to[lane] = static_cast<R>(value);
    }
    return;
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    T value;
    std::memcpy(&value, at(base, addresses, stride, lane), sizeof value);
    to[lane] = static_cast<R>(value);
  }
}

template <class T>
void load_element(bool wide, std::uintptr_t base, std::size_t stride, const std::array<Address, kLanes>& addresses, std::byte* row,
                  LaneMask mask) {
  if (wide)
    load_lanes<T, std::uint64_t>(base, stride, addresses, row, mask);
  else
    load_lanes<T, std::uint32_t>(base, stride, addresses, row, mask);
}

void load(const Operation& operation, const Rows& rows, std::uintptr_t base, std::size_t stride,
          const std::array<Address, kLanes>& addresses, LaneMask mask) {
  for (unsigned i = 0; i < operation.elements; ++i) {
    if (!operation.operands[i].present()) continue;
    std::byte* const row = rows.of(operation.operands[i]);
    const std::uintptr_t from = base + i * bytes_of(operation.type);
    const bool wide = (operation.data_wide >> i & 1) != 0;
    switch (operation.type) {
      case Type::s8:
        load_element<std::int8_t>(wide, from, stride, addresses, row, mask);
        break;
      case Type::s16:
        load_element<std::int16_t>(wide, from, stride, addresses, row, mask);
        break;
      case Type::s32:
        load_element<std::int32_t>(wide, from, stride, addresses, row, mask);
        break;
      default:
        switch (bytes_of(operation.type)) {
          case 1:
            load_element<std::uint8_t>(wide, from, stride, addresses, row, mask);
            break;
          case 2:
            load_element<std::uint16_t>(wide, from, stride, addresses, row, mask);
            break;
          case 4:
            load_element<std::uint32_t>(wide, from, stride, addresses, row, mask);
            break;
          default:
            load_element<std::uint64_t>(true, from, stride, addresses, row, mask);
        }
    }
  }
}

/// Lanes store in ascending order, so that the highest wins.
template <class T, class R>
void store_lanes(std::uintptr_t base, std::size_t stride, const std::array<Address, kLanes>& addresses, const std::byte* row,
                 LaneMask mask) {
  const R* const from = reinterpret_cast<const R*>(row);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    const auto value = static_cast<T>(from[lane]);
    std::memcpy(at(base, addresses, stride, lane), &value, sizeof value);
  }
}

template <class T>
void store_element(bool wide, std::uintptr_t base, std::size_t stride, const std::array<Address, kLanes>& addresses, const std::byte* row,
                   LaneMask mask) {
  if (wide)
    store_lanes<T, std::uint64_t>(base, stride, addresses, row, mask);
  else
    store_lanes<T, std::uint32_t>(base, stride, addresses, row, mask);
}

void store(const Operation& operation, const Rows& rows, std::uintptr_t base, std::size_t stride,
           const std::array<Address, kLanes>& addresses, LaneMask mask) {
  const unsigned size = bytes_of(operation.type);
  for (unsigned i = 0; i < operation.elements; ++i) {
    const std::byte* const row = rows.of(operation.operands[1 + i]);
    const std::uintptr_t to = base + i * size;
    const bool wide = (operation.data_wide >> i & 1) != 0;
    if (size == 1)
      store_element<std::uint8_t>(wide, to, stride, addresses, row, mask);
    else if (size == 2)
      store_element<std::uint16_t>(wide, to, stride, addresses, row, mask);
    else if (size == 4)
      store_element<std::uint32_t>(wide, to, stride, addresses, row, mask);
    else
      store_element<std::uint64_t>(true, to, stride, addresses, row, mask);
  }
}

/// T is the unsigned type of the access. Returns true where a value has changed.
template <class T>
bool modify_lanes(const Operation& operation, const Rows& rows, std::uintptr_t base, std::size_t stride,
                  const std::array<Address, kLanes>& addresses, LaneMask mask) {
  const Operand third = operation.operands[3].present() ? operation.operands[3] : operation.operands[2];
  const Stored<T>* const b = row_of<T>(rows, operation.operands[2]);
  const Stored<T>* const c = row_of<T>(rows, third);
  Stored<T>* const d = operation.operands[0].present() ? reinterpret_cast<Stored<T>*>(rows.of(operation.operands[0])) : nullptr;
  bool changes = false;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    std::byte* const place = at(base, addresses, stride, lane);
    T old;
    std::memcpy(&old, place, sizeof old);
    const auto value = static_cast<T>(operation.modify(old, static_cast<T>(b[lane]), static_cast<T>(c[lane])));
    changes |= value != old;
    std::memcpy(place, &value, sizeof value);
    if (d != nullptr) d[lane] = old;
  }
  return changes;
}

}  // namespace

namespace {

void add_offset(Operand base, bool wide, Address offset, const Rows& rows, MemoryAccess::Addresses& addresses) {
  if (!base.present()) {
    addresses.fill(offset);
  } else if (wide) {
    const std::uint64_t* const from = row_of<std::uint64_t>(rows, base);
    for (unsigned lane = 0; lane < kLanes; ++lane) addresses[lane] = from[lane] + offset;
  } else {
    const std::uint32_t* const from = row_of<std::uint32_t>(rows, base);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      addresses[lane] = static_cast<std::uint32_t>(from[lane] + static_cast<std::uint32_t>(offset));
  }
}

}  // namespace

void MemoryAccess::compute_addresses(const Operation& operation, const Rows& rows, Addresses& addresses) {
  const bool has_destination =
      operation.action == Action::atomic || operation.action == Action::mbarrier || operation.action == Action::range_policy;
  const unsigned slot = operation.action == Action::load ? operation.elements : has_destination ? 1 : 0;
  add_offset(operation.operands[slot], operation.address_wide, static_cast<Address>(operation.immediate), rows, addresses);
  // Addresses of these spaces have 32 bits, and PTX drops the upper bits of a wider register.
  if (operation.address_wide && (operation.space == StateSpace::shared || operation.space == StateSpace::local))
    for (Address& address : addresses) address = static_cast<std::uint32_t>(address);
}

void MemoryAccess::compute_further_addresses(const Operation& operation, unsigned number, Operand base, const Rows& rows,
                                             Addresses& addresses) {
  const auto offset = static_cast<Address>(std::int64_t{operation.more_offsets[number]});
  add_offset(base, (operation.further_wide >> number & 1) != 0, offset, rows, addresses);
}

StateSpace MemoryAccess::split(StateSpace space, LaneMask mask, Addresses& addresses, LaneMask& part) {
  // Addresses of the space shared::cluster are those of the generic windows, counted from the first window.
  const Address first = space == StateSpace::generic ? kSharedWindow : 0, peers = first + (kClusterWindow - kSharedWindow);
  LaneMask shared = 0, cluster = 0, local = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    shared |= static_cast<LaneMask>(addresses[lane] - first < kWindowBytes) << lane;
    cluster |= static_cast<LaneMask>(addresses[lane] - peers < kLocalWindow - kClusterWindow) << lane;
    if (space == StateSpace::generic) local |= static_cast<LaneMask>(addresses[lane] - kLocalWindow < kWindowBytes) << lane;
  }
  part = shared != 0 ? shared : cluster != 0 ? cluster : local != 0 ? local : mask;
  if ((shared | cluster | local) == 0) return space == StateSpace::generic ? StateSpace::global : StateSpace::shared;
  const Address window = shared != 0 ? first : cluster != 0 ? peers : kLocalWindow;
  for (LaneMask rest = part; rest != 0; rest &= rest - 1) {
    Address& address = addresses[lowest_bit(rest)];
    address -= window;
    if (shared == 0 && cluster != 0) address = cluster_address(static_cast<unsigned>(address / kWindowBytes), address % kWindowBytes);
  }
  return shared != 0 ? StateSpace::shared : cluster != 0 ? StateSpace::shared_cluster : StateSpace::local;
}

void MemoryAccess::check_global(const Operation& operation, std::uint32_t pc, LaneMask mask, const std::array<Address, kLanes>& addresses,
                                const Extent& range) {
  const unsigned bytes = access_bytes(operation);
  const bool writes = operation.action != Action::load;
  const auto is_known = [&](Address least, Address most) {
    return least >= known_base_ && most <= known_end_ - bytes && known_end_ > bytes && !(writes && known_constant_);
  };
  if (is_known(range.least, range.most)) return;
  DeviceMemory& memory = cta_.launch.memory;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    const Address address = addresses[lane];
    if (is_known(address, address)) continue;
    const DeviceMemory::Allocation* const found = memory.find(address);
    const bool good =
        found != nullptr && !found->is_freed && address + bytes <= found->base + found->reach() && !(writes && found->is_constant);
    const FaultPlace place{pc, warp_, lane};
    if (!writes && memory.is_near_allocation(address, bytes)) {
      warn_near_allocation(operation, place, address);
      continue;
    }
    if (!good) fail_thread(cta_, place, describe_global_fault(memory, address, bytes, verb(operation.action)), FaultKind::address);
    if (address + bytes > found->base + found->bytes)
      warn_beyond_end(operation, place, address, *found);
    else
      known_base_ = found->base, known_end_ = found->base + found->bytes, known_constant_ = found->is_constant;
  }
}

void MemoryAccess::warn_near_allocation(const Operation& operation, const FaultPlace& place, Address address) {
  cta_.launch.warn(
      fmt::format("{}: kernel {} loads bytes that belong to no allocation; a GPU does not notice this within a page, and the "
                  "value is arbitrary",
                  cta_.launch.program.place_of(place.pc), cta_.launch.kernel.readable_name));
  if (cta_.checks == nullptr) return;
  const unsigned bytes = access_bytes(operation);
  cta_.checks->on_access_beyond_end(place, describe_global_fault(cta_.launch.memory, address, bytes, verb(operation.action)));
}

void MemoryAccess::warn_beyond_end(const Operation& operation, const FaultPlace& place, Address address,
                                   const DeviceMemory::Allocation& found) {
  cta_.launch.warn(fmt::format("kernel {} accesses bytes beyond the end of allocation {} ({}), up to its granule of 256 bytes",
                               cta_.launch.kernel.readable_name, found.number, found.name));
  if (cta_.checks == nullptr) return;
  const unsigned bytes = access_bytes(operation);
  cta_.checks->on_access_beyond_end(
      place, fmt::format("global {} of {} bytes at {:#x}: {} bytes reach beyond allocation {} ({})", verb(operation.action), bytes, address,
                         address + bytes - found.base - found.bytes, found.number, found.name));
}

void MemoryAccess::check_alignment(const Operation& operation, std::uint32_t pc, LaneMask mask,
                                   const std::array<Address, kLanes>& addresses) {
  const unsigned bytes = access_bytes(operation);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    if (addresses[lane] % bytes == 0) continue;
    fail_thread(cta_, {pc, warp_, lane},
                fmt::format("misaligned {} of {} bytes at {:#x}; the address must be a multiple of {}", verb(operation.action), bytes,
                            addresses[lane], bytes),
                FaultKind::alignment);
  }
}

void MemoryAccess::fail_range(const Operation& operation, std::uint32_t pc, StateSpace space, LaneMask mask,
                              const std::array<Address, kLanes>& addresses, std::uint64_t limit) {
  const unsigned bytes = access_bytes(operation);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    if (addresses[lane] <= limit && bytes <= limit - addresses[lane]) continue;
    fail_thread(cta_, {pc, warp_, lane},
                fmt::format("{} {} of {} bytes at offset {:#x}; there are {} bytes", name_of(space), verb(operation.action), bytes,
                            addresses[lane], limit),
                FaultKind::address);
  }
  fail_thread(cta_, {pc, warp_, 0}, "an access is out of range");
}

std::byte* MemoryAccess::local(unsigned lane, std::uint64_t offset) {
  const std::size_t bytes = cta_.launch.resources.stack_bytes;
  if (stacks_.empty()) stacks_.resize(bytes * kLanes);
  return stacks_.data() + lane * bytes + offset;
}

MemoryAccess::Target MemoryAccess::target(const Operation& operation, std::uint32_t pc, StateSpace space, const Frame& frame, LaneMask mask,
                                          const std::array<Address, kLanes>& addresses, const Extent& range) {
  const auto require_within = [&](std::uint64_t limit) {
    const unsigned bytes = access_bytes(operation);
    if (range.most > limit || bytes > limit - range.most) fail_range(operation, pc, space, mask, addresses, limit);
  };
  LaunchState& launch = cta_.launch;
  switch (space) {
    case StateSpace::shared:
      require_within(cta_.shared.size());
      return {reinterpret_cast<std::uintptr_t>(cta_.shared.data()), 0};
    case StateSpace::local:
      require_within(launch.resources.stack_bytes);
      return {reinterpret_cast<std::uintptr_t>(local(0, 0)), launch.resources.stack_bytes};
    case StateSpace::param:
      if (operation.reads_arguments) {
        if (operation.action != Action::load) fail_thread(cta_, {pc, warp_, lowest_bit(mask)}, "a kernel writes to its parameters");
        require_within(launch.request.arguments.size());
        return {reinterpret_cast<std::uintptr_t>(launch.request.arguments.data()), 0};
      }
      require_within(frame.function.parameter_bytes);
      return {reinterpret_cast<std::uintptr_t>(frame.parameters.data()), frame.function.parameter_bytes};
    default:
      check_global(operation, pc, mask, addresses, range);
      return {reinterpret_cast<std::uintptr_t>(launch.memory.at(launch.memory.base())) - launch.memory.base(), 0};
  }
}

void MemoryAccess::execute(const Operation& operation, std::uint32_t pc, StateSpace space, const Rows& rows, const Frame& frame,
                           LaneMask mask, const std::array<Address, kLanes>& addresses) {
  if (mask == 0) return;
  if (space == StateSpace::shared_cluster) return execute_at_peers(operation, pc, rows, mask, addresses);
  const unsigned bytes = access_bytes(operation);
  const Extent range = extent_of(mask, addresses, bytes);
  if ((range.bits & (bytes - 1)) != 0) check_alignment(operation, pc, mask, addresses);
  const Target to = target(operation, pc, space, frame, mask, addresses, range);
  if (cta_.checks != nullptr) cta_.checks->on_access({operation, pc, warp_, space, mask, addresses, rows, to.base});
  const bool changes = perform(operation, rows, to, range, mask, addresses);
  if (changes && space != StateSpace::local && space != StateSpace::param) cta_.launch.progress.note();
}

/// The effect at the place that target() has found.
bool MemoryAccess::perform(const Operation& operation, const Rows& rows, const Target& to, const Extent& range, LaneMask mask,
                           const Addresses& addresses) {
  const unsigned bytes = access_bytes(operation);
  switch (operation.action) {
    case Action::load:
      if (is_row(operation, range, to.lane_stride) && operation.operands[0].present())
        std::memcpy(rows.of(operation.operands[0]), at(to.base, addresses, 0, 0), bytes * kLanes);
      else
        load(operation, rows, to.base, to.lane_stride, addresses, mask);
      return false;
    case Action::store:
      if (is_row(operation, range, to.lane_stride))
        std::memcpy(at(to.base, addresses, 0, 0), rows.of(operation.operands[1]), bytes * kLanes);
      else
        store(operation, rows, to.base, to.lane_stride, addresses, mask);
      return true;
    default:
      break;
  }
  if (bytes == 2) return modify_lanes<std::uint16_t>(operation, rows, to.base, to.lane_stride, addresses, mask);
  if (bytes == 4) return modify_lanes<std::uint32_t>(operation, rows, to.base, to.lane_stride, addresses, mask);
  return modify_lanes<std::uint64_t>(operation, rows, to.base, to.lane_stride, addresses, mask);
}

void MemoryAccess::require_rank(unsigned rank, std::uint32_t pc, unsigned lane) const {
  const std::uint64_t ctas = cta_.launch.request.cluster.count();
  if (rank < ctas) return;
  const std::string named = rank == kNoRank ? fmt::format("{} or above", kNoRank) : std::to_string(rank);
  fail_thread(cta_, {pc, warp_, lane},
              fmt::format("shared memory of the CTA of rank {} in a cluster of {}; use ranks below {}", named, ctas, ctas),
              FaultKind::address);
}

CtaState& MemoryAccess::peer(unsigned rank, std::uint32_t pc, unsigned lane) {
  require_rank(rank, pc, lane);
  if (CtaState* const found = (*cta_.cluster)[rank]; found != nullptr) return *found;
  fail_thread(cta_, {pc, warp_, lane},
              fmt::format("shared memory of the CTA of rank {}, which has ended; let it wait at the cluster's barrier", rank),
              FaultKind::address);
}

/// `addresses` are cluster addresses.
void MemoryAccess::execute_at_peers(const Operation& operation, std::uint32_t pc, const Rows& rows, LaneMask mask,
                                    const Addresses& addresses) {
  const unsigned bytes = access_bytes(operation);
  for (LaneMask left = mask; left != 0;) {
    const unsigned first = lowest_bit(left), rank = rank_of(addresses[first]);
    CtaState& owner = peer(rank, pc, first);
    Addresses offsets{};
    LaneMask part = 0;
    for (LaneMask rest = left; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest_bit(rest);
      if (rank_of(addresses[lane]) != rank) continue;
      part |= LaneMask{1} << lane;
      offsets[lane] = addresses[lane] - cluster_address(rank, 0);
    }
    left &= ~part;
    const Extent range = extent_of(part, offsets, bytes);
    if ((range.bits & (bytes - 1)) != 0) check_alignment(operation, pc, part, offsets);
    if (range.most + bytes > owner.shared.size()) fail_range(operation, pc, StateSpace::shared_cluster, part, offsets, owner.shared.size());
    if (owner.checks != nullptr && operation.action != Action::load)
      for (LaneMask rest = part; rest != 0; rest &= rest - 1) owner.checks->on_write_from_outside(offsets[lowest_bit(rest)], bytes);
    if (perform(operation, rows, {reinterpret_cast<std::uintptr_t>(owner.shared.data()), 0}, range, part, offsets))
      cta_.launch.progress.note();
  }
}

std::byte* MemoryAccess::shared_part(CtaState& of, std::uint64_t offset, unsigned count, std::uint32_t pc, unsigned lane) {
  if (offset > of.shared.size() || count > of.shared.size() - offset)
    fail_thread(
        cta_, {pc, warp_, lane},
        fmt::format("a bulk copy of {} bytes at offset {:#x} of shared memory; there are {} bytes", count, offset, of.shared.size()),
        FaultKind::address);
  return of.shared.data() + offset;
}

std::byte* MemoryAccess::writable(Address address, unsigned count, std::uint32_t pc, unsigned lane) {
  const DeviceMemory& memory = cta_.launch.memory;
  const DeviceMemory::Allocation* const found = memory.find(address);
  if (found == nullptr || found->is_freed || found->is_constant || address + count > found->base + found->reach())
    fail_thread(cta_, {pc, warp_, lane}, describe_global_fault(memory, address, count, "store"), FaultKind::address);
  return memory.at(address);
}

const std::byte* MemoryAccess::readable(Address generic, unsigned count, std::uint32_t pc, unsigned lane) {
  if (generic - kLocalWindow < kWindowBytes && generic - kLocalWindow + count <= cta_.launch.resources.stack_bytes)
    return local(lane, generic - kLocalWindow);
  if (generic - kSharedWindow < kWindowBytes && generic - kSharedWindow + count <= cta_.shared.size())
    return cta_.shared.data() + (generic - kSharedWindow);
  const DeviceMemory& memory = cta_.launch.memory;
  const DeviceMemory::Allocation* const found = memory.find(generic);
  if (found == nullptr || found->is_freed || generic + count > found->base + found->reach())
    fail_thread(cta_, {pc, warp_, lane}, describe_global_fault(memory, generic, count, "load"), FaultKind::address);
  return memory.at(generic);
}

}  // namespace wharf::ptx
