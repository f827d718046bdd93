#pragma once
// Reads and writes rows, and applies a function to the lanes of a warp: every loop over lanes of the arithmetic is one of these.

#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "stimuli/ptx/lanes/operation.h"

namespace wharf::ptx {

/// The bits of an IEEE half.
struct Half {
  std::uint16_t bits = 0;
};
/// The bits of a bfloat16: the upper half of an f32.
struct Bfloat {
  std::uint16_t bits = 0;
};
template <class T>
inline constexpr bool kIsShortFloat = std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>;

/// How a row stores a value: registers of up to 32 bits take 32 bits a lane, and all others 64.
template <class T>
using Stored = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;

/// The low bits of a stored value, as a T.
template <class T>
inline T from_stored(Stored<T> bits) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else if constexpr (kIsShortFloat<T>) {
    return {static_cast<std::uint16_t>(bits)};
  } else {
    T value;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
}

/// Signed values are sign-extended, others zero-extended, as loads into wider registers are.
template <class T>
inline Stored<T> to_stored(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<Stored<T>>(value);
  } else if constexpr (kIsShortFloat<T>) {
    return value.bits;
  } else {
    Stored<T> bits;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
}

template <class T>
inline const Stored<T>* row_of(const Rows& rows, Operand operand) {
  return reinterpret_cast<const Stored<T>*>(rows.of(operand));
}

template <class S>
inline void write_row(std::byte* row, const S* values, LaneMask active) {
  S* const to = reinterpret_cast<S*>(row);
  if (active == kAllLanes) {
    std::memcpy(to, values, kLanes * sizeof(S));
    return;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    to[lane] = values[lane];
  }
}

/// A lane mask from 32 bytes that are 0 or 1.
inline LaneMask mask_of(const std::uint8_t* flags) {
  LaneMask mask = 0;
  for (unsigned i = 0; i < kLanes; i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, flags + i, sizeof eight);
    mask |= static_cast<LaneMask>(eight * 0x0102040810204080ull >> 56) << i;
  }
  return mask;
}

/// Writes the lanes of `active`.
inline void write_predicate(LaneMask& predicate, LaneMask value, LaneMask active) { predicate = (predicate & ~active) | (value & active); }

/// The value of a predicate operand, negated where the operation says so.
inline LaneMask read_predicate(const Operation& operation, const Rows& rows, unsigned index) {
  const LaneMask value = rows.predicate(operation.operands[index]);
  return (operation.negated >> index & 1) != 0 ? ~value : value;
}

/// operands[0] = F::of(operands[1], operands[2], ...) lane by lane, with operands read as S... and the result as D.
template <class F, class D, class... S, std::size_t... I>
inline void compute_lanes(const Operation& operation, const Rows& rows, LaneMask active, std::index_sequence<I...>) {
  alignas(64) Stored<D> out[kLanes];
  const auto sources = std::make_tuple(row_of<S>(rows, operation.operands[I + 1])...);
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = to_stored<D>(F::of(from_stored<S>(std::get<I>(sources)[lane])...));
  write_row(rows.of(operation.operands[0]), out, active);
}
template <class F, class D, class... S>
void map_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  compute_lanes<F, D, S...>(operation, rows, active, std::index_sequence_for<S...>{});
}

/// As map_lanes, with the operation itself as the last argument of F::of: for what needs a literal of the instruction.
template <class F, class D, class... S, std::size_t... I>
inline void compute_lanes_with(const Operation& operation, const Rows& rows, LaneMask active, std::index_sequence<I...>) {
  alignas(64) Stored<D> out[kLanes];
  const auto sources = std::make_tuple(row_of<S>(rows, operation.operands[I + 1])...);
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = to_stored<D>(F::of(from_stored<S>(std::get<I>(sources)[lane])..., operation));
  write_row(rows.of(operation.operands[0]), out, active);
}
template <class F, class D, class... S>
void map_lanes_with(const Operation& operation, const Rows& rows, LaneMask active) {
  compute_lanes_with<F, D, S...>(operation, rows, active, std::index_sequence_for<S...>{});
}

}  // namespace wharf::ptx
