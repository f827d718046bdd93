#pragma once
// What instructions of tracer version 6 do with barriers: named ones of the CTA (BAR), that of the cluster (UCGABAR) and mbarriers (SYNCS,
// ARRIVES); and waits for asynchronous loads, which earlier versions have too.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/base/barriers/mbarriers.h"
#include "model/base/warp_instruction.h"
#include "stimuli/traces/version_6/line_end.h"
#include "stimuli/traces/version_6/wrong_field.h"

namespace wharf::traces {

/// How a BAR instruction uses its barrier. With a destination register, that holds the number and the immediate is the count of threads;
/// else the immediates are both. A count of 0 is all threads of the CTA.
WrongField read_barrier(bool has_destination, const LineEnd& end, BarrierUse& use);

/// The barrier of a cluster that `opcode` uses: UCGABAR_ARV arrives, UCGABAR_WAIT waits. Returns false for others.
bool uses_cluster_barrier(std::string_view opcode, BarrierUse& use);

/// Operations on groups of asynchronous loads or bulk copies, for which no mbarrier is used.
constexpr bool is_on_groups(MbarrierOp op) {
  return op == MbarrierOp::commit_loads || op == MbarrierOp::wait_loads || op == MbarrierOp::commit_copies;
}

/// What an opcode does with the mbarriers whose addresses its lanes have. An active lane is one thread.
struct MbarrierForm {
  MbarrierOp op = MbarrierOp::none;
  enum class Operand : std::uint8_t { none, one, value };  // `value`: that of the register
  Operand arrivals = Operand::none, bytes = Operand::none;
  bool written = false;      // the bytes have been written, not only expected
  bool by_rank = false;      // the address has the rank of its CTA above the offset, also for rank 0; else the CTA's own is meant
  bool of_several = false;   // the address stands for mbarriers of several CTAs
  bool only_replay = false;  // it waits in a replay region alone
  bool adds = false;         // arrivals that its phase did not expect
  bool has_value() const {
    return op == MbarrierOp::init || op == MbarrierOp::wait || arrivals == Operand::value || bytes == Operand::value;
  }
};
/// `op` is none where the opcode uses no mbarrier.
MbarrierForm mbarrier_form_of(std::string_view opcode);
/// The group of asynchronous loads that an opcode of sm_80 and later ends (LDGDEPBAR) or waits for (DEPBAR.LE, whose immediate is the number of
/// groups that may be unfinished); none for others.
MbarrierOp group_op_of(std::string_view opcode);

/// Lanes that use the same mbarrier in the same way.
struct MbarrierLanes {
  MbarrierUse use;
  LaneMask lanes = 0;
};
/// `at`: cluster_address of each active lane's mbarrier, in lane order. `values`: of each lane; read if the form has a value.
std::vector<MbarrierLanes> uses_of(const MbarrierForm& form, LaneMask active, const Address* at,
                                   const std::array<std::uint64_t, kLanes>& values);

}  // namespace wharf::traces
