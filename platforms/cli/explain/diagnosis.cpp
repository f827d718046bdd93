#include "platforms/cli/explain/diagnosis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace wharf::cli {
namespace {

/// A metric spread over equal parts of the machine, such as channels.
struct Parts {
  std::vector<double> values;
  double sum() const { return std::accumulate(values.begin(), values.end(), 0.0); }
  double mean() const { return values.empty() ? 0.0 : sum() / static_cast<double>(values.size()); }
  std::size_t busiest() const { return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin()); }
  double most() const { return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end()); }
  /// Some have far more to do than the mean one.
  bool uneven() const { return values.size() > 1 && most() > 1.5 * mean(); }
};

class Evidence {
 public:
  Evidence(const Cause& cause, const Json& result, const GpuParams& params)
      : cause_(cause), result_(result), run_(result.at("run")), params_(params) {}

  Diagnosis judge() {
    using Judge = void (Evidence::*)();
    static const std::map<std::string, Judge> kJudges = {
        {"dram_queue", &Evidence::dram_queue}, {"dram", &Evidence::dram},           {"mshr", &Evidence::mshr},
        {"mshr_full", &Evidence::mshr},        {"l1_way", &Evidence::l1_way},       {"l1", &Evidence::l1},               {"l1_port", &Evidence::l1_port},
        {"l1_queue", &Evidence::l1_port},      {"lsu_queue", &Evidence::l1_port},   {"network_up", &Evidence::network},
        {"network_down", &Evidence::network},  {"l2", &Evidence::l2},               {"l2_port", &Evidence::l2_port},
        {"l2_queue", &Evidence::l2_port},      {"l2_mshr", &Evidence::l2_mshr},     {"peer", &Evidence::peer},
        {"shared", &Evidence::shared},         {"barrier", &Evidence::barrier},     {"filter", &Evidence::filter},
        {"loads_limit", &Evidence::loads_limit}, {"issuing", &Evidence::issuing},   {"launch", &Evidence::launch},
        {"idle_sm", &Evidence::idle_sm},       {"tail", &Evidence::tail},           {"no_warp", &Evidence::no_warp},
        {"stores", &Evidence::stores}};
    if (const auto it = kJudges.find(cause_.name); it != kJudges.end()) (this->*it->second)();
    else if (cause_.name.rfind("result_", 0) == 0) compute("latency", 0.5);
    else if (cause_.name.rfind("unit_", 0) == 0) compute("interval", 0.5);
    return std::move(diagnosis_);
  }

 private:
  double metric(const std::string& name) const {
    const auto it = run_.find(name);
    return it == run_.end() || !it->is_number() ? 0.0 : it->get<double>();
  }
  double share(const std::string& part, const std::string& whole) const {
    return metric(whole) == 0.0 ? 0.0 : metric(part) / metric(whole);
  }
  Parts parts(const std::string& name) const {
    Parts parts;
    for (const Json& row : result_.at("tables").at("parts").at("rows"))
      if (row.at(0) == name) parts.values.push_back(row.at(2).get<double>());
    return parts;
  }
  template <class... Values>
  void say(fmt::format_string<Values...> text, Values&&... values) {
    diagnosis_.findings.push_back(fmt::format(text, std::forward<Values>(values)...));
  }
  template <class Value>
  void turn(const std::string& key, const Value& now, const Value& then) {
    diagnosis_.turns.push_back({key, fmt::format("{}", now), fmt::format("{}", then)});
  }

  void dram_queue() {
    const double clocks = metric("run.dram_cycles");
    Parts busy = parts("dram.bus_busy_cycles");
    for (double& value : busy.values) value /= clocks == 0.0 ? 1.0 : clocks;
    const Parts requests = parts("dram.requests");
    const double conflicts = share("dram.row_conflicts", "dram.reads"), writes = metric("dram.writes") / std::max(1.0, metric("dram.reads") + metric("dram.writes"));
    if (requests.uneven()) {
      say("The requests camp: channel {} has {} of them, {:.1f} times the mean, and its bus is busy {} of the time; the mean channel's {}.",
          requests.busiest(), percent(requests.most() / requests.sum()), requests.most() / requests.mean(), percent(busy.values[requests.busiest()]),
          percent(busy.mean()));
      if (params_.address_map == "interleave") turn("address_map", params_.address_map, std::string("ipoly"));
      else turn("channels", params_.channels, params_.channels * 2);
    } else {
      say("The channels are about equally busy: their buses move data {} of the time, the busiest one {}.", percent(busy.mean()), percent(busy.most()));
      turn("channels", params_.channels, params_.channels * 2);
    }
    if (conflicts > 0.3) say("{} of the read bursts found another row open in their bank.", percent(conflicts));
    if (writes > 0.25) say("{} of the bursts are writes of displaced lines.", percent(writes));
    replication();
  }

  void dram() {
    say("A load that DRAM answers takes {:.0f} core cycles, of which the way to the channel and back is fixed; the buses move data {} of the time.",
        metric("round_trip.dram"), percent(metric("dram.utilisation")));
    say("{} of the accesses to L2 miss: a larger L2 would answer some of them itself, and more warps would hide the rest.", percent(metric("l2.miss_rate")));
    turn("l2.slice_kib", params_.l2.slice_kib, params_.l2.slice_kib * 4);
    warps();
  }

  void mshr() {
    const double entries = metric("l1.refused.mshr_full"), targets = metric("l1.refused.targets_full");
    if (targets > entries) {
      say("The L1s refused an access for {:.0f} cycles because the MSHR of its line had no target left.", targets);
      turn("l1.mshr_targets", params_.l1.mshr_targets, params_.l1.mshr_targets * 2);
    } else {
      say("The L1s refused an access for {:.0f} cycles, {} of their time, because all {} MSHRs were taken.", entries,
          percent(entries / std::max(1.0, metric("run.core_cycles") * params_.caches())), params_.l1.mshr_entries);
      say("What is below does not hold them up: the loads spend most of that time on their way, not in queues.");
      turn("l1.mshr_entries", params_.l1.mshr_entries, std::max(params_.l1.mshr_entries * 2, 16u));
    }
  }

  void l1_way() {
    say("The L1s refused an access for {:.0f} cycles because every way of its set waited for a fill: the lines under way are not spread over the {} sets.",
        metric("l1.refused.no_way"), params_.l1.sets());
    if (params_.l1.set_index == "linear") turn("l1.set_index", params_.l1.set_index, std::string("ipoly"));
    else turn("l1.ways", params_.l1.ways, params_.l1.ways * 2);
  }

  void l1() {
    say("{} of the looked-up loads hit in the L1, and a hit takes {} cycles: too few warps are there to hide them.",
        percent(1.0 - metric("l1.miss_rate_with_merges")), params_.l1.tag_cycles + params_.l1.data_cycles);
    if (params_.l1.data_cycles > 1) turn("l1.data_cycles", params_.l1.data_cycles, params_.l1.data_cycles / 2);
    else turn("l1.tag_cycles", params_.l1.tag_cycles, std::max(1u, params_.l1.tag_cycles / 2));
    warps();
  }

  void l1_port() {
    say("A load instruction makes {:.1f} accesses to the L1, which takes one a cycle: its port is busy {} of the time, the busiest one {}.",
        metric("sm.round_trips") / std::max(1.0, metric("sm.loads")), percent(metric("l1.port_utilisation_mean")), percent(metric("l1.port_utilisation_max")));
    turn("l1.banks", params_.l1.banks, params_.l1.banks * 2);
  }

  /// True where one slice has far more accesses than the mean one, which the address map can mend.
  bool slices_camp() {
    const Parts accesses = parts("l2.accesses");
    if (!accesses.uneven()) return false;
    say("The accesses camp: slice {} has {} of them, {:.1f} times the mean.", accesses.busiest(), percent(accesses.most() / accesses.sum()),
        accesses.most() / accesses.mean());
    if (params_.address_map != "interleave") return false;
    turn("address_map", params_.address_map, std::string("ipoly"));
    return true;
  }

  void network() {
    const bool up = cause_.name == "network_up", camps = slices_camp();
    const std::string net = up ? "net.request" : "net.reply";
    say("The busiest link of the {} network carries flits {} of the time, the mean link {}; a packet spends {:.0f} network cycles in it.",
        up ? "request" : "reply", percent(metric(net + ".link_utilisation.max")), percent(metric(net + ".link_utilisation.mean")),
        metric(net + ".packet_latency"));
    say("{} of the looked-up loads miss in the L1 and cross it.", percent(metric("l1.miss_rate")));
    const std::string& topology = params_.network.topology;
    if (camps) return;
    if (topology == "crossbar") turn("network.crossbar.flit_bytes", params_.network.crossbar.flit_bytes, params_.network.crossbar.flit_bytes * 2);
    else turn("clock_mhz.network", params_.clock_mhz.network, params_.clock_mhz.network * 2);
    replication();
  }

  void l2() {
    say("{} of the looked-up loads miss in the L1; one that L2 answers takes {:.0f} cycles, {} of them in the slice's pipeline.",
        percent(metric("l1.miss_rate")), metric("round_trip.l2"), params_.l2.access_cycles);
    turn("l1.capacity_kib", params_.l1.capacity_kib, params_.l1.capacity_kib * 4);
    turn("l2.access_cycles", params_.l2.access_cycles, std::max(1u, params_.l2.access_cycles / 2));
    replication();
    warps();
  }

  void l2_port() {
    if (slices_camp()) return;
    say("The busiest slice has {:.2f} accesses a core cycle, and takes one in a cycle of its own.",
        parts("l2.accesses").most() / std::max(1.0, metric("run.core_cycles")));
    if (const double merged = share("l2.merged", "l2.accesses"); merged > 0.1)
      say("{} of the accesses wait for a line that another has asked DRAM for, and their answers leave one by one.", percent(merged));
    turn("slices_per_channel", params_.slices_per_channel, params_.slices_per_channel * 2);
    replication();
  }

  void l2_mshr() {
    say("The slices refused an access for {:.0f} cycles because all {} MSHRs were taken.", metric("l2.refused.mshr_full"), params_.l2.mshr_entries);
    turn("l2.mshr_entries", params_.l2.mshr_entries, params_.l2.mshr_entries * 2);
  }

  void peer() {
    say("Loads that another L1 answered took {:.0f} cycles from a peer and {:.0f} from a home, those that L2 answered {:.0f}.",
        metric("round_trip.peer"), metric("round_trip.home"), metric("round_trip.l2"));
    if (params_.platform == "remote_sharing") turn("platform", params_.platform, std::string("private"));
  }

  void shared() {
    say("A shared-memory instruction takes {:.1f} turns because of conflicts between its banks.",
        1.0 + share("sm.shared.conflict_cycles", "sm.shared.accesses"));
    turn("sm.shared_cycles", params_.sm.shared_cycles, std::max(1u, params_.sm.shared_cycles / 2));
  }

  void barrier() {
    say("{:.1f} barriers came on 1000 warp instructions; while some warps stand at one, the others wait for what the next causes say.",
        1000.0 * share("sm.barriers", "sm.warp_instructions"));
    say("Fewer barriers, or smaller CTAs of which more fit an SM, leave more warps to issue meanwhile.");
    turn("sm.warp_scheduler", params_.sm.warp_scheduler, std::string(params_.sm.warp_scheduler == "lrr" ? "gto" : "lrr"));
  }

  void filter() {
    say("The filter {} keeps warps from issuing; {:.1f} warps of an SM are active on average.", params_.sm.warp_filter, metric("active_warps"));
    turn("sm.warp_filter", params_.sm.warp_filter, std::string("none"));
  }

  void loads_limit() {
    say("{} load instructions of an SM may be in flight, and so many are.", params_.sm.loads_in_flight);
    turn("sm.loads_in_flight", params_.sm.loads_in_flight, params_.sm.loads_in_flight * 2);
  }

  void issuing() {
    say("A scheduler issues every {} cycles at most, which its warps could use more often.", params_.sm.issue_interval);
    turn("sm.issue_interval", params_.sm.issue_interval, 1u);
  }

  void launch() {
    say("A kernel's first CTA arrives {} cycles after its launch, and a kernel of this run takes {:.0f} cycles on average.",
        params_.front_end.kernel_launch_cycles, share("run.core_cycles", "front_end.kernels"));
    turn("front_end.kernel_launch_cycles", params_.front_end.kernel_launch_cycles, 1u);
  }

  void idle_sm() {
    say("A kernel of {:.0f} CTAs, on average, does not reach all {} SMs. A larger input does, and tells more of the machine.",
        share("front_end.ctas", "front_end.kernels"), params_.sms);
    if (params_.cache_sms() != 0) say("{} of the SMs are in cache mode and take none.", params_.cache_sms());
  }

  void tail() {
    say("A kernel of {:.0f} CTAs, on average, is dealt out to {} SMs; those that end last leave the others without work.",
        share("front_end.ctas", "front_end.kernels"), params_.sms);
    if (params_.front_end.cta_scheduler != "round_robin") turn("front_end.cta_scheduler", params_.front_end.cta_scheduler, std::string("round_robin"));
  }

  void no_warp() {
    say("CTAs have too few warps for {} schedulers, some of their warps end long before the others, or the next CTA is on its way.", params_.sm.schedulers);
  }

  void stores() {
    say("Warps that have ended keep their places until their stores have left{}.", params_.sm.cta_waits_for_stores ? " and are acknowledged" : "");
  }

  void compute(const char* what, double factor) {
    const std::string unit = cause_.name.substr(cause_.name.find('_') + 1);
    const UnitTiming* timing = unit == "fp32" ? &params_.sm.units.fp32 : unit == "fp64" ? &params_.sm.units.fp64 : unit == "sfu" ? &params_.sm.units.sfu
                             : unit == "tensor" ? &params_.sm.units.tensor : unit == "branch" ? &params_.sm.units.branch : &params_.sm.units.alu;
    const std::uint32_t now = std::string(what) == "latency" ? timing->latency : timing->interval;
    say("Its {} is {} cycle{}.", std::string(what) == "latency" ? "latency" : "initiation interval", now, now == 1 ? "" : "s");
    if (now > 1) turn("sm.units." + unit + "." + what, now, std::max(1u, static_cast<std::uint32_t>(now * factor)));
    if (std::string(what) == "latency") warps();
  }

  // Said of several causes.
  void replication() {
    const double ratio = metric("inter_core_locality");
    if (ratio < 0.15 || metric("l1.miss_rate") < 0.05) return;
    say("{} of the L1s' misses are of lines that another L1 holds: a design that shares L1s (shared_l1, remote_sharing, dc_l1, ata) could answer them instead of L2.",
        percent(ratio));
  }
  void warps() {
    const double resident = metric("sm.warp_cycles") / std::max(1.0, metric("run.core_cycles") * params_.sms);
    say("{:.1f} of {} warps of an SM are resident on average.", resident, params_.sm.warps);
  }

  const Cause& cause_;
  const Json& result_;
  const Json& run_;
  const GpuParams& params_;
  Diagnosis diagnosis_;
};

}  // namespace

std::string percent(double share) {
  const double value = 100.0 * share;
  return std::abs(value) >= 9.95 ? fmt::format("{:.0f} %", value) : fmt::format("{:.1f} %", value);
}

Diagnosis diagnose(const Cause& cause, const Json& result, const GpuParams& params) { return Evidence(cause, result, params).judge(); }

}  // namespace wharf::cli
