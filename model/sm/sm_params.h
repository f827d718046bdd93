#pragma once
// Parameters of one SM (common sections 9, 11 and 16).

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "model/sm/lsu/lsu_params.h"
#include "model/sm/prediction/prediction_params.h"
#include "policies/warp_filter/warp_filter.h"
#include "policies/warp_scheduler/warp_scheduler.h"

namespace wharf {

struct UnitTiming {
  std::uint32_t latency = 4;
  std::uint32_t interval = 1;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("latency", latency, Unit::cycles, "start of execution to result", 1, 1000);
    b.integer("interval", interval, Unit::cycles,
              "initiation interval: from the start of one instruction to the start of the next from the same scheduler", 1, 1000);
  }
};

struct ShuffleTiming {
  std::uint32_t latency = 0;
  std::uint32_t interval = 4;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("latency", latency, Unit::cycles, "start of execution to result; 0: latency and interval of sm.units.alu", 0, 1000);
    b.integer("interval", interval, Unit::cycles, "from the start of one to the start of the scheduler's next instruction of the alu", 1,
              1000);
    b.ineffective_unless(latency != 0, "interval", "sm.units.shuffle.latency is 0: shuffles are instructions of the alu like any other");
  }
};

enum class ConversionUnit { alu, sfu };

struct UnitsParams {
  UnitTiming alu{8, 1}, fp32{8, 1}, fp64{16, 1}, sfu{40, 1}, tensor{8, 1}, branch{8, 1}, control{1, 1};
  ShuffleTiming shuffle;
  std::uint32_t imad_interval = 0;
  ConversionUnit conversions = ConversionUnit::alu;

  UnitTiming of(Unit unit) const {
    switch (unit) {
      case Unit::fp32:
        return fp32;
      case Unit::fp64:
        return fp64;
      case Unit::sfu:
        return sfu;
      case Unit::tensor:
        return tensor;
      case Unit::branch:
        return branch;
      case Unit::shuffle:
        return shuffle.latency != 0 ? UnitTiming{shuffle.latency, shuffle.interval} : alu;
      case Unit::imad:
        return imad_interval != 0 ? UnitTiming{fp32.latency, imad_interval} : alu;
      case Unit::conversion:
        return conversions == ConversionUnit::sfu ? sfu : alu;
      case Unit::barrier:
      case Unit::exit:
        return control;
      default:
        return alu;
    }
  }

  void bind(config::Binder& b) {
    b.group("alu", alu, "integer, logic, move");
    b.group("shuffle", shuffle, "shuffles and reductions of a warp, which pass through the alu pipeline");
    b.group("fp32", fp32, "single precision");
    b.group("fp64", fp64, "double precision");
    b.group("sfu", sfu, "special functions");
    b.group("tensor", tensor, "matrix operations");
    b.group("branch", branch, "branches");
    b.group("control", control, "barriers and exits, which pass through the alu pipeline");
    b.integer(
        "imad_interval", imad_interval, config::Unit::cycles,
        "from the start of one multiplication of integers to the start of the scheduler's next, through the fp32 pipeline and with its "
        "latency; 0: they are instructions of the alu like any other",
        0, 1000);
    b.choice("conversions", conversions, {{"alu", ConversionUnit::alu}, {"sfu", ConversionUnit::sfu}},
             "pipeline of conversions between integers, floats and doubles, and of counts of bits (POPC, FLO, BREV)");
  }
};

/// Detection of interference between warps (ciao section 4).
struct InterferenceParams {
  bool passive = false;
  std::uint32_t victim_sets = 0;
  std::uint32_t victim_ways = 8;
  bool count_stores = false;
  std::uint32_t window = 1'000'000;
  bool asked_for = false;  // not a key: set if sm.warp_filter tracks lost lines

  bool measured() const { return passive || asked_for; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.flag("passive", passive, "track lost lines even if sm.warp_filter does not need them, to measure interference (CIAO-O31)");
    b.integer("victim_sets", victim_sets, Unit::count, "sets of each warp's victim tags; 0: 2 with ccws, 1 with other filters", 0, 64);
    b.integer("victim_ways", victim_ways, Unit::count, "tags per set, a FIFO", 1, 64);
    b.flag(
        "count_stores", count_stores,
        "a line that a store evicts from the L1 (l1.store_hit: evict) counts as lost to the warp that stored; false: to no warp (CIAO-O8)");
    b.integer("window", window, Unit::count,
              "thread instructions of the GPU per row of table warps_over_time; fewer if the run is too short for many rows (CIAO-O31)", 1,
              1u << 30);
    for (const char* key : {"victim_sets", "victim_ways", "count_stores", "window"})
      b.ineffective_unless(measured(), key, "sm.warp_filter does not ask for lost lines and passive is off");
    b.require((victim_sets & (victim_sets - 1)) == 0 || victim_sets == 0, "victim_sets", "is not a power of two", "choose one, or 0");
  }
};

enum class SchedulerOrder { fixed, rotating };
enum class LocalMemory { as_given, interleaved };
enum class TransactionOrder { lane, descending };
enum class FenceWait { nothing, results, performed };

struct SmParams {
  std::uint32_t warps = 48;
  std::uint32_t ctas = 8;
  std::uint32_t threads = 1536;
  std::uint32_t registers = 32768;
  std::uint32_t register_granule = 1;
  std::uint32_t shared_kib = 48, shared_reserved_bytes = 0;
  std::uint32_t unified_kib = 0;
  std::vector<std::uint32_t> shared_splits_kib;
  bool unused_registers_to_l1 = false;
  std::uint32_t schedulers = 2;
  std::uint32_t issue_interval = 1;
  SchedulerOrder scheduler_order = SchedulerOrder::fixed;
  std::string warp_scheduler = "gto";
  std::uint32_t two_level_active = 6;
  std::string warp_filter = "none";
  std::uint32_t swl_limit = 64;
  CcwsParams ccws;
  PcalParams pcal;
  CiaoParams ciao;
  InterferenceParams interference;
  std::uint32_t issue_to_execute_cycles = 1, issue_to_memory_cycles = 0;
  std::uint32_t writeback_cycles = 0;
  std::uint32_t unit_queue = 1;
  std::uint32_t collector_units = 0;
  std::uint32_t collector_steps = 2;
  std::uint32_t register_banks = 4;
  UnitsParams units;
  LsuParams lsu;
  std::uint32_t lsu_queue = 8;
  std::uint32_t lsu_lines_per_cycle = 1;
  std::uint32_t lsu_sectors_per_cycle = 4;
  bool byte_masks = false;         // not a key: a cache below the SM keeps the bytes that stores have written
  bool has_peers = false;          // not a key: it has a port to the shared memory of other SMs
  std::uint32_t clock_mhz = 1000;  // not a key: that of the core
  TransactionOrder transaction_order = TransactionOrder::lane;
  std::uint32_t loads_in_flight = kUnlimited;
  std::uint32_t shared_cycles = 26;
  std::uint32_t shared_banks = 32;
  LocalMemory local_memory = LocalMemory::as_given;
  bool cta_waits_for_stores = false;
  bool atomics_block_warp = false;
  FenceWait fence_waits = FenceWait::nothing;
  bool fence_invalidates = false;
  std::uint32_t barrier_cycles = 0, barrier_interval = 0;
  PredictionParams prediction;

  /// True if the loads of isolated warps go to unused shared memory (ciao section 3.5).
  bool isolates_warps() const { return warp_filter == "ciao_p" || warp_filter == "ciao_c"; }

  void bind(config::Binder& b) {
    bind_capacity(b);
    bind_issue(b);
    bind_memory(b);
    b.group("prediction", prediction, "access counts at L2, predicted per pc (loscache)");
    b.require(warp_filter != "predictor_cta" || (prediction.on() && prediction.has_phases()), "warp_filter",
              "predictor_cta prefers the CTA of a prediction phase, but sm.prediction has no phases",
              "set prediction.scheme, or another warp_filter");
  }

 private:
  void bind_capacity(config::Binder& b) {
    using config::Unit;
    b.integer("warps", warps, Unit::warps, "hardware warp slots", 1, 64);
    b.integer("ctas", ctas, Unit::ctas, "CTA slots", 1, 64);
    b.integer("threads", threads, Unit::threads, "resident threads", 32, 65536);
    b.integer("registers", registers, Unit::registers, "32-bit registers (CM-22)", 32, 1u << 24);
    b.integer("register_granule", register_granule, Unit::registers, "registers per thread are rounded up to a multiple of this", 1, 256);
    b.integer("shared_kib", shared_kib, Unit::kib, "maximum shared memory per SM", 0, 4096);
    b.integer("shared_reserved_bytes", shared_reserved_bytes, Unit::bytes,
              "that the system takes beside the shared memory of a CTA, if it has any", 0, 65536);
    b.integer("unified_kib", unified_kib, Unit::kib,
              "size of one array that is split between L1 and shared memory for each kernel; 0: two separate arrays", 0, 4096);
    b.integers("shared_splits_kib", shared_splits_kib, Unit::kib, "shared-memory sizes to choose from when the array is split, ascending",
               0, 4096);
    b.flag("unused_registers_to_l1", unused_registers_to_l1,
           "the L1 grows by the registers that the CTAs of a kernel leave unused, in steps of 2 KiB (morpheus section 12)");
    for (const char* key : {"shared_splits_kib", "unused_registers_to_l1"})
      b.ineffective_unless(unified_kib != 0, key, "sm.unified_kib is 0: L1 and shared memory are two arrays");
    b.require(unified_kib == 0 || unified_kib > shared_kib, "unified_kib", "leaves no L1 when shared_kib is taken from it",
              "make it larger than shared_kib");
  }

  void bind_issue(config::Binder& b) {
    using config::Unit;
    b.integer("schedulers", schedulers, Unit::count, "warp schedulers; warp slot w belongs to scheduler w mod schedulers", 1, 4);
    b.integer("issue_interval", issue_interval, Unit::cycles, "cycles between two instructions that a scheduler issues (CM-23)", 1, 32);
    b.choice("scheduler_order", scheduler_order, {{"fixed", SchedulerOrder::fixed}, {"rotating", SchedulerOrder::rotating}},
             "which scheduler issues first in a cycle; its memory instructions also have priority. fixed: number 0. rotating: in cycle t "
             "number t mod schedulers (CM-41)");
    b.policy("warp_scheduler", warp_scheduler, warp_scheduler_catalogue_names(), "order among the warps that may issue (CM-24)");
    b.integer("two_level_active", two_level_active, Unit::warps, "two_level: warps in the active set of a scheduler", 1, 64);
    b.ineffective_unless(warp_scheduler == "two_level", "two_level_active", "sm.warp_scheduler is not two_level");
    b.policy("warp_filter", warp_filter, warp_filter_catalogue_names(), "which warps may issue at all (CM-24)");
    bind_filter(b);
    b.integer("issue_to_execute_cycles", issue_to_execute_cycles, Unit::cycles, "issue to start of execution in a unit", 1, 100);
    b.integer("issue_to_memory_cycles", issue_to_memory_cycles, Unit::cycles,
              "issue to acceptance at the L1 or shared memory; 0: sm.issue_to_execute_cycles", 0, 100);
    b.integer("writeback_cycles", writeback_cycles, Unit::cycles,
              "from the result of a unit or of shared memory to the issue of its consumer", 0, 100);
    b.integer("unit_queue", unit_queue, Unit::count, "instructions that may wait between a scheduler and one of its units", 1, 64);
    b.integer("collector_units", collector_units, Unit::count,
              "operand collector units per scheduler, for all kinds of instructions; 0: operand collection takes a constant time, which is "
              "part of issue_to_execute_cycles (CM-40)",
              0, 64);
    b.integer("collector_steps", collector_steps, Unit::count, "steps of operand collection per cycle, each with one read per bank (CM-40)",
              1, 8);
    b.integer("register_banks", register_banks, Unit::count,
              "register-file banks per scheduler; bank = (register + warp slot) mod register_banks (CM-40)", 1, 8);
    for (const char* key : {"issue_to_execute_cycles", "issue_to_memory_cycles", "unit_queue"})
      b.ineffective_unless(collector_units == 0, key, "sm.collector_units is not 0: instructions pass issue registers and collector units");
    for (const char* key : {"collector_steps", "register_banks"})
      b.ineffective_unless(collector_units != 0, key, "sm.collector_units is 0: there are no collector units");
    b.require((register_banks & (register_banks - 1)) == 0, "register_banks", "is not a power of two", "choose 1, 2, 4 or 8");
    b.group("units", units, "execution units: latency and initiation interval");
  }

  void bind_filter(config::Binder& b) {
    using config::Unit;
    b.integer("swl_limit", swl_limit, Unit::warps, "swl: warps per SM that may issue; statpcal: warps per SM that hold tokens", 1, 64);
    b.group("ccws", ccws, "cache-conscious wavefront scheduling (ciao section 3.3)");
    b.group("pcal", pcal, "static priority-based cache allocation (ciao section 3.4)");
    b.group("ciao", ciao, "isolation and stalling of warps that interfere (ciao sections 4 and 5)");
    const bool by_ciao = warp_filter.rfind("ciao_", 0) == 0;
    interference.asked_for = by_ciao || warp_filter == "ccws";
    b.group("interference", interference, "victim tags: lines that warps have lost, and to whom (ciao section 4.1)");
    b.ineffective_unless(warp_filter == "swl" || warp_filter == "statpcal", "swl_limit", "sm.warp_filter is neither swl nor statpcal");
    b.ineffective_unless(warp_filter == "ccws", "ccws", "sm.warp_filter is not ccws");
    b.ineffective_unless(warp_filter == "statpcal", "pcal", "sm.warp_filter is not statpcal");
    b.ineffective_unless(by_ciao, "ciao", "sm.warp_filter is not one of CIAO's");
  }

  void bind_memory(config::Binder& b) {
    using config::Unit;
    b.integer("lsu_queue", lsu_queue, Unit::count,
              "instructions that wait for the load/store unit, in order, shared equally by the schedulers (CM-25)", 1, 64);
    b.group("lsu", lsu, "queues of the schedulers in front of the load/store unit, and the way back");
    b.ineffective_unless(collector_units == 0, "lsu_queue", "sm.collector_units is not 0: instructions wait in collector units");
    b.ineffective_unless(lsu.model == LsuModel::single, "lsu_queue", "sm.lsu.model is subcore: each scheduler has sm.lsu.subcore_queue");
    b.integer("lsu_lines_per_cycle", lsu_lines_per_cycle, Unit::accesses, "transaction unit line: lines sent to the L1 per cycle (CM-25)",
              1, 32);
    b.integer("lsu_sectors_per_cycle", lsu_sectors_per_cycle, Unit::accesses,
              "transaction unit sector: sectors sent per cycle, to different banks of the L1 (CM-38)", 1, 32);
    b.choice(
        "transaction_order", transaction_order, {{"lane", TransactionOrder::lane}, {"descending", TransactionOrder::descending}},
        "order in which an instruction's lines or sectors are sent to the L1. lane: lines in the order of the first lane that uses them, "
        "and the lowest sector of a line first. descending: the highest address first (CM-48)");
    b.limit("loads_in_flight", loads_in_flight, Unit::count, "load instructions with outstanding data (CM-25: 4 per warp)", 1, 1u << 20);
    b.integer("shared_cycles", shared_cycles, Unit::cycles, "from acceptance at shared memory to data, without conflicts", 1, 1000);
    b.integer("shared_banks", shared_banks, Unit::count, "banks of 4 B; an n-way conflict takes n cycles", 1, 32);
    b.choice(
        "local_memory", local_memory, {{"as_given", LocalMemory::as_given}, {"interleaved", LocalMemory::interleaved}},
        "address layout of local memory. as_given: the addresses of the instructions; in a stimulus each warp of the grid has a stack, in "
        "a trace all threads use the same stack offsets. interleaved: word by word across the thread slots of all SMs (CM-43)");
    b.integer("barrier_cycles", barrier_cycles, Unit::cycles, "from the last arrival at a barrier of a CTA to the next issue of its warps",
              0, 1000);
    b.integer("barrier_interval", barrier_interval, Unit::cycles, "an SM takes the arrivals of warps at its barriers so many cycles apart",
              0, 100);
    b.flag("atomics_block_warp", atomics_block_warp,
           "a warp issues nothing while one of its atomics to global or shared memory is in flight (CM-42)");
    b.flag("cta_waits_for_stores", cta_waits_for_stores, "a CTA keeps its slot until its stores are acknowledged");
    b.choice(
        "fence_waits", fence_waits, {{"nothing", FenceWait::nothing}, {"results", FenceWait::results}, {"performed", FenceWait::performed}},
        "for what a warp waits at a fence of the GPU or the system (CM-30). results: those of its earlier instructions. performed: also "
        "for the acknowledgements of its stores");
    b.require(fence_waits != FenceWait::performed || cta_waits_for_stores, "fence_waits",
              "is performed, but warps do not know of their stores' acknowledgements", "set sm.cta_waits_for_stores: true");
    b.flag("fence_invalidates", fence_invalidates,
           "when a warp passes such a fence, an L1 that serves only its SM invalidates all lines but dirty ones of local memory (CM-30)");
    b.ineffective_unless(fence_waits != FenceWait::nothing, "fence_invalidates",
                         "sm.fence_waits is nothing: fences are instructions of the alu");
  }
};

}  // namespace wharf
