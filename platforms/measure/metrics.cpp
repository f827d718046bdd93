#include "platforms/measure/metrics.h"

#include <algorithm>
#include <limits>
#include <string>

#include "platforms/measure/warp_metrics.h"

namespace wharf {

using measure::ratio;
using measure::total;
using stats::View;

namespace {

void declare_l1(stats::Registry& r) {
  r.derived("l1.miss_rate", "primary misses per looked-up load (CM-34)", stats::Unit::ratio, [](const View& v) {
    return ratio(total(v, "l1.load.misses") + total(v, "l1.load.sector_misses"),
                 total(v, "l1.load.accesses") - total(v, "l1.load.bypasses"));
  });
  r.derived("l1.miss_rate_with_merges", "misses and merges per looked-up load", stats::Unit::ratio, [](const View& v) {
    return ratio(total(v, "l1.load.misses") + total(v, "l1.load.sector_misses") + total(v, "l1.load.merged"),
                 total(v, "l1.load.accesses") - total(v, "l1.load.bypasses"));
  });
  r.derived("l1.apki", "line transactions looked up in L1, loads and stores, per 1000 thread instructions (CIAO-O30)", stats::Unit::ratio,
            [](const View& v) {
              const double accesses = total(v, "l1.load.accesses") - total(v, "l1.load.bypasses") + total(v, "l1.store.accesses") -
                                      total(v, "l1.store.bypasses");
              return ratio(1000.0 * accesses, total(v, "sm.thread_instructions"));
            });
  r.derived("l1.hit_rate_sectors", "sectors present or in flight per sector looked up, loads and stores (CM-38)", stats::Unit::ratio,
            [](const View& v) {
              return ratio(total(v, "l1.sectors.accesses") - total(v, "l1.sectors.misses"), total(v, "l1.sectors.accesses"));
            });
  r.derived("inter_core_locality", "load primary misses that another L1 could have served (CM-13): the replication ratio",
            stats::Unit::ratio, [](const View& v) {
              return ratio(total(v, "l1.load.misses_held_elsewhere"), total(v, "l1.load.misses") + total(v, "l1.load.sector_misses"));
            });
  r.derived("replicas", "mean copies of a line over its holders, sampled (a single copy is 1)", stats::Unit::ratio,
            [](const View& v) { return v.ratio("directory.copies_sampled", "directory.lines_sampled"); });
  r.derived("replicas_minus_1", "mean copies of a line over its holders, sampled, not counting the first copy", stats::Unit::ratio,
            [](const View& v) {
              return v.sum("directory.lines_sampled") == 0 ? 0.0 : v.ratio("directory.copies_sampled", "directory.lines_sampled") - 1.0;
            });
  r.derived("l1.latency", "first acceptance to the L1's last completion of a load instruction (ATA-O31)", stats::Unit::cycles,
            [](const View& v) { return v.ratio("sm.l1_latency_sum", "sm.l1_latency_loads"); });
  r.derived("l1.latency_full", "first acceptance to the last data of a load instruction, including the time below the L1",
            stats::Unit::cycles, [](const View& v) { return v.ratio("sm.l1_latency_full_sum", "sm.l1_latency_loads"); });
  r.derived("l1.hit_rate_local", "sectors that the L1 asked first held, per sector requested by loads (ata section 12)", stats::Unit::ratio,
            [](const View& v) { return v.ratio("sm.sectors.own_l1", "sm.sectors.loaded"); });
  r.derived("l1.hit_rate_remote", "sectors supplied by the L1 of another SM, per sector requested by loads", stats::Unit::ratio,
            [](const View& v) { return v.ratio("sm.sectors.other_l1", "sm.sectors.loaded"); });
  r.derived("replicated_lines", "lines in two L1s or more, mean of the samples", stats::Unit::count,
            [](const View& v) { return v.ratio("directory.replicated_sampled", "directory.samples"); });
  r.derived("replicated_share", "lines in two L1s or more, per line in L1s, mean of the samples", stats::Unit::ratio,
            [](const View& v) { return v.ratio("directory.replicated_sampled", "directory.lines_sampled"); });
  r.derived("l1.data_port_utilisation_max", "busiest L1: accesses served per cycle (dc_l1 section 14)", stats::Unit::ratio,
            [](const View& v) { return ratio(static_cast<double>(v.max("l1.requests")), total(v, "run.core_cycles")); });
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
    r.derived(std::string("round_trip.") + server, std::string("mean round trip of load transactions answered by ") + server,
              stats::Unit::cycles, [count, cycles](const View& v) { return v.ratio(cycles, count); });
  }
  const double working_sms = params.sms - params.cache_sms();
  r.derived(
      "lines_in_flight",
      "lines that an SM waits for, by Little's law: load misses per core cycle times the mean round trip of loads answered below the own L1",
      stats::Unit::count, [working_sms](const View& v) {
        double loads = 0.0, cycles = 0.0;
        for (const char* server : {"peer", "home", "l2", "ellc", "dram"}) {
          loads += total(v, (std::string("sm.served_by.") + server).c_str());
          cycles += total(v, (std::string("sm.served_by_cycles.") + server).c_str());
        }
        const double misses = total(v, "l1.load.misses") + total(v, "l1.load.sector_misses");
        return ratio(misses * ratio(cycles, loads), working_sms * total(v, "run.core_cycles"));
      });
  r.derived("l2.slice_balance", "accesses of a slice, mean divided by those of the busiest slice", stats::Unit::ratio, [](const View& v) {
    const double slices = static_cast<double>(v.instances("l2.accesses"));
    return ratio(total(v, "l2.accesses"), slices * static_cast<double>(v.max("l2.accesses")));
  });
  const double l2_cycles = static_cast<double>(params.clock_mhz.l2) / params.clock_mhz.core;
  r.derived("l2.utilisation", "share of cycles in which a slice accepts an access, mean over slices", stats::Unit::ratio,
            [l2_cycles](const View& v) {
              return ratio(total(v, "l2.accesses"),
                           total(v, "run.core_cycles") * l2_cycles * static_cast<double>(v.instances("l2.accesses")));
            });
  r.derived("reply.bandwidth.l1", "loads answered by the SM's own L1 per SM and core cycle", stats::Unit::ratio,
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
  if (params.l2.hints)
    r.derived("l2.persisting.miss_rate", "misses per access that wants a persisting line (LR-3)", stats::Unit::ratio,
              [](const View& v) { return v.ratio("l2.persisting.misses", "l2.persisting.accesses"); });
  r.derived("llc.mpki", "L2 misses per 1000 thread instructions", stats::Unit::ratio, [](const View& v) {
    // Counts both parts of the last-level cache. Operations that only fill the extended part do not count (common section 12).
    return ratio(1000.0 * (total(v, "l2.misses") + total(v, "l2.sector_misses") + total(v, "morpheus.misses")),
                 total(v, "sm.thread_instructions"));
  });
  r.derived("l2.sector_demand", "sectors requested per 1000 thread instructions", stats::Unit::ratio,
            [](const View& v) { return ratio(1000.0 * total(v, "l2.sectors.accesses"), total(v, "sm.thread_instructions")); });
  const double mhz = params.clock_mhz.core;
  r.derived("llc.served_bytes_per_ns", "bytes of the sectors requested from L2, hit or miss, per ns", stats::Unit::ratio,
            [mhz](const View& v) {
              return ratio((total(v, "l2.sectors.accesses") + total(v, "morpheus.sectors.accesses")) * kSectorBytes,
                           total(v, "run.core_cycles") * 1000.0 / mhz);
            });
  r.derived("dram.utilisation", "share of DRAM cycles in which the data bus is busy, mean over channels", stats::Unit::ratio,
            [](const View& v) {
              return ratio(total(v, "dram.bus_busy_cycles"),
                           total(v, "run.dram_cycles") * static_cast<double>(v.instances("dram.bus_busy_cycles")));
            });
  const double sectors = static_cast<double>(params.dram.burst_bytes) / kSectorBytes;
  r.derived("dram.sectors.reads", "32 B sectors that the read bursts move (CM-38)", stats::Unit::count,
            [sectors](const View& v) { return total(v, "dram.reads") * sectors; });
  r.derived("dram.sectors.writes", "32 B sectors that the write bursts move (CM-38)", stats::Unit::count,
            [sectors](const View& v) { return total(v, "dram.writes") * sectors; });
}

/// Sums counter `what` over these networks. Networks that a platform lacks count as 0.
double of_networks(const View& v, const std::vector<const char*>& networks, const char* what) {
  double sum = 0.0;
  for (const char* network : networks) sum += static_cast<double>(v.sum(std::string(network) + what));
  return sum;
}

const std::vector<const char*> kL2Networks = {"net.request", "net.reply"};
/// Networks that carry only messages between SMs.
const std::vector<const char*> kPeerNetworks = {"net.peer", "net.peer_request", "net.peer_reply"};
/// Networks between SMs and DC-L1 nodes, and between the L1s of a cluster.
const std::vector<const char*> kNoc1 = {"net.noc1_request", "net.noc1_reply"}, kCluster = {"cluster.request", "cluster.reply"};

/// Cycles that packets waited in crossbars.
double waits_at(const View& v, const std::vector<const char*>& crossbars) {
  double waits = 0.0;
  for (const char* cause : {".refused.arbitration", ".refused.queue", ".refused.ejection", ".refused.credit", ".refused.vc"})
    waits += of_networks(v, crossbars, cause);
  return waits;
}

/// Core cycles that accesses waited because of other SMs.
double waits_for_others(const View& v, double core_per_net, double core_per_noc1) {
  double waits = total(v, "l1.remote.wait_cycles") + total(v, "probes.wait_cycles");
  waits += total(v, "cluster.read_wait") + waits_at(v, kCluster);
  waits += core_per_net * (of_networks(v, kPeerNetworks, ".packet_latency_sum") - of_networks(v, kPeerNetworks, ".unloaded_latency_sum"));
  waits += core_per_noc1 * waits_at(v, kNoc1);
  return waits;
}

void declare_networks(stats::Registry& r, const GpuParams& params) {
  const auto all = [](const View& v, const char* what) {
    return of_networks(v, kL2Networks, what) + of_networks(v, kPeerNetworks, what) + of_networks(v, kNoc1, what);
  };
  r.derived("net.flits", "flits injected, all networks", stats::Unit::flits, [all](const View& v) { return all(v, ".flits"); });
  r.derived("net.bytes", "bytes of those flits", stats::Unit::bytes, [all](const View& v) { return all(v, ".bytes"); });
  r.derived("net.bytes_per_ns", "bytes of those flits per ns", stats::Unit::ratio, [all, mhz = params.clock_mhz.core](const View& v) {
    return ratio(all(v, ".bytes"), total(v, "run.core_cycles") * 1000.0 / mhz);
  });
  r.derived("net.l2_bytes_per_cycle", "bytes injected into the networks to and from L2, per core cycle (ata section 12)",
            stats::Unit::ratio, [](const View& v) { return ratio(of_networks(v, kL2Networks, ".bytes"), total(v, "run.core_cycles")); });
  r.derived("net.reply_link_utilisation_max", "busiest link that delivers replies of L2: flit cycles per network cycle (DC-30)",
            stats::Unit::ratio, [](const View& v) {
              const std::uint64_t busiest = std::max(v.max("net.reply.output_link.busy"), v.max("net.reply.sm.busy"));
              return ratio(static_cast<double>(busiest), total(v, "net.cycles"));
            });
  const double core = params.clock_mhz.core, per_net = core / params.clock_mhz.network;
  const DesignFacts::FirstNetwork noc1 = params.facts().first_network;
  const double per_noc1 = noc1.before_l1 ? core / noc1.clock_mhz : 0.0;  // with CDXBar, the L1s are in the SMs
  r.derived(
      "l1.contention",
      "core cycles that a load instruction's accesses waited because of other SMs: for a turn at another L1, in an agent, between SMs, "
      "in NoC#1, at the data banks and in the crossbars of a cluster (ata section 12)",
      stats::Unit::cycles,
      [per_net, per_noc1](const View& v) { return ratio(waits_for_others(v, per_net, per_noc1), total(v, "sm.l1_latency_loads")); });
}

/// Declares the shares of all line-cycles (loscache sections 9 and 12).
void declare_line_times(stats::Registry& r, const GpuParams& params) {
  r.derived("l2.dead_time", "share of time that lines of L2 hold no data, or data that are not used again (loscache section 12)",
            stats::Unit::ratio,
            [](const View& v) { return ratio(total(v, "l2.line_cycles") - total(v, "l2.live_line_cycles"), total(v, "l2.line_cycles")); });
  r.derived("l2.dead_time_filled_only", "l2.dead_time without the time before a line's first use", stats::Unit::ratio, [](const View& v) {
    return ratio(total(v, "l2.used_line_cycles") - total(v, "l2.live_line_cycles"), total(v, "l2.used_line_cycles"));
  });
  r.derived("ideal_gating.line_on_time", "share of time that Ideal-Gating would power the data of lines (loscache section 9)",
            stats::Unit::ratio, [](const View& v) { return ratio(total(v, "l2.live_line_cycles"), total(v, "l2.line_cycles")); });
  const bool powered = params.l2.gates_lines() || params.l2.line_times == LineTimesKept::ideal;
  r.derived("l2.line_on_time", "share of time that the data of lines are powered", stats::Unit::ratio,
            [powered](const View& v) { return powered ? ratio(total(v, "l2.data_on_cycles"), total(v, "l2.line_cycles")) : 1.0; });
}

void declare_gating(stats::Registry& r, const GpuParams& params) {
  const double lines = static_cast<double>(params.slices()) * params.l2.lines();
  r.derived("gates", "lines switched off", stats::Unit::count,
            [](const View& v) { return total(v, "l2.gates.clean") + total(v, "l2.gates.dirty"); });
  r.derived("bypasses", "accesses to L2 answered without storing the line", stats::Unit::count,
            [](const View& v) { return total(v, "l2.bypasses"); });
  r.derived("l2.mean_on_lines", "lines whose data are powered, mean", stats::Unit::count,
            [lines](const View& v) { return lines * ratio(total(v, "l2.data_on_cycles"), total(v, "l2.line_cycles")); });
  const auto share = [&r](const char* name, const char* help, auto part) {
    r.derived(name, help, stats::Unit::ratio, [part](const View& v) {
      double all = 0.0;
      for (const char* one : {"correct", "wrong_early", "wrong_low", "wrong_late", "open"})
        all += total(v, std::string("l2.predictions.") + one);
      return all == 0.0 ? std::numeric_limits<double>::quiet_NaN() : part(v, all) / all;
    });
  };
  share("prediction_accuracy", "generations with a prediction that had as many accesses as predicted (loscache section 14)",
        [](const View& v, double) { return total(v, "l2.predictions.correct"); });
  share("prediction_not_early", "generations with a prediction that were not given up too early (loscache section 14)",
        [](const View& v, double all) { return all - total(v, "l2.predictions.wrong_early"); });
  share("prediction_open", "generations with a prediction whose data were on at their kernel's end (loscache section 14)",
        [](const View& v, double) { return total(v, "l2.predictions.open"); });
}

void declare_phases(stats::Registry& r) {
  const auto per_phase = [&r](const char* name, const char* help, stats::Unit unit, const char* counter) {
    r.derived(name, help, unit, [counter](const View& v) {
      return ratio(total(v, counter), total(v, "sm.phase.predict.ended_by_accesses") + total(v, "sm.phase.predict.ended_by_cta") +
                                          total(v, "sm.phase.predict.ended_by_kernel"));
    });
  };
  per_phase("phase.predict", "core cycles of a prediction phase, mean", stats::Unit::cycles, "sm.phase.predict.cycles");
  per_phase("phase.transfer", "core cycles of a transfer of counts, mean over prediction phases", stats::Unit::cycles,
            "sm.phase.transfer.cycles");
  per_phase("phase.predict.accesses", "accesses of the predictor CTA to L2 in a prediction phase, mean", stats::Unit::accesses,
            "sm.phase.predict.accesses");
  per_phase("phase.pcs", "pcs in the table after a prediction phase, mean", stats::Unit::count, "sm.prediction_table.pcs");
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
  declare_l1(r);
  declare_memory(r, params);
  declare_warp_metrics(r, params);
  declare_networks(r, params);
  if (params.l2.gates_lines() || params.l2.line_times != LineTimesKept::off) declare_line_times(r, params);
  if (params.l2.gates_lines()) declare_gating(r, params);
  if (params.sm.prediction.on() && params.sm.prediction.has_phases()) declare_phases(r);
}

}  // namespace wharf
