#include "policies/polynomial_hash.h"

#include <cstddef>
#include <string>
#include <utility>

#include "model/base/error.h"

namespace wharf {
namespace {

// Primitive polynomials, so that no power-of-two stride folds onto few residues. Degrees 5 and 6 are those of CM-38.
constexpr std::array<std::uint16_t, PolynomialHash::kMaxBits + 1> kPolynomials = {
    0x1,     // 1: everything is 0
    0x3,     // x + 1
    0x7,     // x^2 + x + 1
    0xB,     // x^3 + x + 1
    0x13,    // x^4 + x + 1
    0x25,    // x^5 + x^2 + 1
    0x43,    // x^6 + x + 1
    0x83,    // x^7 + x + 1
    0x11D,   // x^8 + x^4 + x^3 + x^2 + 1
    0x211,   // x^9 + x^4 + 1
    0x409,   // x^10 + x^3 + 1
    0x805,   // x^11 + x^2 + 1
    0x1053,  // x^12 + x^6 + x^4 + x + 1
};

constexpr std::uint16_t times_x(std::uint16_t residue, unsigned bits) {
  const std::uint32_t doubled = std::uint32_t{residue} << 1;
  return static_cast<std::uint16_t>((doubled >> bits & 1) != 0 ? doubled ^ kPolynomials[bits] : doubled);
}

constexpr PolynomialHash::Table make_table(unsigned bits) {
  PolynomialHash::Table table = {};
  if (bits == 0) return table;
  std::uint16_t power = 1;  // x^k modulo the polynomial
  for (unsigned k = 0; k < bits; ++k) power = times_x(power, bits);
  for (auto& of_byte : table) {
    for (unsigned bit = 1; bit < 256; bit <<= 1) {
      for (unsigned lower = 0; lower < bit; ++lower) of_byte[bit + lower] = of_byte[lower] ^ power;
      power = times_x(power, bits);
    }
  }
  return table;
}

template <std::size_t... bits>
constexpr std::array<PolynomialHash::Table, sizeof...(bits)> make_tables(std::index_sequence<bits...>) {
  return {make_table(bits)...};
}

constexpr auto kTables = make_tables(std::make_index_sequence<PolynomialHash::kMaxBits + 1>());

}  // namespace

PolynomialHash::PolynomialHash(unsigned bits) {
  if (bits > kMaxBits)
    throw InputError("a polynomial hash of " + std::to_string(bits) + " bits is not offered; choose at most " +
                     std::to_string(1u << kMaxBits) + " slices or sets");
  table_ = &kTables[bits];
}

std::uint32_t PolynomialHash::polynomial(unsigned bits) { return kPolynomials.at(bits); }

}  // namespace wharf
