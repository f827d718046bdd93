// Cycles of an L2 whose halves copy each other's lines, two mirror slices: modern_gpus section 2 with `partition: local_copy`.

#include "tests/block/l2_halves_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

PartitionParams copying(PartitionCoherence coherence = PartitionCoherence::invalidate) {
  PartitionParams p = partition_params();
  p.policy = PartitionPolicy::local_copy;
  p.coherence = coherence;
  return p;
}

/// A near hit, and with the link twice also a far read of a line that the home has.
Cycle near_hit() { return l2_params().access_cycles; }
Cycle far_hit() { return near_hit() + kLink + kLink; }

constexpr SectorVersions kFirst{1, 1, 1, 1}, kSecond{2, 2, 2, 2};

/// The home has stored kFirst to kHome0, and the other half has copied the line.
class Copied : public TwoSlices {
 public:
  explicit Copied(const PartitionParams& partition = copying()) : TwoSlices(partition) {
    nics[0]->send(10, a_store(kHome0), kFirst);
    first = nics[1]->send(500, a_load(kHome0));
  }
  std::uint64_t first;
};

}  // namespace

TEST_CASE("l2 copies: a first far read takes a near hit and the link twice, the next one a near hit, one a cycle") {
  Copied l2;
  for (Cycle i = 0; i < 30; ++i) l2.nics[1]->send(600 + i, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[1]->answered(l2.first) == 500 + far_hit());
  CHECK(l2.nics[1]->reply_to(l2.first).versions == kFirst);
  for (Cycle i = 0; i < 30; ++i) {
    CHECK(l2.nics[1]->answered(l2.first + 1 + i) == 600 + i + near_hit());
    CHECK(l2.nics[1]->reply_to(l2.first + 1 + i).versions == kFirst);
    CHECK(l2.nics[1]->reply_to(l2.first + 1 + i).hint.served_by == ServedBy::l2);
  }
  CHECK(l2.count("copy.misses") == 1);
  CHECK(l2.count("copy.hits") == 30);
  CHECK(l2.count("copy.installs") == 1);
  CHECK(l2.count("link.requests") == 1);
}

TEST_CASE("l2 copies: a far read that misses everywhere waits for DRAM behind the home, and later ones merge with it") {
  TwoSlices l2(copying());
  l2.drams[0]->contents = kFirst;
  const auto first = l2.nics[1]->send(500, a_load(kHome0)), second = l2.nics[1]->send(520, a_load(kHome0));
  l2.run();
  const Cycle answered = 500 + kLink + miss_cycles(l2_params(), 100) + kLink;
  CHECK(l2.nics[1]->answered(first) == answered);
  CHECK(l2.nics[1]->answered(second) == answered + 1);  // one answer per cycle
  CHECK(l2.nics[1]->reply_to(second).versions == kFirst);
  CHECK(l2.nics[1]->reply_to(second).hint.served_by == ServedBy::dram);
  CHECK(l2.count("copy.merged") == 1);
  CHECK(l2.drams[1]->requests.empty());
}

TEST_CASE("l2 copies: a store of the home's half is acknowledged when the copy has been removed, and the next far read fetches it") {
  Copied l2;
  const auto store = l2.nics[0]->send(700, a_store(kHome0), kSecond);
  const auto read = l2.nics[1]->send(800, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[0]->answered(store) == 700 + near_hit() + kLink + kLink);  // the invalidation and its answer
  CHECK(l2.nics[1]->answered(read) == 800 + far_hit());
  CHECK(l2.nics[1]->reply_to(read).versions == kSecond);
  CHECK(l2.count("invalidations.sent") == 1);
  CHECK(l2.count("copy.invalidated") == 1);
  CHECK(l2.count("invalidations.useless") == 0);
}

TEST_CASE("l2 copies: the watchdog hears of reads that wait for the mirror, and of answers that wait for an invalidation") {
  Copied l2;
  l2.nics[0]->send(700, a_store(kHome0), kSecond);
  l2.nics[1]->send(800, a_load(kHome0));
  const auto waits = [&](unsigned slice) {
    std::vector<Wait> found;
    l2.entries[slice]->inspect(found);
    std::vector<std::string> texts;
    for (const Wait& wait : found) texts.push_back(wait.holder + " <- " + wait.waits_for);
    return texts;
  };
  l2.script.at(700 + near_hit() + 3, [&] { CHECK(waits(0) == std::vector<std::string>{"l2[0].held_replies <- the mirror of l2[0]"}); });
  l2.script.at(810, [&] { CHECK(waits(1) == std::vector<std::string>{"l2[1].copy.mshr <- the mirror of l2[1]"}); });
  l2.run();
}

TEST_CASE("l2 copies: an atomic of the home's half also waits for the invalidation") {
  Copied l2;
  const auto atomic = l2.nics[0]->send(700, an_atomic(kHome0), {9, 0, 0, 0});
  const auto read = l2.nics[1]->send(800, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[0]->answered(atomic) == 700 + near_hit() + kLink + kLink);
  CHECK(l2.nics[1]->reply_to(read).versions == SectorVersions{9, 1, 1, 1});
}

TEST_CASE("l2 copies: a store without a copy in the other half waits for nothing") {
  TwoSlices l2(copying());
  const auto store = l2.nics[0]->send(700, a_store(kHome0), kFirst);
  l2.run();
  CHECK(l2.nics[0]->answered(store) == 700 + near_hit());
  CHECK(l2.count("invalidations.sent") == 0);
}

TEST_CASE("l2 copies: what a read has requested before an invalidation reaches it answers that read and is not installed") {
  TwoSlices l2(copying());
  const auto before = l2.nics[1]->send(500, a_load(kHome0));
  const auto store = l2.nics[0]->send(540, a_store(kHome0), kSecond);
  const auto after = l2.nics[1]->send(590, a_load(kHome0));  // goes to the home, and waits there for the same fetch
  const auto later = l2.nics[1]->send(800, a_load(kHome0)), copy = l2.nics[1]->send(900, a_load(kHome0));
  l2.run();
  const Cycle filled = 500 + kLink + miss_cycles(l2_params(), 100) + kLink;
  CHECK(l2.nics[0]->answered(store) == 540 + near_hit() + kLink + kLink);
  CHECK(l2.nics[1]->answered(before) == filled);
  CHECK(l2.nics[1]->reply_to(after).versions == kSecond);
  CHECK(l2.nics[1]->answered(later) == 800 + far_hit());
  CHECK(l2.nics[1]->reply_to(later).versions == kSecond);
  CHECK(l2.nics[1]->answered(copy) == 900 + near_hit());
  CHECK(l2.count("invalidations.useless") == 1);
  CHECK(l2.count("copy.passed") == 1);
  CHECK(l2.count("copy.installs") == 1);
}

TEST_CASE("l2 copies: an evicted home line takes its copy along, and a store that follows waits for that invalidation") {
  Copied l2;
  // Lines of the same set, which has four ways.
  for (Cycle i = 1; i <= 3; ++i) l2.nics[0]->send(1000 + 200 * i, a_load(kHome0 + 4 * i));
  l2.nics[0]->send(2000, a_load(kHome0 + 16));
  const auto store = l2.nics[0]->send(2005, a_store(kHome0), kSecond);
  const auto read = l2.nics[1]->send(2100, a_load(kHome0));
  l2.run();
  CHECK(l2.count("copy.inclusion_victims") == 1);
  CHECK(l2.nics[0]->answered(store) == 2000 + near_hit() + kLink + kLink);  // the invalidation left with the read of 2000
  CHECK(l2.nics[1]->answered(read) == 2100 + far_hit());
  CHECK(l2.nics[1]->reply_to(read).versions == kSecond);
}

TEST_CASE("l2 copies: a store of the other half updates its copy, is performed at the home, and sends no invalidation") {
  Copied l2;
  const auto store = l2.nics[1]->send(700, a_store(kHome0), kSecond);
  const auto behind = l2.nics[1]->send(701, a_load(kHome0));  // follows the store to the home
  const auto copy = l2.nics[1]->send(800, a_load(kHome0));
  const auto home = l2.nics[0]->send(900, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[1]->answered(store) == 700 + far_hit());
  CHECK(l2.nics[1]->reply_to(behind).versions == kSecond);
  CHECK(l2.count("copy.passed") == 1);
  CHECK(l2.nics[1]->answered(copy) == 800 + near_hit());
  CHECK(l2.nics[1]->reply_to(copy).versions == kSecond);
  CHECK(l2.nics[0]->reply_to(home).versions == kSecond);
  CHECK(l2.count("invalidations.sent") == 0);
}

TEST_CASE("l2 copies: a store of the other half without a copy leaves none") {
  TwoSlices l2(copying());
  const auto store = l2.nics[1]->send(700, a_store(kHome0), kSecond);
  const auto read = l2.nics[1]->send(800, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[1]->answered(store) == 700 + far_hit());
  CHECK(l2.nics[1]->answered(read) == 800 + far_hit());
  CHECK(l2.count("copy.installs") == 1);
}

TEST_CASE("l2 copies: a store of the other half that an invalidation overtakes leaves no copy, and the home's order holds") {
  Copied l2;
  l2.nics[0]->send(700, a_store(kHome0), kSecond);
  const auto far = l2.nics[1]->send(705, a_store(kHome0), {3, 3, 3, 3});
  const auto read = l2.nics[1]->send(800, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[1]->answered(far) == 705 + far_hit());
  CHECK(l2.nics[1]->answered(read) == 800 + far_hit());
  CHECK(l2.nics[1]->reply_to(read).versions == SectorVersions{3, 3, 3, 3});
}

TEST_CASE("l2 copies: an atomic of the other half removes its own copy, and the home knows it") {
  Copied l2;
  const auto atomic = l2.nics[1]->send(700, an_atomic(kHome0), {9, 0, 0, 0});
  const auto store = l2.nics[0]->send(800, a_store(kHome0), kSecond);
  const auto read = l2.nics[1]->send(900, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[1]->answered(atomic) == 700 + far_hit());
  CHECK(l2.nics[0]->answered(store) == 800 + near_hit());
  CHECK(l2.nics[1]->answered(read) == 900 + far_hit());
  CHECK(l2.nics[1]->reply_to(read).versions == kSecond);
  CHECK(l2.count("copy.invalidated") == 1);
  CHECK(l2.count("invalidations.sent") == 0);
}

TEST_CASE("l2 copies: an evicted copy is announced, so the home sends no invalidation for it") {
  Copied l2;
  for (Cycle i = 0; i < 4; ++i) l2.nics[1]->send(1000 + 200 * i, a_load(kHome1 + 4 * i));
  const auto store = l2.nics[0]->send(2000, a_store(kHome0), kSecond);
  l2.run();
  CHECK(l2.count("copy.evictions") == 1);
  CHECK(l2.count("copy.eviction_notices") == 1);
  CHECK(l2.nics[0]->answered(store) == 2000 + near_hit());
  CHECK(l2.count("invalidations.sent") == 0);
}

TEST_CASE("l2 copies: a copy that evicts a dirty line writes it to DRAM") {
  TwoSlices l2(copying());
  for (Cycle i = 0; i < 4; ++i) l2.nics[1]->send(10 + i, a_store(kHome1 + 4 * i), kFirst);
  l2.nics[0]->send(20, a_store(kHome0), kFirst);
  l2.nics[1]->send(500, a_load(kHome0));
  const auto back = l2.nics[1]->send(1000, a_load(kHome1 + 12));
  l2.run();
  REQUIRE(l2.drams[1]->requests.size() == 1);
  CHECK(l2.drams[1]->requests[0].access.kind == AccessKind::store);
  CHECK(l2.drams[1]->lines() == std::vector<std::uint64_t>{kHome1});
  CHECK(l2.nics[1]->answered(back) == 1000 + near_hit());
}

TEST_CASE("l2 copies: with `expire` a store leaves the copy in the other half until a kernel starts") {
  Copied l2(copying(PartitionCoherence::expire));
  const auto store = l2.nics[0]->send(700, a_store(kHome0), kSecond);
  const auto old = l2.nics[1]->send(800, a_load(kHome0));
  l2.script.at(890, [&] { l2.entries[1]->write(Event{}); });
  const auto read = l2.nics[1]->send(900, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[0]->answered(store) == 700 + near_hit());
  CHECK(l2.nics[1]->reply_to(old).versions == kFirst);
  CHECK(l2.nics[1]->answered(read) == 900 + far_hit());
  CHECK(l2.nics[1]->reply_to(read).versions == kSecond);
  CHECK(l2.count("copy.expired") == 1);
  CHECK(l2.count("link.requests") == 2);
}

TEST_CASE("l2 copies: with `expire` what is requested before a kernel starts is not installed") {
  TwoSlices l2(copying(PartitionCoherence::expire));
  l2.nics[1]->send(500, a_load(kHome0));
  l2.script.at(510, [&] { l2.entries[1]->write(Event{}); });
  const auto read = l2.nics[1]->send(900, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[1]->answered(read) == 900 + far_hit());
  CHECK(l2.count("copy.installs") == 1);
}

namespace {

/// Reads sector 1 of a line from the other half, and then all sectors one by one.
void copy_bytes_case(std::uint32_t bytes) {
  PartitionParams partition = copying();
  partition.copy_bytes = bytes;
  L2Params params = l2_params();
  params.sectored = true;
  TwoSlices l2(partition, params, TransactionUnit::sector);
  for (unsigned s = 0; s < 4; ++s) l2.nics[0]->send(10 + s, a_load(kHome0, static_cast<SectorMask>(1u << s)));
  const auto first = l2.nics[1]->send(500, a_load(kHome0, 0b0010));
  for (unsigned s = 0; s < 4; ++s) l2.nics[1]->send(600 + 100 * s, a_load(kHome0, static_cast<SectorMask>(1u << s)));
  l2.run();
  CHECK(l2.nics[1]->answered(first) == 500 + far_hit());
  for (unsigned s = 0; s < 4; ++s) {
    CAPTURE(s);
    const bool is_copied = s == 1 || bytes == 128 || (bytes == 64 && s != 2);  // sector 3 comes with the read of sector 2
    CHECK(l2.nics[1]->answered(first + 1 + s) == 600 + 100 * s + (is_copied ? near_hit() : far_hit()));
  }
  CHECK(l2.count("copy.prefetched") == (bytes == 32 ? 0 : bytes == 64 ? 2 : 3));
  CHECK(l2.count("copy.installs") == 1);
}

}  // namespace

TEST_CASE("l2 copies: with copy_bytes 32 a half copies the sector read alone") { copy_bytes_case(32); }
TEST_CASE("l2 copies: with copy_bytes 64 a half copies the aligned pair of sectors") { copy_bytes_case(64); }
TEST_CASE("l2 copies: with copy_bytes 128 a half copies the line") { copy_bytes_case(128); }

TEST_CASE("l2 copies: a far read that finds no MSHR entry or target waits for an answer") {
  L2Params params = l2_params();
  params.mshr_entries = 1;
  params.mshr_targets = 1;
  TwoSlices l2(copying(), params);
  const auto first = l2.nics[1]->send(500, a_load(kHome0)), merging = l2.nics[1]->send(501, a_load(kHome0));
  const auto other = l2.nics[1]->send(502, a_load(kHome0 + 1));
  l2.run();
  const Cycle answered = 500 + kLink + miss_cycles(params, 100) + kLink;
  CHECK(l2.nics[1]->answered(first) == answered);
  // The copy is there one cycle before its reader's answer reaches the network. A lookup then takes what is left of a near hit.
  CHECK(l2.nics[1]->answered(merging) == answered - 1 + near_hit() - (copying().entry_cycles - 2));
  CHECK(l2.nics[1]->answered(other) == answered + kLink + miss_cycles(params, 100) - (copying().entry_cycles - 2) + kLink);
}

TEST_CASE("l2 copies: what is under way breaks the laws of the counters") {
  TwoSlices l2(copying());
  l2.drams[0]->latency = Target::kByHand;
  l2.nics[1]->send(10, a_load(kHome0));
  run_kernel();
  CHECK(l2.registry.broken_laws() ==
        std::vector<std::string>{"l2[0]: near + link.responses == accesses + invalidations.received",
                                 "l2[0]: link.responses == link.requests - copy.eviction_notices of the mirror"});
  l2.script.at(l2.clock.now() + 10, [&] { l2.drams[0]->answer(0, l2.clock.now() + 5); });
  l2.run();
}

namespace {

void random_case(PartitionCoherence coherence) {
  PartitionParams partition = copying(coherence);
  partition.link.queue = 1;
  partition.link.bytes_per_clock = 8;
  L2Params params = l2_params();
  params.mshr_entries = 2;
  params.mshr_targets = 2;
  params.miss_queue = 2;
  params.reply_queue = 1;
  TwoSlices l2(partition, params);
  StoreId id = 0;
  for (Cycle i = 0; i < 2000; ++i) {
    const std::uint64_t line = (i * 7 % 3 == 0 ? 64 : 0) + i * 5 % 24;
    const SectorVersions versions{++id, id, id, id};
    l2.nics[i % 2]->send(10 + i, i % 5 == 0 ? a_store(line) : i % 17 == 0 ? an_atomic(line) : a_load(line), versions);
  }
  l2.script.at(400'000, [&] {
    for (const auto& entry : l2.entries) entry->write(Event{});
  });
  std::array<std::vector<std::uint64_t>, 2> last;
  for (std::uint64_t line = 0; line < 24; ++line)
    for (unsigned half = 0; half < 2; ++half) last[half].push_back(l2.nics[half]->send(400'100 + 1000 * line, a_load(line)));
  l2.run();
  for (std::size_t i = 0; i < 24; ++i) CHECK(l2.nics[0]->reply_to(last[0][i]).versions == l2.nics[1]->reply_to(last[1][i]).versions);
}

}  // namespace

TEST_CASE("l2 copies: random stores, atomics and reads end, and both halves then read the same") {
  random_case(PartitionCoherence::invalidate);
}

TEST_CASE("l2 copies: with `expire`, random stores, atomics and reads end, and both halves read the same once a kernel starts") {
  random_case(PartitionCoherence::expire);
}
