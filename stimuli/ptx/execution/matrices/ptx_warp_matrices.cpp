// Matrices of a warp. An access is shown as loads or stores of up to 32 pieces of the matrix, one per lane.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/base/bits.h"
#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/lanes/matrices/product.h"
#include "stimuli/ptx/lanes/rows.h"
#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {

namespace {

template <class T>
bool differ(const T& values) {
  return std::any_of(values.begin(), values.end(), [&](const auto& value) { return value != values.front(); });
}

/// True where all lanes name one matrix, false where they name its rows.
bool has_one_address(const MatrixOperation& access) {
  return access.placement == Placement::lines || access.placement == Placement::columns;
}

/// An access of one piece per lane, with rows of 64-bit words.
Operation part_of(const Operation& operation, unsigned bytes) {
  Operation part;
  part.action = operation.action == Action::matrix_load ? Action::load : Action::store;
  part.type = Type::b64;
  part.elements = static_cast<std::uint8_t>(bytes / bytes_of(Type::b64));
  const unsigned first = part.action == Action::load ? 0 : 1;
  for (unsigned i = 0; i < part.elements; ++i) {
    part.operands[first + i] = Operand(Bank::frame, i * kRow64);
    part.data_wide |= static_cast<std::uint8_t>(1u << i);
  }
  return part;
}

std::size_t offset_of(Pieces::Place place) {
  constexpr unsigned kWord = sizeof(std::uint64_t);
  const unsigned part = place.piece / kLanes, lane = place.piece % kLanes, word = place.byte / kWord;
  return part * std::size_t{Pieces::kMostBytes} * kLanes + word * std::size_t{kRow64} + lane * kWord + place.byte % kWord;
}

/// Calls visit(lane, element, byte of the matrix) for each element of a fragment.
template <class Visit>
void for_each_element(const MatrixOperation& access, Visit visit) {
  const Pieces pieces(access);
  for (unsigned element = 0; element < access.d.elements(); ++element)
    for (unsigned lane = 0; lane < kLanes; ++lane) visit(lane, element, offset_of(pieces.place(access.d.position(lane, element))));
}

}  // namespace

void PtxWarp::require_all_lanes(LaneMask mask) const {
  if (mask == kAllLanes) return;
  fail(fmt::format("an instruction on matrices in lanes {:#010x} of the warp; let all 32 lanes execute it together", mask),
       lowest_bit(mask));
}

void PtxWarp::execute_product(const Operation& operation, LaneMask mask) {
  if (mask == 0) return;
  require_all_lanes(mask);
  compute_matrix(program_.matrices()[operation.target], rows_);
}

/// The lanes that access a piece in the present part.
LaneMask PtxWarp::lanes_with_pieces(const Operation& operation) const {
  const unsigned count = Pieces(program_.matrices()[operation.target]).count(), first = matrix_->part * kLanes;
  if (count <= first) return 0;
  return count - first >= kLanes ? kAllLanes : (LaneMask{1} << (count - first)) - 1;
}

/// Writes the addresses of the pieces of the present part.
void PtxWarp::place_pieces(const Operation& operation) {
  const MatrixOperation& access = program_.matrices()[operation.target];
  const Pieces pieces(access);
  MemoryAccess::Addresses& addresses = instruction_.addresses;
  MemoryAccess::compute_addresses(operation, rows_, addresses);
  if (!has_one_address(access)) return;  // the lanes have those of the rows
  std::uint64_t stride = pieces.length();
  if (operation.operands[1].present()) stride = row_of<std::uint32_t>(rows_, operation.operands[1])[0];
  const Address base = addresses[0];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned piece = matrix_->part * kLanes + lane;
    addresses[lane] = base + pieces.line(piece) * stride * access.d.bytes() + pieces.first_byte(piece);
  }
}

/// `stride`: in bytes; 0 where the lines follow each other.
void PtxWarp::require_aligned(const Operation& operation, Address address, std::uint64_t stride) {
  // The CUDA guide asks for addresses of 32 bytes (load_matrix_sync), but lanes access up to 16 bytes at a time, and programs rely on it.
  constexpr unsigned kAlignment = 16;
  const bool is_address = address % kAlignment != 0;
  if (!is_address && stride % kAlignment == 0) return;
  const std::string what = is_address
                               ? fmt::format("a matrix at {:#x}; the address must be a multiple of {} bytes", address, kAlignment)
                               : fmt::format("a matrix whose lines lie {} bytes apart; that must be a multiple of {}", stride, kAlignment);
  fail_thread(*cta_, {lanes_.running().pc, number_, 0},
              fmt::format("misaligned {} of {}", operation.action == Action::matrix_load ? "load" : "store", what), FaultKind::alignment);
}

void PtxWarp::show_matrix_access(const Operation& operation) {
  if (matrix_ == nullptr) matrix_ = std::make_unique<MatrixBytes>();
  matrix_->part = 0;
  if (mask_ != 0) {
    require_all_lanes(mask_);
    const MatrixOperation& access = program_.matrices()[operation.target];
    MemoryAccess::Addresses bases;
    MemoryAccess::compute_addresses(operation, rows_, bases);
    std::array<std::uint32_t, kLanes> strides{};
    if (operation.operands[1].present()) std::memcpy(strides.data(), rows_.of(operation.operands[1]), sizeof strides);
    if (has_one_address(access) && (differ(bases) || differ(strides)))
      fail("lanes of a warp name different matrices; give all lanes one address and one stride");
    if (has_one_address(access)) require_aligned(operation, bases[0], strides[0] * access.d.bytes());
    if (operation.action == Action::matrix_store)
      for_each_element(access, [&](unsigned lane, unsigned element, std::size_t at) {
        const std::uint64_t bits = read_element(access.d, access.registers.data(), rows_, lane, element);
        std::memcpy(matrix_->bytes.data() + at, &bits, access.d.bytes());
      });
    pending_ = lanes_with_pieces(operation);
  }
  show_matrix_part(operation);
}

/// Shows the lanes of `pending_` whose pieces are in one space.
void PtxWarp::show_matrix_part(const Operation& operation) {
  place_pieces(operation);
  LaneMask lanes = pending_;
  space_ = operation.space;
  if (space_ == StateSpace::generic) space_ = MemoryAccess::split(space_, pending_, instruction_.addresses, lanes);
  if (pending_ != 0 && space_ != StateSpace::global && space_ != StateSpace::shared)
    fail("a matrix that is neither in global memory nor in the block's own shared memory; copy it there", lowest_bit(lanes));
  instruction_.active = lanes;
  instruction_.access_bytes = static_cast<std::uint8_t>(Pieces(program_.matrices()[operation.target]).bytes());
  instruction_.space = Space::global;
  instruction_.cache_op = CacheOp::all;
  instruction_.eviction = Eviction::unhinted;
  const bool loads = operation.action == Action::matrix_load;
  instruction_.unit = space_ == StateSpace::shared ? Unit::shared : loads ? Unit::load : Unit::store;
}

void PtxWarp::issue_matrix_access(const Operation& operation) {
  Split& split = lanes_.running();
  const MatrixOperation& access = program_.matrices()[operation.target];
  if (pending_ != 0) {
    Rows own;
    own.banks[static_cast<unsigned>(Bank::frame)] = matrix_->bytes.data() + matrix_->part * MatrixBytes::kPartBytes;
    access_.execute(part_of(operation, Pieces(access).bytes()), split.pc, space_, own, *split.frame, instruction_.active,
                    instruction_.addresses);
    pending_ &= ~instruction_.active;
    if (pending_ != 0) return show_matrix_part(operation);
    ++matrix_->part;
    pending_ = lanes_with_pieces(operation);
    if (pending_ != 0) return show_matrix_part(operation);
    if (operation.action == Action::matrix_load)
      for_each_element(access, [&](unsigned lane, unsigned element, std::size_t at) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, matrix_->bytes.data() + at, access.d.bytes());
        write_element(access.d, access.registers.data(), rows_, lane, element, bits);
      });
  }
  ready_ = false;
  split.is_forced = false;
  lanes_.go_to(split.pc + 1);
}

}  // namespace wharf::ptx
