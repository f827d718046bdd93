// Floating-point instructions in 113 bits, rounded once by integer arithmetic.
#include <cmath>
#include <cstring>

#include "tests/unit/stimuli/ptx/oracle.h"

namespace wharf::ptx {

namespace {

using Bits128 = unsigned __int128;

Wide make_wide(bool negative, Bits128 digits, int exponent) {  // digits * 2^exponent, exact
  Wide value = static_cast<Wide>(static_cast<std::uint64_t>(digits >> 64)) * 18446744073709551616.0 +
               static_cast<Wide>(static_cast<std::uint64_t>(digits));
  for (; exponent > 0; --exponent) value *= 2;
  for (; exponent < 0; ++exponent) value /= 2;
  return negative ? -value : value;
}

struct Layout {
  unsigned fraction, exponent;
};
Layout layout_of(Type type) {
  if (type == Type::bf16) return {7, 8};
  if (type == Type::e4m3 || type == Type::e5m2) return type == Type::e4m3 ? Layout{3, 4} : Layout{2, 5};
  return type == Type::f64 ? Layout{52, 11} : type == Type::f32 ? Layout{23, 8} : Layout{10, 5};
}
/// The type of both parts of a pair.
Type part_of(Type type) { return type == Type::bf16x2 ? Type::bf16 : Type::f16; }
bool is_byte_pair(Type type) { return type == Type::e4m3x2 || type == Type::e5m2x2; }
Type byte_of(Type type) { return type == Type::e4m3x2 ? Type::e4m3 : Type::e5m2; }

bool is_nan(Wide x) { return x != x; }
Wide infinity() { return static_cast<Wide>(HUGE_VAL); }
Wide nan() { return static_cast<Wide>(std::nan("")); }
bool is_infinite(Wide x) { return x == infinity() || x == -infinity(); }
Bits128 raw(Wide x) {
  Bits128 bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
bool is_negative(Wide x) { return (raw(x) >> 127) != 0; }

/// a + b to 113 bits, rounded to odd, so that a second rounding is correct.
Wide add_to_odd(Wide a, Wide b) {
  const Wide sum = a + b;
  if (is_nan(sum) || is_infinite(sum)) return sum;
  const Wide b_part = sum - a, error = (a - (sum - b_part)) + (b - b_part);
  if (error == 0 || (raw(sum) & 1) != 0) return sum;
  Bits128 bits = raw(sum);
  bits += (error > 0) == (sum > 0) ? 1 : -1;
  Wide odd;
  std::memcpy(&odd, &bits, sizeof odd);
  return odd;
}
std::uint64_t canonical_nan(Type type) { return type == Type::f64 ? 0xFFF8000000000000ull : type == Type::f32 ? 0x7FFFFFFFu : 0x7FFFu; }
bool is_subnormal_bits(Type type, std::uint64_t bits) {
  const Layout layout = layout_of(type);
  return (bits >> layout.fraction & ((std::uint64_t{1} << layout.exponent) - 1)) == 0;
}
std::uint64_t flush(Type type, std::uint64_t bits) {
  const unsigned sign = 8 * bytes_of(type) - 1;
  return is_subnormal_bits(type, bits) ? bits & std::uint64_t{1} << sign : bits;
}

std::uint64_t finish(const Form& form, Type type, Wide value, char mode) {
  std::uint64_t bits = round_to(type, value, mode);
  if (form.has("ftz")) bits = flush(type, bits);
  if (form.has("sat")) {
    const Wide rounded = wide_value(type, bits);
    if (!(rounded > 0)) return 0;
    if (rounded > 1) return round_to(type, 1, 'n');
  }
  return bits;
}

Wide zero_sum(Wide a, Wide b, Wide sum, char mode) {
  // An exact zero from unlike signs is negative only when rounding down.
  if (sum != 0 || (a == 0 && b == 0 && is_negative(a) == is_negative(b))) return sum;
  return mode == 'm' ? -static_cast<Wide>(0) : static_cast<Wide>(0);
}

/// The float whose square is nearest in the given direction, found by search over its bits.
std::uint64_t root(Type type, std::uint64_t bits, char mode) {
  const Wide x = wide_value(type, bits);
  if (is_nan(x) || (x < 0)) return canonical_nan(type);
  if (x == 0 || is_infinite(x)) return bits;
  std::uint64_t low = 0, high = round_to(type, infinity(), 'n');  // low^2 <= x < high^2
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    const Wide value = wide_value(type, middle);
    if (value * value <= x)
      low = middle;
    else
      high = middle;
  }
  const Wide below = wide_value(type, low), above = wide_value(type, high);
  if (below * below == x || mode == 'z' || mode == 'm') return low;
  if (mode == 'p') return high;
  const Wide half = (below + above) / 2;
  return half * half < x ? high : low;
}

bool compare(std::string_view how, Wide a, Wide b) {
  const bool unordered = is_nan(a) || is_nan(b);
  if (how == "num") return !unordered;
  if (how == "nan") return unordered;
  if (unordered) return how.size() == 3;
  const std::string_view base = how.substr(0, 2);
  if (base == "eq") return a == b;
  if (base == "ne") return a != b;
  if (base == "lt" || base == "lo") return a < b;
  if (base == "le" || base == "ls") return a <= b;
  if (base == "gt" || base == "hi") return a > b;
  return a >= b;
}

Wide comparable(const Form& form, Type type, std::uint64_t bits) {
  if (is_float(type)) return wide_value(type, form.has("ftz") && type != Type::f64 ? flush(type, bits) : bits);
  const bool is_unsigned = form.words[0] == "lo" || form.words[0] == "ls" || form.words[0] == "hi" || form.words[0] == "hs";
  const __int128 value = number_of(type, bits);
  const __int128 modulus = static_cast<__int128>(1) << (8 * bytes_of(type));
  return static_cast<Wide>(is_unsigned && value < 0 ? value + modulus : value);
}

bool join(const Form& form, bool result, bool c) {
  // The combination is the second word, because no comparison has one of these names.
  if (form.words.size() < 2) return result;
  if (form.words[1] == "and") return result && c;
  if (form.words[1] == "or") return result || c;
  if (form.words[1] == "xor") return result != c;
  return result;
}

std::optional<Expected> comparison(const Form& form, const Sources& s) {
  if (form.opcode == "setp" && is_pair(form.type())) {
    const Type part = part_of(form.type());
    const bool low = compare(form.words[0], comparable(form, part, s[0] & 0xFFFF), comparable(form, part, s[1] & 0xFFFF));
    const bool high = compare(form.words[0], comparable(form, part, s[0] >> 16), comparable(form, part, s[1] >> 16));
    return Expected{join(form, low, s[2] != 0), join(form, high, s[2] != 0), false};
  }
  if (form.opcode == "setp") {
    const bool result = compare(form.words[0], comparable(form, form.type(), s[0]), comparable(form, form.type(), s[1]));
    return Expected{join(form, result, s[2] != 0), join(form, !result, s[2] != 0), false};
  }
  if (form.opcode == "set") {
    const bool result = compare(form.words[0], comparable(form, form.type(1), s[0]), comparable(form, form.type(1), s[1]));
    return Expected{join(form, result, s[2] != 0) ? (form.type() == Type::f32 ? 0x3F800000u : 0xFFFFFFFFu) : 0u, 0, false};
  }
  if (form.opcode == "slct") {
    const bool first = form.type(1) == Type::s32 ? number_of(Type::s32, s[2]) >= 0 : comparable(form, Type::f32, s[2]) >= 0;
    return Expected{first ? s[0] : s[1], 0, false};
  }
  return std::nullopt;
}

std::optional<Expected> extreme(const Form& form, Type type, const Sources& s) {
  const Wide a = wide_value(type, s[0]), b = wide_value(type, s[1]);
  const auto result = [&](Wide value) { return Expected{finish(form, type, value, 'n'), 0, false}; };
  if (is_nan(a) && is_nan(b)) return result(nan());
  if (is_nan(a) || is_nan(b)) return result(form.has("NaN") ? nan() : is_nan(a) ? b : a);
  const bool a_is_less = a < b || (a == b && is_negative(a));
  return result((form.opcode == "min") == a_is_less ? a : b);
}

std::optional<Expected> sign_or_test(const Form& form, Type type, const Sources& s) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_of(type) - 1);
  const std::uint64_t a = form.has("ftz") ? flush(type, s[0]) : s[0];
  if (form.opcode == "abs") return Expected{a & ~sign, 0, false};
  if (form.opcode == "neg") return Expected{a ^ sign, 0, false};
  if (form.opcode == "copysign") return Expected{(s[1] & ~sign) | (s[0] & sign), 0, false};
  if (form.opcode != "testp") return std::nullopt;
  const Wide value = wide_value(type, s[0]);
  const bool subnormal = is_subnormal_bits(type, s[0]) && value != 0;
  if (form.has("finite")) return Expected{!is_nan(value) && !is_infinite(value), 0, false};
  if (form.has("infinite")) return Expected{is_infinite(value), 0, false};
  if (form.has("number")) return Expected{!is_nan(value), 0, false};
  if (form.has("notanumber")) return Expected{is_nan(value), 0, false};
  if (form.has("subnormal")) return Expected{subnormal, 0, false};
  return Expected{!is_nan(value) && !is_infinite(value) && !subnormal, 0, false};
}

std::optional<Expected> approximate(const Form& form, Type type, const Sources& s) {
  const std::uint64_t bits = form.has("ftz") ? flush(type, s[0]) : s[0];
  const auto x = static_cast<long double>(wide_value(type, bits));
  long double value = 0;
  if (form.opcode == "sin")
    value = std::isinf(x) ? std::nanl("") : std::sin(x);
  else if (form.opcode == "cos")
    value = std::isinf(x) ? std::nanl("") : std::cos(x);
  else if (form.opcode == "ex2")
    value = std::exp2(x);
  else if (form.opcode == "lg2")
    value = x < 0 ? std::nanl("") : std::log2(x);
  else if (form.opcode == "tanh")
    value = std::tanh(x);
  else
    return std::nullopt;
  return Expected{finish(form, type, static_cast<Wide>(value), 'n'), 0, true};
}

/// rcp and rsqrt .approx.ftz.f64 work on the upper 32 bits.
std::uint64_t coarse(const Form& form, std::uint64_t a) {
  const Wide x = wide_value(Type::f64, flush(Type::f64, a & 0xFFFFFFFF00000000ull));
  if (is_nan(x)) return canonical_nan(Type::f64) & 0xFFFFFFFF00000000ull;
  std::uint64_t bits = round_to(
      Type::f64, form.opcode == "rcp" ? static_cast<Wide>(1) / x : static_cast<Wide>(1.0 / std::sqrt(static_cast<double>(x))), 'n');
  if (form.opcode == "rsqrt" && x < 0) bits = canonical_nan(Type::f64);
  return flush(Type::f64, bits) & 0xFFFFFFFF00000000ull;
}

std::optional<Expected> arithmetic(const Form& form, Type type, const Sources& s) {
  const char mode = mode_of(form);
  const auto in = [&](unsigned i) { return wide_value(type, form.has("ftz") ? flush(type, s[i]) : s[i]); };
  const Wide a = in(0), b = in(1), c = in(2);
  const auto exact = [&](Wide value) { return Expected{finish(form, type, value, mode), 0, false}; };
  if (form.opcode == "add") return exact(zero_sum(a, b, add_to_odd(a, b), mode));
  if (form.opcode == "sub") return exact(zero_sum(a, -b, add_to_odd(a, -b), mode));
  if (form.opcode == "mul") return exact(a * b);
  if (form.opcode == "fma" || form.opcode == "mad") return exact(zero_sum(a * b, c, add_to_odd(a * b, c), mode));
  if (form.opcode == "div") {
    Wide quotient = a / b;  // 113 bits decide the rounding of a quotient of 53-bit numbers
    if (form.has("approx") && !is_infinite(b) && (b > 0x1p126 || b < -0x1p126)) quotient = is_infinite(a) ? nan() : a * 0 / b;
    return Expected{finish(form, type, quotient, 'n' == mode ? 'n' : mode), 0, form.has("approx") || form.has("full")};
  }
  if (form.opcode == "rcp" || form.opcode == "rsqrt") {
    if (type == Type::f64 && form.has("ftz")) return Expected{coarse(form, s[0]), 0, true};
    if (form.opcode == "rcp") return Expected{finish(form, type, static_cast<Wide>(1) / a, mode), 0, form.has("approx")};
    const Wide value = a < 0    ? nan()
                       : a == 0 ? static_cast<Wide>(1) / a
                                : static_cast<Wide>(1) / static_cast<Wide>(std::sqrt(static_cast<long double>(a)));
    return Expected{finish(form, type, value, mode), 0, true};
  }
  if (form.opcode == "sqrt") {
    const std::uint64_t bits = root(type, form.has("ftz") ? flush(type, s[0]) : s[0], mode);
    return Expected{form.has("ftz") ? flush(type, bits) : bits, 0, form.has("approx")};
  }
  if (form.opcode == "min" || form.opcode == "max") {
    Sources flushed = s;
    if (form.has("ftz"))
      for (std::uint64_t& bits : flushed) bits = flush(type, bits);
    return extreme(form, type, flushed);
  }
  return std::nullopt;
}

}  // namespace

char mode_of(const Form& form) { return form.has("rz") ? 'z' : form.has("rm") ? 'm' : form.has("rp") ? 'p' : 'n'; }

Wide wide_value(Type type, std::uint64_t bits) {
  const Layout layout = layout_of(type);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << layout.fraction) - 1), most = (std::uint64_t{1} << layout.exponent) - 1;
  const std::uint64_t exponent = bits >> layout.fraction & most;
  const bool negative = (bits >> (layout.fraction + layout.exponent) & 1) != 0;
  if (exponent == most && type != Type::e4m3) return fraction != 0 ? nan() : negative ? -infinity() : infinity();
  if (type == Type::e4m3 && exponent == most && fraction == 7) return nan();
  const int bias = static_cast<int>(most / 2) + static_cast<int>(layout.fraction);
  if (exponent == 0) return make_wide(negative, fraction, 1 - bias);
  return make_wide(negative, fraction | std::uint64_t{1} << layout.fraction, static_cast<int>(exponent) - bias);
}

std::uint64_t round_to(Type type, Wide value, char mode) {
  const Layout layout = layout_of(type);
  const std::uint64_t most = (std::uint64_t{1} << layout.exponent) - 1,
                      sign = std::uint64_t{is_negative(value)} << (layout.fraction + layout.exponent);
  if (is_nan(value)) return canonical_nan(type);
  if (is_infinite(value)) return sign | most << layout.fraction;
  if (value == 0) return sign;
  const Bits128 bits = raw(value);
  const int exponent = static_cast<int>(bits >> 112 & 0x7FFF) - 16383;
  Bits128 digits = (bits & (((Bits128{1} << 112)) - 1)) | Bits128{1} << 112;  // value = digits * 2^(exponent - 112)
  const int least = 1 - static_cast<int>(most / 2);
  int drop = 112 - static_cast<int>(layout.fraction);
  if (exponent < least) drop += least - exponent;
  if (drop > 120) drop = 120;  // only whether any bit is set matters
  const Bits128 rest = digits & ((Bits128{1} << drop) - 1), half = Bits128{1} << (drop - 1);
  digits >>= drop;
  const bool up = mode == 'n' ? rest > half || (rest == half && (digits & 1) != 0)
                              : rest != 0 && ((mode == 'p' && sign == 0) || (mode == 'm' && sign != 0));
  if (up) ++digits;
  std::uint64_t out = static_cast<std::uint64_t>(digits);
  if (exponent >= least) out += static_cast<std::uint64_t>(exponent - least) << layout.fraction;
  const std::uint64_t infinite = most << layout.fraction;
  if (exponent >= least && out >= infinite) {
    const bool away = mode == 'n' || (mode == 'p' && sign == 0) || (mode == 'm' && sign != 0);
    return sign | (away ? infinite : infinite - 1);
  }
  return sign | out;
}

namespace {

/// The nearest of all magnitudes, the even one of two.
std::uint64_t nearest_byte(Type type, Wide value) {
  if (is_nan(value)) return 0x7F;
  const Wide magnitude = is_negative(value) ? -value : value;
  const auto distance = [&](std::uint64_t bits) {
    const Wide difference = wide_value(type, bits) - magnitude;
    return difference < 0 ? -difference : difference;
  };
  const std::uint64_t largest = type == Type::e4m3 ? 0x7E : 0x7B;
  const bool beyond = magnitude > wide_value(type, largest);
  std::uint64_t best = beyond ? largest : 0;
  for (std::uint64_t bits = 1; bits <= largest && !beyond; ++bits)
    if (distance(bits) < distance(best) || (distance(bits) == distance(best) && bits % 2 == 0)) best = bits;
  return best | (is_negative(value) ? 0x80 : 0);
}

/// cvt to and from pairs of bytes: of two f32, the first in the upper byte, or of two halves.
std::optional<Expected> byte_conversion(const Form& form, const Sources& s) {
  const Type to = form.type(0), from = form.type(1);
  const auto clipped = [&](Wide value) { return form.has("relu") && value < 0 ? static_cast<Wide>(0) : value; };
  if (is_byte_pair(to)) {
    const bool singles = from == Type::f32;
    const Wide high = wide_value(singles ? from : Type::f16, singles ? s[0] : s[0] >> 16),
               low = wide_value(singles ? from : Type::f16, singles ? s[1] : s[0] & 0xFFFF);
    return Expected{nearest_byte(byte_of(to), clipped(high)) << 8 | nearest_byte(byte_of(to), clipped(low)), 0, false};
  }
  if (!is_byte_pair(from)) return std::nullopt;
  const auto half = [&](std::uint64_t bits) { return round_to(Type::f16, clipped(wide_value(byte_of(from), bits & 0xFF)), 'n'); };
  return Expected{half(s[0] >> 8) << 16 | half(s[0]), 0, false};
}

}  // namespace

std::optional<Expected> float_oracle(const Form& form, const Sources& sources) {
  if (const auto result = comparison(form, sources)) return result;
  const Type type = form.type();
  if (is_pair(type)) {
    Form half = form;
    half.types = {part_of(type)};
    Sources low = sources, high = sources;
    for (unsigned i = 0; i < sources.size(); ++i) {
      low[i] &= 0xFFFF;
      high[i] = high[i] >> 16 & 0xFFFF;
    }
    const auto one = float_oracle(half, low), two = float_oracle(half, high);
    if (!one || !two) return std::nullopt;
    return Expected{one->first | two->first << 16, 0, false};
  }
  if (!is_float(type)) return std::nullopt;
  if (const auto result = sign_or_test(form, type, sources)) return result;
  if (const auto result = approximate(form, type, sources)) return result;
  return arithmetic(form, type, sources);
}

std::optional<Expected> conversion_oracle(const Form& form, const Sources& s) {
  if (form.opcode != "cvt") return std::nullopt;
  const Type to = form.type(0), from = form.type(1);
  if (const auto bytes = byte_conversion(form, s)) return bytes;
  if (is_pair(to)) {
    const Type part = part_of(to);
    return Expected{round_to(part, wide_value(from, s[0]), mode_of(form)) << 16 | round_to(part, wide_value(from, s[1]), mode_of(form)), 0,
                    false};
  }
  if (to == Type::tf32) {  // the nearest multiple of the eleventh digit, ties away from zero: a step up in the middle or above
    if (is_nan(wide_value(from, s[0]))) return Expected{canonical_nan(Type::f32), 0, false};
    const std::uint64_t below = s[0] & ~std::uint64_t{0x1FFF};
    return Expected{(s[0] & 0x1FFF) >= 0x1000 ? below + 0x2000 : below, 0, false};
  }
  const bool flushes = form.has("ftz");
  const unsigned bits = 8 * bytes_of(to);
  const auto range_cut = [&](Wide value, bool saturate) {
    const Wide least = is_signed(to) ? -make_wide(false, 1, static_cast<int>(bits) - 1) : static_cast<Wide>(0);
    const Wide most = make_wide(false, 1, static_cast<int>(bits) - (is_signed(to) ? 1 : 0)) - 1;
    if (is_nan(value)) return from == Type::f64 || bits == 64 ? std::uint64_t{1} << (bits - 1) : 0;
    if (saturate && value < least) value = least;
    if (saturate && value > most) value = most;
    const auto whole = static_cast<__int128>(value);
    const auto kept = static_cast<std::uint64_t>(whole);
    return bits == 64 ? kept : kept & ((std::uint64_t{1} << bits) - 1);
  };
  if (!is_float(from)) {
    const Wide value = static_cast<Wide>(number_of(from, s[0]));
    if (!is_float(to)) return Expected{range_cut(value, form.has("sat")), 0, false};
    Form plain = form;
    return Expected{finish(plain, to, value, mode_of(form)), 0, false};
  }
  Wide value = wide_value(from, flushes && from == Type::f32 ? flush(from, s[0]) : s[0]);
  const bool integral = form.has("rni") || form.has("rzi") || form.has("rmi") || form.has("rpi");
  if (integral && !is_nan(value) && !is_infinite(value) && value < 0x1p112 && value > -0x1p112) {
    const bool negative = is_negative(value);
    const Wide magnitude = negative ? -value : value;
    Wide whole = static_cast<Wide>(static_cast<unsigned __int128>(magnitude));
    const Wide rest = magnitude - whole;
    const bool odd = (static_cast<unsigned __int128>(magnitude) & 1) != 0;
    const bool up = form.has("rni") ? rest > 0.5 || (rest == 0.5 && odd)
                                    : rest > 0 && ((form.has("rpi") && !negative) || (form.has("rmi") && negative));
    if (up) whole += 1;
    value = negative ? -whole : whole;
  }
  if (!is_float(to)) return Expected{range_cut(value, true), 0, false};
  Form plain = form;
  if (to != Type::f32) plain.words.erase(std::remove(plain.words.begin(), plain.words.end(), "ftz"), plain.words.end());
  return Expected{finish(plain, to, value, mode_of(form)), 0, false};
}

}  // namespace wharf::ptx
