#pragma once
// Parameters of one L2 slice (common section 6).

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "model/cache/whole_sets.h"
#include "model/l2/line_times.h"
#include "model/l2/partition_params.h"
#include "policies/l2_line/l2_line.h"
#include "policies/replacement/replacement.h"
#include "policies/set_index/set_index.h"

namespace wharf {

/// What the latency access_cycles covers (ATA-O2).
enum class LatencySemantics { beyond_l1, load_to_use };
enum class WriteMiss { fetch_partial, fetch_always, lazy };
/// When the accesses merged into an MSHR entry join the reply queue (CM-44).
enum class MergedReplies { at_fill, one_a_cycle };
/// Victim choice if lines can be switched off (loscache section 6).
enum class VictimOrder { lru, off_first };

struct L2Params {
  std::uint32_t slice_kib = 128;
  std::uint32_t ways = 8;
  std::uint32_t extra_way_sets = 0;
  bool sectored = false;
  std::string set_index = "linear";
  std::string replacement = "lru";
  std::uint32_t access_cycles = 120;
  LatencySemantics latency_semantics = LatencySemantics::beyond_l1;
  std::uint32_t fill_cycles = 1;
  WriteMiss write_miss = WriteMiss::fetch_partial;
  std::uint32_t mshr_entries = 64;
  std::uint32_t mshr_targets = kUnlimited;
  MergedReplies merged_replies = MergedReplies::at_fill;
  bool byte_masks = false;
  std::uint32_t input_queue = 8;
  std::uint32_t miss_queue = 16;
  std::uint32_t reply_queue = 16;
  std::uint32_t dram_extra_cycles = 100;
  bool hints = false;
  double persisting_fraction = 0;
  std::string line_policy = "none";
  std::uint32_t forward_queue = 4;
  GateCompare gate_compare = GateCompare::post;
  VictimOrder victim_order = VictimOrder::lru;
  std::uint32_t wake_cycles = 10;
  LineTimesKept line_times = LineTimesKept::off;
  PartitionParams partition;
  std::uint32_t slices = 1;  // not a key: those of the L2

  bool gates_lines() const { return line_policy == "loscache"; }
  /// Ways of each set that persisting lines may occupy. The small addend makes up for the rounding of fractions such as 0.29.
  std::uint32_t persisting_ways() const { return static_cast<std::uint32_t>(persisting_fraction * ways + 1e-9); }
  /// As above, while persisting lines may occupy at most `limit` bytes of the whole L2.
  std::uint32_t persisting_ways(std::uint64_t limit) const {
    const std::uint64_t bytes = std::uint64_t{slices} * slice_kib * 1024;
    return limit >= bytes ? persisting_ways() : std::min(persisting_ways(), static_cast<std::uint32_t>(limit * ways / bytes));
  }
  std::uint32_t sets() const { return slice_kib * (1024 / kLineBytes) / ways; }
  std::uint32_t lines() const { return sets() * ways + extra_way_sets; }
  std::uint32_t most_ways() const { return ways + (extra_way_sets != 0 ? 1 : 0); }

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("slice_kib", slice_kib, Unit::kib, "data capacity of one slice", 1, 1u << 20);
    b.integer("ways", ways, Unit::count, "associativity", 1, 4096);
    b.integer("extra_way_sets", extra_way_sets, Unit::count,
              "number of sets, from set 0 on, with one additional way beyond slice_kib (morpheus section 12)", 0, 1u << 20);
    b.flag("sectored", sectored, "a miss fetches the missing 32 B sectors of the line instead of the whole line");
    b.policy("set_index", set_index, set_index_catalogue_names(), "function from the line number inside the slice to the set");
    b.policy("replacement", replacement, replacement_catalogue_names(), "victim among the ways without a pending sector (CM-11)");
    b.integer("access_cycles", access_cycles, Unit::cycles, "tail of a request ejected to first reply flit offered, on a hit (CM-17)", 1,
              10000);
    b.choice("latency_semantics", latency_semantics,
             {{"beyond_l1", LatencySemantics::beyond_l1}, {"load_to_use", LatencySemantics::load_to_use}},
             "beyond_l1: access_cycles is the latency of the slice. load_to_use: it includes the L1's hit latency, which "
             "is subtracted (ATA-O2)");
    b.integer("fill_cycles", fill_cycles, Unit::cycles, "data from DRAM at the slice to first reply flit offered", 1, 10000);
    b.choice(
        "write_miss", write_miss,
        {{"fetch_partial", WriteMiss::fetch_partial}, {"fetch_always", WriteMiss::fetch_always}, {"lazy", WriteMiss::lazy}},
        "when a store that misses fetches: unless it covers every sector it touches; always; or only when a load needs the rest (CM-18)");
    b.integer("mshr_entries", mshr_entries, Unit::count,
              "lines (transaction unit line) or sectors (unit sector) outstanding at DRAM (CM-14)", 1, 1u << 16);
    b.limit("mshr_targets", mshr_targets, Unit::accesses, "accesses that one entry serves", 1, 1u << 20);
    b.choice("merged_replies", merged_replies, {{"at_fill", MergedReplies::at_fill}, {"one_a_cycle", MergedReplies::one_a_cycle}},
             "when accesses merged into an MSHR entry enter the reply queue. at_fill: all with the fill. one_a_cycle: one per cycle from "
             "the next cycle on, oldest first, before that cycle's fill and hit (CM-44)");
    b.flag("byte_masks", byte_masks,
           "a sector becomes readable once stores together have written all its bytes; false: once a single store has (CM-45)");
    b.integer("input_queue", input_queue, Unit::count, "requests that wait, in addition to one per access_cycles stage of the pipeline", 1,
              1u << 16);
    b.integer("miss_queue", miss_queue, Unit::count, "fetches and writebacks that wait for the DRAM channel", 2, 1u << 16);
    b.integer("reply_queue", reply_queue, Unit::count,
              "replies that wait for the network, in addition to those of fills still within fill_cycles; a full queue stops lookups", 1,
              1u << 16);
    b.integer("dram_extra_cycles", dram_extra_cycles, Unit::cycles,
              "fixed latency between slice and DRAM channel, in addition to the DRAM's own", 1, 10000);
    b.policy("line_policy", line_policy, l2_line_catalogue_names(), "how a slice uses the policy bits of each line (CM-19)");
    bind_residency(b);
    b.integer("forward_queue", forward_queue, Unit::count,
              "forwards that wait for the request network; if the queue is full, the slice serves the read itself", 1, 4096);
    b.ineffective_unless(line_policy == "last_sharer", "forward_queue", "l2.line_policy forwards nothing");
    bind_gating(b);
    partition.bind(b);
    b.require(!partition.on() || line_policy == "none", "partitions",
              "is 2, but line_policy: " + line_policy + " follows lines in a single slice only", "set line_policy: none, or partitions: 1");
    b.require(!partition.copies() || line_times == LineTimesKept::off, "line_times",
              "are those of lines in one slice, but partition: local_copy keeps a line in two",
              "set line_times: off, or partition: home_only");
    b.ineffective_unless(sectored, "copy_bytes", "l2.sectored is false: whole lines are copied");
    require_whole_sets(b, "slice_kib", slice_kib, ways);
    b.require(extra_way_sets <= sets(), "extra_way_sets", "are more than the sets of a slice", "choose at most slice_kib * 8 / ways");
    b.require(sectored || write_miss != WriteMiss::lazy, "write_miss", "lazy keeps partly valid lines, but this slice is not sectored",
              "set sectored: true, or another write_miss");
  }

 private:
  void bind_residency(config::Binder& b) {
    using config::Unit;
    b.flag("hints", hints, "accesses with an eviction hint, and access-policy windows of launches, choose which lines stay (LR-1)");
    b.require(!hints || !gates_lines(), "hints", "is true, but line_policy: " + line_policy + " decides by itself which data stay",
              "set hints: false, or line_policy: none");
    b.real("persisting_fraction", persisting_fraction, Unit::ratio,
           "set-aside: the share of each set's ways, rounded down, that persisting lines may occupy; 0: no line persists (LR-3)", 0, 0.75);
    b.ineffective_unless(hints, "persisting_fraction", "l2.hints is false");
    b.require(persisting_fraction == 0 || persisting_ways() != 0, "persisting_fraction",
              "is less than one of the " + std::to_string(ways) + " ways", "set 0, or at least 1 / l2.ways");
  }

  /// Keys of loscache sections 6, 9 and 12.
  void bind_gating(config::Binder& b) {
    using config::Unit;
    b.choice("gate_compare", gate_compare, {{"post", GateCompare::post}, {"pre", GateCompare::pre}},
             "an access's predicted count is compared with its line's count after the access has been counted, or before");
    b.ineffective_unless(gates_lines(), "gate_compare", "l2.line_policy switches no line off");
    b.choice(
        "victim_order", victim_order, {{"lru", VictimOrder::lru}, {"off_first", VictimOrder::off_first}},
        "victim. lru: the least recently used line, on or off, also for a tag-only record. off_first: lines that are off first, and for "
        "a tag-only record never a line that is on");
    b.ineffective_unless(gates_lines(), "victim_order", "l2.line_policy switches no line off");
    b.integer("wake_cycles", wake_cycles, Unit::cycles, "switching a line's data on; hidden by the fetch of the data", 0, 1000);
    b.ineffective_unless(gates_lines(), "wake_cycles", "l2.line_policy switches no line off");
    b.require(!gates_lines() || wake_cycles < dram_extra_cycles, "wake_cycles", "is not hidden by the fetch of the data",
              "make it smaller than dram_extra_cycles");
    b.choice("line_times", line_times, {{"off", LineTimesKept::off}, {"on", LineTimesKept::on}, {"ideal", LineTimesKept::ideal}},
             "measure dead time and Ideal-Gating's line times: no; yes; or yes, with the lines' power reported as Ideal-Gating's");
    b.ineffective_unless(!gates_lines(), "line_times", "l2.line_policy switches lines off: their times are always kept");
  }
};

}  // namespace wharf
