#pragma once
// A decoded instruction: what the executor runs for the 32 lanes of a warp.

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/ptx/text/types.h"

namespace wharf::ptx {

/// Where operands lie. Each bank is an array of rows; a row holds one register of all 32 lanes. Banks from `launch` on hold special
/// registers.
enum class Bank : std::uint8_t {
  frame,      // registers of the running function
  constants,  // literals of the program, the same in all lanes
  launch,     // special registers that are the same in the whole launch
  cta,        // special registers that are the same in a CTA
  warp        // special registers of the warp, the same in all CTAs
};

/// A row of a bank: 32 values of 32 bits (registers of up to 32 bits) or of 64 bits. A predicate is one 32-bit lane mask instead.
class Operand {
 public:
  constexpr Operand() = default;
  constexpr Operand(Bank bank, std::uint32_t offset) : packed_(static_cast<std::uint32_t>(bank) << kOffsetBits | offset) {}
  constexpr unsigned bank() const { return packed_ >> kOffsetBits; }
  constexpr std::uint32_t offset() const { return packed_ & kMostOffset; }  // bytes
  constexpr bool present() const { return packed_ != kAbsent; }
  friend constexpr bool operator==(Operand a, Operand b) { return a.packed_ == b.packed_; }

  static constexpr unsigned kOffsetBits = 29;
  static constexpr std::uint32_t kMostOffset = (std::uint32_t{1} << kOffsetBits) - 1;

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};
  std::uint32_t packed_ = kAbsent;
};

/// The rows that an operation sees.
struct Rows {
  std::array<std::byte*, 5> banks{};
  std::byte* of(Operand operand) const { return banks[operand.bank()] + operand.offset(); }
  /// Predicates are lane masks.
  LaneMask& predicate(Operand operand) const { return *reinterpret_cast<LaneMask*>(of(operand)); }
};

struct Operation;

/// Computes an operation for the lanes of `active`; registers of other lanes keep their values.
using Compute = void (*)(const Operation& operation, const Rows& rows, LaneMask active);

/// The action of the warp for an operation.
enum class Action : std::uint8_t {
  compute,         // calls `compute`
  load,            // operands: destinations, address
  store,           // operands: address, sources
  atomic,          // operands: destination (may be absent), address, b, c
  prefetch,        // operand: address; checks nothing and changes nothing
  texture,         // operands: four destinations, handle, coordinates; `target` is the shape
  branch,          // to `target`
  branch_indexed,  // brx.idx
  call,
  call_indirect,
  ret,
  exit,
  trap,
  barrier,          // operands: destination, number, threads, predicate; each may be absent
  cluster_barrier,  // as `barrier`, without operands
  mbarrier,         // operands: destination (may be absent), address, value, bytes; see MbarrierKind
  copy,             // cp.async; operands: address in global memory, address in shared memory, bytes to read (may be absent)
  bulk_copy,        // operands: address to read, address to write, bytes, mbarrier, ranks; all but the first and the third may be absent
  matrix_product,   // `target` is a MatrixOperation, which has the registers
  matrix_load,      // as that; operands: address, stride (may be absent)
  matrix_store,     // as that
  surface_place,    // operands: destination, handle, x in bytes, y, z or layer, bytes; `target` is a SurfaceBounds
  range_policy,     // createpolicy.range; operands: destination, address, bytes of the primary range, bytes of all
  fence,            // changes nothing, because every access acts when it issues
  clock             // reads a special register that changes
};

constexpr bool is_matrix_access(Action action) { return action == Action::matrix_load || action == Action::matrix_store; }

/// The geometry of a texture: `lines` and `planes` are layered.
enum class TextureShape : std::uint8_t { line, plane, volume, lines, planes, cube };

/// What becomes of an access outside of a surface: no access, one to the nearest element, or a fault.
enum class SurfaceBounds : std::uint8_t { zero, clamp, trap };

/// The effect of a barrier instruction in addition to waiting.
enum class BarrierKind : std::uint8_t { sync, arrive, popc, all, any };

/// What an operation does with an mbarrier, or with the asynchronous copies of its warp.
enum class MbarrierKind : std::uint8_t {
  init,  // `value`: arrivals that end a phase
  invalidate,
  arrive,         // `value` (1 where absent) arrivals; the phase waits for `bytes` more; the destination gets its state
  arrive_drop,    // as that; later phases need so many arrivals less
  expect,         // as `arrive`, without arrivals
  complete,       // `bytes` have been written
  test,           // destination: the phase whose state, or parity, is `value` has ended
  try_wait,       // as `test`, and may wait for it, up to operand 4 in nanoseconds (absent: Options::try_wait_ns)
  arrive_later,   // an arrival when all copies so far have finished, and
  expect_later,   // such an arrival, for which the phase waits in addition
  commit_copies,  // those since the last commit are a group
  await_groups,   // all groups but the latest `immediate`
  await_copies,   // all
  commit_bulk,    // as the two above, of bulk copies to global memory
  await_bulk,
  await_bulk_reads  // as that, but only their reads of shared memory
};
constexpr bool is_arrival(MbarrierKind kind) { return kind == MbarrierKind::arrive || kind == MbarrierKind::arrive_drop; }
constexpr bool is_test(MbarrierKind kind) { return kind == MbarrierKind::test || kind == MbarrierKind::try_wait; }

/// Compares two rows lane by lane; `part` is the half that counts where a register holds two.
using Compare = LaneMask (*)(const Rows& rows, Operand a, Operand b, unsigned part);

/// A read-modify-write of memory: returns the new value.
using Modify = std::uint64_t (*)(std::uint64_t old, std::uint64_t b, std::uint64_t c);

/// The operands that hold the mbarrier and the cache policy of an access; no access has so many others.
inline constexpr unsigned kMbarrierSlot = 8, kPolicySlot = 9;

struct Operation {
  Compute compute = nullptr;
  Compare compare = nullptr;                   // of setp and set
  Modify modify = nullptr;                     // of an atomic, or of a bulk copy that combines
  std::array<Operand, 10> operands{};          // destinations first, then sources, in the order of the instruction
  Operand guard;                               // absent: all lanes
  std::uint32_t target = 0;                    // of a branch, a pc; of calls, tables and the like, an index; of createpolicy, kind_of()
  std::uint32_t join = 0;                      // where lanes that diverge here meet again: a pc, or kAtReturn
  std::int64_t immediate = 0;                  // offset of an address, lookup table of lop3, selector of a special register, ...
  std::array<std::int32_t, 2> more_offsets{};  // of further addresses: of a copy, or of the mbarrier of an access
  Action action = Action::compute;
  bool guard_negated = false;
  std::uint8_t negated = 0;      // bit i: predicate operand i is negated
  bool waits_for_lanes = false;  // a .sync function: waits for the lanes that its member mask (the last operand) names, or for all
  bool is_aligned = false;       // of a barrier: all lanes of the warp that have not ended must execute it together
  // Only for memory operations:
  StateSpace space = StateSpace::generic;
  Type type = Type::none;         // of one element
  std::uint8_t elements = 1;      // of a vector
  std::uint8_t data_wide = 0;     // bit i: the register of element i has 64 bits
  std::uint8_t further_wide = 0;  // bit i: that of further address i has
  bool address_wide = true;       // that of the address has
  bool bypasses_l1 = false;
  Eviction eviction = Eviction::unhinted;
  bool is_strong = false;        // volatile, or with a memory order: synchronises threads as an atomic does
  bool reads_arguments = false;  // of space param: the arguments of the kernel, not the parameter area of the frame
  BarrierKind barrier = BarrierKind::sync;
  MbarrierKind mbarrier = MbarrierKind::init;
  BulkCopy::Direction direction = BulkCopy::Direction::to_shared;  // of a bulk copy
  bool names_parity = false;                                       // of a test: `value` is a parity
  bool ignores_source = false;                                     // of a copy: its third operand is a predicate, whose lanes read nothing
  bool reads_integers = false;                                     // of a texture: coordinates count texels
};

inline constexpr std::uint32_t kAtReturn = ~std::uint32_t{0};  // lanes meet again where their function returns

}  // namespace wharf::ptx
