// Arithmetic of f32 and f64 on lanes. NaN results are canonical; approximate functions are computed in double and rounded once.
#include "stimuli/ptx/lanes/floats/floating.h"

#include <cfenv>

#include "stimuli/ptx/lanes/floats/approximate.h"
#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/select.h"

#if defined(__x86_64__)
#define WHARF_WITH_FMA __attribute__((target("fma,avx2")))
#endif

namespace wharf::ptx::floating {

namespace {

struct Add {
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
};
struct Fma {
  template <class T>
  static T of(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct Div {
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
};
struct Reciprocal {
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
};
struct SquareRoot {
  template <class T>
  static T of(T a) {
    return std::sqrt(a);
  }
};
struct DivFull {
  static float of(float a, float b) { return static_cast<float>(static_cast<double>(a) / static_cast<double>(b)); }
};
struct DivApprox {
  static float of(float a, float b) {
    constexpr float kLargest = 0x1p126f;  // of a divisor for which the error bound holds
    if (a != a || std::fabs(b) <= kLargest || b != b || std::isinf(b)) return DivFull::of(a, b);
    return std::isinf(a) ? bit_cast<float>(kNan32) : std::copysign(0.0f, a) * std::copysign(1.0f, b);
  }
};
struct ReciprocalRoot {
  static float of(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
  static double of(double a) { return 1.0 / std::sqrt(a); }
};
struct Sin {
  static float of(float a) { return static_cast<float>(approximate::sin(a)); }
};
struct Cos {
  static float of(float a) { return static_cast<float>(approximate::cos(a)); }
};
struct Exp2 {
  static float of(float a) { return static_cast<float>(approximate::exp2(a)); }
};
struct Log2 {
  static float of(float a) { return static_cast<float>(approximate::log2(a)); }
};
struct Tanh {
  static float of(float a) { return static_cast<float>(approximate::tanh(a)); }
};

/// rcp and rsqrt .approx.ftz.f64: from the upper 32 bits of the operand to the upper 32 bits of the result.
inline double upper_half(double value) { return bit_cast<double>(bit_cast<std::uint64_t>(value) & 0xFFFFFFFF00000000ull); }
template <class F>
struct Coarse {
  static double of(double a) { return upper_half(flushed(F::of(flushed(upper_half(a))))); }
};

template <class F, bool Ftz, bool Sat>
struct Finished {
  template <class T, class... S>
  static T of(T a, S... more) {
    T value = canonical(Ftz ? F::of(flushed(a), flushed(more)...) : F::of(a, more...));
    if (Ftz) value = flushed(value);
    return Sat ? saturated(value) : value;
  }
};

/// Sets the rounding mode of the host while it exists.
class RoundingScope {
 public:
  explicit RoundingScope(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int before_;
};

template <class F, int Mode, class T, class... S>
void map_directed(const Operation& operation, const Rows& rows, LaneMask active) {
  const RoundingScope scope(Mode);
  map_lanes<F, T, S...>(operation, rows, active);
}

/// The lane loop of F with `Sources` arguments in the rounding mode of the form.
template <class F, class T, unsigned Sources>
Compute rounded(const Form& form) {
  if constexpr (Sources == 1) {
    if (form.has("rz")) return &map_directed<F, FE_TOWARDZERO, T, T>;
    if (form.has("rm")) return &map_directed<F, FE_DOWNWARD, T, T>;
    if (form.has("rp")) return &map_directed<F, FE_UPWARD, T, T>;
  } else if constexpr (Sources == 2) {
    if (form.has("rz")) return &map_directed<F, FE_TOWARDZERO, T, T, T>;
    if (form.has("rm")) return &map_directed<F, FE_DOWNWARD, T, T, T>;
    if (form.has("rp")) return &map_directed<F, FE_UPWARD, T, T, T>;
  } else {
    if (form.has("rz")) return &map_directed<F, FE_TOWARDZERO, T, T, T, T>;
    if (form.has("rm")) return &map_directed<F, FE_DOWNWARD, T, T, T, T>;
    if (form.has("rp")) return &map_directed<F, FE_UPWARD, T, T, T, T>;
  }
  return same_type<F, T, Sources>();
}

template <class F, unsigned Sources>
Compute arithmetic(const Form& form) {
  if (form.type() == Type::f64) return rounded<Finished<F, false, false>, double, Sources>(form);
  const bool sat = form.has("sat");
  if (form.has("ftz"))
    return sat ? rounded<Finished<F, true, true>, float, Sources>(form) : rounded<Finished<F, true, false>, float, Sources>(form);
  return sat ? rounded<Finished<F, false, true>, float, Sources>(form) : rounded<Finished<F, false, false>, float, Sources>(form);
}

/// For functions of f32 that round in one way only.
template <class F, unsigned Sources>
Compute single(const Form& form) {
  return form.has("ftz") ? same_type<Finished<F, true, false>, float, Sources>() : same_type<Finished<F, false, false>, float, Sources>();
}

#ifdef WHARF_WITH_FMA
/// The same loops for hosts that fuse in hardware, which is ten times as fast as the library's function and gives the same results.
template <class T, bool Ftz, bool Sat>
WHARF_WITH_FMA void map_fma(const Operation& operation, const Rows& rows, LaneMask active) {
  alignas(64) Stored<T> out[kLanes];
  const Stored<T>* const a = row_of<T>(rows, operation.operands[1]);
  const Stored<T>* const b = row_of<T>(rows, operation.operands[2]);
  const Stored<T>* const c = row_of<T>(rows, operation.operands[3]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    out[lane] = to_stored<T>(Finished<Fma, Ftz, Sat>::of(from_stored<T>(a[lane]), from_stored<T>(b[lane]), from_stored<T>(c[lane])));
  write_row(rows.of(operation.operands[0]), out, active);
}
#endif

template <bool Greater, bool Nan>
struct Extreme {
  template <class T>
  static T of(T a, T b) {
    if (a != a || b != b) return Nan || (a != a && b != b) ? canonical(a + b) : (a != a ? b : a);
    if (a == b) return std::signbit(a) == Greater ? b : a;  // -0 is less than +0
    return (a < b) == Greater ? b : a;
  }
};
struct Abs {
  static float of(float a) { return bit_cast<float>(bit_cast<std::uint32_t>(a) & ~kSign32); }
  static double of(double a) { return bit_cast<double>(bit_cast<std::uint64_t>(a) & ~kSign64); }
};
struct Neg {
  static float of(float a) { return bit_cast<float>(bit_cast<std::uint32_t>(a) ^ kSign32); }
  static double of(double a) { return bit_cast<double>(bit_cast<std::uint64_t>(a) ^ kSign64); }
};
struct CopySign {
  static float of(float a, float b) {
    return bit_cast<float>((bit_cast<std::uint32_t>(b) & ~kSign32) | (bit_cast<std::uint32_t>(a) & kSign32));
  }
  static double of(double a, double b) {
    return bit_cast<double>((bit_cast<std::uint64_t>(b) & ~kSign64) | (bit_cast<std::uint64_t>(a) & kSign64));
  }
};
template <class F>
struct FlushedFirst {
  static float of(float a) { return F::of(flushed(a)); }
};
template <class F>
Compute sign_form(const Form& form) {
  if (form.type() == Type::f64) return same_type<F, double, 1>();
  return form.has("ftz") ? same_type<FlushedFirst<F>, float, 1>() : same_type<F, float, 1>();
}

template <bool Greater>
Compute extreme(const Form& form) {
  if (form.type() == Type::f64) return same_type<Finished<Extreme<Greater, false>, false, false>, double, 2>();
  return form.has("NaN") ? single<Extreme<Greater, true>, 2>(form) : single<Extreme<Greater, false>, 2>(form);
}

template <class T, class Test>
void test_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  const Stored<T>* const a = row_of<T>(rows, operation.operands[1]);
  std::uint8_t flags[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) flags[lane] = Test::of(std::fpclassify(from_stored<T>(a[lane])));
  write_predicate(rows.predicate(operation.operands[0]), mask_of(flags), active);
}
struct IsFinite {
  static bool of(int c) { return c != FP_NAN && c != FP_INFINITE; }
};
struct IsInfinite {
  static bool of(int c) { return c == FP_INFINITE; }
};
struct IsNumber {
  static bool of(int c) { return c != FP_NAN; }
};
struct IsNan {
  static bool of(int c) { return c == FP_NAN; }
};
struct IsNormal {
  static bool of(int c) { return c == FP_NORMAL || c == FP_ZERO; }
};  // zeros count as normal
struct IsSubnormal {
  static bool of(int c) { return c == FP_SUBNORMAL; }
};
template <class T>
Compute test_form(const Form& form) {
  if (form.has("finite")) return &test_lanes<T, IsFinite>;
  if (form.has("infinite")) return &test_lanes<T, IsInfinite>;
  if (form.has("number")) return &test_lanes<T, IsNumber>;
  if (form.has("notanumber")) return &test_lanes<T, IsNan>;
  return form.has("normal") ? &test_lanes<T, IsNormal> : &test_lanes<T, IsSubnormal>;
}

}  // namespace

Compute add(const Form& form) { return arithmetic<Add, 2>(form); }
Compute sub(const Form& form) { return arithmetic<Sub, 2>(form); }
Compute mul(const Form& form) { return arithmetic<Mul, 2>(form); }

Compute fma(const Form& form) {
#ifdef WHARF_WITH_FMA
  const bool nearest = !form.has("rz") && !form.has("rm") && !form.has("rp");
  if (nearest && __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("avx2") != 0) {
    if (form.type() == Type::f64) return &map_fma<double, false, false>;
    if (form.has("ftz")) return form.has("sat") ? &map_fma<float, true, true> : &map_fma<float, true, false>;
    return form.has("sat") ? &map_fma<float, false, true> : &map_fma<float, false, false>;
  }
#endif
  return arithmetic<Fma, 3>(form);
}

Compute div(const Form& form) {
  if (form.has("approx")) return single<DivApprox, 2>(form);
  if (form.has("full")) return single<DivFull, 2>(form);
  return arithmetic<Div, 2>(form);
}
Compute rcp(const Form& form) {
  if (form.type() == Type::f64 && form.has("approx")) return same_type<Finished<Coarse<Reciprocal>, false, false>, double, 1>();
  return arithmetic<Reciprocal, 1>(form);
}
Compute sqrt(const Form& form) { return arithmetic<SquareRoot, 1>(form); }
Compute rsqrt(const Form& form) {
  if (form.type() == Type::f32) return single<ReciprocalRoot, 1>(form);
  if (form.has("ftz")) return same_type<Finished<Coarse<ReciprocalRoot>, false, false>, double, 1>();
  return same_type<Finished<ReciprocalRoot, false, false>, double, 1>();
}
Compute min(const Form& form) { return extreme<false>(form); }
Compute max(const Form& form) { return extreme<true>(form); }
Compute abs(const Form& form) { return sign_form<Abs>(form); }
Compute neg(const Form& form) { return sign_form<Neg>(form); }
Compute copysign(const Form& form) { return form.type() == Type::f64 ? same_type<CopySign, double, 2>() : same_type<CopySign, float, 2>(); }
Compute testp(const Form& form) { return form.type() == Type::f64 ? test_form<double>(form) : test_form<float>(form); }
Compute sin(const Form& form) { return single<Sin, 1>(form); }
Compute cos(const Form& form) { return single<Cos, 1>(form); }
Compute ex2(const Form& form) { return single<Exp2, 1>(form); }
Compute lg2(const Form& form) { return single<Log2, 1>(form); }
Compute tanh(const Form& form) { return single<Tanh, 1>(form); }

}  // namespace wharf::ptx::floating
