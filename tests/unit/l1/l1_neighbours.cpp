// An L1 in a cluster: how it uses the offers of its neighbours, and the data that it supplies to them (ata sections 5 and 6).

#include <catch2/catch.hpp>

#include "tests/unit/l1/l1_script.h"

using namespace wharf;
using namespace wharf::test;
using Outcome = L1Logic::Outcome;
using Denial = L1Logic::Denial;

namespace {

/// Makes the offers that the test sets, and records what the L1 reports.
struct Others final : Neighbours {
  Offer request_offer(const Access&, SectorMask missing) override {
    asked = missing;
    ++questions;
    return {static_cast<SectorMask>(have & missing), from, diverts, room};
  }
  Copies copies_of(const Access&) override { return {holders, takes_stores}; }
  void holds(LineAddress line, SectorMask valid, bool modified) override {
    last_line = line.number;
    last_valid = valid;
    last_modified = modified;
  }
  void holds_nothing() override { emptied = true; }

  SectorMask have = 0, asked = 0, last_valid = 0;
  std::uint8_t from = 0;
  std::uint64_t holders = 0;
  bool room = true, diverts = false, takes_stores = true, last_modified = false, emptied = false;
  unsigned questions = 0;
  std::uint64_t last_line = 0;
};

Access read_of(std::uint64_t line) {
  Access access;
  access.line = LineAddress{line};
  return access;
}

struct Cluster {
  Cluster() : l1(sectored()) { l1.logic.join(others); }
  L1Logic::Supply supply(std::uint64_t line, SectorMask sectors) { return l1.logic.supply(read_of(line), sectors, false, versions); }
  L1Rig l1;
  Others others;
  SectorVersions versions{};
};

}  // namespace

TEST_CASE("l1 neighbours: a verdict says which L1 is asked, that one could not be, and whose copies a store makes old") {
  Cluster c;
  c.others.have = 0b0110;
  c.others.from = 5;
  const auto asked = c.l1.access(4, a_load(0b0111));
  CHECK(asked.peer == 5);
  CHECK_FALSE(asked.diverted);
  c.others.have = 0;
  c.others.diverts = true;
  const auto diverted = c.l1.access(8, a_load(0b0001));
  CHECK(diverted.outcome == Outcome::miss);
  CHECK(diverted.from_peer == 0);
  CHECK(diverted.diverted);
  c.others.holders = 0b1010;
  CHECK(c.l1.access(12, a_store()).holders == 0b1010);
  CHECK(c.l1.access(16, a_load(0b0001)).holders == 0);  // only stores ask for holders
}

TEST_CASE("l1 neighbours: the sectors of a miss come from another L1 as far as it has them, the others from below") {
  Cluster c;
  c.others.have = 0b0110;
  const auto verdict = c.l1.access(4, a_load(0b0111));
  CHECK(verdict.outcome == Outcome::miss);
  CHECK(c.others.asked == 0b0111);
  CHECK(verdict.from_peer == 0b0110);
  CHECK(verdict.request == 0b0001);
  CHECK(c.l1.fill(4, 0b0110).empty());
  CHECK(c.l1.fill(4, 0b0001) == std::vector<std::uint64_t>{c.l1.last_id()});
}

TEST_CASE("l1 neighbours: only sectors that are neither present nor pending are requested") {
  Cluster c;
  c.l1.access(4, a_load(0b0001));
  c.l1.fill(4, 0b0001);
  c.l1.access(4, a_load(0b0010));
  const auto verdict = c.l1.access(4, a_load(0b0111));
  CHECK(c.others.asked == 0b0100);
  CHECK(verdict.used == 0b0001);
  const unsigned questions = c.others.questions;
  CHECK(c.l1.outcome(4, a_load(0b0110)) == Outcome::merged);  // merges locally, even if a neighbour has it (ata section 8)
  CHECK(c.l1.outcome(4, a_load(0b0001)) == Outcome::hit);
  CHECK(c.others.questions == questions);
}

TEST_CASE("l1 neighbours: a miss that another L1 serves wholly needs no place in the miss queue") {
  Cluster c;
  CHECK(c.l1.refuses(4, a_load(0b0011), 0, Refusal::queue_full));
  c.others.have = 0b0001;
  CHECK(c.l1.refuses(4, a_load(0b0011), 0, Refusal::queue_full));
  c.others.have = 0b0011;
  CHECK(c.l1.access(4, a_load(0b0011), 0).from_peer == 0b0011);
}

TEST_CASE("l1 neighbours: an access that finds no place at the crossbar changes nothing but its counter") {
  Cluster c;
  c.others.room = false;  // ATA-O18
  CHECK(c.l1.refuses(4, a_load(), L1Rig::kRoom, Refusal::peers_full));
  c.others.takes_stores = false;
  CHECK(c.l1.refuses(4, a_store(), L1Rig::kRoom, Refusal::peers_full));
}

TEST_CASE("l1 neighbours: textures, atomics and bypasses do not use the cluster") {
  Cluster c;
  c.others.have = kAllSectors;
  Ask texture = a_load();
  texture.kind = AccessKind::texture;
  CHECK(c.l1.access(4, texture).from_peer == 0);
  CHECK(c.l1.access(8, bypass(a_load())).outcome == Outcome::pass);
  CHECK(c.l1.access(8, an_atomic()).outcome == Outcome::pass);
  CHECK(c.others.questions == 0);
}

TEST_CASE("l1 neighbours: every change of the L1's contents is reported, and whether its SM has written the line") {
  Cluster c;
  c.l1.access(4, a_load(0b0011));
  c.l1.fill(4, 0b0001);
  CHECK(c.others.last_line == 4);
  CHECK(c.others.last_valid == 0b0001);
  c.l1.fill(4, 0b0010);
  CHECK(c.others.last_valid == 0b0011);
  CHECK_FALSE(c.others.last_modified);
  c.l1.access(4, a_store(0b0001));
  CHECK(c.others.last_modified);
  c.l1.access(4, an_atomic(0b0001));
  CHECK(c.others.last_valid == 0b0010);
  c.l1.logic.invalidate({4}, 0b0010);
  CHECK(c.others.last_valid == 0);
  c.l1.logic.invalidate_all(2);
  CHECK(c.others.emptied);
}

TEST_CASE("l1 neighbours: another SM gets the sectors that are VALID, with their versions") {
  Cluster c;
  c.l1.access(4, a_load(0b0011));
  CHECK(c.supply(4, 0b0001).denial == Denial::evicted);  // a PENDING line counts as absent (ATA-O15)
  c.l1.fill(4, 0b0011, {7, 8, 0, 0});
  const auto given = c.supply(4, 0b0110);
  CHECK(given.sectors == 0b0010);
  CHECK(given.denial == Denial::evicted);  // ATA-O24
  CHECK_FALSE(given.whole_line);
  CHECK(c.versions[1] == 8);
}

TEST_CASE("l1 neighbours: a line that its SM has written to is given to nobody until it is replaced") {
  Cluster c;
  c.l1.bring(4);
  CHECK(c.supply(4, 0b0100).sectors == 0b0100);
  c.l1.access(4, a_store(0b0001));
  const auto given = c.supply(4, 0b0100);  // the whole line is dirty, not only the sector (ata section 7)
  CHECK(given.sectors == 0);
  CHECK(given.denial == Denial::dirty);  // ATA-O22
  CHECK(given.whole_line);
  c.l1.bring(8);
  c.l1.bring(12);  // two ways: line 4 was evicted
  CHECK(c.supply(4, 0b0100).denial == Denial::evicted);
  c.l1.bring(4);
  CHECK(c.supply(4, 0b0100).sectors == 0b0100);
}

TEST_CASE("l1 neighbours: a store that finds no VALID sector writes nothing here and leaves the line clean") {
  Cluster c;
  c.l1.access(4, a_load(0b0001));
  c.l1.fill(4, 0b0001);
  c.l1.access(4, a_store(0b0010));  // ATA-O6
  CHECK(c.supply(4, 0b0001).sectors == 0b0001);
  CHECK(c.l1.access(4, a_load(0b0010)).request == 0b0010);
}

TEST_CASE("l1 neighbours: a read of another SM is a use of the line only where it is told to be") {
  for (const bool touch : {false, true}) {  // ATA-O21
    L1Rig l1(sectored());
    l1.bring(0);
    l1.bring(4);
    SectorVersions versions{};
    l1.logic.supply(read_of(0), kAllSectors, touch, versions);
    l1.bring(8);
    CHECK((l1.logic.supply(read_of(0), kAllSectors, false, versions).sectors != 0) == touch);
  }
}

TEST_CASE("l1 neighbours: replies that overtake each other complete a load with the last of their data") {
  Cluster c;
  c.others.have = 0b0001;
  c.l1.access(4, a_load(0b0011));
  Transaction from_below, from_peer;
  from_below.access.line = from_peer.access.line = {4};
  from_below.access.sectors = 0b0010;
  from_peer.access.sectors = 0b0001;
  std::vector<Cycle> ready;
  const auto served = [&](Transaction& waiter) { ready.push_back(waiter.message.ready); };
  c.l1.logic.fill(from_below, served, 128);
  c.l1.logic.fill(from_peer, served, 106);
  CHECK(ready == std::vector<Cycle>{128});
}

TEST_CASE("l1 banks: a lookup waits for the banks of the sectors that it reads or writes, and for no others") {
  L1Rig l1(sectored());
  l1.bring(4);
  const auto outcome = [&](const Ask& ask, SectorMask busy) { return l1.logic.access(l1.make(4, ask), L1Rig::kRoom, busy).outcome; };
  CHECK(outcome(a_load(0b0011), 0b0010) == Outcome::refused);
  CHECK(outcome(a_store(0b0011), 0b0010) == Outcome::refused);
  CHECK(l1.count("refused.bank_busy") == 2);
  CHECK(outcome(a_load(0b0011), 0b1100) == Outcome::hit);
  CHECK(l1.logic.access(l1.make(8, a_load()), L1Rig::kRoom, kAllSectors).outcome == Outcome::miss);
}
