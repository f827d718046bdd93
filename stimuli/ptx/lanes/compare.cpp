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

/// How values of a row are compared: floats with subnormals flushed where the form says so, those of 16 bits as doubles.
template <class T, bool Ftz>
struct Value {
  static auto of(Stored<T> bits) {
    const T value = from_stored<T>(bits);
    if constexpr (kIsShortFloat<T>)
      return value_of(Ftz ? flushed(value) : value);
    else if constexpr (Ftz)
      return flushed(value);
    else
      return value;
  }
};

/// `part` is the half that is compared where a register holds two values.
template <class Test, class V, class T>
LaneMask compare_rows(const Rows& rows, Operand first, Operand second, unsigned) {
  const Stored<T>* const a = row_of<T>(rows, first);
  const Stored<T>* const b = row_of<T>(rows, second);
  alignas(32) std::uint8_t flags[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) flags[lane] = Test::of(V::of(a[lane]), V::of(b[lane]));
  return mask_of(flags);
}
template <class Test, class V>
LaneMask compare_halves(const Rows& rows, Operand first, Operand second, unsigned part) {
  const std::uint32_t* const a = row_of<std::uint32_t>(rows, first);
  const std::uint32_t* const b = row_of<std::uint32_t>(rows, second);
  std::uint8_t flags[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) flags[lane] = Test::of(V::of(a[lane] >> (16 * part)), V::of(b[lane] >> (16 * part)));
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
LaneMask read_joined(const Operation& operation, const Rows& rows, unsigned index) {
  return std::is_same_v<Join, Alone> ? 0 : read_predicate(operation, rows, index);
}

template <class Join>
void setp_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  const LaneMask result = operation.compare(rows, operation.operands[2], operation.operands[3], 0);
  const LaneMask c = read_joined<Join>(operation, rows, 4);
  if (operation.operands[0].present()) write_predicate(rows.predicate(operation.operands[0]), Join::of(result, c), active);
  if (operation.operands[1].present()) write_predicate(rows.predicate(operation.operands[1]), Join::of(~result, c), active);
}

/// The results of both halves go to p and q, not a result and its complement.
template <class Join>
void setp_pairs(const Operation& operation, const Rows& rows, LaneMask active) {
  const LaneMask c = read_joined<Join>(operation, rows, 4);
  for (unsigned part = 0; part < 2; ++part) {
    if (!operation.operands[part].present()) continue;
    const LaneMask result = operation.compare(rows, operation.operands[2], operation.operands[3], part);
    write_predicate(rows.predicate(operation.operands[part]), Join::of(result, c), active);
  }
}

/// Writes `True` where the result is true, else 0.
template <class Join, std::uint32_t True>
void set_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  const LaneMask result = operation.compare(rows, operation.operands[1], operation.operands[2], 0);
  const LaneMask joined = Join::of(result, read_joined<Join>(operation, rows, 3));
  std::uint32_t out[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = (joined >> lane & 1) != 0 ? True : 0;
  write_row(rows.of(operation.operands[0]), out, active);
}
template <class Join>
void set_ones(const Operation& operation, const Rows& rows, LaneMask active) {
  set_lanes<Join, ~std::uint32_t{0}>(operation, rows, active);
}
template <class Join>
void set_one(const Operation& operation, const Rows& rows, LaneMask active) {
  set_lanes<Join, 0x3F800000>(operation, rows, active);  // 1.0f
}

/// The comparisons of values V in rows of T, or of the halves of pairs.
template <class V, class T>
struct OfRows {
  template <class Test>
  static constexpr Compare kCompare = &compare_rows<Test, V, T>;
};
template <class V>
struct OfHalves {
  template <class Test>
  static constexpr Compare kCompare = &compare_halves<Test, V>;
};

template <class Loops>
Compare ordered(const Form& form) {
  if (form.has("eq")) return Loops::template kCompare<Eq>;
  if (form.has("ne")) return Loops::template kCompare<Ne>;
  if (form.has("lt") || form.has("lo")) return Loops::template kCompare<Lt>;
  if (form.has("le") || form.has("ls")) return Loops::template kCompare<Le>;
  if (form.has("gt") || form.has("hi")) return Loops::template kCompare<Gt>;
  return Loops::template kCompare<Ge>;
}

template <class Loops>
Compare of_floats(const Form& form) {
  if (form.has("equ")) return Loops::template kCompare<Equ>;
  if (form.has("neu")) return Loops::template kCompare<Neu>;
  if (form.has("ltu")) return Loops::template kCompare<Ltu>;
  if (form.has("leu")) return Loops::template kCompare<Leu>;
  if (form.has("gtu")) return Loops::template kCompare<Gtu>;
  if (form.has("geu")) return Loops::template kCompare<Geu>;
  if (form.has("num")) return Loops::template kCompare<Num>;
  if (form.has("nan")) return Loops::template kCompare<Nan>;
  return ordered<Loops>(form);
}

template <class T>
Compare of_integers(const Form& form) {
  return ordered<OfRows<Value<T, false>, T>>(form);
}

Compare by_type(const Form& form, Type type) {
  // lo, ls, hi and hs compare unsigned whatever the type says.
  const bool is_unsigned = form.has("lo") || form.has("ls") || form.has("hi") || form.has("hs");
  const bool ftz = form.has("ftz");
  switch (type) {
    case Type::s16:
      return is_unsigned ? of_integers<std::uint16_t>(form) : of_integers<std::int16_t>(form);
    case Type::s32:
      return is_unsigned ? of_integers<std::uint32_t>(form) : of_integers<std::int32_t>(form);
    case Type::s64:
      return is_unsigned ? of_integers<std::uint64_t>(form) : of_integers<std::int64_t>(form);
    case Type::f64:
      return of_floats<OfRows<Value<double, false>, double>>(form);
    case Type::f32:
      return ftz ? of_floats<OfRows<Value<float, true>, float>>(form) : of_floats<OfRows<Value<float, false>, float>>(form);
    case Type::f16:
      return ftz ? of_floats<OfRows<Value<Half, true>, Half>>(form) : of_floats<OfRows<Value<Half, false>, Half>>(form);
    case Type::f16x2:
      return ftz ? of_floats<OfHalves<Value<Half, true>>>(form) : of_floats<OfHalves<Value<Half, false>>>(form);
    case Type::bf16:
      return of_floats<OfRows<Value<Bfloat, false>, Bfloat>>(form);
    case Type::bf16x2:
      return of_floats<OfHalves<Value<Bfloat, false>>>(form);
    default:
      break;
  }
  if (bytes_of(type) == 2) return of_integers<std::uint16_t>(form);
  return bytes_of(type) == 4 ? of_integers<std::uint32_t>(form) : of_integers<std::uint64_t>(form);
}

/// The loop of `form` among those that differ in how c joins.
Compute joined(const Form& form, Compute alone, Compute with_and, Compute with_or, Compute with_xor) {
  if (form.has("and")) return with_and;
  if (form.has("or")) return with_or;
  return form.has("xor") ? with_xor : alone;
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
  if (is_pair(form.type())) return joined(form, &setp_pairs<Alone>, &setp_pairs<And>, &setp_pairs<Or>, &setp_pairs<Xor>);
  return joined(form, &setp_lanes<Alone>, &setp_lanes<And>, &setp_lanes<Or>, &setp_lanes<Xor>);
}
Compute set(const Form& form) {
  if (form.type(0) == Type::f32) return joined(form, &set_one<Alone>, &set_one<And>, &set_one<Or>, &set_one<Xor>);
  return joined(form, &set_ones<Alone>, &set_ones<And>, &set_ones<Or>, &set_ones<Xor>);
}
Compare comparison(const Form& form) { return by_type(form, form.types.back()); }
Compute selp(const Form& form) { return bytes_of(form.type()) > 4 ? &select_lanes<std::uint64_t> : &select_lanes<std::uint32_t>; }
Compute slct(const Form& form) {
  if (form.type(1) == Type::s32) return slct_form<std::int32_t, false>(form.type());
  return form.has("ftz") ? slct_form<float, true>(form.type()) : slct_form<float, false>(form.type());
}

}  // namespace wharf::ptx::compare
