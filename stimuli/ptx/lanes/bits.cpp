// Logic, shifts and bit fields on lanes. Shift amounts clamp at the width, where the host's shifts are undefined or masked.
#include "stimuli/ptx/lanes/bits.h"

#include <algorithm>

#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::bits {

namespace {

template <class T>
inline constexpr unsigned kWidth = 8 * sizeof(T);

struct And {
  template <class T>
  static T of(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static T of(T a) {
    return a == 0;
  }
};
struct ShiftLeft {
  template <class T>
  static T of(T a, std::uint32_t amount) {
    return amount >= kWidth<T> ? T{0} : static_cast<T>(static_cast<Stored<T>>(a) << amount);
  }
};
struct ShiftRight {
  template <class T>
  static T of(T a, std::uint32_t amount) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> std::min(amount, kWidth<T> - 1));
    else
      return amount >= kWidth<T> ? T{0} : static_cast<T>(a >> amount);
  }
};

template <bool Wrap, bool Left>
struct Funnel {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const unsigned amount = Wrap ? c & 31 : std::min(c, 32u);
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    return static_cast<std::uint32_t>(Left ? both << amount >> 32 : both >> amount);
  }
};

struct Lookup {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Operation& operation) {
    std::uint32_t result = 0;
    for (unsigned row = 0; row < 8; ++row) {
      if ((operation.immediate >> row & 1) == 0) continue;
      result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
    }
    return result;
  }
};

/// Byte `selector` (bits 2..0) of the eight bytes {b, a}; bit 3 replaces it by its sign in all bits.
inline std::uint32_t chosen_byte(std::uint64_t bytes, unsigned selector) {
  const auto byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7)) & 0xFF);
  if ((selector & 8) == 0) return byte;
  return (byte & 0x80) != 0 ? 0xFF : 0;
}
struct Permute {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) result |= chosen_byte(bytes, c >> (4 * i) & 0xF) << (8 * i);
    return result;
  }
};
/// The byte of {b, a} for byte `i` of the result, with selector s = c[1:0], in the named modes.
struct Forward4 {
  static unsigned of(unsigned i, unsigned s) { return s + i; }
};
struct Backward4 {
  static unsigned of(unsigned i, unsigned s) { return (s - i) & 7; }
};
struct Replicate8 {
  static unsigned of(unsigned, unsigned s) { return s; }
};
struct EdgeLeft {
  static unsigned of(unsigned i, unsigned s) { return std::max(i, s); }
};
struct EdgeRight {
  static unsigned of(unsigned i, unsigned s) { return std::min(i, s); }
};
struct Replicate16 {
  static unsigned of(unsigned i, unsigned s) { return (s & 1) * 2 + (i & 1); }
};
template <class Mode>
struct PermuteMode {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) result |= chosen_byte(bytes, Mode::of(i, c & 3)) << (8 * i);
    return result;
  }
};

struct PopCount {
  template <class T>
  static std::uint32_t of(T a) {
    return static_cast<std::uint32_t>(__builtin_popcountll(a));
  }
};
struct LeadingZeros {
  static std::uint32_t of(std::uint32_t a) { return a == 0 ? 32 : static_cast<std::uint32_t>(__builtin_clz(a)); }
  static std::uint32_t of(std::uint64_t a) { return a == 0 ? 64 : static_cast<std::uint32_t>(__builtin_clzll(a)); }
};
struct Reverse {
  static std::uint64_t of(std::uint64_t a) {
    a = (a >> 1 & 0x5555555555555555ull) | (a & 0x5555555555555555ull) << 1;
    a = (a >> 2 & 0x3333333333333333ull) | (a & 0x3333333333333333ull) << 2;
    a = (a >> 4 & 0x0F0F0F0F0F0F0F0Full) | (a & 0x0F0F0F0F0F0F0F0Full) << 4;
    return __builtin_bswap64(a);
  }
  static std::uint32_t of(std::uint32_t a) { return static_cast<std::uint32_t>(of(std::uint64_t{a} << 32)); }
};

/// The highest bit that is not a copy of the sign; 0xffffffff where there is none.
template <bool ShiftAmount>
struct Find {
  template <class T>
  static std::uint32_t of(T a) {
    using U = Unsigned<T>;
    const U value = a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
    if (value == 0) return ~0u;
    const std::uint32_t position = kWidth<T> - 1 - LeadingZeros::of(value);
    return ShiftAmount ? kWidth<T> - 1 - position : position;
  }
};

struct Extract {
  template <class T>
  static T of(T a, std::uint32_t b, std::uint32_t c) {
    using U = Unsigned<T>;
    const unsigned position = b & 0xFF, length = c & 0xFF;
    if (length == 0) return 0;
    const unsigned last = std::min(position + length - 1, kWidth<T> - 1);
    const bool sign = std::is_signed_v<T> && (static_cast<U>(a) >> last & 1) != 0;
    U field = position >= kWidth<T> ? U{0} : static_cast<U>(static_cast<U>(a) >> position);
    const unsigned kept = position >= kWidth<T> ? 0 : std::min(length, kWidth<T> - position);
    if (kept < kWidth<T>) {
      const U mask = static_cast<U>((U{1} << kept) - 1);
      field = static_cast<U>((field & mask) | (sign ? static_cast<U>(~mask) : U{0}));
    }
    return static_cast<T>(field);
  }
};
struct Insert {
  template <class T>
  static T of(T a, T b, std::uint32_t c, std::uint32_t d) {
    const unsigned position = c & 0xFF, length = d & 0xFF;
    if (length == 0 || position >= kWidth<T>) return b;
    const T ones = length >= kWidth<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T mask = static_cast<T>(ones << position);
    return static_cast<T>((b & ~mask) | (a << position & mask));
  }
};
template <bool Wrap>
struct Mask {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    const unsigned position = Wrap ? a & 31 : std::min(a, 32u), length = Wrap ? b & 31 : std::min(b, 32u);
    const std::uint64_t ones = (std::uint64_t{1} << length) - 1;
    return static_cast<std::uint32_t>(ones << position);
  }
};

/// Logic of predicates works on lane masks.
template <class F>
void predicate_logic(const Operation& operation, const Rows& rows, LaneMask active) {
  const LaneMask value = F::of(read_predicate(operation, rows, 1), read_predicate(operation, rows, 2));
  write_predicate(rows.predicate(operation.operands[0]), value, active);
}
void predicate_not(const Operation& operation, const Rows& rows, LaneMask active) {
  write_predicate(rows.predicate(operation.operands[0]), ~read_predicate(operation, rows, 1), active);
}
template <class F>
Compute logic(const Form& form) {
  return form.type() == Type::pred ? &predicate_logic<F> : by_width<F, 2>(form.type());
}

template <class F>
Compute counting(Type type) {
  return bytes_of(type) == 4 ? &map_lanes<F, std::uint32_t, std::uint32_t> : &map_lanes<F, std::uint32_t, std::uint64_t>;
}

template <bool ShiftAmount>
Compute find_form(Type type) {
  switch (type) {
    case Type::u32:
      return &map_lanes<Find<ShiftAmount>, std::uint32_t, std::uint32_t>;
    case Type::s32:
      return &map_lanes<Find<ShiftAmount>, std::uint32_t, std::int32_t>;
    case Type::u64:
      return &map_lanes<Find<ShiftAmount>, std::uint32_t, std::uint64_t>;
    default:
      return &map_lanes<Find<ShiftAmount>, std::uint32_t, std::int64_t>;
  }
}

}  // namespace

Compute bit_and(const Form& form) { return logic<And>(form); }
Compute bit_or(const Form& form) { return logic<Or>(form); }
Compute bit_xor(const Form& form) { return logic<Xor>(form); }
Compute bit_not(const Form& form) { return form.type() == Type::pred ? &predicate_not : by_width<Not, 1>(form.type()); }
Compute cnot(const Form& form) { return by_width<Cnot, 1>(form.type()); }

Compute shl(const Form& form) {
  switch (bytes_of(form.type())) {
    case 2:
      return &map_lanes<ShiftLeft, std::uint16_t, std::uint16_t, std::uint32_t>;
    case 4:
      return &map_lanes<ShiftLeft, std::uint32_t, std::uint32_t, std::uint32_t>;
    default:
      return &map_lanes<ShiftLeft, std::uint64_t, std::uint64_t, std::uint32_t>;
  }
}
Compute shr(const Form& form) {
  switch (form.type()) {
    case Type::s16:
      return &map_lanes<ShiftRight, std::int16_t, std::int16_t, std::uint32_t>;
    case Type::s32:
      return &map_lanes<ShiftRight, std::int32_t, std::int32_t, std::uint32_t>;
    case Type::s64:
      return &map_lanes<ShiftRight, std::int64_t, std::int64_t, std::uint32_t>;
    case Type::u16:
    case Type::b16:
      return &map_lanes<ShiftRight, std::uint16_t, std::uint16_t, std::uint32_t>;
    case Type::u32:
    case Type::b32:
      return &map_lanes<ShiftRight, std::uint32_t, std::uint32_t, std::uint32_t>;
    default:
      return &map_lanes<ShiftRight, std::uint64_t, std::uint64_t, std::uint32_t>;
  }
}

Compute shf(const Form& form) {
  if (form.has("l"))
    return form.has("wrap") ? same_type<Funnel<true, true>, std::uint32_t, 3>() : same_type<Funnel<false, true>, std::uint32_t, 3>();
  return form.has("wrap") ? same_type<Funnel<true, false>, std::uint32_t, 3>() : same_type<Funnel<false, false>, std::uint32_t, 3>();
}

Compute lop3(const Form&) { return &map_lanes_with<Lookup, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>; }

Compute prmt(const Form& form) {
  if (form.has("f4e")) return same_type<PermuteMode<Forward4>, std::uint32_t, 3>();
  if (form.has("b4e")) return same_type<PermuteMode<Backward4>, std::uint32_t, 3>();
  if (form.has("rc8")) return same_type<PermuteMode<Replicate8>, std::uint32_t, 3>();
  if (form.has("ecl")) return same_type<PermuteMode<EdgeLeft>, std::uint32_t, 3>();
  if (form.has("ecr")) return same_type<PermuteMode<EdgeRight>, std::uint32_t, 3>();
  if (form.has("rc16")) return same_type<PermuteMode<Replicate16>, std::uint32_t, 3>();
  return same_type<Permute, std::uint32_t, 3>();
}

Compute popc(const Form& form) { return counting<PopCount>(form.type()); }
Compute clz(const Form& form) { return counting<LeadingZeros>(form.type()); }
Compute brev(const Form& form) {
  return bytes_of(form.type()) == 4 ? same_type<Reverse, std::uint32_t, 1>() : same_type<Reverse, std::uint64_t, 1>();
}
Compute bfind(const Form& form) { return form.has("shiftamt") ? find_form<true>(form.type()) : find_form<false>(form.type()); }

Compute bfe(const Form& form) {
  switch (form.type()) {
    case Type::u32:
      return &map_lanes<Extract, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    case Type::s32:
      return &map_lanes<Extract, std::int32_t, std::int32_t, std::uint32_t, std::uint32_t>;
    case Type::u64:
      return &map_lanes<Extract, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;
    default:
      return &map_lanes<Extract, std::int64_t, std::int64_t, std::uint32_t, std::uint32_t>;
  }
}
Compute bfi(const Form& form) {
  return bytes_of(form.type()) == 4 ? &map_lanes<Insert, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>
                                    : &map_lanes<Insert, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;
}
Compute bmsk(const Form& form) {
  return form.has("wrap") ? same_type<Mask<true>, std::uint32_t, 2>() : same_type<Mask<false>, std::uint32_t, 2>();
}

}  // namespace wharf::ptx::bits
