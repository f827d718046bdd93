#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "model/cache/line_directory.h"

using namespace wharf;

namespace {

std::vector<unsigned> members(const HolderMask& mask) {
  std::vector<unsigned> holders;
  for (unsigned holder = 0; holder < HolderMask::kMaxHolders; ++holder)
    if (mask.test(holder)) holders.push_back(holder);
  return holders;
}

constexpr LineAddress kLine{0x123456};

// The directory's expected contents, kept in a plain map.
class Reference {
 public:
  void install(unsigned holder, LineAddress line, SectorMask valid) {
    if (valid != 0)
      held_[line.number][holder] = valid;
    else
      evict(holder, line);
  }
  void evict(unsigned holder, LineAddress line) {
    const auto at = held_.find(line.number);
    if (at == held_.end()) return;
    at->second.erase(holder);
    if (at->second.empty()) held_.erase(at);
  }
  void invalidate_cache(unsigned holder) {
    for (auto at = held_.begin(); at != held_.end();) {
      at->second.erase(holder);
      at = at->second.empty() ? held_.erase(at) : std::next(at);
    }
  }
  SectorMask sectors(LineAddress line, unsigned holder) const {
    const auto at = held_.find(line.number);
    if (at == held_.end()) return 0;
    const auto sectors = at->second.find(holder);
    return sectors == at->second.end() ? SectorMask{0} : sectors->second;
  }
  std::vector<unsigned> holders(LineAddress line, SectorMask wanted) const {
    std::vector<unsigned> found;
    const auto at = held_.find(line.number);
    if (at != held_.end())
      for (const auto& [holder, sectors] : at->second)
        if ((wanted & ~sectors) == 0) found.push_back(holder);
    return found;
  }
  bool others_hold(LineAddress line, SectorMask missing, unsigned self) const {
    const auto at = held_.find(line.number);
    if (at == held_.end()) return false;
    for (const auto& [holder, sectors] : at->second)
      if (holder != self && (sectors & missing) != 0) return true;
    return false;
  }
  std::uint64_t distinct_lines() const { return held_.size(); }
  std::uint64_t copies() const {
    std::uint64_t sum = 0;
    for (const auto& [line, holders] : held_) sum += holders.size();
    return sum;
  }

 private:
  std::map<std::uint64_t, std::map<unsigned, SectorMask>> held_;
};

// Sends the same random reports to the directory and the reference. Returns the number of answers that differ.
unsigned differences(unsigned holders, bool sectored, std::uint64_t lines, unsigned reports) {
  LineDirectory directory(holders, sectored);
  Reference reference;
  Rng rng(holders + lines);
  unsigned wrong = 0;
  for (unsigned i = 0; i < reports; ++i) {
    const LineAddress line{rng.below(lines) << (i % 3 == 0 ? 20 : 0)};
    const auto holder = static_cast<unsigned>(rng.below(holders));
    const double what = rng.unit();
    if (what < 0.001) {
      const auto first = static_cast<unsigned>(rng.below(holders));
      for (unsigned h = first; h < holders; ++h) {
        directory.invalidate_cache(h);
        reference.invalidate_cache(h);
      }
    } else if (what < 0.3) {
      directory.evict(holder, line);
      reference.evict(holder, line);
    } else {
      const auto valid = static_cast<SectorMask>(rng.below(16));
      directory.install(holder, line, valid);
      reference.install(holder, line, sectored || valid == 0 ? valid : kAllSectors);
    }
    if (!rng.chance(0.2)) continue;
    directory.commit();
    const LineAddress asked{rng.below(lines) << (i % 2 == 0 ? 20 : 0)};
    const auto missing = static_cast<SectorMask>(rng.between(1, 15));
    wrong += directory.others_hold(asked, missing, holder) != reference.others_hold(asked, sectored ? missing : kAllSectors, holder);
    wrong += directory.sectors(asked, holder) != reference.sectors(asked, holder);
    wrong += members(directory.holders(asked, missing)) != reference.holders(asked, missing);
    wrong += directory.copies() != reference.copies();
    std::uint64_t copies = 0, seen = 0;
    directory.for_each_line([&](unsigned of_line) { copies += of_line, ++seen; });
    wrong += copies != reference.copies() || seen != reference.distinct_lines();
    wrong += directory.distinct_lines() != reference.distinct_lines();
  }
  return wrong;
}

}  // namespace

// CM-13: which caches hold a line, by sector, as of the last commit.
TEST_CASE("the directory names the caches that hold a line") {
  LineDirectory directory(80, false);
  CHECK(directory.holders(kLine, 1).none());
  directory.install(3, kLine, kAllSectors);
  directory.install(64, kLine, kAllSectors);
  directory.install(79, kLine, kAllSectors);
  directory.commit();
  CHECK(members(directory.holders(kLine, 1)) == std::vector<unsigned>{3, 64, 79});
  CHECK(directory.holders(kLine, 1).count() == 3);
  CHECK(directory.copies() == 1 + 1 + 1);
  CHECK(directory.distinct_lines() == 1);
  directory.evict(64, kLine);
  directory.commit();
  CHECK(members(directory.holders(kLine, 1)) == std::vector<unsigned>{3, 79});
}

TEST_CASE("reports are seen at the commit and not before") {
  LineDirectory directory(4, true);
  directory.install(1, kLine, 0b0001);
  CHECK(directory.sectors(kLine, 1) == 0);
  CHECK(directory.copies() == 0);
  directory.commit();
  CHECK(directory.sectors(kLine, 1) == 0b0001);
  directory.evict(1, kLine);
  CHECK(directory.others_hold(kLine, 0b0001, 0));
  directory.commit();
  CHECK_FALSE(directory.others_hold(kLine, 0b0001, 0));
}

TEST_CASE("a cache does not count as another for its own miss") {
  LineDirectory directory(128, false);
  directory.install(127, kLine, kAllSectors);
  directory.commit();
  CHECK_FALSE(directory.others_hold(kLine, kAllSectors, 127));
  CHECK(directory.others_hold(kLine, kAllSectors, 63));
}

TEST_CASE("another cache counts only where it holds a missing sector") {
  LineDirectory directory(2, true);
  directory.install(1, kLine, 0b0110);
  directory.commit();
  CHECK_FALSE(directory.others_hold(kLine, 0b1001, 0));
  CHECK(directory.others_hold(kLine, 0b1100, 0));
}

TEST_CASE("an install states all valid sectors of the line and so may take some away") {
  LineDirectory directory(2, true);
  directory.install(1, kLine, 0b0111);
  directory.install(1, kLine, 0b1001);
  directory.commit();
  CHECK(directory.sectors(kLine, 1) == 0b1001);
  CHECK(directory.copies() == 1);
  directory.install(1, kLine, 0);
  directory.commit();
  CHECK(directory.copies() == 0);
  CHECK(directory.distinct_lines() == 0);
}

TEST_CASE("a directory of unsectored caches knows lines as wholes") {
  LineDirectory directory(2, false);
  directory.install(1, kLine, 0b0001);
  directory.commit();
  CHECK(directory.sectors(kLine, 1) == kAllSectors);
  CHECK(directory.others_hold(kLine, 0b1000, 0));
}

TEST_CASE("telling the directory the same twice or of a line that is not held changes nothing") {
  LineDirectory directory(2, true);
  directory.install(0, kLine, 0b0011);
  directory.install(0, kLine, 0b0011);
  directory.evict(1, kLine);
  directory.evict(0, LineAddress{kLine.number + 1});
  directory.commit();
  CHECK(directory.copies() == 1);
  CHECK(directory.distinct_lines() == 1);
}

TEST_CASE("an emptied cache holds nothing and the others keep their copies") {
  LineDirectory directory(3, true);
  for (std::uint64_t line = 0; line < 1000; ++line) {
    directory.install(0, {line}, kAllSectors);
    if (line % 2 == 0) directory.install(2, {line}, 0b0001);
  }
  directory.commit();
  CHECK(directory.copies() == 1000 + 500);
  directory.invalidate_cache(0);
  directory.commit();
  CHECK(directory.copies() == 500);
  CHECK(directory.distinct_lines() == 500);
  CHECK(directory.sectors({4}, 2) == 0b0001);
  CHECK(directory.holders({5}, kAllSectors).none());
}

TEST_CASE("a line installed after its cache was emptied in the same cycle stays") {
  LineDirectory directory(2, true);
  directory.install(0, {1}, kAllSectors);
  directory.invalidate_cache(0);
  directory.install(0, {2}, kAllSectors);
  directory.commit();
  CHECK(directory.holders({1}, kAllSectors).none());
  CHECK(directory.sectors({2}, 0) == kAllSectors);
}

TEST_CASE("lines that find no place where they belong are found and forgotten like others") {
  LineDirectory directory(80, false);
  // Hashes that begin with the same 16 bits, so all lines belong at one place. Every other line is removed and added elsewhere.
  std::vector<LineAddress> lines;
  for (std::uint64_t number = 0; lines.size() < 40; ++number)
    if (number * 0x9E3779B97F4A7C15u >> 48 == 0x1234) lines.push_back({number});
  for (const LineAddress line : lines) directory.install(7, line, kAllSectors);
  directory.commit();
  for (std::size_t i = 0; i < lines.size(); i += 2) directory.evict(7, lines[i]);
  directory.commit();
  unsigned found = 0;
  for (const LineAddress line : lines) found += directory.others_hold(line, kAllSectors, 0);
  CHECK(found == 20);
  CHECK(directory.distinct_lines() == 20);
  for (std::size_t i = 0; i < lines.size(); i += 2) directory.install(70, lines[i], kAllSectors);
  directory.commit();
  unsigned wrong = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    wrong += members(directory.holders(lines[i], 1)) != std::vector<unsigned>{i % 2 == 0 ? 70u : 7u};
  CHECK(wrong == 0);
  directory.invalidate_cache(7);
  directory.invalidate_cache(70);
  directory.commit();
  CHECK(directory.distinct_lines() == 0);
  CHECK_FALSE(directory.others_hold(lines[39], kAllSectors, 0));
}

TEST_CASE("a line that many caches hold loses one copy at a time, and the next line with as many begins without any") {
  constexpr unsigned kMany = 100;
  LineDirectory directory(256, true);
  const auto valid = [](unsigned holder) { return static_cast<SectorMask>(holder % 15 + 1); };
  unsigned wrong = 0;
  for (const std::uint64_t line : {1, 2}) {
    for (unsigned holder = 0; holder < kMany; ++holder) {
      directory.install(2 * holder, {line}, valid(holder));
      directory.commit();
      wrong += directory.copies() != holder + 1;
    }
    for (unsigned gone = 0; gone < kMany; ++gone) {
      for (unsigned holder = 0; holder < kMany; ++holder)
        wrong += directory.sectors({line}, 2 * holder) != (holder < gone ? 0 : valid(holder));
      wrong += directory.others_hold({line}, kAllSectors, 2 * (kMany - 1)) != (gone + 1 < kMany);
      directory.evict(2 * gone, {line});
      directory.commit();
      wrong += directory.copies() != kMany - gone - 1;
    }
    wrong += directory.distinct_lines() != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("the directory agrees with a plain map over many random reports") {
  CHECK(differences(1, false, 100, 20000) == 0);
  CHECK(differences(28, false, 600, 20000) == 0);
  CHECK(differences(80, true, 600, 20000) == 0);
  CHECK(differences(256, true, 3000, 20000) == 0);  // grows several times
  CHECK(differences(256, true, 6, 20000) == 0);     // many caches hold each line
}

TEST_CASE("a directory of no caches or of more than its masks hold is refused") {
  CHECK_THROWS_AS(LineDirectory(0, false), InputError);
  CHECK_THROWS_WITH(LineDirectory(257, true), Catch::Contains("257 L1 caches is not offered; choose 1 to 256"));
}
