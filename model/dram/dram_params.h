#pragma once
// Parameters of one DRAM channel (common sections 7 and 11). All times are in clocks of the channel's command clock; the clock domain gives
// its frequency. Defaults: the GDDR5 channel of the 28-SM, 80-SM and Fermi configurations.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/bits.h"
#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/dram_scheduler/dram_scheduler.h"

namespace wharf {

/// How an address is split into bank, row and column.
enum class DramMapping { row_bank_column, mask };
/// The order of reads and writes at a bank: reads first until the queue fills up, or the scheduler's order alone.
enum class DramWritePolicy { drain, in_order_of_age };

/// Minimum distances between commands, which dram_timing.h turns into a table of rules.
struct DramTiming {
  std::uint32_t tCL = 12, tWL = 4, tRCD = 12, tRP = 12, tRAS = 28, tRC = 40;
  std::uint32_t tCCD = 2, tCCDL = 3, tRRD = 6, tCDLR = 5, tWR = 12, tRTP = 2, tRTPL = 2, bus_turnaround = 2;

  void bind(config::Binder& b) {
    using config::Unit;
    constexpr std::uint64_t kMost = 10000;
    b.integer("tCL", tCL, Unit::cycles, "read command to first data", 1, kMost);
    b.integer("tWL", tWL, Unit::cycles, "write command to first data", 0, kMost);
    b.integer("tRCD", tRCD, Unit::cycles, "activate to read of the bank; a write may follow tWL + 1 earlier", 1, kMost);
    b.integer("tRP", tRP, Unit::cycles, "precharge to activate of the bank", 1, kMost);
    b.integer("tRAS", tRAS, Unit::cycles, "activate to precharge of the bank", 1, kMost);
    b.integer("tRC", tRC, Unit::cycles, "activate to activate of the bank", 1, kMost);
    b.integer("tCCD", tCCD, Unit::cycles, "column to column command, any banks; a longer burst takes precedence", 1, kMost);
    b.integer("tCCDL", tCCDL, Unit::cycles, "column to column command in one bank group; a longer burst takes precedence", 1, kMost);
    b.integer("tRRD", tRRD, Unit::cycles, "activate to activate, any banks", 1, kMost);
    b.integer("tCDLR", tCDLR, Unit::cycles, "last write data to read command, any banks", 0, kMost);
    b.integer("tWR", tWR, Unit::cycles, "last write data to precharge of the bank", 0, kMost);
    b.integer("tRTP", tRTP, Unit::cycles, "read to precharge of the bank", 0, kMost);
    b.integer("tRTPL", tRTPL, Unit::cycles, "read to precharge of any bank of the bank group", 0, kMost);
    b.integer("bus_turnaround", bus_turnaround, Unit::cycles, "idle clocks of the data bus between read data and write data", 0, kMost);
    b.require(tRC >= tRAS, "tRC", "is shorter than tRAS", "a row cycle holds at least tRAS");
  }
};

/// Refreshes all banks together every tREFI.
struct DramRefresh {
  bool enabled = false, staggered = false;
  std::uint32_t tREFI = 3600, tRFC = 240;
  std::uint32_t first_due = 0;  // not a key: of a channel (DramParams::of_channel); 0: tREFI

  void bind(config::Binder& b) {
    using config::Unit;
    b.flag("enabled", enabled, "refresh all banks every tREFI");
    b.integer("tREFI", tREFI, Unit::cycles, "from the due time of one refresh to that of the next", 100, 100000000);
    b.integer("tRFC", tRFC, Unit::cycles, "refresh command to activate, all banks", 1, 1000000);
    b.flag("staggered", staggered, "channels are refreshed one after another, evenly over tREFI; false: all at once");
    for (const char* key : {"tREFI", "tRFC", "staggered"}) b.ineffective_unless(enabled, key, "dram.refresh.enabled is false");
    b.require(tRFC < tREFI, "tRFC", "is not shorter than tREFI", "leave time between refreshes");
  }
};

/// The bits of the full byte address, lowest first, that form bank, column and row (mapping: mask). Defaults: gpgpu_mem_addr_mapping of the
/// public QV100 configuration, with its five channel bits inserted at bit 8.
struct DramMaskBits {
  std::vector<std::uint32_t> bank_bits = {13, 17, 18, 19}, column_bits = {5, 6, 7, 14, 15, 16};
  std::vector<std::uint32_t> row_bits = {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
                                         34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47};

  void bind(config::Binder& b) {
    using config::Unit;
    b.integers("bank_bits", bank_bits, Unit::none, "address bits of the bank, lowest first", 0, 63);
    b.integers("column_bits", column_bits, Unit::none, "address bits of the 32 B column, lowest first", 0, 63);
    b.integers("row_bits", row_bits, Unit::none, "address bits of the row, lowest first", 0, 63);
    b.require(disjoint(), "row_bits", "shares a bit with bank_bits or column_bits, or names one twice", "use each address bit once");
    b.require(line_in_one_row(), "bank_bits", "or row_bits cut a 128 B line into pieces", "use bits 7 and above");
  }

  bool disjoint() const {
    std::uint64_t seen = 0;
    for (const auto* bits : {&bank_bits, &column_bits, &row_bits}) {
      for (const std::uint32_t bit : *bits) {
        if (bit > 63 || (seen >> bit & 1) != 0) return false;
        seen |= std::uint64_t{1} << bit;
      }
    }
    return true;
  }
  bool line_in_one_row() const {
    for (const auto* bits : {&bank_bits, &row_bits}) {
      for (const std::uint32_t bit : *bits) {
        if (bit < 7) return false;
      }
    }
    return true;
  }
};

struct DramParams {
  static constexpr unsigned kMaxBanks = 64, kMaxQueue = 64;  // limits of a 64-bit word with one bit each

  std::uint32_t banks = 16, bank_groups = 4, row_bytes = 2048;
  std::uint32_t bytes_per_clock = 32, burst_bytes = 64;
  std::uint32_t queue_entries = 16, accepts_per_clock = 1, return_entries = 192;
  bool dual_command = false;
  DramWritePolicy write_policy = DramWritePolicy::drain;
  std::uint32_t write_drain_percent = 75;
  std::string scheduler = "fr_fcfs";
  std::uint32_t age_cap = kUnlimited;
  DramMapping mapping = DramMapping::row_bank_column;
  DramMaskBits mask;
  DramTiming timing;
  DramRefresh refresh;

  /// The parameters of one of the GPU's channels.
  DramParams of_channel(unsigned channel, unsigned channels) const {
    DramParams own = *this;
    if (refresh.staggered) own.refresh.first_due = static_cast<std::uint32_t>(std::uint64_t{refresh.tREFI} * (channel + 1) / channels);
    return own;
  }
  /// Clocks for which one column command occupies the data bus.
  std::uint32_t burst_clocks() const { return burst_bytes / bytes_per_clock; }

  void bind(config::Binder& b) {
    bind_organisation(b);
    bind_controller(b);
    bind_mapping(b);
    b.group("timing", timing, "minimum distances between commands");
    b.group("refresh", refresh, "all-bank refresh");
    const bool closes_before_use = refresh.enabled && refresh.tRFC < refresh.tREFI && refresh.tREFI <= clocks_to_column();
    b.require(
        !closes_before_use, "refresh",
        "tREFI: " + std::to_string(refresh.tREFI) +
            " may close every row before its first burst: from the due time of a refresh to the first column command after it may take " +
            std::to_string(clocks_to_column()) + " clocks (closing rows, tRFC, tRRD, tRCD)",
        "set dram.refresh.tREFI to " + std::to_string(clocks_to_column() + 1) + " or more, or shorten dram.refresh.tRFC or dram.timing");
  }

  /// Upper bound of the clocks from the due time of a refresh to the first column command after it, if a request waits. Other commands may
  /// be issued up to the clock before the due time. The refresh waits until their banks are closed, and the first activate waits for the
  /// refresh and for tRRD.
  std::uint64_t clocks_to_column() const {
    const DramTiming& t = timing;
    const std::uint32_t burst = bytes_per_clock == 0 ? 0 : burst_clocks();
    const std::uint64_t to_precharge = std::max({1u, t.tRAS, t.tRTP, t.tRTPL, t.tWL + burst + t.tWR});
    const std::uint64_t refresh_starts = std::max<std::uint64_t>(t.tRC, to_precharge + t.tRP) - 1;
    return std::max<std::uint64_t>(refresh_starts + refresh.tRFC, t.tRRD - std::uint64_t{1}) + t.tRCD;
  }

 private:
  void bind_organisation(config::Binder& b) {
    using config::Unit;
    b.integer("banks", banks, Unit::count, "banks of the channel", 1, kMaxBanks);
    b.require(is_power_of_two(banks), "banks", "is not a power of two", "choose 1, 2, 4 ... 64");
    b.integer("bank_groups", bank_groups, Unit::count, "bank groups; the group of bank n is n mod bank_groups", 1, kMaxBanks);
    b.require(is_power_of_two(bank_groups) && bank_groups <= banks, "bank_groups", "is not a power of two up to banks",
              "choose 1, 2, 4 ... banks");
    b.integer("row_bytes", row_bytes, Unit::bytes, "bytes of an open row", kLineBytes, 65536);
    b.require(is_power_of_two(row_bytes), "row_bytes", "is not a power of two", "choose 1024, 2048 ...");
    b.integer("bytes_per_clock", bytes_per_clock, Unit::bytes, "bytes that the data bus moves per clock", 1, kLineBytes);
    b.integer("burst_bytes", burst_bytes, Unit::bytes, "bytes that one column command moves", kSectorBytes, kLineBytes);
    b.require(is_power_of_two(burst_bytes), "burst_bytes", "is not 32, 64 or 128", "a burst is one, two or four sectors");
    b.require(bytes_per_clock != 0 && burst_bytes % bytes_per_clock == 0, "burst_bytes", "is not a multiple of bytes_per_clock",
              "a burst fills whole clocks");
  }

  void bind_controller(config::Binder& b) {
    using config::Unit;
    b.integer("queue_entries", queue_entries, Unit::accesses, "requests that wait for a bank", 1, kMaxQueue);
    b.integer("accepts_per_clock", accepts_per_clock, Unit::accesses, "requests that may enter the queue per clock", 1, kMaxQueue);
    b.integer("return_entries", return_entries, Unit::accesses, "requests between their last command and their acceptance by the requester",
              1, 4096);
    b.flag("dual_command", dual_command, "a row and a column command in the same clock (HBM) instead of one command");
    b.choice("write_policy", write_policy, {{"drain", DramWritePolicy::drain}, {"in_order_of_age", DramWritePolicy::in_order_of_age}},
             "drain: reads before writes until the queue is filled beyond write_drain_percent; in_order_of_age: by age alone");
    b.integer("write_drain_percent", write_drain_percent, Unit::percent, "share of the queue above which writes no longer wait", 0, 99);
    b.require(write_policy == DramWritePolicy::drain || write_drain_percent == DramParams{}.write_drain_percent, "write_drain_percent",
              "has no effect with write_policy: in_order_of_age", "remove it or choose write_policy: drain");
    b.policy("scheduler", scheduler, dram_scheduler_catalogue_names(), "which waiting request a bank serves next");
    b.limit("age_cap", age_cap, Unit::accesses, "later arrivals at the channel that may overtake a request", 1, 1u << 20);
    b.require(scheduler == "fr_fcfs" || age_cap == kUnlimited, "age_cap", "has no effect with this scheduler", "remove it");
  }

  void bind_mapping(config::Binder& b) {
    b.choice("mapping", mapping, {{"row_bank_column", DramMapping::row_bank_column}, {"mask", DramMapping::mask}},
             "row_bank_column: channel-local address = row : bank : column, bank xor low row bits; mask: bits of the full address");
    b.group("mask", mask, "address bits of mapping: mask");
    b.ineffective_unless(mapping == DramMapping::mask, "mask", "dram.mapping is not mask");
    b.require(mapping != DramMapping::mask || (mask.bank_bits.size() < 7 && std::size_t{1} << mask.bank_bits.size() == banks), "mask",
              "does not have log2(banks) bank_bits", "list one bit for each doubling of banks");
    b.require(mapping != DramMapping::mask || (mask.column_bits.size() < 12 && (kSectorBytes << mask.column_bits.size()) == row_bytes),
              "mask", "does not have log2(row_bytes / 32) column_bits", "list one bit for each doubling of 32 B up to row_bytes");
  }
};

}  // namespace wharf
