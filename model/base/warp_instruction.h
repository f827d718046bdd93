#pragma once
// One instruction of a warp: what an SM executes for 32 lanes.

#include <array>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

/// The execution unit of an instruction. `shuffle` covers shuffles and reductions of a warp, `imad` multiplications of integers, `conversion`
/// changes of type between integers, floats and doubles and counts of bits, `shared` loads and stores of shared memory (a store has no
/// destination), `shared_atomic` its atomics; `load`, `store` and `atomic` go to the memory hierarchy. `fence` orders the warp's accesses for
/// other CTAs.
enum class Unit : std::uint8_t {
  alu,
  fp32,
  fp64,
  sfu,
  tensor,
  branch,
  texture,
  load,
  store,
  atomic,
  shared,
  shared_atomic,
  barrier,
  exit,
  shuffle,
  imad,
  conversion,
  fence
};
inline constexpr unsigned kUnits = 18;  // recorded by number: a new one comes last
inline constexpr const char* kUnitNames[kUnits] = {"alu",     "fp32", "fp64",    "sfu",    "tensor",     "branch",
                                                   "texture", "load", "store",   "atomic", "shared",     "shared_atomic",
                                                   "barrier", "exit", "shuffle", "imad",   "conversion", "fence"};

constexpr bool is_global_memory(Unit unit) {
  return unit == Unit::load || unit == Unit::store || unit == Unit::atomic || unit == Unit::texture;
}
constexpr bool is_shared_memory(Unit unit) { return unit == Unit::shared || unit == Unit::shared_atomic; }
/// True if the instruction has lane addresses.
constexpr bool has_addresses(Unit unit) { return is_global_memory(unit) || is_shared_memory(unit); }

/// CM-5. `cluster`: of shared-memory instructions, whose addresses then name CTAs of the cluster (model/base/cluster_member.h).
enum class Space : std::uint8_t { global, local, cluster };
enum class CacheOp : std::uint8_t { all, bypass_l1 };  // CM-5

/// What an access wants of L2's eviction of its line (LR-1). A line in L2 is in one of the classes normal, first and last.
enum class Eviction : std::uint8_t {
  unhinted,  // the line keeps its class; a new line is normal
  normal,
  first,  // evicted before the others of its set
  last,   // persisting: evicted after the others, within the set-aside
  none,   // a read that misses installs no line
};

using RegisterId = std::uint8_t;
inline constexpr RegisterId kNoRegister = 255;
inline constexpr std::uint32_t kNoMbarrier = ~std::uint32_t{0};

/// How a barrier instruction uses a barrier of its CTA.
struct BarrierUse {
  std::uint8_t number = 0;    // 0..15
  std::uint8_t warps = 0;     // arrivals that open the barrier; 0: one by each warp of the CTA that has not exited
  bool arrives_only = false;  // the warp continues without waiting
  bool of_cluster = false;    // the cluster's barrier, at which an instruction either arrives (arrives_only) or waits
};

struct WarpInstruction {
  std::uint32_t pc = 0;
  Unit unit = Unit::alu;
  Space space = Space::global;
  CacheOp cache_op = CacheOp::all;
  std::uint8_t access_bytes = 4;  // bytes per lane: 1, 2, 4, 8, 16, 32
  RegisterId destination = kNoRegister;
  std::array<RegisterId, 4> sources = {kNoRegister, kNoRegister, kNoRegister, kNoRegister};
  BarrierUse barrier;           // if the unit is `barrier`
  LaneMask active = kAllLanes;  // 0 is legal: nothing is accessed
  // Number of identical compute instructions that this one represents, >= 1. Each needs the result of the one before; but those of the
  // tensor unit are parts of one product, whose result is that of the last.
  std::uint16_t repeat = 1;
  Eviction eviction = Eviction::unhinted;
  std::uint32_t mbarrier = kNoMbarrier;   // of stores and reductions in the cluster: offset of what counts their bytes, in each CTA
  bool fails_test = false;                // tests an mbarrier whose phase has not ended: the warp goes on without
  std::uint8_t unit_cycles = 0;           // a compute instruction's latency and interval in place of its unit's; 0: those
  std::array<Address, kLanes> addresses;  // byte address of each active lane if has_addresses(unit); else unspecified

  // `addresses` stays uninitialised on purpose: compute instructions never touch those 256 bytes.
  WarpInstruction() {}  // NOLINT(modernize-use-equals-default)
};

}  // namespace wharf
