// Integer arithmetic on lanes. All sums and products are computed unsigned, because signed overflow is undefined in C++ and wraps in PTX.
#include "stimuli/ptx/lanes/integers/integer.h"

#include <algorithm>
#include <limits>

#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::integer {

namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

template <class T>
struct Double;
template <>
struct Double<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct Double<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct Double<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct Double<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct Double<std::uint64_t> {
  using type = Uint128;
};
template <>
struct Double<std::int64_t> {
  using type = Int128;
};
template <class T>
using Twice = typename Double<T>::type;

constexpr std::int32_t saturated(std::int64_t value) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min(), kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(value, kLeast, kMost));
}

struct Add {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a - b);
  }
};
struct AddSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} + b); }
};
struct SubSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} - b); }
};
struct MulLow {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(static_cast<Stored<T>>(a) * b);
  }
};
struct MulHigh {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b) >> (8 * sizeof(T)));
  }
};
struct MulWide {
  template <class T>
  static Twice<T> of(T a, T b) {
    return static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b);
  }
};
struct MadLow {
  template <class T>
  static T of(T a, T b, T c) {
    return static_cast<T>(static_cast<Stored<T>>(a) * b + c);
  }
};
struct MadHigh {
  template <class T>
  static T of(T a, T b, T c) {
    return static_cast<T>(static_cast<Unsigned<T>>(MulHigh::of(a, b)) + static_cast<Unsigned<T>>(c));
  }
};
struct MadHighSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b, std::int32_t c) { return saturated(std::int64_t{MulHigh::of(a, b)} + c); }
};
struct MadWide {
  template <class T>
  static Twice<T> of(T a, T b, Twice<T> c) {
    using U = Unsigned<Twice<T>>;
    return static_cast<Twice<T>>(static_cast<U>(MulWide::of(a, b)) + static_cast<U>(c));
  }
};

/// The 24 low bits of a, sign-extended for s32.
template <class T>
constexpr std::int64_t low24(T a) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8;
  else
    return a & 0xFFFFFF;
}
struct Mul24Low {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(low24(a) * low24(b));
  }
};
struct Mul24High {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(low24(a) * low24(b) >> 16);
  }
};
template <class Product>
struct Mad24 {
  template <class T>
  static T of(T a, T b, T c) {
    return static_cast<T>(static_cast<std::uint32_t>(Product::of(a, b)) + static_cast<std::uint32_t>(c));
  }
};
struct Mad24HighSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b, std::int32_t c) { return saturated(std::int64_t{Mul24High::of(a, b)} + c); }
};

struct Sad {
  template <class T>
  static T of(T a, T b, T c) {
    using U = Unsigned<T>;
    const U difference =
        a < b ? static_cast<U>(static_cast<U>(b) - static_cast<U>(a)) : static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
    return static_cast<T>(static_cast<U>(c) + difference);
  }
};
struct Div {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(0 - static_cast<Unsigned<T>>(a));  // the host traps for the smallest a
    }
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Abs {
  template <class T>
  static T of(T a) {
    return a < 0 ? static_cast<T>(0 - static_cast<Unsigned<T>>(a)) : a;
  }
};
struct Neg {
  template <class T>
  static T of(T a) {
    return static_cast<T>(0 - a);
  }
};
struct Min {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};

template <class A, class B>
struct DotBytes {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned i = 0; i < 32; i += 8)
      c +=
          static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<A>(a >> i)) * static_cast<std::int32_t>(static_cast<B>(b >> i)));
    return c;
  }
};
template <class A, class B, unsigned FirstByte>
struct DotHalves {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned i = 0; i < 2; ++i)
      c += static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<A>(a >> (16 * i))) *
                                      static_cast<std::int32_t>(static_cast<B>(b >> (8 * (FirstByte + i)))));
    return c;
  }
};

template <class F, unsigned Sources>
Compute by_int32(Type type) {
  return type == Type::s32 ? same_type<F, std::int32_t, Sources>() : same_type<F, std::uint32_t, Sources>();
}

}  // namespace

Compute add(const Form& form) { return form.has("sat") ? same_type<AddSaturated, std::int32_t, 2>() : by_width<Add, 2>(form.type()); }
Compute sub(const Form& form) { return form.has("sat") ? same_type<SubSaturated, std::int32_t, 2>() : by_width<Sub, 2>(form.type()); }

Compute mul(const Form& form) {
  if (form.has("lo")) return by_width<MulLow, 2>(form.type());
  if (form.has("hi")) return by_integer<MulHigh, 2>(form.type());
  switch (form.type()) {
    case Type::u16:
      return &map_lanes<MulWide, std::uint32_t, std::uint16_t, std::uint16_t>;
    case Type::s16:
      return &map_lanes<MulWide, std::int32_t, std::int16_t, std::int16_t>;
    case Type::u32:
      return &map_lanes<MulWide, std::uint64_t, std::uint32_t, std::uint32_t>;
    default:
      return &map_lanes<MulWide, std::int64_t, std::int32_t, std::int32_t>;
  }
}

Compute mad(const Form& form) {
  if (form.has("lo")) return by_width<MadLow, 3>(form.type());
  if (form.has("sat")) return same_type<MadHighSaturated, std::int32_t, 3>();
  if (form.has("hi")) return by_integer<MadHigh, 3>(form.type());
  switch (form.type()) {
    case Type::u16:
      return &map_lanes<MadWide, std::uint32_t, std::uint16_t, std::uint16_t, std::uint32_t>;
    case Type::s16:
      return &map_lanes<MadWide, std::int32_t, std::int16_t, std::int16_t, std::int32_t>;
    case Type::u32:
      return &map_lanes<MadWide, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>;
    default:
      return &map_lanes<MadWide, std::int64_t, std::int32_t, std::int32_t, std::int64_t>;
  }
}

Compute mul24(const Form& form) { return form.has("lo") ? by_int32<Mul24Low, 2>(form.type()) : by_int32<Mul24High, 2>(form.type()); }
Compute mad24(const Form& form) {
  if (form.has("sat")) return same_type<Mad24HighSaturated, std::int32_t, 3>();
  return form.has("lo") ? by_int32<Mad24<Mul24Low>, 3>(form.type()) : by_int32<Mad24<Mul24High>, 3>(form.type());
}
Compute sad(const Form& form) { return by_integer<Sad, 3>(form.type()); }
Compute div(const Form& form) { return by_integer<Div, 2>(form.type()); }
Compute rem(const Form& form) { return by_integer<Rem, 2>(form.type()); }
Compute abs(const Form& form) { return by_integer<Abs, 1>(form.type()); }
Compute neg(const Form& form) { return by_width<Neg, 1>(form.type()); }
Compute min(const Form& form) { return by_integer<Min, 2>(form.type()); }
Compute max(const Form& form) { return by_integer<Max, 2>(form.type()); }

Compute dp4a(const Form& form) {
  const bool a = is_signed(form.type(0)), b = is_signed(form.type(1));
  if (a)
    return b ? same_type<DotBytes<std::int8_t, std::int8_t>, std::uint32_t, 3>()
             : same_type<DotBytes<std::int8_t, std::uint8_t>, std::uint32_t, 3>();
  return b ? same_type<DotBytes<std::uint8_t, std::int8_t>, std::uint32_t, 3>()
           : same_type<DotBytes<std::uint8_t, std::uint8_t>, std::uint32_t, 3>();
}

namespace {

template <class A, class B>
Compute dp2a_of(bool high) {
  return high ? same_type<DotHalves<A, B, 2>, std::uint32_t, 3>() : same_type<DotHalves<A, B, 0>, std::uint32_t, 3>();
}

}  // namespace

Compute dp2a(const Form& form) {
  const bool a = is_signed(form.type(0)), b = is_signed(form.type(1)), high = form.has("hi");
  if (a) return b ? dp2a_of<std::int16_t, std::int8_t>(high) : dp2a_of<std::int16_t, std::uint8_t>(high);
  return b ? dp2a_of<std::uint16_t, std::int8_t>(high) : dp2a_of<std::uint16_t, std::uint8_t>(high);
}

}  // namespace wharf::ptx::integer
