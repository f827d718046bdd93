// Rows of loads, stores, atomics and prefetches. Their units follow from the space (CU-55).
#include "stimuli/ptx/lanes/cache_policy.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

void add_memory_rows(std::vector<Instruction>& table) {
  const Cost one = alu(1);
  const std::vector<Instruction> rows = {
      {"ld", "volatile SPACE? v2|v4? MEMORY", "=v m", Action::load, nullptr, one},
      {"ld", "ORDER? SCOPE? SPACE? LOADCACHE? nc? EVICT? EVICTL2? L2::cache_hint? PREFETCHSIZE? v2|v4? MEMORY", "=v m", Action::load,
       nullptr, one},
      {"ldu", "global? v2|v4? MEMORY", "=v m", Action::load, nullptr, one},
      {"st", "volatile SPACE? v2|v4? MEMORY", "m v", Action::store, nullptr, one},
      {"st", "ORDER? SCOPE? SPACE? STORECACHE? EVICT? EVICTL2? L2::cache_hint? v2|v4? MEMORY", "m v", Action::store, nullptr, one},
      {"atom", "ORDER? SCOPE? DATASPACE? exch L2::cache_hint? b32|b64|u32|u64|s32|s64|f32", "=0 m 0", Action::atomic, nullptr, one},
      {"atom", "ORDER? SCOPE? DATASPACE? cas L2::cache_hint? b16|b32|b64|u32|s32|u64|s64", "=0 m 0 0", Action::atomic, nullptr, one},
      {"atom", "ORDER? SCOPE? DATASPACE? and|or|xor L2::cache_hint? b32|b64", "=0 m 0", Action::atomic, nullptr, one},
      {"atom", "ORDER? SCOPE? DATASPACE? inc|dec L2::cache_hint? u32", "=0 m 0", Action::atomic, nullptr, one},
      {"atom", "ORDER? SCOPE? DATASPACE? min|max L2::cache_hint? u32|s32|u64|s64", "=0 m 0", Action::atomic, nullptr, one},
      {"atom", "ORDER? SCOPE? DATASPACE? add L2::cache_hint? u32|s32|u64|s64|f32|f64", "=0 m 0", Action::atomic, nullptr, one},
      {"atom", "ORDER? SCOPE? DATASPACE? add noftz L2::cache_hint? f16|f16x2|bf16|bf16x2", "=0 m 0", Action::atomic, nullptr, one},
      {"red", "ORDER? SCOPE? DATASPACE? and|or|xor L2::cache_hint? b32|b64", "m 0", Action::atomic, nullptr, one},
      {"red", "ORDER? SCOPE? DATASPACE? inc|dec L2::cache_hint? u32", "m 0", Action::atomic, nullptr, one},
      {"red", "ORDER? SCOPE? DATASPACE? min|max L2::cache_hint? u32|s32|u64|s64", "m 0", Action::atomic, nullptr, one},
      {"red", "ORDER? SCOPE? DATASPACE? add L2::cache_hint? u32|s32|u64|s64|f32|f64", "m 0", Action::atomic, nullptr, one},
      {"red", "ORDER? SCOPE? DATASPACE? add noftz L2::cache_hint? f16|f16x2|bf16|bf16x2", "m 0", Action::atomic, nullptr, one},
      {"createpolicy",
       "fractional L2::evict_first|L2::evict_last|L2::evict_normal|L2::evict_unchanged L2::evict_first|L2::evict_unchanged? b64",
       "=b64 f32?", Action::compute, cache_policy::fractional, one},
      {"createpolicy",
       "range global? L2::evict_first|L2::evict_last|L2::evict_normal|L2::evict_unchanged L2::evict_first|L2::evict_unchanged? b64",
       "=b64 m u32 u32", Action::range_policy, nullptr, one},
      {"createpolicy", "cvt L2 b64", "=b64 b64", Action::compute, moves::mov, kFree},  // an access property is a policy
      {"wharf", "associate b64", "=b64 b64 b64", Action::compute, moves::mov, kFree},
      {"wharf", "surface zero|clamp|trap b64", "=b64 b64 s32 s32 s32 u32", Action::surface_place, nullptr, kFree},
      {"tex", "base? 1d|2d|3d|a1d|a2d|cube v4 f32|s32|u32 f32|s32", "*", Action::texture, nullptr, one},
      {"tex", "level 1d|2d|3d|a1d|a2d|cube v4 f32|s32|u32 f32", "*", Action::texture, nullptr, one},
      {"prefetch", "global|local? L1|L2", "m", Action::prefetch, nullptr, one},
      {"prefetch", "global L2::evict_last|L2::evict_normal", "m", Action::prefetch, nullptr, one},
      {"prefetchu", "L1", "m", Action::prefetch, nullptr, one},
      {"applypriority", "global? L2::evict_normal", "m u32", Action::prefetch, nullptr, one},
      {"discard", "global? L2", "m u32", Action::compute, nullptr, one},
  };
  table.insert(table.end(), rows.begin(), rows.end());
}

}  // namespace wharf::ptx
