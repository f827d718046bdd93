// Eviction hints, access-policy windows and the set-aside in an L2 slice (modern_gpus section 7).

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/support/config_sample.h"
#include "tests/unit/l2/l2_script.h"

using namespace wharf;
using namespace wharf::test;
using Catch::Matchers::Contains;
using Outcome = L2Logic::Outcome;

namespace {

/// Eight lines in two sets of four ways; even lines share set 0.
L2Params hinted(double persisting_fraction = 0.5) {
  L2Params p = small_l2();
  p.ways = 4;
  p.hints = true;
  p.persisting_fraction = persisting_fraction;
  return p;
}

struct Hinted : L2Rig {
  explicit Hinted(const L2Params& params = hinted(), TransactionUnit unit = TransactionUnit::line) : L2Rig(params, unit) {}

  L2Logic::Verdict hint(AccessKind kind, std::uint64_t line, Eviction eviction, SectorMask sectors = kAllSectors) {
    Transaction& t = make(kind, line, sectors, kind == AccessKind::store ? sectors : SectorMask{0});
    t.access.hint.eviction = eviction;
    return ask(t, line, kRoom);
  }
  /// Reads the line, and fills it if it was absent.
  void read(std::uint64_t line, Eviction eviction) {
    if (hint(AccessKind::load, line, eviction).request != 0) fill(line);
  }
  bool holds(std::uint64_t line) const { return logic.holds({line + kAddressOf}, {line + kAddressOf}); }
  std::vector<std::uint64_t> held(std::vector<std::uint64_t> lines) const {
    lines.erase(std::remove_if(lines.begin(), lines.end(), [this](std::uint64_t line) { return !holds(line); }), lines.end());
    return lines;
  }
};

using Lines = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("l2 residency: evict-first lines leave before older normal ones, in the policy's order (LR-1)") {
  Hinted l2;
  l2.read(0, Eviction::unhinted);
  l2.read(2, Eviction::first);
  l2.read(4, Eviction::normal);
  l2.read(6, Eviction::first);
  l2.read(8, Eviction::unhinted);
  CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{0, 4, 6, 8});
  l2.read(10, Eviction::unhinted);
  CHECK(l2.held({0, 4, 6, 8, 10}) == Lines{0, 4, 8, 10});
  l2.read(12, Eviction::unhinted);  // no line of class first is left
  CHECK(l2.held({0, 4, 8, 10, 12}) == Lines{4, 8, 10, 12});
  CHECK(l2.count("evictions.first") == 2);
  CHECK(l2.count("evictions.normal") == 1);
  CHECK(l2.count("evictions") == 3);
  CHECK(l2.registry.broken_laws().empty());
}

TEST_CASE("l2 residency: persisting lines outlive a stream, and beyond the set-aside one replaces another (LR-3)") {
  Hinted l2;  // two of four ways
  l2.read(0, Eviction::last);
  l2.read(2, Eviction::last);
  for (std::uint64_t line = 4; line < 40; line += 2) l2.read(line, Eviction::unhinted);
  CHECK(l2.held({0, 2, 34, 36, 38}) == Lines{0, 2, 36, 38});
  CHECK(l2.count("evictions.last") == 0);
  l2.read(40, Eviction::last);
  CHECK(l2.held({0, 2, 36, 38, 40}) == Lines{2, 36, 38, 40});
  CHECK(l2.count("evictions.last") == 1);
  l2.read(42, Eviction::unhinted);
  CHECK(l2.held({2, 36, 38, 40, 42}) == Lines{2, 38, 40, 42});
  CHECK(l2.count("persisting.accesses") == 3);
  CHECK(l2.count("persisting.misses") == 3);
}

TEST_CASE("l2 residency: in a set with room a line beyond the set-aside evicts nothing and is normal (LR-3)") {
  Hinted l2(hinted(0.25));
  for (const std::uint64_t line : {0, 2, 4, 6}) l2.read(line, Eviction::last);
  CHECK(l2.count("evictions") == 0);
  for (const std::uint64_t line : {8, 10, 12}) l2.read(line, Eviction::unhinted);
  CHECK(l2.held({0, 2, 4, 6}) == Lines{0});
}

TEST_CASE("l2 residency: a persisting line is evicted if fetches under way hold the rest of its set (LR-3)") {
  L2Params params = hinted(0.75);
  params.mshr_entries = 8;
  Hinted l2(params);
  for (const std::uint64_t line : {0, 2, 4}) l2.read(line, Eviction::last);
  CHECK(l2.hint(AccessKind::load, 6, Eviction::unhinted).outcome == Outcome::waits);
  CHECK(l2.hint(AccessKind::load, 8, Eviction::unhinted).outcome == Outcome::waits);
  CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{2, 4, 6, 8});
  CHECK(l2.count("evictions.last") == 1);
}

TEST_CASE("l2 residency: without a set-aside evict-last is normal, and with hints off all are (LR-3)") {
  for (const bool hints : {true, false}) {
    L2Params params = hinted(0);
    params.hints = hints;
    Hinted l2(params);
    l2.read(0, Eviction::last);
    l2.read(2, hints ? Eviction::unhinted : Eviction::first);
    for (const std::uint64_t line : {4, 6, 8}) l2.read(line, Eviction::unhinted);
    CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{2, 4, 6, 8});
  }
}

TEST_CASE("l2 residency: an access without a hint leaves the class of its line, and another one sets it (LR-1)") {
  Hinted l2(hinted(0.25));
  l2.read(0, Eviction::last);
  l2.read(0, Eviction::unhinted);
  l2.read(0, Eviction::none);
  l2.read(2, Eviction::normal);
  l2.read(2, Eviction::last);  // no room: stays normal
  l2.read(4, Eviction::unhinted);
  l2.read(6, Eviction::unhinted);
  l2.read(8, Eviction::unhinted);
  CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{0, 4, 6, 8});
  l2.read(0, Eviction::normal);
  l2.read(4, Eviction::last);
  l2.read(6, Eviction::first);
  l2.read(10, Eviction::unhinted);
  CHECK(l2.held({0, 4, 6, 8, 10}) == Lines{0, 4, 8, 10});
  for (const std::uint64_t line : {12, 14, 16}) l2.read(line, Eviction::unhinted);
  CHECK(l2.held({0, 4, 8, 10, 12, 14, 16}) == Lines{4, 12, 14, 16});
}

TEST_CASE("l2 residency: every replacement policy chooses within the class (LR-1)") {
  for (const char* policy : {"lru", "fifo", "random", "tree_plru", "srrip", "drrip", "ship"}) {
    INFO(policy);
    for (std::uint64_t marked = 0; marked < 4; ++marked) {
      L2Params params = hinted(0.75);
      params.replacement = policy;
      Hinted first(params), last(params);
      for (std::uint64_t way = 0; way < 4; ++way) {
        first.read(2 * way, way == marked ? Eviction::first : Eviction::normal);
        last.read(2 * way, way == marked ? Eviction::normal : Eviction::last);
      }
      first.read(8, Eviction::normal);
      CHECK_FALSE(first.holds(2 * marked));
      last.read(8, Eviction::normal);
      CHECK_FALSE(last.holds(2 * marked));
    }
  }
}

TEST_CASE("l2 residency: a launch's limit in bytes of the whole L2 narrows the set-aside from its start on, down to whole ways (LR-3)") {
  L2Params params = hinted(0.75);  // three of four ways
  params.slices = 2;               // 2 KiB, so that a way of all sets is 512 B
  CHECK(params.persisting_ways(511) == 0);
  CHECK(params.persisting_ways(1535) == 2);
  CHECK(params.persisting_ways(2047) == 3);
  CHECK(params.persisting_ways(~std::uint64_t{0}) == 3);
  Hinted l2(params);
  const auto start_with = [&](std::uint64_t limit) {
    KernelLaunch launch;
    launch.persisting_limit = limit;
    l2.logic.kernel_started(0, launch);
  };
  const auto stream = [&] {
    for (std::uint64_t line = 100; line < 120; line += 2) l2.read(line, Eviction::unhinted);
  };
  start_with(1024);
  for (const std::uint64_t line : {0, 2, 4}) l2.read(line, Eviction::last);
  stream();
  CHECK(l2.held({0, 2, 4}) == Lines{0, 2});
  start_with(0);  // what persists stays
  for (const std::uint64_t line : {6, 8}) l2.read(line, Eviction::last);
  stream();
  CHECK(l2.held({0, 2, 6, 8}) == Lines{0, 2});
  start_with(512);
  l2.read(6, Eviction::last);  // replaces one of two, but the other fills the set-aside
  l2.read(8, Eviction::last);
  stream();
  CHECK(l2.held({0, 2, 6, 8}) == Lines{8});
}

TEST_CASE("l2 residency: a reset makes persisting lines normal (LR-5)") {
  Hinted l2;
  l2.read(0, Eviction::last);
  l2.read(2, Eviction::last);
  l2.logic.reset_persisting();
  for (const std::uint64_t line : {4, 6, 8}) l2.read(line, Eviction::unhinted);
  CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{2, 4, 6, 8});
  CHECK(l2.count("evictions.normal") == 1);
}

TEST_CASE("l2 residency: a read that installs nothing evicts nothing, and later ones join its fetch (LR-2)") {
  Hinted l2;
  for (const std::uint64_t line : {0, 2, 4, 6}) l2.read(line, Eviction::unhinted);
  const L2Logic::Verdict miss = l2.hint(AccessKind::load, 8, Eviction::none, 0b0001);
  CHECK(miss.outcome == Outcome::waits);
  CHECK(miss.request == 0b0001);
  CHECK(miss.slot == TagArray::kNone);
  const auto first = l2.last_id();
  const L2Logic::Verdict joins = l2.hint(AccessKind::load, 8, Eviction::unhinted, 0b0011);
  CHECK(joins.request == 0b0010);
  const auto second = l2.last_id();
  CHECK(l2.fill(8, 0b0001, {7, 0, 0, 0}) == std::vector<std::uint64_t>{first});
  CHECK(l2.fill(8, 0b0010, {0, 9, 0, 0}) == std::vector<std::uint64_t>{second});
  CHECK(l2.made(first).versions[0] == 7);
  CHECK(l2.made(second).versions == SectorVersions{7, 9, 0, 0});
  CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{0, 2, 4, 6});
  CHECK(l2.count("unallocated") == 1);
  CHECK(l2.count("merged") == 1);
  CHECK(l2.count("evictions") == 0);
  CHECK(l2.logic.mshrs().empty());
  CHECK(l2.registry.broken_laws().empty());
}

TEST_CASE("l2 residency: a store and an atomic wait for the data of a read that installs nothing, and allocate then (LR-2)") {
  for (const AccessKind kind : {AccessKind::store, AccessKind::atomic}) {
    Hinted l2;
    l2.hint(AccessKind::load, 8, Eviction::none);
    const stats::Snapshot before = l2.registry.snapshot();
    CHECK(l2.hint(kind, 8, Eviction::none).outcome == Outcome::refused);
    CHECK(l2.only_counted(before, "unallocated"));
    l2.fill(8);
    CHECK(l2.hint(kind, 8, Eviction::none).outcome == (kind == AccessKind::store ? Outcome::reply : Outcome::waits));
    CHECK(l2.holds(8));
  }
}

TEST_CASE("l2 residency: a read that installs nothing is refused like others, and changes nothing then (LR-2)") {
  Hinted l2;  // two MSHRs of three targets
  Transaction& read = l2.make(AccessKind::load, 8, kAllSectors);
  read.access.hint.eviction = Eviction::none;
  stats::Snapshot before = l2.registry.snapshot();
  CHECK(l2.ask(read, 8, 0).outcome == Outcome::refused);
  CHECK(l2.only_counted(before, "queue_full"));
  for (int i = 0; i < 3; ++i) CHECK(l2.hint(AccessKind::load, 8, Eviction::none).outcome == Outcome::waits);
  before = l2.registry.snapshot();
  CHECK(l2.hint(AccessKind::load, 8, Eviction::none).outcome == Outcome::refused);
  CHECK(l2.only_counted(before, "targets_full"));
  l2.hint(AccessKind::load, 1, Eviction::none);
  before = l2.registry.snapshot();
  CHECK(l2.hint(AccessKind::load, 3, Eviction::none).outcome == Outcome::refused);
  CHECK(l2.only_counted(before, "mshr_full"));
}

TEST_CASE("l2 residency: where halves keep copies, a read that would install nothing is evict-first (LR-2)") {
  L2Params params = hinted();
  params.partition.partitions = 2;
  params.partition.policy = PartitionPolicy::local_copy;
  REQUIRE(params.partition.copies());
  Hinted l2(params);
  for (const std::uint64_t line : {0, 2, 4}) l2.read(line, Eviction::unhinted);
  l2.read(6, Eviction::none);
  CHECK(l2.holds(6));
  l2.read(8, Eviction::unhinted);
  CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{0, 2, 4, 8});
}

TEST_CASE("l2 residency: a window gives its lines their classes, unless an access has its own (LR-4)") {
  Hinted l2;
  const Address base = LineAddress{L2Rig::kAddressOf}.byte_address();
  KernelLaunch windowed;
  windowed.l2_window = {base + 100, 200, 1.0, Eviction::last, Eviction::first};  // parts of lines 0 and 2, and line 1
  l2.logic.kernel_started(0, windowed);
  l2.read(0, Eviction::unhinted);
  l2.read(2, Eviction::normal);
  CHECK(l2.count("persisting.accesses") == 1);
  for (const std::uint64_t line : {4, 6, 8}) l2.read(line, Eviction::unhinted);
  CHECK(l2.held({0, 2, 4, 6, 8}) == Lines{0, 4, 6, 8});
  l2.logic.kernel_started(0, KernelLaunch{});
  l2.read(1, Eviction::unhinted);
  CHECK(l2.count("persisting.accesses") == 1);
}

TEST_CASE("l2 residency: the hit ratio is the share of a window's lines that get on_hit (LR-4)") {
  constexpr std::uint64_t kLines = 100'000;
  for (const double ratio : {0.0, 0.25, 0.6, 1.0}) {
    const L2Window window{0, kLines * kLineBytes, ratio, Eviction::last, Eviction::first};
    std::uint64_t hits = 0;
    for (std::uint64_t line = 0; line < kLines; ++line) {
      hits += window.eviction_of({line}) == Eviction::last;
    }
    CHECK(static_cast<double>(hits) == Approx(ratio * kLines).margin(4 * std::sqrt(kLines) / 2));
    if (ratio == 0.0 || ratio == 1.0) CHECK(static_cast<double>(hits) == ratio * kLines);
    CHECK(window.eviction_of({kLines}) == Eviction::unhinted);
  }
}

TEST_CASE("l2 residency: a set-aside is rounded down to whole ways (LR-3)") {
  L2Params params;
  params.ways = 100;
  params.persisting_fraction = 0.29;
  CHECK(params.persisting_ways() == 29);
  params.ways = 16;
  CHECK(params.persisting_ways() == 4);
}

TEST_CASE("l2 residency: a set-aside out of range, below one way, without hints or beside loscache is refused where it stands (LR-3)") {
  const auto refused = [](const std::string& yaml) {
    config::Mistakes mistakes;
    const config::Layers layers = config::parse_layers(yaml, "f.yaml", "no-such-folder", mistakes);
    return error_of([&] { config::read_layers<L2Params>(layers, {}, "", mistakes); });
  };
  CHECK(refused("hints: true\npersisting_fraction: 0.75\n") == "no error");
  CHECK(refused("hints: true\npersisting_fraction: 0.8\n") ==
        "f.yaml:2:22: persisting_fraction: '0.8' is out of range; write a number from 0 to 0.75");
  CHECK(refused("hints: true\npersisting_fraction: 0.1\n") ==
        "f.yaml:2:1: persisting_fraction is less than one of the 8 ways; set 0, or at least 1 / l2.ways");
  CHECK_THAT(refused("persisting_fraction: 0.5\n"), Contains("f.yaml:1:1: persisting_fraction has no effect because l2.hints is false"));
  CHECK_THAT(refused("hints: true\nline_policy: loscache\n"),
             Contains("f.yaml:1:1: hints is true, but line_policy: loscache decides by itself"));
}
