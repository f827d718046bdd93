#pragma once
// Operations on the two halves or the four bytes of a word, each part on its own (__vadd2, __vmaxu4 ...).

#include "stimuli/cuda/device_math/primitives.h"

namespace wharf_math {

/// The range of a part.
template <int parts>
struct Part {
  static constexpr int kBits = 32 / parts, kMask = (1 << kBits) - 1, kMost = (1 << (kBits - 1)) - 1, kLeast = -kMost - 1;
};

template <int parts, bool is_signed>
inline int part_of(unsigned word, int i) {
  const int value = static_cast<int>(word >> (i * Part<parts>::kBits)) & Part<parts>::kMask;
  return is_signed && value > Part<parts>::kMost ? value - Part<parts>::kMask - 1 : value;
}

template <int parts, bool is_signed, class Operation>
inline unsigned for_each_part(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
  for (int i = 0; i < parts; ++i) {
    const int value = operation(part_of<parts, is_signed>(a, i), part_of<parts, is_signed>(b, i));
    result |= static_cast<unsigned>(value & Part<parts>::kMask) << (i * Part<parts>::kBits);
  }
  return result;
}
template <int parts, bool is_signed, class Operation>
inline unsigned sum_of_parts(unsigned a, unsigned b, Operation operation) {
  unsigned sum = 0;
  for (int i = 0; i < parts; ++i) sum += static_cast<unsigned>(operation(part_of<parts, is_signed>(a, i), part_of<parts, is_signed>(b, i)));
  return sum;
}

inline int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }
inline int distance(int x, int y) { return x > y ? x - y : y - x; }

}  // namespace wharf_math

// One operation for halves and bytes. `is_signed` says how parts are read; `P` is the range of a part.
#define WHARF_PACKED_PARTS(name, parts, is_signed, expression)                                         \
  WHARF_DEVICE unsigned __nv_##name##parts(unsigned a, unsigned b) {                                   \
    using P [[maybe_unused]] = wharf_math::Part<parts>;                                                \
    return wharf_math::for_each_part<parts, is_signed>(a, b, [](int x, int y) { return expression; }); \
  }
#define WHARF_PACKED(name, is_signed, expression)    \
  WHARF_PACKED_PARTS(name, 2, is_signed, expression) \
  WHARF_PACKED_PARTS(name, 4, is_signed, expression)
WHARF_PACKED(vadd, true, x + y)
WHARF_PACKED(vsub, true, x - y)
WHARF_PACKED(vaddss, true, wharf_math::clamp(x + y, P::kLeast, P::kMost))
WHARF_PACKED(vsubss, true, wharf_math::clamp(x - y, P::kLeast, P::kMost))
WHARF_PACKED(vaddus, false, wharf_math::clamp(x + y, 0, P::kMask))
WHARF_PACKED(vsubus, false, wharf_math::clamp(x - y, 0, P::kMask))
WHARF_PACKED(vavgs, true, (x + y + (x + y >= 0)) >> 1)
WHARF_PACKED(vavgu, false, (x + y + 1) >> 1)
WHARF_PACKED(vhaddu, false, (x + y) >> 1)
WHARF_PACKED(vmaxs, true, x > y ? x : y)
WHARF_PACKED(vmaxu, false, x > y ? x : y)
WHARF_PACKED(vmins, true, x < y ? x : y)
WHARF_PACKED(vminu, false, x < y ? x : y)
WHARF_PACKED(vabsdiffs, true, wharf_math::distance(x, y))
WHARF_PACKED(vabsdiffu, false, wharf_math::distance(x, y))

// Comparisons give all ones (vcmp) or one (vset) where they hold.
#define WHARF_PACKED_COMPARISON(name, is_signed, operation)         \
  WHARF_PACKED(vcmp##name, is_signed, x operation y ? P::kMask : 0) \
  WHARF_PACKED(vset##name, is_signed, x operation y)
WHARF_PACKED_COMPARISON(eq, true, ==)
WHARF_PACKED_COMPARISON(ne, true, !=)
WHARF_PACKED_COMPARISON(ges, true, >=)
WHARF_PACKED_COMPARISON(gts, true, >)
WHARF_PACKED_COMPARISON(les, true, <=)
WHARF_PACKED_COMPARISON(lts, true, <)
WHARF_PACKED_COMPARISON(geu, false, >=)
WHARF_PACKED_COMPARISON(gtu, false, >)
WHARF_PACKED_COMPARISON(leu, false, <=)
WHARF_PACKED_COMPARISON(ltu, false, <)
#undef WHARF_PACKED_COMPARISON
#undef WHARF_PACKED
#undef WHARF_PACKED_PARTS

#define WHARF_PACKED_ONE(name, parts, expression)                                               \
  WHARF_DEVICE unsigned __nv_##name##parts(unsigned a) {                                        \
    using P [[maybe_unused]] = wharf_math::Part<parts>;                                         \
    return wharf_math::for_each_part<parts, true>(a, 0, [](int x, int) { return expression; }); \
  }
WHARF_PACKED_ONE(vabs, 2, x < 0 ? -x : x)
WHARF_PACKED_ONE(vabs, 4, x < 0 ? -x : x)
WHARF_PACKED_ONE(vneg, 2, -x)
WHARF_PACKED_ONE(vneg, 4, -x)
WHARF_PACKED_ONE(vabsss, 2, wharf_math::clamp(x < 0 ? -x : x, 0, P::kMost))
WHARF_PACKED_ONE(vabsss, 4, wharf_math::clamp(x < 0 ? -x : x, 0, P::kMost))
WHARF_PACKED_ONE(vnegss, 2, wharf_math::clamp(-x, P::kLeast, P::kMost))
WHARF_PACKED_ONE(vnegss, 4, wharf_math::clamp(-x, P::kLeast, P::kMost))
#undef WHARF_PACKED_ONE

WHARF_DEVICE unsigned __nv_vsads2(unsigned a, unsigned b) { return wharf_math::sum_of_parts<2, true>(a, b, wharf_math::distance); }
WHARF_DEVICE unsigned __nv_vsads4(unsigned a, unsigned b) { return wharf_math::sum_of_parts<4, true>(a, b, wharf_math::distance); }
WHARF_DEVICE unsigned __nv_vsadu2(unsigned a, unsigned b) { return wharf_math::sum_of_parts<2, false>(a, b, wharf_math::distance); }
WHARF_DEVICE unsigned __nv_vsadu4(unsigned a, unsigned b) { return wharf_math::sum_of_parts<4, false>(a, b, wharf_math::distance); }
