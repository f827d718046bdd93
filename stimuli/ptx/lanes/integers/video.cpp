// Video instructions on lanes. The parts of a and b are combined in 64 bits; the results are joined, or added to c.
#include "stimuli/ptx/lanes/integers/video.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::video {

namespace {

using Wide = std::int64_t;

struct Add {
  static Wide of(Wide a, Wide b) { return a + b; }
};
struct Sub {
  static Wide of(Wide a, Wide b) { return a - b; }
};
/// The mean, rounded to nearest, and halves away from zero.
struct Average {
  static Wide of(Wide a, Wide b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
};
struct Difference {
  static Wide of(Wide a, Wide b) { return a < b ? b - a : a - b; }
};
struct Min {
  static Wide of(Wide a, Wide b) { return std::min(a, b); }
};
struct Max {
  static Wide of(Wide a, Wide b) { return std::max(a, b); }
};
/// Shifts by the low five bits of b, or by at most 32.
template <bool clamps>
unsigned distance(Wide b) {
  const auto bits = static_cast<std::uint32_t>(b);
  return clamps ? std::min(bits, 32u) : bits % 32;
}
template <bool clamps>
struct ShiftLeft {
  static Wide of(Wide a, Wide b) { return static_cast<Wide>(static_cast<std::uint64_t>(a) << distance<clamps>(b)); }
};
template <bool clamps>
struct ShiftRight {
  static Wide of(Wide a, Wide b) { return a >> distance<clamps>(b); }
};
template <template <class> class Relation>
struct Compares {
  static Wide of(Wide a, Wide b) { return Relation<Wide>()(a, b) ? 1 : 0; }
};

struct Joined {};  // the result of each part stands in its place

/// Op of each part of a and b, by Second with c. Part is the type of a part.
template <class Part, class Op, class Second, bool saturates>
struct Parts {
  static constexpr unsigned kBits = 8 * sizeof(Part);

  static Wide result(std::uint32_t a, std::uint32_t b, unsigned at) {
    const Wide value = Op::of(static_cast<Part>(a >> at), static_cast<Part>(b >> at));
    if constexpr (!saturates) return value;
    return std::clamp<Wide>(value, std::numeric_limits<Part>::min(), std::numeric_limits<Part>::max());
  }
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    std::uint32_t joined = 0;
    for (unsigned at = 0; at < 32; at += kBits) joined |= static_cast<std::uint32_t>(static_cast<Unsigned<Part>>(result(a, b, at))) << at;
    return joined;
  }
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if constexpr (std::is_same_v<Second, Joined>) {
      return of(a, b);
    } else if constexpr (std::is_same_v<Second, Add>) {
      for (unsigned at = 0; at < 32; at += kBits) c += static_cast<std::uint32_t>(result(a, b, at));
      return c;
    } else {
      static_assert(sizeof(Part) == sizeof c, "only a whole register is compared with c");
      return static_cast<std::uint32_t>(Second::of(static_cast<Part>(result(a, b, 0)), static_cast<Part>(c)));
    }
  }
};

template <class Part, class Op, bool saturates, class Second = Joined>
Compute with_c() {
  return same_type<Parts<Part, Op, Second, saturates>, std::uint32_t, 3>();
}

template <class Part, class Op, bool saturates>
Compute of_number(const Form& form) {
  if (form.has("add")) return with_c<Part, Op, saturates, Add>();
  if (form.has("min")) return with_c<Part, Op, saturates, Min>();
  if (form.has("max")) return with_c<Part, Op, saturates, Max>();
  return same_type<Parts<Part, Op, Joined, saturates>, std::uint32_t, 2>();
}
template <class Part, class Op>
Compute of_parts(const Form& form) {
  if (form.has("sat")) return with_c<Part, Op, true>();
  return form.has("add") ? with_c<Part, Op, false, Add>() : with_c<Part, Op, false>();
}

template <class Op>
Compute by_parts(const Form& form) {
  const bool sign = is_signed(form.type());
  switch (form.opcode.back()) {
    case '2':
      return sign ? of_parts<std::int16_t, Op>(form) : of_parts<std::uint16_t, Op>(form);
    case '4':
      return sign ? of_parts<std::int8_t, Op>(form) : of_parts<std::uint8_t, Op>(form);
    default:
      if (form.has("sat")) return sign ? of_number<std::int32_t, Op, true>(form) : of_number<std::uint32_t, Op, true>(form);
      return sign ? of_number<std::int32_t, Op, false>(form) : of_number<std::uint32_t, Op, false>(form);
  }
}

template <bool clamps>
Compute shift_by(const Form& form) {
  const bool sign = is_signed(form.type());
  if (form.opcode == "vshl")
    return sign ? of_number<std::int32_t, ShiftLeft<clamps>, false>(form) : of_number<std::uint32_t, ShiftLeft<clamps>, false>(form);
  return sign ? of_number<std::int32_t, ShiftRight<clamps>, false>(form) : of_number<std::uint32_t, ShiftRight<clamps>, false>(form);
}

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

}  // namespace

Compute arithmetic(const Form& form) {
  if (begins(form.opcode, "vadd")) return by_parts<Add>(form);
  if (begins(form.opcode, "vsub")) return by_parts<Sub>(form);
  if (begins(form.opcode, "vavrg")) return by_parts<Average>(form);
  if (begins(form.opcode, "vabsdiff")) return by_parts<Difference>(form);
  return begins(form.opcode, "vmin") ? by_parts<Min>(form) : by_parts<Max>(form);
}

Compute compare(const Form& form) {
  if (form.has("eq")) return by_parts<Compares<std::equal_to>>(form);
  if (form.has("ne")) return by_parts<Compares<std::not_equal_to>>(form);
  if (form.has("lt")) return by_parts<Compares<std::less>>(form);
  if (form.has("le")) return by_parts<Compares<std::less_equal>>(form);
  return form.has("gt") ? by_parts<Compares<std::greater>>(form) : by_parts<Compares<std::greater_equal>>(form);
}

Compute shift(const Form& form) { return form.has("clamp") ? shift_by<true>(form) : shift_by<false>(form); }

}  // namespace wharf::ptx::video
