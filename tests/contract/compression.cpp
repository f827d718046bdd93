// The contract of every compression in the catalogue.

#include "policies/compression/compression.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/base/rng.h"

using namespace wharf;

namespace {

/// Lines from zeros to noise: segments near a base, within a range of `bits`, or anything.
LineBytes a_line(Rng& rng) {
  LineBytes line;
  const auto base = static_cast<std::uint32_t>(rng.next());
  const std::uint64_t bits = rng.below(33);
  for (unsigned segment = 0; segment < kLanes; ++segment) {
    const auto value = static_cast<std::uint32_t>(base + rng.below(std::uint64_t{1} << bits));
    for (unsigned i = 0; i < 4; ++i) line[4 * segment + i] = static_cast<std::byte>(value >> (8 * i));
  }
  return line;
}

}  // namespace

TEST_CASE("compression contract: what is compressed comes back byte for byte, and a line is always given the same level") {
  for (const config::PolicyName& policy : compression_catalogue_names()) {
    const auto compressor = make_compressor(policy.name);
    Rng rng(7);
    unsigned levels[kCompressionLevels] = {};
    for (unsigned i = 0; i < 20'000; ++i) {
      CAPTURE(policy.name, i);
      const LineBytes line = a_line(rng);
      const CompressedLine kept = compressor->compress(line);
      ++levels[static_cast<unsigned>(kept.level)];
      REQUIRE(compressor->decompress(kept) == line);
      REQUIRE(compressor->compress(line).level == kept.level);
    }
    CHECK(levels[0] > 0);  // no compression can make every line small
  }
}

TEST_CASE("compression contract: only the bytes of the level are used") {
  for (const config::PolicyName& policy : compression_catalogue_names()) {
    const auto compressor = make_compressor(policy.name);
    Rng rng(8);
    for (unsigned i = 0; i < 2'000; ++i) {
      CAPTURE(policy.name, i);
      const CompressedLine kept = compressor->compress(a_line(rng));
      for (unsigned byte = kLineBytes / lines_per_register(kept.level); byte < kLineBytes; ++byte)
        REQUIRE(kept.bytes[byte] == std::byte{0});
    }
  }
}

TEST_CASE("compression contract: an unknown name is refused") { CHECK_THROWS_AS(make_compressor("zip"), InputError); }
