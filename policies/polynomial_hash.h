#pragma once
// Hashes a number as a polynomial over GF(2): its residue modulo a fixed primitive polynomial.
// After Rau, "Pseudo-randomly interleaved memory", ISCA 1991; used by the ipoly address map and set index (CM-38).

#include <array>
#include <cstdint>

namespace wharf {

class PolynomialHash {
 public:
  static constexpr unsigned kMaxBits = 12;
  using Table = std::array<std::array<std::uint16_t, 256>, 8>;

  /// `bits` is the degree of the polynomial, 0 (the hash is always 0) to kMaxBits. Throws InputError above that.
  explicit PolynomialHash(unsigned bits);

  /// high * x^bits modulo the polynomial, in [0, 2^bits). XORed with the `bits` bits below `high`, it is the residue of the whole number.
  std::uint32_t operator()(std::uint64_t high) const {
    const Table& t = *table_;
    return t[0][high & 255] ^ t[1][high >> 8 & 255] ^ t[2][high >> 16 & 255] ^ t[3][high >> 24 & 255] ^ t[4][high >> 32 & 255] ^
           t[5][high >> 40 & 255] ^ t[6][high >> 48 & 255] ^ t[7][high >> 56];
  }

  /// The polynomial of degree `bits` (0..kMaxBits), bit i = coefficient of x^i.
  static std::uint32_t polynomial(unsigned bits);

 private:
  const Table* table_;  // one constant table per degree, shared by all caches of the model
};

}  // namespace wharf
