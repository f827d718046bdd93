#include "platforms/cli/explain/prediction.h"

#include <algorithm>
#include <cmath>

#include "platforms/cli/explain/slot_stack.h"

namespace wharf::cli {
namespace {

constexpr double kShareOfSlots = 0.05;  // of loads in DRAM, from which on their stages tell whether it is busy

double ratio(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One launch of the run, and what an ideal machine leaves of it.
class Launch {
 public:
  Launch(const Json& metrics, const Ideal& ideal, const GpuParams& params)
      : metrics_(metrics),
        ideal_(ideal),
        stack_(slot_stack_of_launch(metrics)),
        slots_(metric("cycles") * params.sms * params.sm.schedulers),
        l1_latency_(params.l1.hit_latency()),
        loads_(metric("l2.loads")),
        others_(metric("l2.stores") + metric("l2.atomics")) {}

  double speed_up() const {
    double without_warp = 0.0, removed = 0.0, removed_without_warp = 0.0;
    for (const Cause& cause : stack_.causes) {
      const double gone = cause.share * removed_part(cause);
      (cause.without_warp() ? removed_without_warp : removed) += gone;
      if (cause.without_warp()) without_warp += cause.share;
    }
    const double with_warp = 1.0 - without_warp, rest = std::max(0.001, 1.0 - removed_without_warp);
    const double busy = std::min(0.999, ratio(stack_.issued + stack_.share("issuing"), with_warp));
    if (with_warp <= 0.0 || busy <= 0.0) return 1.0 / rest;
    const double warps = std::max(1.0, ratio(metric("sm.warp_cycles"), slots_ * with_warp));
    const double think = think_time(warps, busy), lost = with_warp * (1.0 - busy);
    const double faster =
        throughput(warps, ideal_.issue_interval, think * (1.0 - std::min(1.0, removed / lost))) / throughput(warps, 1.0, think);
    double bound = 0.0;
    for (const char* level : {"l1", "request", "reply", "l2", "dram"}) bound = std::max(bound, busiest(level) * left_of(level));
    return (bound > 0.0 ? std::min(faster, std::max(1.0, 1.0 / bound)) : faster) / rest;
  }

 private:
  double metric(const char* name) const {
    const auto it = metrics_.find(name);
    return it == metrics_.end() || !it->is_number() || std::isnan(it->get<double>()) ? 0.0 : it->get<double>();
  }

  /// The part of the flits on the way to L2 that are not those of loads, which take one each.
  double other_flits() const {
    const double flits = metric("net.request.flits");
    return flits > 0.0 ? std::max(0.0, 1.0 - loads_ / flits) : ratio(others_, loads_ + others_);
  }

  bool removes(const std::string& cause) const {
    return std::find(ideal_.removed.begin(), ideal_.removed.end(), cause) != ideal_.removed.end();
  }

  /// The part of the waiting for a cause that the machine removes.
  double removed_part(const Cause& cause) const {
    if (ideal_.perfect_l1) return removes(cause.name) ? removed_by_perfect_l1(cause) : 0.0;
    if (removes(cause.name)) return ideal_.removes;
    // These are held for as long as a load is below.
    return is_one_of(cause.name, {"mshr", "mshr_full", "l1_way", "way_full"}) ? ideal_.removes * removed_below() : 0.0;
  }

  /// A load that went below the L1 takes the latency of a hit instead, an atomic goes below as before. What waits before the L1 waits for stores
  /// too, which pass it as before.
  double removed_by_perfect_l1(const Cause& cause) const {
    const double hits = metric("l1.load.hits"), below = metric("l1.load.accesses") - hits;
    const double trip = std::max(l1_latency_, ratio(metric("sm.round_trip_sum") - l1_latency_ * hits, below));
    const double answered = std::min(1.0, ratio(cause.served(), cause.share));
    const double of_loads = 1.0 - ratio(metric("l2.atomics"), loads_ + metric("l2.atomics"));
    const double before_l1 = is_one_of(cause.name, {"network_up", "l2_port", "l2_queue"}) ? 1.0 - other_flits() : 1.0;
    return answered * of_loads * (1.0 - l1_latency_ / trip) + (1.0 - answered) * before_l1;
  }

  /// The part of the time of loads below the L1 that the machine removes, queues apart.
  double removed_below() const {
    const std::pair<const char*, const char*> causes_of_stages[] = {{"loads.in_network_up", "network_up"},
                                                                    {"loads.in_network", "network_up"},
                                                                    {"loads.in_network_down", "network_down"},
                                                                    {"loads.in_peer", "peer"},
                                                                    {"loads.in_l2", "l2"},
                                                                    {"loads.in_partition", "partition"},
                                                                    {"loads.in_dram", "dram"}};
    double all = 0.0, removed = 0.0;
    for (const auto& [stage, cause] : causes_of_stages) {
      all += metric(stage);
      if (removes(cause)) removed += metric(stage);
    }
    return ratio(removed, all);
  }

  /// The share of time in which the busiest part of a level is in use. Rows and banks can keep a channel busy although its bus is not: then
  /// loads spend most of their time there in its queue.
  double busiest(const std::string& level) const {
    if (level == "l1") return metric("l1.port_utilisation_max");
    if (level == "l2") return ratio(metric("l2.utilisation"), metric("l2.slice_balance"));
    if (level != "dram") return metric(level == "request" ? "net.request.link_utilisation.max" : "net.reply.link_utilisation.max");
    const double queued = stack_.share("dram_queue"), all = queued + stack_.share("dram");
    return std::max(metric("dram.utilisation"), all >= kShareOfSlots ? queued / all : 0.0);
  }

  /// The share of its work that is left. Each fill takes a cycle of the L1's port.
  double left_of(const std::string& level) const {
    if (ideal_.perfect_l1) {
      if (level == "l1") return 1.0 - std::min(1.0, ratio(metric("l1.fills"), metric("l1.busy_cycles")));
      return level == "request" ? other_flits() : ratio(others_, loads_ + others_);
    }
    const auto it = std::find_if(ideal_.lightened.begin(), ideal_.lightened.end(), [&](const auto& one) { return one.first == level; });
    return it == ideal_.lightened.end() ? 1.0 : it->second;
  }

  const Json& metrics_;
  const Ideal& ideal_;
  SlotStack stack_;
  double slots_, l1_latency_;
  double loads_, others_;  // accesses of L2
};

}  // namespace

double throughput(double customers, double service, double think) {
  double queue = 0.0, before = 0.0, now = 0.0;
  const int all = static_cast<int>(std::ceil(customers));
  for (int n = 1; n <= all; ++n) {
    const double response = service * (1.0 + queue);
    before = now;
    now = n / (response + think);
    queue = now * response;
  }
  return before + (now - before) * (customers - (all - 1));
}

double think_time(double customers, double busy) {
  double low = 0.0, high = customers / busy;  // so long that they alone leave the station idle enough
  if (throughput(customers, 1.0, low) <= busy) return low;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (throughput(customers, 1.0, middle) > busy ? low : high) = middle;
  }
  return low;
}

double predicted_speed_up(const Ideal& ideal, const Json& result, const GpuParams& params) {
  double before = 0.0, after = 0.0;
  // Kernels that ran together have no causes of their own: the run is one launch then.
  const bool together = result.contains("tables") && result.at("tables").contains("streams");
  const Json whole = Json::array({result.at("run")});
  for (const Json& metrics : together ? whole : result.at("kernels")) {
    const double cycles = metrics.at("cycles").get<double>();
    before += cycles;
    if (cycles > 0.0) after += cycles / Launch(metrics, ideal, params).speed_up();
  }
  return after > 0.0 ? before / after : 1.0;
}

}  // namespace wharf::cli
