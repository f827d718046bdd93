// Comparisons and choices on lanes.
#include "stimuli/ptx/lanes/compare.h"

#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/floats/half.h"
#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::compare {

namespace {

// Ordered comparisons are false if an operand is NaN, and so is ne; the unordered ones (with u) are true.
struct Eq {
  template <class T>
  static bool of(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <class T>
  static bool of(T a, T b) {
    return a < b || a > b;
  }
};
struct Lt {
  template <class T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <class T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <class T>
  static bool of(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <class T>
  static bool of(T a, T b) {
    return a >= b;
  }
};
struct Equ {
  template <class T>
  static bool of(T a, T b) {
    return !(a < b || a > b);
  }
};
struct Neu {
  template <class T>
  static bool of(T a, T b) {
    return a != b;
  }
};
struct Ltu {
  template <class T>
  static bool of(T a, T b) {
    return !(a >= b);
  }
};
struct Leu {
  template <class T>
  static bool of(T a, T b) {
    return !(a > b);
  }
};
struct Gtu {
  template <class T>
  static bool of(T a, T b) {
    return !(a <= b);
  }
};
struct Geu {
  template <class T>
  static bool of(T a, T b) {
    return !(a < b);
  }
};
struct Num {
  template <class T>
  static bool of(T a, T b) {
    return a == a && b == b;
  }
};
struct Nan {
  template <class T>
  static bool of(T a, T b) {
    return a != a || b != b;
  }
};

/// How values of a row are compared: floats with subnormals flushed where the form says so, halves as doubles.
template <class T, bool Ftz>
struct Value {
  static auto of(Stored<T> bits) {
    const T value = from_stored<T>(bits);
    if constexpr (std::is_same_v<T, Half>)
      return value_of(Ftz && (value.bits & 0x7C00) == 0 ? Half{static_cast<std::uint16_t>(value.bits & 0x8000)} : value);
    else if constexpr (Ftz)
      return flushed(value);
    else
      return value;
  }
};

template <class Test, class V, class T>
inline LaneMask compare_rows(const Rows& rows, Operand first, Operand second) {
  const Stored<T>* const a = row_of<T>(rows, first);
  const Stored<T>* const b = row_of<T>(rows, second);
  alignas(32) std::uint8_t flags[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) flags[lane] = Test::of(V::of(a[lane]), V::of(b[lane]));
  return mask_of(flags);
}

// How c joins the result of the comparison.
struct Alone {
  static LaneMask of(LaneMask result, LaneMask) { return result; }
};
struct And {
  static LaneMask of(LaneMask result, LaneMask c) { return result & c; }
};
struct Or {
  static LaneMask of(LaneMask result, LaneMask c) { return result | c; }
};
struct Xor {
  static LaneMask of(LaneMask result, LaneMask c) { return result ^ c; }
};

template <class Join>
inline void write_results(const Operation& operation, const Rows& rows, LaneMask active, LaneMask result) {
  const LaneMask c = std::is_same_v<Join, Alone> ? 0 : read_predicate(operation, rows, 4);
  if (operation.operands[0].present()) write_predicate(rows.predicate(operation.operands[0]), Join::of(result, c), active);
  if (operation.operands[1].present()) write_predicate(rows.predicate(operation.operands[1]), Join::of(~result, c), active);
}

template <class Test, class V, class T, class Join>
void setp_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  write_results<Join>(operation, rows, active, compare_rows<Test, V, T>(rows, operation.operands[2], operation.operands[3]));
}

/// The results of both halves go to p and q, not a result and its complement.
template <class Test, class V, class T, class Join>
void setp_pairs(const Operation& operation, const Rows& rows, LaneMask active) {
  const std::uint32_t* const a = row_of<std::uint32_t>(rows, operation.operands[2]);
  const std::uint32_t* const b = row_of<std::uint32_t>(rows, operation.operands[3]);
  const LaneMask c = std::is_same_v<Join, Alone> ? 0 : read_predicate(operation, rows, 4);
  for (unsigned part = 0; part < 2; ++part) {
    if (!operation.operands[part].present()) continue;
    std::uint8_t flags[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) flags[lane] = Test::of(V::of(a[lane] >> (16 * part)), V::of(b[lane] >> (16 * part)));
    write_predicate(rows.predicate(operation.operands[part]), Join::of(mask_of(flags), c), active);
  }
}

enum class Truth { ones, one };  // true as an integer, or as 1.0f

template <Truth Kind>
inline std::uint32_t truth() {
  return Kind == Truth::ones ? ~std::uint32_t{0} : bit_cast<std::uint32_t>(1.0f);
}

template <class Test, class V, class T, class Join, Truth Kind>
void set_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  const LaneMask result = compare_rows<Test, V, T>(rows, operation.operands[1], operation.operands[2]);
  const LaneMask c = std::is_same_v<Join, Alone> ? 0 : read_predicate(operation, rows, 3);
  const LaneMask joined = Join::of(result, c);
  std::uint32_t out[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = (joined >> lane & 1) != 0 ? truth<Kind>() : 0;
  write_row(rows.of(operation.operands[0]), out, active);
}

// Which loop: setp, setp of f16x2, set with an integer or a float result.
template <class Test, class V, class T, class Join>
struct Setp {
  static constexpr Compute kLoop = &setp_lanes<Test, V, T, Join>;
};
template <class Test, class V, class T, class Join>
struct SetpPairs {
  static constexpr Compute kLoop = &setp_pairs<Test, V, T, Join>;
};
template <class Test, class V, class T, class Join>
struct SetOnes {
  static constexpr Compute kLoop = &set_lanes<Test, V, T, Join, Truth::ones>;
};
template <class Test, class V, class T, class Join>
struct SetOne {
  static constexpr Compute kLoop = &set_lanes<Test, V, T, Join, Truth::one>;
};

template <template <class, class, class, class> class Loop, class Test, class V, class T>
Compute joined(const Form& form) {
  if (form.has("and")) return Loop<Test, V, T, And>::kLoop;
  if (form.has("or")) return Loop<Test, V, T, Or>::kLoop;
  if (form.has("xor")) return Loop<Test, V, T, Xor>::kLoop;
  return Loop<Test, V, T, Alone>::kLoop;
}

template <template <class, class, class, class> class Loop, class V, class T>
Compute ordered(const Form& form) {
  if (form.has("eq")) return joined<Loop, Eq, V, T>(form);
  if (form.has("ne")) return joined<Loop, Ne, V, T>(form);
  if (form.has("lt") || form.has("lo")) return joined<Loop, Lt, V, T>(form);
  if (form.has("le") || form.has("ls")) return joined<Loop, Le, V, T>(form);
  if (form.has("gt") || form.has("hi")) return joined<Loop, Gt, V, T>(form);
  return joined<Loop, Ge, V, T>(form);
}

template <template <class, class, class, class> class Loop, class V, class T>
Compute of_floats(const Form& form) {
  if (form.has("equ")) return joined<Loop, Equ, V, T>(form);
  if (form.has("neu")) return joined<Loop, Neu, V, T>(form);
  if (form.has("ltu")) return joined<Loop, Ltu, V, T>(form);
  if (form.has("leu")) return joined<Loop, Leu, V, T>(form);
  if (form.has("gtu")) return joined<Loop, Gtu, V, T>(form);
  if (form.has("geu")) return joined<Loop, Geu, V, T>(form);
  if (form.has("num")) return joined<Loop, Num, V, T>(form);
  if (form.has("nan")) return joined<Loop, Nan, V, T>(form);
  return ordered<Loop, V, T>(form);
}

template <template <class, class, class, class> class Loop, class T>
Compute of_integers(const Form& form) {
  return ordered<Loop, Value<T, false>, T>(form);
}

template <template <class, class, class, class> class Loop>
Compute by_type(const Form& form, Type type) {
  // lo, ls, hi and hs compare unsigned whatever the type says.
  const bool is_unsigned = form.has("lo") || form.has("ls") || form.has("hi") || form.has("hs");
  switch (type) {
    case Type::s16:
      return is_unsigned ? of_integers<Loop, std::uint16_t>(form) : of_integers<Loop, std::int16_t>(form);
    case Type::s32:
      return is_unsigned ? of_integers<Loop, std::uint32_t>(form) : of_integers<Loop, std::int32_t>(form);
    case Type::s64:
      return is_unsigned ? of_integers<Loop, std::uint64_t>(form) : of_integers<Loop, std::int64_t>(form);
    case Type::f64:
      return of_floats<Loop, Value<double, false>, double>(form);
    case Type::f32:
      return form.has("ftz") ? of_floats<Loop, Value<float, true>, float>(form) : of_floats<Loop, Value<float, false>, float>(form);
    case Type::f16:
      return form.has("ftz") ? of_floats<Loop, Value<Half, true>, Half>(form) : of_floats<Loop, Value<Half, false>, Half>(form);
    default:
      break;
  }
  if (bytes_of(type) == 2) return of_integers<Loop, std::uint16_t>(form);
  return bytes_of(type) == 4 ? of_integers<Loop, std::uint32_t>(form) : of_integers<Loop, std::uint64_t>(form);
}

template <class S>
void select_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  const S* const a = reinterpret_cast<const S*>(rows.of(operation.operands[1]));
  const S* const b = reinterpret_cast<const S*>(rows.of(operation.operands[2]));
  const LaneMask chosen = read_predicate(operation, rows, 3);
  alignas(64) S out[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const S mask = S{0} - static_cast<S>(chosen >> lane & 1);
    out[lane] = (a[lane] & mask) | (b[lane] & ~mask);
  }
  write_row(rows.of(operation.operands[0]), out, active);
}

template <bool Ftz>
struct BySign {
  template <class T>
  static T of(T a, T b, std::int32_t c) {
    return c >= 0 ? a : b;
  }
  template <class T>
  static T of(T a, T b, float c) {
    return (Ftz ? flushed(c) : c) >= 0 ? a : b;
  }
};
template <class C, bool Ftz>
Compute slct_form(Type type) {
  switch (bytes_of(type)) {
    case 2:
      return &map_lanes<BySign<Ftz>, std::uint16_t, std::uint16_t, std::uint16_t, C>;
    case 4:
      return &map_lanes<BySign<Ftz>, std::uint32_t, std::uint32_t, std::uint32_t, C>;
    default:
      return &map_lanes<BySign<Ftz>, std::uint64_t, std::uint64_t, std::uint64_t, C>;
  }
}

}  // namespace

Compute setp(const Form& form) {
  if (form.type() != Type::f16x2) return by_type<Setp>(form, form.type());
  return form.has("ftz") ? of_floats<SetpPairs, Value<Half, true>, Half>(form) : of_floats<SetpPairs, Value<Half, false>, Half>(form);
}
Compute set(const Form& form) {
  return form.type(0) == Type::f32 ? by_type<SetOne>(form, form.type(1)) : by_type<SetOnes>(form, form.type(1));
}
Compute selp(const Form& form) { return bytes_of(form.type()) > 4 ? &select_lanes<std::uint64_t> : &select_lanes<std::uint32_t>; }
Compute slct(const Form& form) {
  if (form.type(1) == Type::s32) return slct_form<std::int32_t, false>(form.type());
  return form.has("ftz") ? slct_form<float, true>(form.type()) : slct_form<float, false>(form.type());
}

}  // namespace wharf::ptx::compare
