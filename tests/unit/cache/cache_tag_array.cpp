// Tags of a set-associative cache: which lines may take which way, and the state of a way (CM-11).

#include <catch2/catch.hpp>

#include "model/cache/tag_array.h"

using namespace wharf;

namespace {

constexpr std::uint32_t kSets = 4, kWays = 2;

TagArray make(bool versions = false) {
  return TagArray(kSets, kWays, make_set_index("linear", kSets), make_replacement("lru", kSets, kWays, 1), {versions, true});
}

Access load_of(std::uint64_t line) {
  Access access;
  access.line = LineAddress{line};
  return access;
}

TagArray::Slot any_victim(TagArray& tags, std::uint64_t line) {
  return tags.victim(line, load_of(line), [](const TagArray::Line&) { return true; });
}

TagArray::Slot put(TagArray& tags, const Access& access) {
  const TagArray::Slot slot = any_victim(tags, access.line.number);
  tags.install(slot, access);
  return slot;
}
TagArray::Slot put(TagArray& tags, std::uint64_t line) { return put(tags, load_of(line)); }

}  // namespace

TEST_CASE("tag array: a line takes an absent place of its own set before it displaces another") {
  TagArray tags = make();
  CHECK(put(tags, 5) / kWays == 5 % kSets);
  CHECK(put(tags, 9) / kWays == 9 % kSets);
  CHECK(tags.find(5) != tags.find(9));
  CHECK(tags.lines_present() == 2);
  CHECK(tags.find(13) == TagArray::kNone);
}

TEST_CASE("tag array: an empty place is taken first even in a nearly full array, even if it was used after the other lines of its set") {
  TagArray tags = make();
  for (std::uint64_t line = 0; line < kSets * kWays; ++line) put(tags, line);
  const TagArray::Slot absent = tags.find(7);
  tags.remove(absent);  // the younger line of its set; all other sets are full
  CHECK(tags.lines_present() == kSets * kWays - 1);
  CHECK(any_victim(tags, 11) == absent);
}

TEST_CASE("tag array: of several empty places of a set the lowest is taken, in whatever order they became empty") {
  constexpr std::uint32_t kMany = 4;
  TagArray tags(1, kMany, make_set_index("linear", 1), make_replacement("lru", 1, kMany, 1), {false, false});
  for (std::uint64_t line = 0; line < kMany; ++line) CHECK(put(tags, line) == line);
  for (const TagArray::Slot slot : {1u, 3u, 0u}) tags.remove(slot);
  for (const TagArray::Slot lowest : {0u, 1u, 3u}) CHECK(put(tags, 100 + lowest) == lowest);
}

TEST_CASE("tag array: a line is found whatever is guessed of its slot, and no other line is taken for it") {
  TagArray tags = make();
  const TagArray::Slot five = put(tags, 5), nine = put(tags, 9);
  for (const TagArray::Slot guess : {five, nine, TagArray::Slot{0}, TagArray::Slot{65535}, TagArray::kNone}) {
    CHECK(tags.find_near(guess, 5) == five);
    CHECK(tags.find_near(guess, 9) == nine);
    CHECK(tags.find_near(guess, 13) == TagArray::kNone);
  }
  tags.remove(five);
  CHECK(tags.find_near(five, 5) == TagArray::kNone);
}

TEST_CASE("tag array: asking for a victim changes nothing") {
  TagArray tags = make();
  put(tags, 1);
  put(tags, 5);
  const TagArray::Slot victim = any_victim(tags, 9);
  CHECK(any_victim(tags, 9) == victim);
  CHECK(tags.find(1) == victim);
  CHECK(tags.lines_present() == 2);
}

TEST_CASE("tag array: the victim of a full set is the line longest untouched, and it is forgotten") {
  TagArray tags = make();
  put(tags, 1);
  put(tags, 5);
  tags.touch(tags.find(1), load_of(1));
  const TagArray::Slot slot = put(tags, 9);
  CHECK(tags.find(5) == TagArray::kNone);
  CHECK(tags.find(1) != TagArray::kNone);
  CHECK(tags.find(9) == slot);
  CHECK(tags.lines_present() == 2);
}

TEST_CASE("tag array: a line with a pending sector is no victim, and a set of them has none") {
  TagArray tags = make();
  tags.line(put(tags, 1)).pending = 1;
  put(tags, 5);
  CHECK(any_victim(tags, 9) == tags.find(5));  // 1 is older
  tags.line(tags.find(5)).pending = 8;
  CHECK(any_victim(tags, 9) == TagArray::kNone);
}

TEST_CASE("tag array: a line that the caller protects is no victim") {
  TagArray tags = make();
  tags.line(put(tags, 1)).modified = true;
  put(tags, 5);
  const auto clean = [](const TagArray::Line& line) { return !line.modified; };
  CHECK(tags.victim(9, load_of(9), clean) == tags.find(5));
  tags.line(tags.find(5)).modified = true;
  CHECK(tags.victim(9, load_of(9), clean) == TagArray::kNone);
}

TEST_CASE("tag array: a line comes in without sectors and knows which access brought it") {
  TagArray tags = make();
  TagArray::Line& old = tags.line(put(tags, 1));
  old.valid = old.dirty = old.partial = 3;
  old.modified = true;
  put(tags, 5);
  Access access = load_of(9);
  access.pc = 70;
  access.cta = 6;
  access.sm = 5;
  access.warp = 4;
  const TagArray::Slot slot = put(tags, access);
  const TagArray::Line& line = tags.line(slot);
  CHECK(line.number == 9);
  CHECK((line.valid | line.pending | line.dirty | line.partial) == 0);
  CHECK_FALSE(line.modified);
  CHECK(tags.origin(slot).pc == 70);
  CHECK(tags.origin(slot).cta == 6);
  CHECK(tags.origin(slot).sm == 5);
  CHECK(tags.origin(slot).warp == 4);
}

TEST_CASE("tag array: the versions of a place start at the initial contents for every line") {
  TagArray tags = make(true);
  CHECK(tags.keeps_versions());
  CHECK_FALSE(make().keeps_versions());
  TagArray::Slot slot = put(tags, 1);
  for (unsigned s = 0; s < kSectorsPerLine; ++s) tags.version(slot, s) = 50 + s;
  tags.remove(slot);
  slot = put(tags, 1);
  for (unsigned s = 0; s < kSectorsPerLine; ++s) CHECK(tags.version(slot, s) == 0);
}

TEST_CASE("tag array: the sets of lines may be chosen by another number than the one they are known by") {
  TagArray tags = make();
  const TagArray::Slot slot = tags.victim(3, load_of(1000), [](const TagArray::Line&) { return true; });
  tags.install(slot, load_of(1000));
  CHECK(slot / kWays == 3);
  CHECK(tags.find(1000, 3) == slot);
  CHECK(tags.find(1000) == TagArray::kNone);  // set 0
}

TEST_CASE("tag array: a removed line frees its place") {
  TagArray tags = make();
  put(tags, 1);
  put(tags, 5);
  const TagArray::Slot slot = tags.find(5);
  tags.remove(slot);
  CHECK(tags.find(5) == TagArray::kNone);
  CHECK(tags.lines_present() == 1);
  CHECK(any_victim(tags, 9) == slot);
}

TEST_CASE("tag array: clear empties every set") {
  TagArray tags = make();
  for (std::uint64_t line = 0; line < 8; ++line) put(tags, line);
  unsigned visited = 0;
  tags.for_each([&](TagArray::Slot) { ++visited; });
  CHECK(visited == 8);
  tags.clear();
  visited = 0;
  tags.for_each([&](TagArray::Slot) { ++visited; });
  CHECK(visited == 0);
  CHECK(tags.lines_present() == 0);
  for (std::uint64_t line = 0; line < 8; ++line) CHECK(tags.find(line) == TagArray::kNone);
}

TEST_CASE("tag array: an emptied array takes another number of ways") {
  TagArray tags = make(true);
  put(tags, 1);
  tags.clear();
  tags.resize(3);
  CHECK(tags.ways() == 3);
  for (std::uint64_t line : {1, 5, 9}) put(tags, line);
  CHECK(tags.lines_present() == 3);
  CHECK(any_victim(tags, 13) == tags.find(1));
  tags.version(tags.find(9), 3) = 4;
  CHECK(tags.version(tags.find(9), 3) == 4);
}

TEST_CASE("tag array: the first sets have a way that the others lack, also when it has been emptied") {
  for (const std::uint32_t ways : {3u, 17u}) {  // 3: searched; 17: found through an index
    TagArray tags(kSets, ways, make_set_index("linear", kSets), make_replacement("lru", kSets, ways, 1), {}, 1);
    for (int round = 0; round < 2; ++round) {
      for (std::uint64_t line = 0; line < std::uint64_t{kSets} * ways; ++line) put(tags, line);
      CHECK(tags.lines_present() == kSets * ways - 3);
      CHECK(tags.find(0) != TagArray::kNone);  // set 0 holds `ways` lines
      CHECK(tags.find(1) == TagArray::kNone);  // set 1 evicted one line: the oldest
      CHECK(tags.find(1 + kSets) != TagArray::kNone);
      unsigned visited = 0;
      tags.for_each([&](TagArray::Slot) { ++visited; });
      CHECK(visited == tags.lines_present());
      tags.clear();
      CHECK(tags.find(0) == TagArray::kNone);
    }
  }
}

TEST_CASE(
    "tag array: a sector is written whole once stores have written all its bytes since its line came, and not those of the line before") {
  TagArray tags(kSets, 1, make_set_index("linear", kSets), make_replacement("lru", kSets, 1, 1), {false, false, true});
  const TagArray::Slot slot = put(tags, 1);
  CHECK_FALSE(tags.write_bytes(slot, 2, 0x0000FFFE));
  CHECK_FALSE(tags.write_bytes(slot, 3, 0xFFFF0001));  // of another sector
  CHECK_FALSE(tags.write_bytes(slot, 2, 0xFFFF0000));
  CHECK(tags.write_bytes(slot, 2, 0x00000003));
  CHECK(put(tags, 5) == slot);
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    CHECK_FALSE(tags.write_bytes(slot, s, 0xFFFFFFFE));
    CHECK(tags.write_bytes(slot, s, 1));
  }
  TagArray without = make();
  CHECK_FALSE(without.write_bytes(put(without, 1), 0, ~std::uint32_t{0}));
}

TEST_CASE("tag array: a set that lacks a way has no victim while all the others wait for data") {
  TagArray tags(kSets, 2, make_set_index("linear", kSets), make_replacement("lru", kSets, 2, 1), {}, 1);
  tags.line(put(tags, 1)).pending = 1;
  CHECK(any_victim(tags, 5) == TagArray::kNone);
  tags.line(put(tags, 0)).pending = 1;
  CHECK(any_victim(tags, 4) != TagArray::kNone);
}

TEST_CASE("tag array: every line is found in the way that it was put into, whatever the number of ways, and no other line is") {
  for (const std::uint32_t ways : {1u, 2u, 3u, 4u, 5u, 8u, 13u, 16u, 17u}) {
    TagArray tags(kSets, ways, make_set_index("linear", kSets), make_replacement("lru", kSets, ways, 1), {});
    const std::uint64_t lines = std::uint64_t{kSets} * ways;
    unsigned wrong = 0;
    for (std::uint64_t line = 0; line < lines; ++line) {
      const TagArray::Slot slot = put(tags, line);
      wrong += tags.find(line) != slot;
      wrong += slot / ways != line % kSets;
      wrong += tags.find(line + lines) != TagArray::kNone;
    }
    INFO(ways << " ways");
    CHECK(wrong == 0);
    CHECK(tags.lines_present() == lines);
  }
}
