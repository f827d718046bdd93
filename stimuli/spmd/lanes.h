#pragma once
// The values of SPMD kernels: one element per lane of a warp, and the registers from which it was computed. Arithmetic runs on the host and
// costs no simulated instruction: only Warp emits instructions, with the counts of the workload catalogue. An expression carries the set of
// registers for which an instruction that uses it must wait. Inactive lanes hold values too (0 after a masked load), which nothing reads.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"

namespace wharf::spmd {

/// Up to four register ids, the number that an instruction can name.
class Sources {
 public:
  constexpr Sources() = default;
  explicit constexpr Sources(RegisterId id) : packed_(0xFFFFFF00u | id) {}

  constexpr bool empty() const { return packed_ == kNone; }
  constexpr bool several() const { return (*this)[1] != kNoRegister; }
  constexpr RegisterId operator[](unsigned i) const { return static_cast<RegisterId>(packed_ >> (8 * i)); }
  constexpr RegisterId first() const { return (*this)[0]; }

  /// Throws std::logic_error for more than four: the kernel must then compute in steps.
  friend Sources operator|(Sources a, Sources b) {
    if (a.packed_ == b.packed_ || b.empty()) return a;
    return a.empty() ? b : merged(a, b);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  static Sources merged(Sources a, Sources b) {
    for (; !b.empty(); b.packed_ = (b.packed_ >> 8) | 0xFF000000u) a.add(b.first());
    return a;
  }
  void add(RegisterId id) {
    for (unsigned i = 0; i < 4; ++i) {
      if ((*this)[i] == id) return;
      if ((*this)[i] != kNoRegister) continue;
      packed_ ^= std::uint32_t(kNoRegister ^ id) << (8 * i);
      return;
    }
    throw std::logic_error("an expression of an SPMD kernel names more than four registers; compute it in steps");
  }

  std::uint32_t packed_ = kNone;  // first id in the low byte; kNoRegister fills the rest
};

template <class T>
struct Lanes {
  alignas(16) std::array<T, kLanes> v;
  Sources sources;

  Lanes() {}                         // NOLINT(modernize-use-equals-default): elements stay uninitialised, every use fills them
  Lanes(T value) { v.fill(value); }  // NOLINT(google-explicit-constructor): a scalar is the same in all lanes

  T operator[](unsigned lane) const { return v[lane]; }
};

/// A condition: bit l = lane l.
template <>
struct Lanes<bool> {
  LaneMask bits = 0;
  Sources sources;

  bool operator[](unsigned lane) const { return (bits >> lane) & 1u; }
};
using Mask = Lanes<bool>;

/// T in a non-deduced context, so that an argument may be anything convertible to it.
template <class T>
struct NotDeduced {
  using type = T;
};
template <class T>
using SameAs = typename NotDeduced<T>::type;

/// Applies f lane by lane.
template <class F, class... A>
auto lanewise(F f, const Lanes<A>&... a) {
  Lanes<decltype(f(a.v[0]...))> out;
  for (unsigned l = 0; l < kLanes; ++l) out.v[l] = f(a.v[l]...);
  out.sources = (a.sources | ...);
  return out;
}

namespace detail {

inline constexpr std::array<LaneMask, kLanes> kBits = [] {
  std::array<LaneMask, kLanes> bits{};
  for (unsigned l = 0; l < kLanes; ++l) bits[l] = LaneMask{1} << l;
  return bits;
}();

// One operand is Lanes<T>; the other is Lanes<T> or a number, which has the same value in all lanes.
template <class A, class B>
struct Operands {};
template <class T>
struct Operands<Lanes<T>, Lanes<T>> {
  using Element = T;
};
template <class T, class B>
struct Operands<Lanes<T>, B> {
  using Element = std::enable_if_t<std::is_arithmetic_v<B>, T>;
  static_assert(std::is_floating_point_v<T> || std::is_integral_v<B>, "an integer would be combined with a fraction");
};
template <class A, class T>
struct Operands<A, Lanes<T>> : Operands<Lanes<T>, A> {};
template <class A, class B>
using Element = typename Operands<A, B>::Element;

template <class T>
T element(const Lanes<T>& lanes, unsigned lane) {
  return lanes.v[lane];
}
template <class T>
T element(T scalar, unsigned) {
  return scalar;
}
template <class T>
Sources sources_of(const Lanes<T>& lanes) {
  return lanes.sources;
}
template <class T>
Sources sources_of(T) {
  return {};
}

template <class F, class A, class B, class T = Element<A, B>>
Lanes<T> arithmetic(F f, const A& a, const B& b) {
  Lanes<T> out;
  for (unsigned l = 0; l < kLanes; ++l) out.v[l] = static_cast<T>(f(static_cast<T>(element(a, l)), static_cast<T>(element(b, l))));
  out.sources = sources_of(a) | sources_of(b);
  return out;
}

template <class F, class A, class B, class T = Element<A, B>>
Mask comparison(F f, const A& a, const B& b) {
  LaneMask bits = 0;  // ors selected bits instead of shifting, because plain SSE2 can do that four lanes at a time
  for (unsigned l = 0; l < kLanes; ++l) bits |= f(static_cast<T>(element(a, l)), static_cast<T>(element(b, l))) ? kBits[l] : 0;
  return {bits, sources_of(a) | sources_of(b)};
}

// Integers wrap, because inactive lanes may hold any value and must not cause undefined overflow.
template <class T>
auto wrapping(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::make_unsigned_t<T>>(x);
  else
    return x;
}

}  // namespace detail

template <class A, class B, class = detail::Element<A, B>>
auto operator+(const A& a, const B& b) {
  return detail::arithmetic([](auto x, auto y) { return detail::wrapping(x) + detail::wrapping(y); }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
auto operator-(const A& a, const B& b) {
  return detail::arithmetic([](auto x, auto y) { return detail::wrapping(x) - detail::wrapping(y); }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
auto operator*(const A& a, const B& b) {
  return detail::arithmetic([](auto x, auto y) { return detail::wrapping(x) * detail::wrapping(y); }, a, b);
}
/// Floating point only: an integer division would trap in an inactive lane that holds a zero.
template <class A, class B, class T = detail::Element<A, B>, class = std::enable_if_t<std::is_floating_point_v<T>>>
auto operator/(const A& a, const B& b) {
  return detail::arithmetic([](auto x, auto y) { return x / y; }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
Mask operator<(const A& a, const B& b) {
  return detail::comparison([](auto x, auto y) { return x < y; }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
Mask operator<=(const A& a, const B& b) {
  return detail::comparison([](auto x, auto y) { return x <= y; }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
Mask operator>(const A& a, const B& b) {
  return detail::comparison([](auto x, auto y) { return x > y; }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
Mask operator>=(const A& a, const B& b) {
  return detail::comparison([](auto x, auto y) { return x >= y; }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
Mask operator==(const A& a, const B& b) {
  return detail::comparison([](auto x, auto y) { return x == y; }, a, b);
}
template <class A, class B, class = detail::Element<A, B>>
Mask operator!=(const A& a, const B& b) {
  return detail::comparison([](auto x, auto y) { return x != y; }, a, b);
}

inline Mask operator&&(const Mask& a, const Mask& b) { return {a.bits & b.bits, a.sources | b.sources}; }
inline Mask operator||(const Mask& a, const Mask& b) { return {a.bits | b.bits, a.sources | b.sources}; }
inline Mask operator!(const Mask& a) { return {~a.bits, a.sources}; }
inline Mask operator&&(const Mask& a, bool b) { return {b ? a.bits : 0, a.sources}; }
inline Mask operator&&(bool a, const Mask& b) { return b && a; }

template <class T>
Lanes<T> sqrt(const Lanes<T>& a) {
  return lanewise([](T x) { return std::sqrt(x); }, a);
}

/// Per lane: `yes` where the condition holds, else `no`.
template <class T>
Lanes<T> select(const Mask& condition, const Lanes<T>& yes, const Lanes<T>& no) {
  Lanes<T> out;
  for (unsigned l = 0; l < kLanes; ++l) out.v[l] = condition[l] ? yes.v[l] : no.v[l];
  out.sources = condition.sources | yes.sources | no.sources;
  return out;
}

}  // namespace wharf::spmd
