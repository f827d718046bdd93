#pragma once
// Parameters of the extended LLC kernel of a cache-mode SM: its warps, the blocks that each can hold, the parts of an operation's time, and
// compression (morpheus sections 6, 7 and 9.4). Capacities follow from the number of registers. With the defaults, the rule gives the
// evaluated organisation: 32 register-file and 16 L1 warps with 50 and 64 blocks; with compression 46 data registers and at most 96 blocks.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/compression/compression.h"

namespace wharf {

/// The memory that holds the set of a warp. Warps are numbered in this order: register-file warps first.
enum class EllcUnit : std::uint8_t { register_file, l1, shared_memory };
inline constexpr unsigned kEllcUnits = 3;

enum class IndirectMov : std::uint8_t { software, isa };
enum class EllcL1Write : std::uint8_t { back, through };
enum class LevelSource : std::uint8_t { contents, drawn };
/// Who reads a line from DRAM after a false hit prediction: the line was predicted to be in its set but is absent (morpheus section 5.4).
enum class MissFetch : std::uint8_t { controller, warp };
/// How a warp receives its next operation (morpheus section 5.3): its load of the row waits in the controller, or is issued repeatedly.
enum class Delivery : std::uint8_t { parked, spin };

/// The kernel's model: a server with a measured rate and latency, or warps that each serve one operation at a time (morpheus section 9.1).
enum class EllcService : std::uint8_t { warps, rate };

/// Parameters of service by rate (morpheus section 9.1).
struct EllcRateParams {
  double line_ns = 3.765, c2c_ns = 185, network_ns = 90;
  std::uint32_t in_flight = 512;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("line_ns", line_ns, Unit::nanoseconds, "time between two operations of an SM, including insertions and probes: 128 B at 34 GB/s",
           0.001, 100000);
    b.real("c2c_ns", c2c_ns, Unit::nanoseconds, "an operation from controller to controller, unloaded", 1, 100000);
    b.real("network_ns", network_ns, Unit::nanoseconds, "part of c2c_ns in the two networks; the rest passes in the SM", 0, 100000);
    b.integer("in_flight", in_flight, Unit::accesses, "operations in flight per partition, to cache-mode SMs and back", 1, 1u << 16);
    b.require(network_ns < c2c_ns, "network_ns", "is not less than c2c_ns", "make it smaller");
  }
};

/// Parameters of compressed blocks (morpheus section 7).
struct EllcCompressionParams {
  std::string algorithm = "none";
  LevelSource source = LevelSource::contents;
  std::uint32_t tag_blocks = 96;
  double kappa = 1.5;
  std::uint32_t epoch_cycles = 10'000;
  std::uint32_t epoch_events = 16;
  double compress_ns = 20, decompress_ns = 8;
  double drawn_high = 0.25, drawn_low = 0.30, drawn_change = 0.05;

  bool on() const { return algorithm != "none"; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.policy("algorithm", algorithm, compression_catalogue_names(), "how blocks of register-file and shared-memory sets are compressed");
    b.choice("source", source, {{"contents", LevelSource::contents}, {"drawn", LevelSource::drawn}},
             "level of a block: from the contents of its line, or drawn (always drawn where the stimulus has no contents, as for traces)");
    b.integer("tag_blocks", tag_blocks, Unit::count, "maximum blocks in a compressing set; every 32 need a metadata and a base register", 1,
              512);
    b.real("kappa", kappa, Unit::ratio,
           "resident blocks of a compressing set per data register, as profiled; determines its share of addresses (morpheus section 7.6)",
           1.0, 4.0);
    b.integer("epoch_cycles", epoch_cycles, Unit::cycles, "length of an epoch; registers may move to other levels when it ends", 1,
              1u << 30);
    b.integer("epoch_events", epoch_events, Unit::count, "an epoch continues until its set has had this many insertions and updates", 1,
              1u << 20);
    b.real("compress_ns", compress_ns, Unit::nanoseconds, "additional time of an insertion or a write", 0, 10000);
    b.real("decompress_ns", decompress_ns, Unit::nanoseconds, "additional time of a read or an atomic that finds a compressed block", 0,
           10000);
    b.real("drawn_high", drawn_high, Unit::ratio, "probability that a drawn level is high (32 B)", 0, 1);
    b.real("drawn_low", drawn_low, Unit::ratio, "probability that a drawn level is low (64 B)", 0, 1);
    b.real("drawn_change", drawn_change, Unit::ratio, "probability that a write draws a new level for its block", 0, 1);
    for (const char* key : {"source", "tag_blocks", "kappa", "epoch_cycles", "epoch_events", "compress_ns", "decompress_ns", "drawn_high",
                            "drawn_low", "drawn_change"})
      b.ineffective_unless(on(), key, "algorithm is none");
    b.require(drawn_high + drawn_low <= 1.0, "drawn_low", "and drawn_high add up to more than 1", "choose probabilities that leave room");
  }
};

/// Parts of an operation's time in ns (morpheus section 9.4). Each is rounded to the nearest number of core cycles, so a path is a sum of
/// whole cycles. Every total of morpheus section 9.4 holds within 1 ns at 1710 MHz.
struct EllcTimes {
  double deliver = 45, warp_wait = 1.0 / 6, tag = 10, result = 20;
  double rf_software = 11, rf_isa = 4, shared_memory = 25, l1 = 34, l1_fetch = 10;
  double victim = 6, writeback = 20, atomic = 25;
  double rf_issue = 0.441, shared_issue = 1.208, l1_issue = 1.320;

  void bind(config::Binder& b) {
    using config::Unit;
    const auto time = [&](const char* key, double& value, const char* help) { b.real(key, value, Unit::nanoseconds, help, 0, 10000); };
    time("deliver", deliver, "ejection of a request to its fields in registers, with 48 warps that share the issue slots");
    time("warp_wait", warp_wait, "part of deliver per resident warp: with fewer than 48 warps, a request is delivered that much sooner");
    time("tag", tag, "tag lookup, or the address of an L1 block");
    time("result", result, "storing the result and updating the row");
    time("rf_software", rf_software, "access to a block's register through a branch table: array and two branches");
    time("rf_isa", rf_isa, "read of a block's register by one Indirect-MOV: the array twice");
    time("shared_memory", shared_memory, "block in shared memory");
    time("l1", l1, "block in the L1");
    time("l1_fetch", l1_fetch, "fetch of a line absent from the L1, beyond its lookup and the network: in the L1 and at the partition");
    time("victim", victim, "search for the least recently used block, for an insertion");
    time("writeback", writeback, "issue of a dirty victim's writeback, after it has been read");
    time("atomic", atomic, "modifying a block and writing it back, after it has been read");
    time("rf_issue", rf_issue, "minimum time between completions of register-file warps (290 GB/s)");
    time("shared_issue", shared_issue, "minimum time between completions of shared-memory warps (106 GB/s)");
    time("l1_issue", l1_issue, "minimum time between completions of L1 warps (97 GB/s)");
  }
};

struct EllcKernelParams {
  std::uint32_t rf_warps = 32, l1_warps = 16, smem_warps = 0;
  std::uint32_t register_file_kib = 256;
  std::uint32_t l1_kib = 128;
  std::uint32_t thread_registers = 256;
  std::uint32_t auxiliary_registers = 9;
  std::uint32_t plain_registers = 6;
  IndirectMov indirect_mov = IndirectMov::software;
  EllcL1Write l1_ext_write = EllcL1Write::back;
  EllcService service = EllcService::warps;
  EllcRateParams rate;
  Delivery delivery = Delivery::parked;
  double poll_ns = 160;
  EllcTimes time_ns;
  EllcCompressionParams compression;

  std::uint32_t warps() const { return rf_warps + l1_warps + smem_warps; }
  std::uint32_t warps_of(EllcUnit unit) const {
    return unit == EllcUnit::register_file ? rf_warps : unit == EllcUnit::l1 ? l1_warps : smem_warps;
  }
  EllcUnit unit_of(std::uint32_t warp) const {
    return warp < rf_warps ? EllcUnit::register_file : warp < rf_warps + l1_warps ? EllcUnit::l1 : EllcUnit::shared_memory;
  }
  bool compresses(EllcUnit unit) const { return compression.on() && unit != EllcUnit::l1; }

  /// Registers of a register-file warp: an equal share of the registers that the other warps leave (morpheus section 6.1).
  std::uint32_t registers() const {
    const std::uint32_t all = register_file_kib * 1024 / kLineBytes, others = plain_registers * (l1_warps + smem_warps);
    return rf_warps == 0 || others >= all ? 0 : std::min(thread_registers, (all - others) / rf_warps);
  }
  /// Number of uncompressed blocks that fit into a set; 0 if the parameters leave no room.
  std::uint32_t data_blocks(EllcUnit unit) const {
    if (warps_of(unit) == 0) return 0;
    // L1 and shared memory are one memory, which their warps share equally.
    if (unit != EllcUnit::register_file) return l1_kib * 1024 / kLineBytes / (l1_warps + smem_warps);
    const std::uint32_t tags = (compression.tag_blocks + kLanes - 1) / kLanes;
    const std::uint32_t fixed = auxiliary_registers + (compression.on() ? 2 * tags : 0);
    if (registers() <= fixed) return 0;
    const std::uint32_t left = registers() - fixed;
    return compression.on() ? left : left - (left + kLanes) / (kLanes + 1);  // one metadata register per 32 blocks
  }
  /// Upper bound on the blocks that a set can hold.
  std::uint32_t most_blocks(EllcUnit unit) const {
    const std::uint32_t data = data_blocks(unit);
    return data != 0 && compresses(unit) ? std::max(data, compression.tag_blocks) : data;
  }
  /// Capacity of a set in the address separation (morpheus sections 4.3 and 7.6). Without compression, it is also the predictor's
  /// associativity.
  std::uint32_t blocks(EllcUnit unit) const {
    const std::uint32_t data = data_blocks(unit);
    if (!compresses(unit)) return data;
    return std::min(most_blocks(unit), static_cast<std::uint32_t>(std::lround(data * compression.kappa)));
  }

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("service", service, {{"warps", EllcService::warps}, {"rate", EllcService::rate}},
             "warps: each warp serves one operation of its set at a time, with the times of time_ns. rate: the SM serves lines at a "
             "fixed rate, each with a fixed latency");
    b.group("rate", rate, "the kernel's measured rate and latency");
    b.ineffective_unless(service == EllcService::rate, "rate", "service is warps");
    b.integer("rf_warps", rf_warps, Unit::warps, "warps whose set is in the register file, from warp 0 on", 0, 48);
    b.integer("l1_warps", l1_warps, Unit::warps, "warps whose set is in the L1, after the rf_warps", 0, 48);
    b.integer("smem_warps", smem_warps, Unit::warps,
              "warps whose set is in shared memory, after the rf_warps and l1_warps; L1 and shared memory share one array", 0, 48);
    b.integer("register_file_kib", register_file_kib, Unit::kib, "register file of the SM", 1, 4096);
    b.integer("l1_kib", l1_kib, Unit::kib, "L1 and shared memory of the SM", 1, 4096);
    b.integer("thread_registers", thread_registers, Unit::registers, "maximum registers per thread", 1, 1024);
    b.integer("auxiliary_registers", auxiliary_registers, Unit::registers,
              "registers of a register-file warp in addition to data and metadata", 0, 256);
    b.integer("plain_registers", plain_registers, Unit::registers, "registers of every other warp", 0, 256);
    b.choice("indirect_mov", indirect_mov, {{"software", IndirectMov::software}, {"isa", IndirectMov::isa}},
             "how a register with a computed number is read: through a branch table, or by one instruction (morpheus section 6.4)");
    b.choice("l1_ext_write", l1_ext_write, {{"back", EllcL1Write::back}, {"through", EllcL1Write::through}},
             "whether the L1 of a cache-mode SM keeps dirty blocks or sends every write to DRAM (morpheus section 6.6)");
    b.ineffective_unless(rf_warps != 0, "indirect_mov", "rf_warps is 0");
    b.ineffective_unless(l1_warps != 0, "l1_ext_write", "l1_warps is 0");
    b.choice("delivery", delivery, {{"parked", Delivery::parked}, {"spin", Delivery::spin}},
             "how a warp receives its next operation. parked: its load of the row waits in the controller. spin: the load is answered at "
             "once and issued again (morpheus section 5.3)");
    b.real("poll_ns", poll_ns, Unit::nanoseconds, "time from one load of the row to the next, if the first has been answered by then", 0,
           100'000);
    b.ineffective_unless(delivery == Delivery::spin, "poll_ns", "delivery is parked");
    b.require(service == EllcService::warps || (delivery == Delivery::parked && l1_ext_write == EllcL1Write::back), "service",
              "rate models neither loads of rows nor a write-through L1",
              "choose delivery: parked and l1_ext_write: back, or service: warps");
    b.group("time_ns", time_ns, "parts of an operation's time (morpheus section 9.4)");
    b.group("compression", compression, "blocks compressed by the kernel (morpheus section 7)");
    b.require(warps() >= 1 && warps() <= 48, "rf_warps", "plus l1_warps plus smem_warps is not from 1 to 48", "an SM has 48");
    for (const EllcUnit unit : {EllcUnit::register_file, EllcUnit::l1, EllcUnit::shared_memory})
      b.require(warps_of(unit) == 0 || data_blocks(unit) != 0, unit == EllcUnit::register_file ? "register_file_kib" : "l1_kib",
                "leaves a warp no room for a block", "choose a larger memory or fewer warps");
  }
};

}  // namespace wharf
