// Integer instructions in 128-bit arithmetic and loops over bits.
#include <algorithm>

#include "tests/unit/stimuli/ptx/oracle.h"

namespace wharf::ptx {

namespace {

using Int = __int128;

std::uint64_t cut(Int value, unsigned bits) {
  return bits >= 64 ? static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
}
bool bit(std::uint64_t value, unsigned i) { return i < 64 && (value >> i & 1) != 0; }

Int floor_shift(Int value, unsigned by) {
  for (unsigned i = 0; i < by; ++i) value = value >= 0 ? value / 2 : (value - 1) / 2;
  return value;
}

/// The product's high half: the unsigned product needs all 128 bits.
std::uint64_t high_product(Type type, std::uint64_t a, std::uint64_t b, unsigned bits) {
  if (bits < 64) return cut(floor_shift(number_of(type, a) * number_of(type, b), bits), bits);
  // Schoolbook, digit by digit; corrected for negative operands.
  std::uint64_t high = 0, low = 0;
  for (unsigned i = 64; i-- > 0;) {
    high = high << 1 | low >> 63;
    low <<= 1;
    if (!bit(b, i)) continue;
    low += a;
    if (low < a) ++high;
  }
  if (is_signed(type)) {
    if (bit(a, 63)) high -= b;
    if (bit(b, 63)) high -= a;
  }
  return high;
}

std::uint64_t saturated32(Int value) { return cut(std::clamp<Int>(value, -(Int{1} << 31), (Int{1} << 31) - 1), 32); }

std::uint64_t divide(Type type, std::uint64_t a, std::uint64_t b, unsigned bits, bool remainder) {
  const Int x = number_of(type, a), y = number_of(type, b);
  if (y == 0) return remainder ? a : cut(-1, bits);
  return cut(remainder ? x % y : x / y, bits);
}

std::uint64_t extract(Type type, std::uint64_t a, unsigned position, unsigned length, unsigned bits) {
  std::uint64_t out = 0;
  if (length == 0) return 0;
  const bool sign = is_signed(type) && bit(a, std::min(position + length - 1, bits - 1));
  for (unsigned i = 0; i < bits; ++i)
    if (i < length && position + i < bits ? bit(a, position + i) : sign) out |= std::uint64_t{1} << i;
  return out;
}
std::uint64_t insert(std::uint64_t a, std::uint64_t b, unsigned position, unsigned length, unsigned bits) {
  std::uint64_t out = b;
  for (unsigned i = 0; i < length && position + i < bits; ++i) {
    const std::uint64_t at = std::uint64_t{1} << (position + i);
    out = bit(a, i) ? out | at : out & ~at;
  }
  return out;
}

std::uint64_t permute(const Form& form, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t out = 0;
  for (int i = 0; i < 4; ++i) {
    const int s = static_cast<int>(c & 3);
    int chosen = 0;
    bool sign = false;
    if (form.has("f4e"))
      chosen = s + i;
    else if (form.has("b4e"))
      chosen = (s - i + 8) % 8;
    else if (form.has("rc8"))
      chosen = s;
    else if (form.has("ecl"))
      chosen = i > s ? i : s;
    else if (form.has("ecr"))
      chosen = i < s ? i : s;
    else if (form.has("rc16"))
      chosen = s % 2 == 0 ? i % 2 : 2 + i % 2;
    else {
      chosen = static_cast<int>(c >> (4 * i) & 7);
      sign = (c >> (4 * i) & 8) != 0;
    }
    std::uint64_t byte = chosen < 4 ? a >> (8 * chosen) & 0xFF : b >> (8 * (chosen - 4)) & 0xFF;
    if (sign) byte = byte >= 128 ? 255 : 0;
    out |= byte << (8 * i);
  }
  return out;
}

std::uint64_t dot(const Form& form, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const bool four = form.opcode == "dp4a";
  const auto field = [](std::uint64_t value, unsigned from, unsigned bits, bool sign) {
    Int v = static_cast<Int>(value >> from & ((1u << bits) - 1));
    return sign && v >= (Int{1} << (bits - 1)) ? v - (Int{1} << bits) : v;
  };
  Int sum = static_cast<Int>(c);
  for (unsigned i = 0; i < (four ? 4u : 2u); ++i) {
    const Int x = four ? field(a, 8 * i, 8, is_signed(form.type(0))) : field(a, 16 * i, 16, is_signed(form.type(0)));
    sum += x * field(b, 8 * (i + (form.has("hi") ? 2 : 0)), 8, is_signed(form.type(1)));
  }
  return cut(sum, 32);
}

std::optional<std::uint64_t> arithmetic(const Form& form, const Sources& s) {
  const Type type = form.type();
  const unsigned bits = 8 * bytes_of(type);
  const Int a = number_of(type, s[0]), b = number_of(type, s[1]), c = number_of(type, s[2]);
  if (form.opcode == "add") return form.has("sat") ? saturated32(a + b) : cut(a + b, bits);
  if (form.opcode == "sub") return form.has("sat") ? saturated32(a - b) : cut(a - b, bits);
  if (form.opcode == "mul" || form.opcode == "mad") {
    const bool adds = form.opcode == "mad";
    if (form.has("wide")) return cut(a * b + (adds ? number_of(widened(type), s[2]) : 0), 2 * bits);
    if (form.has("lo")) {
      using Unsigned = unsigned __int128;
      return cut(static_cast<Int>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b) + static_cast<Unsigned>(adds ? c : 0)), bits);
    }
    const std::uint64_t high = high_product(type, s[0], s[1], bits);
    if (form.has("sat")) return saturated32(number_of(type, high) + c);
    return cut(number_of(type, high) + (adds ? c : 0), bits);
  }
  if (form.opcode == "mul24" || form.opcode == "mad24") {
    const auto low = [&](std::uint64_t v) {
      const Int x = static_cast<Int>(v & 0xFFFFFF);
      return is_signed(type) && x >= 0x800000 ? x - 0x1000000 : x;
    };
    const Int product = low(s[0]) * low(s[1]),
              part = form.has("lo") ? number_of(type, cut(product, 32)) : number_of(type, cut(floor_shift(product, 16), 32));
    if (form.has("sat")) return saturated32(part + c);
    return cut(part + (form.opcode == "mad24" ? c : 0), 32);
  }
  if (form.opcode == "sad") return cut(c + (a > b ? a - b : b - a), bits);
  if (form.opcode == "div") return divide(type, s[0], s[1], bits, false);
  if (form.opcode == "rem") return divide(type, s[0], s[1], bits, true);
  if (form.opcode == "abs") return cut(a < 0 ? -a : a, bits);
  if (form.opcode == "neg") return cut(-a, bits);
  if (form.opcode == "min") return cut(std::min(a, b), bits);
  if (form.opcode == "max") return cut(std::max(a, b), bits);
  if (form.opcode == "dp4a" || form.opcode == "dp2a") return dot(form, s[0], s[1], s[2]);
  return std::nullopt;
}

/// The number in `bits` bits of a value from bit `from` on.
Int part_of(std::uint64_t value, unsigned from, unsigned bits, bool sign) {
  const Int part = static_cast<Int>(value >> from & ((std::uint64_t{1} << bits) - 1));
  return sign && bit(value, from + bits - 1) ? part - (Int{1} << bits) : part;
}

std::optional<Int> video_part(const Form& form, std::string_view operation, Int a, Int b) {
  if (operation == "add") return a + b;
  if (operation == "sub") return a - b;
  if (operation == "avrg") return a + b >= 0 ? (a + b + 1) / 2 : (a + b - 1) / 2;
  if (operation == "absdiff") return std::max(a, b) - std::min(a, b);
  if (operation == "min") return std::min(a, b);
  if (operation == "max") return std::max(a, b);
  if (operation == "set")
    return form.has("eq")   ? a == b
           : form.has("ne") ? a != b
           : form.has("lt") ? a < b
           : form.has("le") ? a <= b
           : form.has("gt") ? a > b
                            : a >= b;
  const auto by = static_cast<unsigned>(form.has("wrap") ? b % 32 : std::min<Int>(b, 32));
  if (operation == "shl") return a * (Int{1} << by);
  if (operation == "shr") return floor_shift(a, by);
  return std::nullopt;
}

std::optional<std::uint64_t> video(const Form& form, const Sources& s) {
  if (form.opcode.front() != 'v') return std::nullopt;
  std::string_view operation = form.opcode.substr(1);
  unsigned parts = 1;
  if (operation.back() == '2' || operation.back() == '4') {
    parts = static_cast<unsigned>(operation.back() - '0');
    operation.remove_suffix(1);
  }
  const bool sign = is_signed(form.type()), by_distance = operation == "shl" || operation == "shr";
  const unsigned bits = 32 / parts;
  const Int least = sign ? -(Int{1} << (bits - 1)) : 0, most = (Int{1} << (sign ? bits - 1 : bits)) - 1, c = part_of(s[2], 0, 32, sign);
  std::uint64_t joined = 0;
  Int sum = 0;
  for (unsigned i = 0; i < parts; ++i) {
    std::optional<Int> result =
        video_part(form, operation, part_of(s[0], i * bits, bits, sign), part_of(s[1], i * bits, bits, sign && !by_distance));
    if (!result) return std::nullopt;
    if (form.has("sat")) result = std::clamp(*result, least, most);
    joined |= cut(*result, bits) << (i * bits);
    sum += *result;
  }
  if (form.has("add")) return cut(sum + c, 32);
  const Int number = part_of(joined, 0, 32, sign);
  if (form.has("min")) return cut(std::min(number, c), 32);
  if (form.has("max")) return cut(std::max(number, c), 32);
  return joined;
}

std::optional<std::uint64_t> shifted(const Form& form, const Sources& s) {
  const Type type = form.type();
  const unsigned bits = type == Type::pred ? 1 : 8 * bytes_of(type);
  const auto amount = static_cast<unsigned>(s[1] & 0xFFFFFFFF);
  std::uint64_t out = 0;
  if (form.opcode == "shl" || form.opcode == "shr") {
    for (unsigned i = 0; i < bits; ++i) {
      const bool left = form.opcode == "shl";
      const bool inside = left ? i >= amount : std::uint64_t{i} + amount < bits;
      const bool fill = !left && is_signed(type) && bit(s[0], bits - 1);
      if (inside ? bit(s[0], left ? i - amount : i + amount) : fill) out |= std::uint64_t{1} << i;
    }
    return out;
  }
  if (form.opcode == "shf") {
    const auto by = static_cast<unsigned>(form.has("wrap") ? s[2] % 32 : std::min<std::uint64_t>(s[2] & 0xFFFFFFFF, 32));
    const auto both = [&](unsigned i) { return i < 32 ? bit(s[0], i) : i < 64 && bit(s[1], i - 32); };
    for (unsigned i = 0; i < 32; ++i)
      if (both(form.has("l") ? 32 + i - by : i + by)) out |= std::uint64_t{1} << i;
    return out;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> bitwise(const Form& form, const Sources& s, std::uint64_t literal) {
  const Type type = form.type();
  const unsigned bits = type == Type::pred ? 1 : 8 * bytes_of(type);
  std::uint64_t out = 0;
  const auto map = [&](auto f) {
    for (unsigned i = 0; i < bits; ++i)
      if (f(bit(s[0], i), bit(s[1], i), bit(s[2], i))) out |= std::uint64_t{1} << i;
    return out;
  };
  if (form.opcode == "and") return map([](bool a, bool b, bool) { return a && b; });
  if (form.opcode == "or") return map([](bool a, bool b, bool) { return a || b; });
  if (form.opcode == "xor") return map([](bool a, bool b, bool) { return a != b; });
  if (form.opcode == "not") return map([](bool a, bool, bool) { return !a; });
  if (form.opcode == "lop3")
    return map([literal](bool a, bool b, bool c) { return bit(literal, (a ? 4u : 0u) + (b ? 2u : 0u) + (c ? 1u : 0u)); });
  if (form.opcode == "cnot") return s[0] == 0;
  if (form.opcode == "brev") {
    for (unsigned i = 0; i < bits; ++i)
      if (bit(s[0], i)) out |= std::uint64_t{1} << (bits - 1 - i);
    return out;
  }
  if (form.opcode == "popc") {
    for (unsigned i = 0; i < bits; ++i) out += bit(s[0], i);
    return out;
  }
  if (form.opcode == "clz") {
    while (out < bits && !bit(s[0], bits - 1 - static_cast<unsigned>(out))) ++out;
    return out;
  }
  if (form.opcode == "bfind") {
    const bool skip = is_signed(type) && bit(s[0], bits - 1);
    for (unsigned i = bits; i-- > 0;)
      if (bit(s[0], i) != skip) return form.has("shiftamt") ? bits - 1 - i : i;
    return 0xFFFFFFFF;
  }
  if (form.opcode == "bfe") return extract(type, s[0], s[1] & 0xFF, s[2] & 0xFF, bits);
  if (form.opcode == "bfi") return insert(s[0], s[1], s[2] & 0xFF, s[3] & 0xFF, bits);
  if (form.opcode == "bmsk") {
    const std::uint64_t position = form.has("wrap") ? s[0] % 32 : std::min<std::uint64_t>(s[0], 32),
                        length = form.has("wrap") ? s[1] % 32 : std::min<std::uint64_t>(s[1], 32);
    for (std::uint64_t i = position; i < position + length && i < 32; ++i) out |= std::uint64_t{1} << i;
    return out;
  }
  if (form.opcode == "prmt") return permute(form, s[0], s[1], s[2]);
  return std::nullopt;
}

}  // namespace

__int128 number_of(Type type, std::uint64_t bits) {
  const unsigned width = 8 * bytes_of(type);
  const std::uint64_t kept = cut(static_cast<Int>(bits), width);
  return is_signed(type) && bit(kept, width - 1) ? static_cast<Int>(kept) - (Int{1} << width) : static_cast<Int>(kept);
}

std::optional<Expected> integer_oracle(const Form& form, const Sources& sources, std::uint64_t literal) {
  if (form.opcode == "selp") return Expected{(sources[2] & 1) != 0 ? sources[0] : sources[1], 0, false};
  if (is_float(form.type())) return std::nullopt;
  std::optional<std::uint64_t> value = bitwise(form, sources, literal);
  if (!value) value = shifted(form, sources);
  if (!value) value = video(form, sources);
  if (!value) value = arithmetic(form, sources);
  if (!value) return std::nullopt;
  return Expected{*value, 0, false};
}

}  // namespace wharf::ptx
