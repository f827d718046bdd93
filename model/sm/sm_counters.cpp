// The counters of an SM.

#include <string>

#include "model/sm/sm_logic.h"

namespace wharf {

SmCounters::SmCounters(stats::Group& g)
    : warp_instructions(g, "warp_instructions", "instructions issued", stats::Unit::count),
      thread_instructions(g, "thread_instructions", "active lanes of the instructions issued", stats::Unit::count),
      loads(g, "loads", "load instructions, global, local and texture", stats::Unit::count),
      stores(g, "stores", "store instructions, global and local", stats::Unit::count),
      atomics(g, "atomics", "atomic instructions", stats::Unit::count),
      shared_accesses(g, "shared.accesses", "shared-memory instructions", stats::Unit::count),
      shared_conflict_cycles(g, "shared.conflict_cycles", "extra cycles of bank conflicts", stats::Unit::cycles),
      barriers(g, "barriers", "barrier instructions", stats::Unit::count),
      ctas(g, "ctas", "CTAs completed", stats::Unit::ctas),
      warp_cycles(g, "warp_cycles", "resident warps, summed over cycles", stats::Unit::cycles),
      l1_latency_sum(g, "l1_latency_sum", "first acceptance to the L1's last completion, summed over load instructions",
                     stats::Unit::cycles),
      l1_latency_full_sum(g, "l1_latency_full_sum", "first acceptance to the last data, summed over load instructions",
                          stats::Unit::cycles),
      l1_latency_loads(g, "l1_latency_loads", "load instructions in that sum", stats::Unit::count),
      round_trip_sum(g, "round_trip_sum", "acceptance at the load/store unit to data, summed over load transactions", stats::Unit::cycles),
      round_trips(g, "round_trips", "load transactions in that sum", stats::Unit::accesses),
      sectors(g, "sectors.loaded", "32 B sectors requested by loads, without texture", stats::Unit::count),
      sectors_own_l1(g, "sectors.own_l1", "sectors that the L1 asked first held", stats::Unit::count),
      sectors_other_l1(g, "sectors.other_l1", "sectors supplied by the L1 of another SM", stats::Unit::count),
      round_trip(g, "round_trip", "acceptance at the load/store unit to data of a load transaction", stats::Unit::cycles),
      servers{{{g, ServedBy::l1}, {g, ServedBy::peer}, {g, ServedBy::home}, {g, ServedBy::l2}, {g, ServedBy::ellc}, {g, ServedBy::dram}}} {}

SmCounters::Server::Server(stats::Group& g, ServedBy server)
    : loads(g, std::string("served_by.") + kServedByNames[static_cast<unsigned>(server)], "load transactions it answered",
            stats::Unit::accesses),
      cycles(g, std::string("served_by_cycles.") + kServedByNames[static_cast<unsigned>(server)], "their round trips",
             stats::Unit::cycles) {}

}  // namespace wharf
