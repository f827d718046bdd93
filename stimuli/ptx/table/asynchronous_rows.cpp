// Rows of mbarriers, asynchronous copies, and clusters of CTAs (PTX ISA, sections on asynchronous operations).
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

namespace {

void add_bulk_reductions(std::vector<Instruction>& table) {
  for (const std::string_view words : {"reduce async bulk global SHAREDSPACE bulk_group L2::cache_hint? add u32|s32|u64|f32|f64",
                                       "reduce async bulk global SHAREDSPACE bulk_group L2::cache_hint? add noftz f16|bf16",
                                       "reduce async bulk global SHAREDSPACE bulk_group L2::cache_hint? min|max u32|s32|u64|s64|f16|bf16",
                                       "reduce async bulk global SHAREDSPACE bulk_group L2::cache_hint? inc|dec u32",
                                       "reduce async bulk global SHAREDSPACE bulk_group L2::cache_hint? and|or|xor b32|b64",
                                       "reduce async bulk shared::cluster SHAREDSPACE mbarrier::complete_tx::bytes add u32|s32|u64",
                                       "reduce async bulk shared::cluster SHAREDSPACE mbarrier::complete_tx::bytes min|max u32|s32",
                                       "reduce async bulk shared::cluster SHAREDSPACE mbarrier::complete_tx::bytes inc|dec u32",
                                       "reduce async bulk shared::cluster SHAREDSPACE mbarrier::complete_tx::bytes and|or|xor b32"})
    table.push_back({"cp", words, "*", Action::bulk_copy, nullptr, cost_of(Unit::barrier, 1)});
}

}  // namespace

void add_asynchronous_rows(std::vector<Instruction>& table) {
  const Cost barrier = cost_of(Unit::barrier, 1), load = cost_of(Unit::load, 1);
  const std::vector<Instruction> rows = {
      {"mbarrier", "init SHAREDSPACE? b64", "*", Action::mbarrier, nullptr, barrier},
      {"mbarrier", "inval SHAREDSPACE? b64", "*", Action::mbarrier, nullptr, barrier},
      {"mbarrier", "arrive|arrive_drop noComplete? release|relaxed? cta|cluster? SHAREDSPACE|shared::cluster? b64", "*", Action::mbarrier,
       nullptr, barrier},
      {"mbarrier", "arrive|arrive_drop expect_tx release|relaxed? cta|cluster? SHAREDSPACE|shared::cluster? b64", "*", Action::mbarrier,
       nullptr, barrier},
      {"mbarrier", "expect_tx|complete_tx relaxed? cta|cluster? SHAREDSPACE|shared::cluster? b64", "*", Action::mbarrier, nullptr, barrier},
      {"mbarrier", "test_wait|try_wait parity? acquire|relaxed? cta|cluster? SHAREDSPACE? b64", "*", Action::mbarrier, nullptr, barrier},
      {"mbarrier", "pending_count b64", "=u32 b64", kCompute, moves::pending_count, alu(1)},
      {"cp", "async ca|cg SHAREDSPACE global L2::cache_hint? PREFETCHSIZE?", "*", Action::copy, nullptr, load},
      {"cp", "async commit_group", "*", Action::mbarrier, nullptr, barrier},
      {"cp", "async wait_group|wait_all", "*", Action::mbarrier, nullptr, barrier},
      {"cp", "async mbarrier arrive noinc? SHAREDSPACE? b64", "*", Action::mbarrier, nullptr, barrier},
      {"cp", "async bulk SHAREDSPACE|shared::cluster global mbarrier::complete_tx::bytes multicast::cluster? L2::cache_hint?", "*",
       Action::bulk_copy, nullptr, barrier},
      {"cp", "async bulk shared::cluster SHAREDSPACE mbarrier::complete_tx::bytes", "*", Action::bulk_copy, nullptr, barrier},
      {"cp", "async bulk global SHAREDSPACE bulk_group L2::cache_hint?", "*", Action::bulk_copy, nullptr, barrier},
      {"cp", "async bulk prefetch L2 global L2::cache_hint?", "*", Action::bulk_copy, nullptr, barrier},
      {"cp", "async bulk commit_group", "*", Action::mbarrier, nullptr, barrier},
      {"cp", "async bulk wait_group read?", "*", Action::mbarrier, nullptr, barrier},
      {"st", "async weak? shared::cluster? mbarrier::complete_tx::bytes v2|v4? b32|u32|s32|f32|b64|u64|s64|f64", "m v mbarrier",
       Action::store, nullptr, alu(1)},
      {"red", "async relaxed cluster shared::cluster? mbarrier::complete_tx::bytes add u32|s32|u64", "m 0 mbarrier", Action::atomic,
       nullptr, alu(1)},
      {"red", "async relaxed cluster shared::cluster? mbarrier::complete_tx::bytes min|max u32|s32", "m 0 mbarrier", Action::atomic,
       nullptr, alu(1)},
      {"red", "async relaxed cluster shared::cluster? mbarrier::complete_tx::bytes inc|dec u32", "m 0 mbarrier", Action::atomic, nullptr,
       alu(1)},
      {"red", "async relaxed cluster shared::cluster? mbarrier::complete_tx::bytes and|or|xor b32", "m 0 mbarrier", Action::atomic, nullptr,
       alu(1)},
      {"barrier", "cluster arrive release|relaxed? aligned?", "", Action::cluster_barrier, nullptr, barrier},
      {"barrier", "cluster wait acquire? aligned?", "", Action::cluster_barrier, nullptr, barrier},
      {"mapa", "shared::cluster? u32|u64", "=0 0 u32 rank", kCompute, moves::mapa, alu(1)},
      {"getctarank", "shared::cluster? u32|u64", "=u32 0 rank", kCompute, moves::getctarank, alu(1)},
      {"fence", "proxy async|alias|async::generic", "", Action::fence, nullptr, kFree},
      {"fence", "proxy async global|shared::cta|shared::cluster", "", Action::fence, nullptr, kFree},
      {"fence", "mbarrier_init release cluster", "", Action::fence, nullptr, kFree},
      // Kernels never overlap, and an SM gives registers out per CTA.
      {"griddepcontrol", "launch_dependents|wait", "", kCompute, nullptr, kFree},
      {"setmaxnreg", "inc|dec sync aligned u32", "imm", kCompute, nullptr, kFree},
  };
  table.insert(table.end(), rows.begin(), rows.end());
  add_bulk_reductions(table);
}

}  // namespace wharf::ptx
