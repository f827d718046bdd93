// The location of an address in a DRAM channel, and the parameters that are refused.

#include <catch2/catch.hpp>

#include <set>
#include <tuple>

#include "model/dram/dram_address.h"
#include "tests/unit/dram/dram_objections.h"
#include "tests/unit/dram/dram_script.h"

using namespace wharf;
using namespace wharf::test;

TEST_CASE("dram address: a row's bytes have columns of 32 B from 0 on, and the next row begins at 0 again", "[dram]") {
  const DramParams p;
  const DramAddressDecoder decoder(p);
  for (const std::uint64_t chunk : {0u, 1u, 2u, 17u}) {
    const Address first = chunk * p.row_bytes;
    CHECK(decoder.locate(0, first).column == 0);
    CHECK(decoder.locate(0, first + 31).column == 0);
    CHECK(decoder.locate(0, first + 32).column == 1);
    CHECK(decoder.locate(0, first + p.row_bytes - 1).column == p.row_bytes / 32 - 1);
  }
}

TEST_CASE("dram address: row_bank_column takes row, bank and column from the channel-local address", "[dram]") {
  const DramAddressDecoder decoder{DramParams{}};
  const DramLocation at = decoder.locate(0xdeadbeef00, 7 * 16 * 2048 + 4 * 2048 + 3 * 32 + 5);
  CHECK(at.row == 7);
  CHECK(at.bank == (4 ^ 7));
  CHECK(at.column == 3);
}

TEST_CASE("dram address: the bank permutation puts the same bank bits of 16 successive rows into 16 banks", "[dram]") {
  const DramAddressDecoder decoder{DramParams{}};
  std::set<unsigned> banks;
  for (Address row = 0; row < 16; ++row) banks.insert(decoder.locate(0, row * 16 * 2048).bank);
  CHECK(banks.size() == 16);
}

TEST_CASE("dram address: row_bank_column gives every 32 B of the channel a place of its own", "[dram]") {
  const DramParams p;
  const DramAddressDecoder decoder(p);
  std::set<std::tuple<unsigned, std::uint64_t, unsigned>> places;
  constexpr unsigned kRows = 40;
  const Address end = Address{kRows} * p.banks * p.row_bytes;
  for (Address local = 0; local < end; local += 32) {
    const DramLocation at = decoder.locate(0, local);
    CHECK(at.bank < p.banks);
    places.insert({at.bank, at.row, at.column});
  }
  CHECK(places.size() == end / 32);
}

TEST_CASE("dram address: mask finds bank, column and row of the public QV100 mapping", "[dram]") {
  const DramAddressDecoder decoder(qv100_dram());
  const auto bit = [](unsigned n) { return Address{1} << n; };
  const unsigned bank[] = {13, 17, 18, 19}, column[] = {5, 6, 7, 14, 15, 16}, channel[] = {8, 9, 10, 11, 12}, offset[] = {0, 1, 2, 3, 4};
  for (unsigned i = 0; i < 4; ++i) CHECK(decoder.locate(bit(bank[i]), 0).bank == 1u << i);
  for (unsigned i = 0; i < 6; ++i) CHECK(decoder.locate(bit(column[i]), 0).column == 1u << i);
  for (unsigned i = 20; i < 48; ++i) CHECK(decoder.locate(bit(i), 0).row == std::uint64_t{1} << (i - 20));
  for (unsigned i = 0; i < 5; ++i) {
    for (const unsigned ignored : {channel[i], offset[i]}) {
      const DramLocation at = decoder.locate(bit(ignored), ~Address{0});
      CHECK(std::tuple(at.bank, at.row, at.column) == std::tuple(0u, std::uint64_t{0}, 0u));
    }
  }
  const DramLocation all = decoder.locate(~Address{0}, 0);
  CHECK(std::tuple(all.bank, all.row, all.column) == std::tuple(15u, (std::uint64_t{1} << 28) - 1, 63u));
}

TEST_CASE("dram params: the defaults and the QV100 values pass every check", "[dram]") {
  CHECK(Objections(DramParams{}).keys.empty());
  CHECK(Objections(qv100_dram()).keys.empty());
}

TEST_CASE("dram params: each check names its key", "[dram]") {
  using P = DramParams;
  const P defaults, hbm = qv100_dram();
  CHECK(objections(defaults, [](P& p) { p.banks = 12; }) == Keys{"banks"});
  CHECK(objections(defaults, [](P& p) { p.bank_groups = 3; }) == Keys{"bank_groups"});
  CHECK(objections(defaults, [](P& p) { p.bank_groups = 32; }) == Keys{"bank_groups"});
  CHECK(objections(defaults, [](P& p) { p.row_bytes = 3000; }) == Keys{"row_bytes"});
  CHECK(objections(defaults, [](P& p) { p.burst_bytes = 96; }) == Keys{"burst_bytes"});
  CHECK(objections(defaults, [](P& p) { p.bytes_per_clock = 24; }) == Keys{"burst_bytes"});
  CHECK(objections(defaults, [](P& p) { p.bytes_per_clock = 0; }) == Keys{"bytes_per_clock", "burst_bytes"});
  CHECK(objections(defaults, [](P& p) { p.queue_entries = 65; }) == Keys{"queue_entries"});
  CHECK(objections(hbm, [](P& p) { p.write_drain_percent = 50; }) == Keys{"write_drain_percent"});
  CHECK(objections(defaults, [](P& p) { p.scheduler = "lifo"; }) == Keys{"scheduler"});
  CHECK(objections(defaults, [](P& p) { p.scheduler = "fcfs", p.age_cap = 9; }) == Keys{"age_cap"});
  CHECK(objections(defaults, [](P& p) { p.timing.tRC = 20; }) == Keys{"tRC"});
  CHECK(objections(defaults, [](P& p) { p.refresh.tRFC = p.refresh.tREFI; }) == Keys{"tRFC"});
  CHECK(objections(hbm, [](P& p) { p.banks = 8; }) == Keys{"mask"});
  CHECK(objections(hbm, [](P& p) { p.row_bytes = 1024; }) == Keys{"mask"});
  CHECK(objections(hbm, [](P& p) { p.mask.row_bits = {20, 20}; }) == Keys{"row_bits"});
  CHECK(objections(hbm, [](P& p) { p.mask.row_bits = {13}; }) == Keys{"row_bits"});
  CHECK(objections(hbm, [](P& p) { p.mask.row_bits = {6}, p.mask.column_bits = {5, 7, 8, 14, 15, 16}; }) == Keys{"bank_bits"});
  CHECK(objections(hbm, [](P& p) { p.mask.row_bits = {64}; }) == Keys{"row_bits", "row_bits"});
}
