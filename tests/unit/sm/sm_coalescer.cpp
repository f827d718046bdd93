// Lane addresses to lines, sectors and shared-memory cycles (CM-5, CM-25).

#include <algorithm>
#include <bitset>
#include <catch2/catch.hpp>
#include <functional>
#include <ostream>
#include <utility>
#include <vector>

#include "model/base/rng.h"
#include "model/sm/coalescer.h"

using namespace wharf;

namespace {

using AddressOf = std::function<Address(unsigned lane)>;

WarpInstruction access(Unit unit, unsigned bytes, const AddressOf& address, LaneMask active = kAllLanes) {
  WarpInstruction instruction;
  instruction.unit = unit;
  instruction.access_bytes = static_cast<std::uint8_t>(bytes);
  instruction.active = active;
  for (unsigned lane = 0; lane < kLanes; ++lane) instruction.addresses[lane] = address(lane);
  return instruction;
}

struct Part {
  std::uint64_t line;
  unsigned sectors, covered;
  friend bool operator==(const Part& a, const Part& b) { return a.line == b.line && a.sectors == b.sectors && a.covered == b.covered; }
  friend std::ostream& operator<<(std::ostream& out, const Part& p) {
    return out << "line " << p.line << " sectors " << p.sectors << " covered " << p.covered;
  }
};

std::vector<Part> parts_of(const WarpInstruction& instruction) {
  CoalescedLines lines;
  coalesce(instruction, lines);
  std::vector<Part> parts;
  for (unsigned i = 0; i < lines.count; ++i) parts.push_back({lines.parts[i].line.number, lines.parts[i].sectors, lines.parts[i].covered});
  return parts;
}

/// The same result, computed byte by byte.
std::vector<Part> parts_by_bytes(const WarpInstruction& instruction) {
  std::vector<std::pair<std::uint64_t, std::bitset<kLineBytes>>> lines;  // in order of first touch
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((instruction.active >> lane & 1) == 0) continue;
    for (unsigned byte = 0; byte < instruction.access_bytes; ++byte) {
      const Address address = instruction.addresses[lane] + byte;
      auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& known) { return known.first == address / kLineBytes; });
      if (line == lines.end()) line = lines.insert(lines.end(), {address / kLineBytes, {}});
      line->second.set(address % kLineBytes);
    }
  }
  std::vector<Part> parts;
  for (const auto& [number, bytes] : lines) {
    Part part{number, 0, 0};
    for (unsigned s = 0; s < kSectorsPerLine; ++s) {
      const auto sector = bytes >> (s * kSectorBytes) & std::bitset<kLineBytes>(0xFFFFFFFF);
      if (sector.any()) part.sectors |= 1u << s;
      if (sector.count() == kSectorBytes && instruction.unit == Unit::store) part.covered |= 1u << s;
    }
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

TEST_CASE("coalescer: 32 neighbouring words are one line of four sectors, in any order of the lanes") {
  CHECK(parts_of(access(Unit::load, 4, [](unsigned l) { return 1280 + 4 * l; })) == std::vector<Part>{{10, 0xF, 0}});
  CHECK(parts_of(access(Unit::load, 4, [](unsigned l) { return 1280 + 4 * (31 - l); })) == std::vector<Part>{{10, 0xF, 0}});
}

TEST_CASE("coalescer: lanes that name one word are one sector of one line") {
  CHECK(parts_of(access(Unit::load, 4, [](unsigned) { return 1280 + 64; })) == std::vector<Part>{{10, 0b0100, 0}});
}

TEST_CASE("coalescer: 32 lanes a line apart are 32 lines of one sector in lane order") {
  const auto parts = parts_of(access(Unit::load, 4, [](unsigned l) { return 128 * (31 - l) + 32; }));
  REQUIRE(parts.size() == 32);
  for (unsigned i = 0; i < 32; ++i) CHECK(parts[i] == Part{31 - i, 0b0010, 0});
}

TEST_CASE("coalescer: a misaligned row of words touches five sectors of two lines") {
  CHECK(parts_of(access(Unit::load, 4, [](unsigned l) { return 1280 + 48 + 4 * l; })) ==
        std::vector<Part>{{10, 0b1110, 0}, {11, 0b0011, 0}});
}

TEST_CASE("coalescer: wide words are more lines, a straddling one belongs to both of its lines") {
  CHECK(parts_of(access(Unit::load, 8, [](unsigned l) { return 8 * l; })) == std::vector<Part>{{0, 0xF, 0}, {1, 0xF, 0}});
  CHECK(parts_of(access(Unit::load, 16, [](unsigned l) { return 16 * l; })) ==
        std::vector<Part>{{0, 0xF, 0}, {1, 0xF, 0}, {2, 0xF, 0}, {3, 0xF, 0}});
  CHECK(parts_of(access(Unit::load, 16, [](unsigned) { return 128 - 8; })) == std::vector<Part>{{0, 0b1000, 0}, {1, 0b0001, 0}});
}

TEST_CASE("coalescer: inactive lanes touch nothing, and no active lane is no line") {
  CHECK(parts_of(access(
            Unit::load, 4, [](unsigned l) { return 4 * l; }, 0x0000FF00)) == std::vector<Part>{{0, 0b0010, 0}});
  CHECK(parts_of(access(
            Unit::load, 4, [](unsigned l) { return 128 * l; }, 1u << 31)) == std::vector<Part>{{31, 0b0001, 0}});
  CHECK(parts_of(access(
                     Unit::load, 4, [](unsigned l) { return 4 * l; }, 0))
            .empty());
}

TEST_CASE("coalescer: a store covers a sector only where all of its 32 bytes are written") {
  const auto row = [](unsigned l) { return Address{4 * l}; };
  CHECK(parts_of(access(Unit::store, 4, row)) == std::vector<Part>{{0, 0xF, 0xF}});
  CHECK(parts_of(access(Unit::store, 4, row, ~LaneMask{1})) == std::vector<Part>{{0, 0xF, 0b1110}});  // bytes 0 .. 3 are missing
  CHECK(parts_of(access(Unit::store, 4, row, ~(LaneMask{1} << 31))) == std::vector<Part>{{0, 0xF, 0b0111}});
  CHECK(parts_of(access(Unit::store, 4, [](unsigned l) { return 8 * l; })) == std::vector<Part>{{0, 0xF, 0}, {1, 0xF, 0}});
  CHECK(parts_of(access(Unit::store, 8, [](unsigned l) { return 8 * l; })) == std::vector<Part>{{0, 0xF, 0xF}, {1, 0xF, 0xF}});
  CHECK(parts_of(access(Unit::store, 1, [](unsigned l) { return 64 + l; })) == std::vector<Part>{{0, 0b0100, 0b0100}});
}

TEST_CASE("coalescer: loads and atomics cover nothing") {
  for (const Unit unit : {Unit::load, Unit::texture, Unit::atomic})
    CHECK(parts_of(access(unit, 4, [](unsigned l) { return 4 * l; })) == std::vector<Part>{{0, 0xF, 0}});
}

TEST_CASE("coalescer: 32 straddling lanes are 64 lines") {
  const auto parts = parts_of(access(Unit::store, 16, [](unsigned l) { return 1024 * l + 120; }));
  REQUIRE(parts.size() == 2 * kLanes);
  for (unsigned l = 0; l < 32; ++l) {
    CHECK(parts[2 * l] == Part{8 * l, 0b1000, 0});
    CHECK(parts[2 * l + 1] == Part{8 * l + 1, 0b0001, 0});
  }
}

TEST_CASE("coalescer: for any addresses, sizes and masks it names what a count of bytes names") {
  Rng rng(11);
  const unsigned sizes[] = {1, 2, 4, 8, 16};
  for (unsigned trial = 0; trial < 3000; ++trial) {
    const Address base = rng.below(4096);
    const std::uint64_t stride = rng.below(70), spread = std::uint64_t{1} << rng.below(11);
    const bool scattered = rng.chance(0.4), backwards = rng.chance(0.3);
    const auto mask = static_cast<LaneMask>(rng.chance(0.3) ? kAllLanes : rng.next());
    const WarpInstruction instruction = access(
        rng.chance(0.5) ? Unit::store : Unit::load, sizes[rng.below(5)],
        [&](unsigned lane) {
          const unsigned l = backwards ? 31 - lane : lane;
          return base + (scattered ? rng.below(spread) : stride * l);
        },
        mask);
    if (parts_of(instruction) != parts_by_bytes(instruction)) {
      CHECK(parts_of(instruction) == parts_by_bytes(instruction));
      FAIL("trial " << trial);
    }
  }
}

TEST_CASE("shared memory: different banks or one word take one cycle") {
  CHECK(shared_memory_cycles(access(Unit::shared, 4, [](unsigned l) { return 4 * l; }), 32) == 1);
  CHECK(shared_memory_cycles(access(Unit::shared, 4, [](unsigned) { return 400; }), 32) == 1);
  CHECK(shared_memory_cycles(access(Unit::shared, 4, [](unsigned l) { return 4 * (l / 2); }), 32) == 1);
  CHECK(shared_memory_cycles(access(Unit::shared, 1, [](unsigned l) { return l; }), 32) == 1);
}

TEST_CASE("shared memory: n different words of one bank take n cycles") {
  for (unsigned n : {2u, 4u, 8u, 16u, 32u})
    CHECK(shared_memory_cycles(access(Unit::shared, 4, [&](unsigned l) { return Address{4} * n * l; }), 32) == n);
  // A row of 33 words: the column walks over all banks.
  CHECK(shared_memory_cycles(access(Unit::shared, 4, [](unsigned l) { return 4 * 33 * l; }), 32) == 1);
  // Sixteen banks: lanes l and l + 16 conflict.
  CHECK(shared_memory_cycles(access(Unit::shared, 4, [](unsigned l) { return 4 * l; }), 16) == 2);
}

TEST_CASE("shared memory: inactive lanes conflict with nobody, and no active lane takes a cycle") {
  CHECK(shared_memory_cycles(access(
                                 Unit::shared, 4, [](unsigned l) { return 128 * l; }, 0x00010001),
                             32) == 2);
  CHECK(shared_memory_cycles(access(
                                 Unit::shared, 4, [](unsigned l) { return 128 * l; }, 1),
                             32) == 1);
  CHECK(shared_memory_cycles(access(
                                 Unit::shared, 4, [](unsigned l) { return 128 * l; }, 0),
                             32) == 1);
}

// CM-43
TEST_CASE("coalescer: a warp's words of local memory are a line a word, thread slots of all SMs beside each other") {
  KernelLaunch kernel;
  kernel.block = {48, 1, 1};  // two warps, the second half empty
  kernel.local_offsets = true;
  const unsigned sms = 2, sm = 1;
  const LocalLayout layout(kernel, 3, sms, sm);  // three CTAs per SM
  const std::uint64_t slots = 64 * sms * 3;
  const auto line_of = [&](unsigned warp, std::uint64_t word) {
    const std::uint64_t first = 64 * (sm + sms * (warp / 2)) + warp % 2 * 32;
    return (LocalLayout::kBase + 4 * (word * slots + first)) / kLineBytes;
  };
  CoalescedLines lines;
  for (const unsigned bytes : {4u, 8u, 16u}) {
    for (const unsigned warp : {0u, 1u, 4u}) {
      coalesce_local(access(Unit::store, bytes, [](unsigned) { return 40; }), layout, warp, lines);
      REQUIRE(lines.count == bytes / 4);
      for (unsigned i = 0; i < lines.count; ++i) {
        CHECK(lines.parts[i].line.number == line_of(warp, 10 + i));
        CHECK(lines.parts[i].sectors == 0xF);
        CHECK(lines.parts[i].covered == 0xF);
      }
    }
  }
}

// A stimulus gives addresses in arrays of all threads. Its frame converts them to offsets, as in traces.
TEST_CASE("coalescer: a stimulus's local arrays are the words of its frame, a line a word of a warp") {
  constexpr Address kFloats = 0x1'0000'0000, kDoubles = 0x1'0001'0000;
  KernelLaunch kernel;
  kernel.name = "k";
  kernel.block = {64, 1, 1};                         // two warps
  kernel.frame.add(kFloats, 6 * 64 * 3 * 4, 4, 3);   // at 0, 12 bytes
  kernel.frame.add(kDoubles, 6 * 64 * 2 * 8, 8, 2);  // at 16
  const unsigned sms = 2, sm = 1;
  const LocalLayout layout(kernel, 2, sms, sm);  // two CTAs per SM
  const std::uint64_t slots = 64 * sms * 2;
  const auto line_of = [&](unsigned warp, std::uint64_t word) {
    return (LocalLayout::kBase + 4 * (word * slots + 64 * (sm + sms * (warp / 2)) + warp % 2 * 32)) / kLineBytes;
  };
  // Element i of warp `of_grid` of the grid.
  const auto floats = [&](Unit unit, unsigned of_grid, unsigned i) {
    return access(unit, 4, [=](unsigned l) { return kFloats + ((of_grid * 3 + i) * kLanes + l) * 4; });
  };
  const auto doubles = [&](Unit unit, unsigned of_grid, unsigned i) {
    return access(unit, 8, [=](unsigned l) { return kDoubles + ((of_grid * 2 + i) * kLanes + l) * 8; });
  };
  CoalescedLines lines;
  for (unsigned cta = 0; cta < 6; ++cta) {
    for (unsigned w = 0; w < 4; ++w) {  // warp slots of both CTA slots
      const unsigned of_grid = cta * 2 + w % 2;
      for (unsigned i = 0; i < 3; ++i) {
        coalesce_local(floats(Unit::store, of_grid, i), layout, w, lines);
        REQUIRE(lines.count == 1);
        CHECK(lines.parts[0].line.number == line_of(w, i));
        CHECK(lines.parts[0].covered == kAllSectors);
      }
      for (unsigned i = 0; i < 2; ++i) {
        coalesce_local(doubles(Unit::load, of_grid, i), layout, w, lines);
        REQUIRE(lines.count == 2);
        CHECK(lines.parts[0].line.number == line_of(w, 4 + 2 * i));
        CHECK(lines.parts[1].line.number == line_of(w, 5 + 2 * i));
        CHECK(lines.parts[0].sectors == kAllSectors);
        CHECK(lines.parts[1].sectors == kAllSectors);
      }
    }
  }
}

TEST_CASE("coalescer: an access outside the local arrays of its kernel is refused with the kernel's name") {
  KernelLaunch kernel;
  kernel.name = "k";
  kernel.frame.add(0x1'0000'0000, 32 * 3 * 4, 4, 3);
  const LocalLayout layout(kernel, 1, 1, 0);
  CoalescedLines lines;
  const auto beyond =
      access(Unit::load, 4, [](unsigned l) { return 0x1'0000'0000 + (2 * kLanes + l + 1) * 4; });  // lane 31 is after the end
  CHECK_THROWS_WITH(coalesce_local(beyond, layout, 0, lines),
                    Catch::Contains("kernel 'k' accesses 4 bytes of local memory at 0x100000180, in no element of the local arrays"));
  WarpInstruction inside = beyond;
  inside.active = kAllLanes >> 1;
  coalesce_local(inside, layout, 0, lines);
  CHECK(lines.count == 1);
  kernel.frame = {};
  CHECK_THROWS_WITH(coalesce_local(inside, layout, 0, lines), Catch::Contains("kernel 'k'") && Catch::Contains("declares no local arrays"));
}

TEST_CASE("coalescer: local arrays that would reach into those of the stimulus are refused, with what can be done") {
  KernelLaunch kernel;
  kernel.name = "k";
  kernel.block = {1024, 1, 1};
  kernel.frame.add(0x1'0000'0000, 1, 16, 22976 / 16);
  CHECK_NOTHROW(LocalLayout(kernel, 2, 80, 0));  // 22,976 x 163,840 = 3,764,387,840
  kernel.frame.add(0x1'0000'0000, 1, 1, 1);
  CHECK_NOTHROW(LocalLayout(kernel, 1, 80, 0));
  CHECK_THROWS_WITH(
      LocalLayout(kernel, 2, 80, 0),
      "kernel 'k': 22992 bytes of local memory for each of 163840 threads are more than the 3765960704 that there are; use smaller "
      "local arrays, fewer SMs or sm.local_memory=as_given");
}

TEST_CASE("coalescer: a byte of local memory is one access that leaves holes in its sectors") {
  KernelLaunch kernel;
  kernel.local_offsets = true;
  kernel.grid = kernel.block = {1, 1, 1};
  CoalescedLines lines;
  coalesce_local(access(Unit::store, 1, [](unsigned) { return 6; }), LocalLayout(kernel, 1, 1, 0), 0, lines);
  REQUIRE(lines.count == 1);
  CHECK(lines.parts[0].sectors == 0xF);
  CHECK(lines.parts[0].covered == 0);
  CHECK(lines.parts[0].written.of_sector(0) == 0x44444444u);
}

TEST_CASE("coalescer: 32 lanes of 16 bytes at offsets of their own touch four lines each") {
  KernelLaunch kernel;
  kernel.grid = {1, 1, 1};
  kernel.block = {32, 1, 1};
  kernel.local_offsets = true;
  CoalescedLines lines;
  coalesce_local(access(Unit::load, 16, [](unsigned l) { return 64 * l; }), LocalLayout(kernel, 1, 1, 0), 0, lines);
  CHECK(lines.count == CoalescedLines::kMost);
}

TEST_CASE("coalescer: the bytes that a store writes are those of its lanes") {
  CoalescedLines lines;
  coalesce(access(
               Unit::store, 4, [](unsigned l) { return 1280 + 4 * l; }, 0xFFFF0FF0),
           lines);
  REQUIRE(lines.count == 1);
  CHECK(lines.parts[0].written.of_sector(0) == 0xFFFF0000u);
  CHECK(lines.parts[0].written.of_sector(1) == 0x0000FFFFu);
  CHECK(lines.parts[0].written.of_sector(3) == 0xFFFFFFFFu);
  coalesce(access(Unit::store, 4, [](unsigned l) { return 1290 + 4 * l; }), lines);  // all lanes, from the middle of a sector on
  REQUIRE(lines.count == 2);
  CHECK(lines.parts[0].written.of_sector(0) == 0xFFFFFC00u);
  CHECK(lines.parts[1].written.of_sector(0) == 0x000003FFu);
  CHECK(lines.parts[1].written.of_sector(1) == 0);
}
