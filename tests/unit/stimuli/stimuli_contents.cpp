// The contents of lines, for compression.

#include <catch2/catch.hpp>
#include <cstring>

#include "stimuli/catalogue.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "stimuli/synthetic/synthetic.h"

using namespace wharf;

TEST_CASE("stimuli: a line's contents are the bytes of its array, zeros behind its end and where no array is") {
  spmd::Memory memory;
  const auto array = memory.array<std::uint32_t>("a", 40);  // 160 B: a line and a quarter
  for (std::uint32_t i = 0; i < 40; ++i) array[i] = 1000 + i;
  std::array<std::byte, kLineBytes> bytes;
  const auto word = [&](unsigned i) {
    std::uint32_t value;
    std::memcpy(&value, &bytes[4 * i], 4);
    return value;
  };
  memory.read(array.base, bytes.data(), bytes.size());
  CHECK(word(0) == 1000);
  CHECK(word(31) == 1031);
  memory.read(array.base + kLineBytes, bytes.data(), bytes.size());
  CHECK(word(7) == 1039);
  CHECK(word(8) == 0);
  memory.read(array.base - kLineBytes, bytes.data(), bytes.size());
  CHECK(word(0) == 0);
}

TEST_CASE("stimuli: a kernel's lines have contents, those of a synthetic stimulus have none") {
  const auto kernel = make_stimulus("vectoradd@tiny", 1);
  auto& memory = dynamic_cast<spmd::SpmdStimulus&>(*kernel).memory();
  const auto& region = memory.regions().front();
  std::array<std::byte, kLineBytes> bytes;
  REQUIRE(kernel->contents(LineAddress::of(region.base), bytes));
  CHECK(std::memcmp(bytes.data(), region.data, kLineBytes) == 0);
  CHECK_FALSE(make_synthetic({}, 1)->contents(LineAddress::of(region.base), bytes));
}
