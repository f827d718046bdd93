// BDI against lines compressed by hand (morpheus section 7 point 3).

#include <catch2/catch.hpp>

#include "policies/compression/bdi.h"

using namespace wharf;

namespace {

/// A line of segments base + delta(lane).
template <class Delta>
LineBytes a_line(std::uint32_t base, Delta delta) {
  LineBytes line;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t value = base + static_cast<std::uint32_t>(delta(lane));
    for (unsigned i = 0; i < 4; ++i) line[4 * lane + i] = static_cast<std::byte>(value >> (8 * i));
  }
  return line;
}

/// All segments are equal except that of one lane.
LineBytes but_one(std::uint32_t base, unsigned odd_lane, std::int64_t delta) {
  return a_line(base, [&](unsigned lane) { return lane == odd_lane ? delta : 0; });
}

CompressionLevel level(const LineBytes& line) { return Bdi().compress(line).level; }

}  // namespace

TEST_CASE("bdi: a line of zeros, of one value and of small steps is high, with its first segment as base") {
  CHECK(level(a_line(0, [](unsigned) { return 0; })) == CompressionLevel::high);
  CHECK(level(a_line(0xDEADBEEF, [](unsigned) { return 0; })) == CompressionLevel::high);
  const CompressedLine kept = Bdi().compress(a_line(1000, [](unsigned lane) { return 4 * static_cast<int>(lane); }));  // 0 .. 124
  CHECK(kept.level == CompressionLevel::high);
  CHECK(kept.base == 1000);
  CHECK(kept.bytes[31] == std::byte{124});
  CHECK(kept.bytes[32] == std::byte{0});
}

TEST_CASE("bdi: a byte holds differences from -128 to 127, a halfword from -32768 to 32767") {
  using Level = CompressionLevel;
  for (const unsigned lane : {1u, 17u, 31u}) {
    CHECK(level(but_one(5000, lane, 127)) == Level::high);
    CHECK(level(but_one(5000, lane, 128)) == Level::low);
    CHECK(level(but_one(5000, lane, -128)) == Level::high);
    CHECK(level(but_one(5000, lane, -129)) == Level::low);
    CHECK(level(but_one(5000, lane, 32767)) == Level::low);
    CHECK(level(but_one(5000, lane, 32768)) == Level::uncompressed);
    CHECK(level(but_one(5000, lane, -32768)) == Level::low);
    CHECK(level(but_one(5000, lane, -32769)) == Level::uncompressed);
  }
}

TEST_CASE("bdi: differences wrap at 32 bits, so that values on both sides of 0 are near") {
  CHECK(level(but_one(0, 3, -1)) == CompressionLevel::high);
  CHECK(level(but_one(0xFFFFFFFF, 3, 1)) == CompressionLevel::high);
  CHECK(level(but_one(0x80000000, 3, -1)) == CompressionLevel::high);
}

TEST_CASE("bdi: floats of one exponent differ too much, and only the first segment is the base") {
  // 1.0f and 2.0f: 0x3F800000, 0x40000000.
  CHECK(level(a_line(0x3F800000, [](unsigned lane) { return lane % 2 == 0 ? 0 : 0x00800000; })) == CompressionLevel::uncompressed);
  // One outlier as the base makes all other segments far away.
  CHECK(level(a_line(0, [](unsigned lane) { return lane == 0 ? 0 : 1'000'000; })) == CompressionLevel::uncompressed);
}

TEST_CASE("bdi: a low line keeps each difference in two bytes, the low one first") {
  const CompressedLine kept = Bdi().compress(a_line(7, [](unsigned lane) { return -256 * static_cast<int>(lane); }));
  CHECK(kept.level == CompressionLevel::low);
  CHECK(kept.base == 7);
  CHECK(kept.bytes[0] == std::byte{0});
  CHECK(kept.bytes[2] == std::byte{0x00});  // -256 = 0xFF00
  CHECK(kept.bytes[3] == std::byte{0xFF});
  CHECK(kept.bytes[63] == std::byte{0xE1});  // -256 * 31 = 0xE100
  CHECK(kept.bytes[64] == std::byte{0});
}
