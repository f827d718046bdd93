#include "platforms/measure/levels/memory_levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "platforms/measure/metrics.h"

namespace wharf {
namespace {

using measure::total;
using stats::View;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Returns NaN if nothing could be counted.
double share(double part, double whole) { return whole > 0.0 ? part / whole : kNone; }

/// A row of the table.
struct Level {
  const char* name;
  double reads = kNone, writes = kNone, read_bytes = kNone, written_bytes = kNone;
  double hit_rate = kNone, utilisation = kNone, busiest = kNone, peak = kNone;
};

double metric(const stats::Registry& registry, const std::string& name, const View& run) {
  for (const auto& entry : registry.derived_metrics())
    if (entry.name == name) return entry.value(run);
  return kNone;
}

/// Bytes per network cycle that one slice sends in replies.
double slice_reply_bytes(const NetworkParams& network) {
  const auto known = network.entry().slice_bytes;
  return known == nullptr ? kNone : known(network);
}

class Levels {
 public:
  Levels(const stats::Registry& registry, const GpuParams& params, const View& run)
      : registry_(registry), params_(params), run_(run), peaks_(peak_rates(params)), cycles_(total(run, "run.core_cycles")) {}

  std::vector<Level> find() {
    std::vector<Level> levels = {sms()};
    if (of("sm.shared.accesses") > 0.0) levels.push_back(shared_memory());
    levels.push_back(l1());
    if (const Level other = other_l1(); other.reads > 0.0) levels.push_back(other);
    if (const Level between = between_l1(); between.read_bytes > 0.0) levels.push_back(between);
    levels.push_back(network("request", "net.request"));
    levels.push_back(network("reply", "net.reply"));
    levels.push_back(l2());
    if (run_.has("morpheus.hits")) levels.push_back(extended_llc());
    levels.push_back(dram());
    return levels;
  }

 private:
  double of(const char* counter) const { return total(run_, counter); }
  double cycles_at(std::uint32_t mhz) const { return cycles_ * mhz / params_.clock_mhz.core; }

  Level sms() const {
    Level level{"sm"};
    level.reads = of("sm.loads");
    level.writes = of("sm.stores") + of("sm.atomics");
    level.utilisation = share(of("sm.warp_instructions"), peaks_.warp_instructions * cycles_ * 1000.0 / params_.clock_mhz.core);
    level.peak = peaks_.warp_instructions;
    return level;
  }
  Level shared_memory() const {
    Level level{"shared_memory"};
    level.reads = of("sm.shared.accesses");
    level.utilisation = share(level.reads + of("sm.shared.conflict_cycles"), cycles_ * (params_.sms - params_.cache_sms()));
    return level;
  }
  Level l1() const {
    Level level{"l1"};
    level.reads = of("l1.load.accesses") + of("l1.texture.accesses");
    level.writes = of("l1.store.accesses") + of("l1.atomics");
    level.read_bytes = of("sm.sectors.loaded") * kSectorBytes;
    level.hit_rate = share(of("l1.load.hits"), of("l1.load.accesses"));
    level.utilisation = share(of("l1.busy_cycles"), cycles_ * static_cast<double>(run_.instances("l1.busy_cycles")));
    level.busiest = share(static_cast<double>(run_.max("l1.busy_cycles")), cycles_);
    level.peak = peaks_.l1;
    return level;
  }
  Level other_l1() const {
    Level level{"other_l1"};
    level.reads = of("sm.served_by.peer") + of("sm.served_by.home");
    level.read_bytes = of("sm.sectors.other_l1") * kSectorBytes;
    return level;
  }
  /// Networks that connect only SMs and L1 caches.
  Level between_l1() const {
    Level level{"between_l1"};
    level.read_bytes = 0.0;
    for (const char* counter : {"net.peer.bytes", "net.peer_request.bytes", "net.peer_reply.bytes", "net.noc1_request.bytes",
                                "net.noc1_reply.bytes", "cluster.request.bytes", "cluster.reply.bytes"})
      level.read_bytes += of(counter);
    return level;
  }
  Level network(const char* name, const std::string& prefix) const {
    Level level{name};
    const bool up = prefix == "net.request";
    (up ? level.writes : level.reads) = of((prefix + ".packets").c_str());
    (up ? level.written_bytes : level.read_bytes) = of((prefix + ".bytes").c_str());
    level.utilisation = metric(registry_, prefix + ".link_utilisation.mean", run_);
    level.busiest = metric(registry_, prefix + ".link_utilisation.max", run_);
    return level;
  }
  Level l2() const {
    Level level{"l2"};
    const double cycles = cycles_at(params_.clock_mhz.l2);
    level.reads = of("l2.loads");
    level.writes = of("l2.stores") + of("l2.atomics");
    level.read_bytes = of("nic.l2.reply_bytes");
    level.hit_rate = share(of("l2.hits"), of("l2.accesses"));
    level.utilisation = share(of("l2.accesses"), cycles * params_.slices());
    level.busiest = share(static_cast<double>(run_.max("l2.accesses")), cycles);
    level.peak = peaks_.l2;
    return level;
  }
  Level extended_llc() const {
    Level level{"extended_llc"};
    level.reads = of("morpheus.hits") + of("morpheus.misses");
    level.hit_rate = share(of("morpheus.hits"), level.reads);
    return level;
  }
  Level dram() const {
    Level level{"dram"};
    const double clocks = of("run.dram_cycles"), hits = of("dram.row_hits");
    level.reads = of("dram.reads");
    level.writes = of("dram.writes");
    level.read_bytes = level.reads * params_.dram.burst_bytes;
    level.written_bytes = level.writes * params_.dram.burst_bytes;
    level.hit_rate = share(hits, hits + of("dram.row_misses") + of("dram.row_conflicts"));
    level.utilisation = share(of("dram.bus_busy_cycles"), clocks * params_.channels);
    level.busiest = share(static_cast<double>(run_.max("dram.bus_busy_cycles")), clocks);
    level.peak = peaks_.dram;
    return level;
  }

  const stats::Registry& registry_;
  const GpuParams& params_;
  const View& run_;
  const PeakRates peaks_;
  const double cycles_;
};

}  // namespace

PeakRates peak_rates(const GpuParams& params) {
  const double core = params.clock_mhz.core / 1000.0, network = params.clock_mhz.network / 1000.0, l2 = params.clock_mhz.l2 / 1000.0;
  const double sms = params.sms - params.cache_sms(), caches = params.single_l1 ? params.sms : params.caches();
  const bool by_line = params.transaction == TransactionUnit::line;
  const double unit = by_line ? kLineBytes : kSectorBytes;
  PeakRates peaks;
  peaks.warp_instructions = core * sms * params.sm.schedulers / params.sm.issue_interval;
  const double asked = sms * (by_line ? params.sm.lsu_lines_per_cycle : params.sm.lsu_sectors_per_cycle), given = caches * params.l1.banks;
  peaks.l1 = core * unit * std::min(asked, given);
  // The reply bandwidth may be NaN; std::fmin then returns its other operand.
  peaks.l2 = params.slices() * std::fmin(network * slice_reply_bytes(params.network), l2 * unit);
  peaks.dram = params.channels * params.clock_mhz.dram / 1000.0 * params.dram.bytes_per_clock;
  return peaks;
}

void declare_memory_levels(stats::Registry& registry, const GpuParams& params) {
  registry.table(
      "memory_levels",
      "what passed each level: reads and writes (sm: warp instructions; l1, l2: accesses; networks: packets; dram: bursts), bytes of loads and "
      "stores, share of hits (dram: of rows), share of the time in which its parts were in use (mean, and the busiest one), and peak: bytes a "
      "ns, of sm warp instructions a ns, that it passes at most",
      [&registry, params](const View& run) {
        stats::TableRows table{{"level", "reads", "writes", "read_bytes", "written_bytes", "hit_rate", "utilisation", "busiest", "peak"},
                               {}};
        for (const Level& level : Levels(registry, params, run).find())
          table.rows.push_back({std::string(level.name), level.reads, level.writes, level.read_bytes, level.written_bytes, level.hit_rate,
                                level.utilisation, level.busiest, level.peak});
        return table;
      });
}

}  // namespace wharf
