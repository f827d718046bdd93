// Halves to floats and back.

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "stimuli/half.h"

using namespace wharf;

namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

TEST_CASE("half: each of the 65,536 halves has the value that its fields state, and rounds to itself") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const int exponent = half >> 10 & 0x1F, fraction = half & 0x3FF;
    const float value = float_of_half(half);
    if (exponent == 31 && fraction != 0) {
      wrong += !std::isnan(value) || half_of_float(value) != 0x7FFF;
      continue;
    }
    float expected = exponent == 31  ? std::numeric_limits<float>::infinity()
                     : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                     : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    if (half >= 0x8000) expected = -expected;
    wrong += bits_of(value) != bits_of(expected) || half_of_float(value) != half;
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: between two neighbours the nearer one is taken, and in the middle the even one") {
  int wrong = 0;
  for (std::uint32_t low = 0; low < 0x7BFF; ++low) {
    const auto half = static_cast<std::uint16_t>(low), next = static_cast<std::uint16_t>(low + 1);
    const float middle = (float_of_half(half) + float_of_half(next)) / 2;  // exact: a float has more digits
    wrong += half_of_float(middle) != (low % 2 == 0 ? half : next);
    wrong += half_of_float(-middle) != ((low % 2 == 0 ? half : next) | 0x8000);
    wrong += half_of_float(std::nextafter(middle, 0.0f)) != half;
    wrong += half_of_float(std::nextafter(middle, 1e9f)) != next;
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: values from 65520 on are infinite, and those up to 2^-25 are zero") {
  CHECK(half_of_float(65504.0f) == 0x7BFF);
  CHECK(half_of_float(std::nextafter(65520.0f, 0.0f)) == 0x7BFF);
  CHECK(half_of_float(65520.0f) == 0x7C00);
  CHECK(half_of_float(-1e38f) == 0xFC00);
  CHECK(half_of_float(std::numeric_limits<float>::infinity()) == 0x7C00);
  CHECK(half_of_float(0x1p-25f) == 0);
  CHECK(half_of_float(std::nextafter(0x1p-25f, 1.0f)) == 1);
  CHECK(half_of_float(-0.0f) == 0x8000);
  CHECK(half_of_float(std::numeric_limits<float>::quiet_NaN()) == 0x7FFF);
}
