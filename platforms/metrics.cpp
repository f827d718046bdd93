#include "platforms/metrics.h"

namespace wharf {

using stats::View;

namespace {

double ratio(double above, double below) { return below == 0.0 ? 0.0 : above / below; }

double total(const View& v, const char* name) { return static_cast<double>(v.sum(name)); }

void declare_l1(stats::Registry& r) {
  r.derived("l1.miss_rate", "primary misses per looked-up load (CM-34)", stats::Unit::ratio, [](const View& v) {
    return ratio(total(v, "l1.load.misses") + total(v, "l1.load.sector_misses"),
                 total(v, "l1.load.accesses") - total(v, "l1.load.bypasses"));
  });
  r.derived("l1.miss_rate_with_merges", "misses and merges per looked-up load", stats::Unit::ratio, [](const View& v) {
    return ratio(total(v, "l1.load.misses") + total(v, "l1.load.sector_misses") + total(v, "l1.load.merged"),
                 total(v, "l1.load.accesses") - total(v, "l1.load.bypasses"));
  });
  r.derived("l1.hit_rate_sectors", "sectors present or on their way per sector looked up, loads and stores (CM-38)", stats::Unit::ratio,
            [](const View& v) {
              return ratio(total(v, "l1.sectors.accesses") - total(v, "l1.sectors.misses"), total(v, "l1.sectors.accesses"));
            });
  r.derived("inter_core_locality", "load primary misses that another L1 could have served (CM-13): the replication ratio",
            stats::Unit::ratio, [](const View& v) {
              return ratio(total(v, "l1.load.misses_held_elsewhere"), total(v, "l1.load.misses") + total(v, "l1.load.sector_misses"));
            });
  r.derived("replicas", "mean copies of a line over its holders, sampled (a single copy is 1)", stats::Unit::ratio,
            [](const View& v) { return v.ratio("directory.copies_sampled", "directory.lines_sampled"); });
  r.derived("replicas_minus_1", "the same, not counting the first copy", stats::Unit::ratio, [](const View& v) {
    return v.sum("directory.lines_sampled") == 0 ? 0.0 : v.ratio("directory.copies_sampled", "directory.lines_sampled") - 1.0;
  });
  r.derived("l1.latency", "first acceptance to the L1's last completion of a load instruction (ATA-O31)", stats::Unit::cycles,
            [](const View& v) { return v.ratio("sm.l1_latency_sum", "sm.l1_latency_loads"); });
  r.derived("l1.port_utilisation_max", "busiest L1: cycles with an access served per cycle", stats::Unit::ratio,
            [](const View& v) { return ratio(static_cast<double>(v.max("l1.busy_cycles")), total(v, "run.core_cycles")); });
  r.derived("l1.port_utilisation_mean", "mean over L1s", stats::Unit::ratio, [](const View& v) {
    return ratio(total(v, "l1.busy_cycles"), total(v, "run.core_cycles") * static_cast<double>(v.instances("l1.busy_cycles")));
  });
}

void declare_memory(stats::Registry& r, const GpuParams& params) {
  const double sms = params.sms;
  r.derived("round_trip", "acceptance at the load/store unit to data of a load transaction, mean", stats::Unit::cycles,
            [](const View& v) { return v.ratio("sm.round_trip_sum", "sm.round_trips"); });
  for (const char* server : {"l1", "peer", "home", "l2", "dram"}) {
    const std::string count = std::string("sm.served_by.") + server, cycles = std::string("sm.served_by_cycles.") + server;
    r.derived(std::string("round_trip.") + server, std::string("the same, of those answered by ") + server, stats::Unit::cycles,
              [count, cycles](const View& v) { return v.ratio(cycles, count); });
  }
  r.derived("reply.bandwidth.l1", "loads answered by the own L1 per SM and core cycle", stats::Unit::ratio,
            [sms](const View& v) { return ratio(total(v, "sm.served_by.l1"), sms * total(v, "run.core_cycles")); });
  r.derived("reply.bandwidth.peer", "loads answered by another L1 per SM and core cycle", stats::Unit::ratio, [sms](const View& v) {
    return ratio(total(v, "sm.served_by.peer") + total(v, "sm.served_by.home"), sms * total(v, "run.core_cycles"));
  });
  r.derived("reply.bandwidth.l2", "data replies received per SM and core cycle", stats::Unit::ratio,
            [sms](const View& v) { return ratio(total(v, "nic.sm.replies"), sms * total(v, "run.core_cycles")); });
  r.derived("request.rate.l2", "request packets per SM and core cycle", stats::Unit::ratio,
            [sms](const View& v) { return ratio(total(v, "nic.sm.requests"), sms * total(v, "run.core_cycles")); });
  r.derived("l2.miss_rate", "misses per access", stats::Unit::ratio,
            [](const View& v) { return ratio(total(v, "l2.misses") + total(v, "l2.sector_misses"), total(v, "l2.accesses")); });
  r.derived("llc.mpki", "L2 misses per 1000 thread instructions", stats::Unit::ratio, [](const View& v) {
    return ratio(1000.0 * (total(v, "l2.misses") + total(v, "l2.sector_misses")), total(v, "sm.thread_instructions"));
  });
  r.derived("l2.sector_demand", "sectors requested per 1000 thread instructions", stats::Unit::ratio,
            [](const View& v) { return ratio(1000.0 * total(v, "l2.sectors.accesses"), total(v, "sm.thread_instructions")); });
  r.derived("dram.utilisation", "data bus cycles in use", stats::Unit::ratio, [](const View& v) {
    return ratio(total(v, "dram.bus_busy_cycles"), total(v, "run.dram_cycles") * static_cast<double>(v.instances("dram.bus_busy_cycles")));
  });
  const double sectors = static_cast<double>(params.dram.burst_bytes) / kSectorBytes;
  r.derived("dram.sectors.reads", "32 B sectors that the read bursts move (CM-38)", stats::Unit::count,
            [sectors](const View& v) { return total(v, "dram.reads") * sectors; });
  r.derived("dram.sectors.writes", "32 B sectors that the write bursts move (CM-38)", stats::Unit::count,
            [sectors](const View& v) { return total(v, "dram.writes") * sectors; });
  r.derived("net.flits", "flits injected, all networks", stats::Unit::flits,
            [](const View& v) { return total(v, "net.request.flits") + total(v, "net.reply.flits") + total(v, "net.peer.flits"); });
  const auto bytes = [](const View& v) { return total(v, "net.request.bytes") + total(v, "net.reply.bytes") + total(v, "net.peer.bytes"); };
  r.derived("net.bytes", "bytes of those flits", stats::Unit::bytes, bytes);
  r.derived("net.bytes_per_ns", "the same per time", stats::Unit::ratio, [bytes, mhz = params.clock_mhz.core](const View& v) {
    return ratio(bytes(v), total(v, "run.core_cycles") * 1000.0 / mhz);
  });
}

}  // namespace

void declare_metrics(stats::Registry& r, const GpuParams& params) {
  const double mhz = params.clock_mhz.core;
  r.derived("cycles", "core cycles", stats::Unit::cycles, [](const View& v) { return total(v, "run.core_cycles"); });
  r.derived("time_ns", "simulated time", stats::Unit::nanoseconds,
            [mhz](const View& v) { return total(v, "run.core_cycles") * 1000.0 / mhz; });
  r.derived("thread_instructions", "active lanes of the instructions issued", stats::Unit::count,
            [](const View& v) { return total(v, "sm.thread_instructions"); });
  r.derived("warp_instructions", "instructions issued", stats::Unit::count, [](const View& v) { return total(v, "sm.warp_instructions"); });
  r.derived("ipc", "thread instructions per core cycle", stats::Unit::ratio,
            [](const View& v) { return v.ratio("sm.thread_instructions", "run.core_cycles"); });
  r.derived("active_warps", "resident warps of an SM, mean", stats::Unit::warps, [](const View& v) {
    return ratio(total(v, "sm.warp_cycles"), total(v, "run.core_cycles") * static_cast<double>(v.instances("sm.warp_cycles")));
  });
  declare_l1(r);
  declare_memory(r, params);
}

}  // namespace wharf
