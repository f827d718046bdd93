#include "platforms/cli/explain/prediction.h"

#include <algorithm>
#include <cmath>

#include "platforms/cli/explain/slot_stack.h"

namespace wharf::cli {
namespace {

double metric(const Json& metrics, const char* name) {
  const auto it = metrics.find(name);
  return it == metrics.end() || !it->is_number() || std::isnan(it->get<double>()) ? 0.0 : it->get<double>();
}

double ratio(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

/// What a launch loads and stores.
struct Traffic {
  explicit Traffic(const Json& launch)
      : loads(metric(launch, "l2.loads") + metric(launch, "l2.atomics")),
        stores(metric(launch, "l2.stores")),
        flits(metric(launch, "net.request.flits")) {}
  double loads, stores, flits;
  /// The part of the accesses of L2, and of the flits to it, that stores make. A load's request is one flit.
  double stored() const { return ratio(stores, loads + stores); }
  double stored_flits() const { return flits > 0.0 ? std::max(0.0, 1.0 - loads / flits) : stored(); }
};

/// The part of the time in which the busiest part of a level is in use.
double busiest(const Json& launch, const std::string& level) {
  if (level == "l1") return metric(launch, "l1.port_utilisation_max");
  if (level == "dram") return metric(launch, "dram.utilisation");
  return metric(launch, level == "request" ? "net.request.link_utilisation.max" : "net.reply.link_utilisation.max");
}

/// What is left of the work of a level.
double left_of(const Ideal& ideal, const std::string& level, const Traffic& traffic) {
  if (ideal.perfect_l1 && level != "l1") return level == "request" ? traffic.stored_flits() : traffic.stored();
  const auto it = std::find_if(ideal.lightened.begin(), ideal.lightened.end(), [&](const auto& one) { return one.first == level; });
  return it == ideal.lightened.end() ? 1.0 : it->second;
}

/// The part of the waiting for a cause that the machine removes.
double removed_part(const Ideal& ideal, const Cause& cause, const Json& launch, double l1_latency) {
  if (std::find(ideal.removed.begin(), ideal.removed.end(), cause.name) == ideal.removed.end()) return 0.0;
  if (!ideal.perfect_l1) return ideal.removes;
  // A load that went below the L1 takes the latency of a hit instead. What waits before the L1 waits for stores too, and these pass it as before.
  const double hits = metric(launch, "l1.load.hits"), below = metric(launch, "l1.load.accesses") - hits;
  const double trip = ratio(metric(launch, "sm.round_trip_sum") - l1_latency * hits, below);
  const double of_loads = std::min(1.0, ratio(cause.served(), cause.share));
  const bool stores_wait_too = cause.name == "network_up" || cause.name == "l2_port" || cause.name == "l2_queue";
  return of_loads * (1.0 - l1_latency / std::max(l1_latency, trip)) +
         (1.0 - of_loads) * (stores_wait_too ? 1.0 - Traffic(launch).stored_flits() : 1.0);
}

double speed_up_of(const Ideal& ideal, const Json& launch, const GpuParams& params) {
  const SlotStack stack = slot_stack_of_launch(launch);
  double without_warp = 0.0, removed = 0.0;
  double removed_without_warp = 0.0;
  const double l1_latency = params.l1.tag_cycles + params.l1.data_cycles;
  for (const Cause& cause : stack.causes) {
    const double gone = cause.share * removed_part(ideal, cause, launch, l1_latency);
    (cause.without_warp() ? removed_without_warp : removed) += gone;
    if (cause.without_warp()) without_warp += cause.share;
  }
  const double with_warp = 1.0 - without_warp;
  const double busy = std::min(0.999, ratio(stack.issued + stack.share("issuing"), with_warp));
  const double rest = std::max(0.001, 1.0 - removed_without_warp);
  if (with_warp <= 0.0 || busy <= 0.0) return 1.0 / rest;
  const double slots = metric(launch, "cycles") * params.sms * params.sm.schedulers;
  const double warps = std::max(1.0, ratio(metric(launch, "sm.warp_cycles"), slots * with_warp));
  const double think = think_time(warps, busy), lost = with_warp * (1.0 - busy);
  const double faster = throughput(warps, ideal.issue_interval, think * (1.0 - std::min(1.0, removed / lost))) / throughput(warps, 1.0, think);
  double bound = 0.0;
  for (const char* level : {"l1", "request", "reply", "dram"})
    bound = std::max(bound, busiest(launch, level) * left_of(ideal, level, Traffic(launch)));
  return (bound > 0.0 ? std::min(faster, std::max(1.0, 1.0 / bound)) : faster) / rest;
}

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
  for (const Json& launch : result.at("kernels")) {
    const double cycles = metric(launch, "cycles");
    before += cycles;
    if (cycles > 0.0) after += cycles / speed_up_of(ideal, launch, params);
  }
  return after > 0.0 ? before / after : 1.0;
}

}  // namespace wharf::cli
