// Rows of control flow, barriers, fences and functions of the warp. Units: CU-55.
#include "stimuli/ptx/lanes/warp_functions.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

void add_control_rows(std::vector<Instruction>& table) {
  const Cost branch = cost_of(Unit::branch, 1), exit = cost_of(Unit::exit, 1), barrier = cost_of(Unit::barrier, 1),
             shuffle = cost_of(Unit::shuffle, 1);
  const std::vector<Instruction> rows = {
      {"bra", "uni?", "*", Action::branch, nullptr, branch},
      {"brx", "idx uni?", "*", Action::branch_indexed, nullptr, branch},
      {"call", "uni?", "*", Action::call, nullptr, branch},
      {"ret", "uni?", "", Action::ret, nullptr, branch},
      {"exit", "", "", Action::exit, nullptr, exit},
      {"trap", "", "", Action::trap, nullptr, exit},
      {"brkpt", "", "", kCompute, nullptr, kFree},
      {"pmevent", "", "*", kCompute, nullptr, kFree},
      {"nop", "", "", kCompute, nullptr, kFree},
      {"nanosleep", "u32", "u32", kCompute, nullptr, alu(1)},
      {"bar", "cta? sync", "*", Action::barrier, nullptr, barrier},
      {"bar", "cta? arrive", "*", Action::barrier, nullptr, barrier},
      {"bar", "cta? red popc u32", "*", Action::barrier, nullptr, barrier},
      {"bar", "cta? red and|or pred", "*", Action::barrier, nullptr, barrier},
      {"bar", "warp sync", "b32", kCompute, nullptr, alu(1)},
      {"barrier", "cta? sync aligned?", "*", Action::barrier, nullptr, barrier},
      {"barrier", "cta? arrive aligned?", "*", Action::barrier, nullptr, barrier},
      {"barrier", "cta? red popc aligned? u32", "*", Action::barrier, nullptr, barrier},
      {"barrier", "cta? red and|or aligned? pred", "*", Action::barrier, nullptr, barrier},
      {"membar", "cta", "", Action::fence, nullptr, alu(1)},
      {"membar", "gl|gpu|sys", "", Action::fence, nullptr, cost_of(Unit::fence, 1)},
      {"fence", "sc|acq_rel? cta", "", Action::fence, nullptr, alu(1)},
      {"fence", "sc|acq_rel? cluster|gpu|sys", "", Action::fence, nullptr, cost_of(Unit::fence, 1)},
      {"vote", "sync? all|any|uni pred", "=pred pred b32?", kCompute, warp_functions::vote, alu(1)},
      {"vote", "sync? ballot b32", "=b32 pred b32?", kCompute, warp_functions::vote, alu(1)},
      {"vote", "ballot sync b32", "=b32 pred b32", kCompute, warp_functions::vote, alu(1)},  // as CUB writes it
      {"match", "any sync b32|b64", "=b32 0 b32", kCompute, warp_functions::match, alu(1)},
      {"match", "all sync b32|b64", "=b32|pred 0 b32", kCompute, warp_functions::match, alu(1)},
      {"shfl", "sync? up|down|bfly|idx b32|u32|s32|f32", "=0|pred 0 b32 b32 b32?", kCompute, warp_functions::shfl, shuffle},
      {"redux", "sync add|min|max u32|s32", "=0 0 b32", kCompute, warp_functions::redux, shuffle},
      {"redux", "sync and|or|xor b32", "=0 0 b32", kCompute, warp_functions::redux, shuffle},
      {"elect", "sync", "=b32|pred b32", kCompute, warp_functions::elect, alu(1)},
      {"activemask", "b32", "=0", kCompute, warp_functions::activemask, alu(1)},
  };
  table.insert(table.end(), rows.begin(), rows.end());
}

}  // namespace wharf::ptx
