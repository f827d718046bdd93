// Compressed blocks of a register-file set: levels by contents or drawn, layouts by epochs, times (morpheus section 7).

#include <catch2/catch.hpp>
#include <map>

#include "tests/designs/morpheus/unit/ellc_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

constexpr Cycle kEpoch = 10'000;

EllcKernelParams compressing() {
  EllcKernelParams p;
  p.compression.algorithm = "bdi";
  return p;
}

/// A line whose segments are 0 except the second, which decides the level.
LineBytes a_line(CompressionLevel level) {
  LineBytes line{};
  line[4] = std::byte{1};
  if (level != CompressionLevel::high) line[5] = std::byte{1};
  if (level == CompressionLevel::uncompressed) line[6] = std::byte{1};
  return line;
}

/// An image with a level for each line; high if none is given.
class Image {
 public:
  LineContents contents() {
    return [this](LineAddress line, LineBytes& bytes) {
      const auto known = levels.find(line.number);
      bytes = a_line(known == levels.end() ? CompressionLevel::high : known->second);
      return true;
    };
  }
  std::map<std::uint64_t, CompressionLevel> levels;
};

}  // namespace

TEST_CASE("ellc compression: an insertion takes the time to compress, and before the first epoch nothing is decompressed") {
  Image image;
  EllcScript script(compressing(), MissFetch::controller, image.contents());
  CHECK(script.insert(0, 1)[0].ready == kAround + Steps::victim + Steps::rf_software + Steps::compress);
  CHECK(script.ask(0, EllcOp::read, 1, 1000)[0].ready == 1000 + kAround + Steps::rf_software);
  CHECK(script.count("kept_high") == 1);
  CHECK(script.count("decompressions") == 0);
}

TEST_CASE("ellc compression: after an epoch of compressible blocks a set holds up to its tags, and a read of them is decompressed") {
  Image image;
  EllcScript script(compressing(), MissFetch::controller, image.contents());
  for (std::uint64_t line = 0; line < 46; ++line) script.insert(0, line, false, line);
  CHECK(script.kernel.blocks(0).size() == 46);
  script.insert(0, 46, false, kEpoch);
  CHECK(script.count("layout_changes") == 1);
  CHECK(script.count("layout_evictions") == 45);  // now all registers but one are of level high
  for (std::uint64_t line = 100; line < 300; ++line) script.insert(0, line, false, kEpoch + line);
  CHECK(script.kernel.blocks(0).size() == 96);
  const auto read = script.ask(0, EllcOp::read, 299, kEpoch + 500);
  CHECK(read[0].ready == kEpoch + 500 + kAround + Steps::rf_software + Steps::decompress);
  CHECK(script.count("decompressions") == 1);
  CHECK(script.laws_hold());
}

TEST_CASE("ellc compression: the profile of a set is what it holds at each operation after one that displaced a block, by its registers") {
  Image image;
  EllcScript script(compressing(), MissFetch::controller, image.contents());
  for (std::uint64_t line = 0; line < 46; ++line) script.insert(0, line, false, line);
  script.insert(0, 46, false, 46);
  CHECK(script.count("profiled_places") == 0);
  for (std::uint64_t line = 50; line < 53; ++line) script.insert(0, line, false, line);
  CHECK(script.count("profiled_blocks") == 3 * 46);
  script.insert(0, 53, false, kEpoch);  // 45 registers are emptied for the level of all inserted lines
  CHECK(script.count("profiled_blocks") == 3 * 46 + 1);
  CHECK(script.count("profiled_places") == 4 * 46);
}

TEST_CASE("ellc compression: an epoch with fewer than 16 insertions and updates goes on, and what has been counted stays") {
  Image image;
  EllcScript script(compressing(), MissFetch::controller, image.contents());
  for (std::uint64_t line = 0; line < 10; ++line) script.insert(0, line);
  for (std::uint64_t line = 10; line < 15; ++line) script.insert(0, line, false, kEpoch);
  script.insert(0, 15, false, 2 * kEpoch);
  CHECK(script.count("layout_changes") == 0);
  script.ask(0, EllcOp::read, 15, 3 * kEpoch);
  CHECK(script.count("layout_changes") == 1);
}

TEST_CASE("ellc compression: dirty blocks of a register that changes level leave, one after the other, before the result") {
  Image image;
  EllcScript script(compressing(), MissFetch::controller, image.contents());
  for (std::uint64_t line = 0; line < 20; ++line) script.insert(0, line, line < 3);
  const auto sends = script.ask(0, EllcOp::read, 19, kEpoch);
  REQUIRE(sends.size() == 4);
  constexpr Cycle kOne = Steps::rf_software + Steps::writeback;
  for (std::uint64_t line = 0; line < 3; ++line) {
    CHECK(sends[line].kind == MessageKind::ellc_writeback);
    CHECK(sends[line].line == LineAddress{line});
    CHECK(sends[line].ready == kEpoch + Steps::deliver + Steps::tag + (line + 1) * kOne);
  }
  CHECK(sends[3].word.result == EllcResult::hit);  // in the register used last, the only one of 46 that stays uncompressed
}

TEST_CASE("ellc compression: the level of a block is decided anew when it is written, and it moves where it has grown") {
  Image image;
  EllcScript script(compressing(), MissFetch::controller, image.contents());
  for (std::uint64_t line = 0; line < 20; ++line) script.insert(0, line);
  script.insert(0, 100, false, kEpoch);
  const auto& blocks = script.kernel.blocks(0);
  CHECK(blocks.stored_level(blocks.find({100})) == CompressionLevel::high);
  image.levels[100] = CompressionLevel::uncompressed;
  const auto sends = script.ask(0, EllcOp::write, 100, kEpoch + 1000, {7, 7, 7, 7});
  CHECK(sends.back().ready == kEpoch + 1000 + kAround + Steps::rf_software + Steps::compress);
  CHECK(blocks.stored_level(blocks.find({100})) == CompressionLevel::uncompressed);
  CHECK(script.ask(0, EllcOp::read, 100, kEpoch + 2000)[0].carrier->versions == SectorVersions{7, 7, 7, 7});
}

TEST_CASE("ellc compression: L1 sets are not compressed") {
  Image image;
  EllcScript script(compressing(), MissFetch::controller, image.contents());
  script.ask(40, EllcOp::write, 1);
  CHECK(script.count("kept_high") == 0);
}

TEST_CASE("ellc compression: drawn levels have the given probabilities and stay those of their line") {
  EllcKernelParams p = compressing();
  p.compression.source = LevelSource::drawn;
  EllcScript script(p);
  for (std::uint64_t line = 0; line < 20'000; ++line) script.insert(line % 32, line);
  CHECK(static_cast<double>(script.count("kept_high")) / 20'000 == Approx(0.25).margin(0.01));
  CHECK(static_cast<double>(script.count("kept_low")) / 20'000 == Approx(0.30).margin(0.01));
  EllcScript again(p);
  for (unsigned i = 0; i < 100; ++i) again.insert(i % 32, 5 + 32 * (i % 2));
  CHECK(again.count("kept_high") % 50 == 0);  // each of the two lines always has the same level
}

TEST_CASE("ellc compression: a write draws its block's level anew one time in twenty, and contents are drawn where there are none") {
  EllcKernelParams p = compressing();
  p.compression.drawn_high = 1;
  p.compression.drawn_low = 0;
  EllcScript same(p, MissFetch::controller, [](LineAddress, LineBytes&) { return false; });
  same.insert(0, 1);
  CHECK(same.count("kept_high") == 1);
  p.compression.drawn_high = 0.5;
  p.compression.drawn_low = 0.5;
  p.compression.drawn_change = 1;
  EllcScript changing(p);
  changing.insert(0, 1);
  for (unsigned i = 0; i < 1000; ++i) changing.ask(0, EllcOp::write, 1, i);
  CHECK(static_cast<double>(changing.count("kept_high")) / 1000 == Approx(0.5).margin(0.06));
}
