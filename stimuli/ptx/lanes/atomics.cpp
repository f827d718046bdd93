// The new values that atomics write.
#include "stimuli/ptx/lanes/atomics.h"

#include <algorithm>
#include <type_traits>

#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/floats/half.h"

namespace wharf::ptx::atomics {

namespace {

using Bits = std::uint64_t;

Bits exchange(Bits, Bits b, Bits) { return b; }
Bits compare_and_swap(Bits old, Bits b, Bits c) { return old == b ? c : old; }
Bits bit_and(Bits old, Bits b, Bits) { return old & b; }
Bits bit_or(Bits old, Bits b, Bits) { return old | b; }
Bits bit_xor(Bits old, Bits b, Bits) { return old ^ b; }
Bits increment(Bits old, Bits b, Bits) { return old >= b ? 0 : old + 1; }
Bits decrement(Bits old, Bits b, Bits) { return old == 0 || old > b ? b : old - 1; }
template <class T>
Bits minimum(Bits old, Bits b, Bits) {
  return static_cast<std::make_unsigned_t<T>>(std::min(static_cast<T>(old), static_cast<T>(b)));
}
template <class T>
Bits maximum(Bits old, Bits b, Bits) {
  return static_cast<std::make_unsigned_t<T>>(std::max(static_cast<T>(old), static_cast<T>(b)));
}
Bits add_integer(Bits old, Bits b, Bits) { return old + b; }  // the upper bits are cut off where the value is written
Bits add_float(Bits old, Bits b, Bits) {
  return bit_cast<std::uint32_t>(
      canonical(bit_cast<float>(static_cast<std::uint32_t>(old)) + bit_cast<float>(static_cast<std::uint32_t>(b))));
}
Bits add_double(Bits old, Bits b, Bits) { return bit_cast<Bits>(canonical(bit_cast<double>(old) + bit_cast<double>(b))); }

template <class T, T (*F)(T, T)>
Bits of_short(Bits old, Bits b, Bits) {
  return F(T{static_cast<std::uint16_t>(old)}, T{static_cast<std::uint16_t>(b)}).bits;
}
template <class T, T (*F)(T, T)>
Bits of_pairs(Bits old, Bits b, Bits c) {
  return of_short<T, F>(old, b, c) | of_short<T, F>(old >> 16, b >> 16, c) << 16;
}
template <class T>
Modify of_floats(const Form& form) {
  if (is_pair(form.type())) return &of_pairs<T, half::sum<T>>;  // pairs are only added
  if (form.has("add")) return &of_short<T, half::sum<T>>;
  return form.has("min") ? &of_short<T, half::lesser<T>> : &of_short<T, half::greater<T>>;
}

template <class T>
Modify extreme(const Form& form) {
  return form.has("min") ? &minimum<T> : &maximum<T>;
}

}  // namespace

Modify modify(const Form& form) {
  if (form.has("exch")) return &exchange;
  if (form.has("cas")) return &compare_and_swap;
  if (form.has("and")) return &bit_and;
  if (form.has("or")) return &bit_or;
  if (form.has("xor")) return &bit_xor;
  if (form.has("inc")) return &increment;
  if (form.has("dec")) return &decrement;
  const Type type = form.type();
  if (type == Type::f16 || type == Type::f16x2) return of_floats<Half>(form);
  if (type == Type::bf16 || type == Type::bf16x2) return of_floats<Bfloat>(form);
  if (form.has("add")) return type == Type::f32 ? &add_float : type == Type::f64 ? &add_double : &add_integer;
  if (type == Type::u32) return extreme<std::uint32_t>(form);
  if (type == Type::s32) return extreme<std::int32_t>(form);
  return type == Type::u64 ? extreme<std::uint64_t>(form) : extreme<std::int64_t>(form);
}

}  // namespace wharf::ptx::atomics
