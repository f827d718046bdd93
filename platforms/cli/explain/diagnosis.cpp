#include "platforms/cli/explain/diagnosis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/base/text.h"

namespace wharf::cli {
namespace {

/// "1 way", "4 ways".
std::string counted(double count, const std::string& what) { return fmt::format("{:.0f} {}{}", count, what, count == 1.0 ? "" : "s"); }

class Findings {
 public:
  Findings(const Cause& cause, const Evidence& evidence) : cause_(cause), evidence_(evidence), params_(evidence.params()) {}

  std::vector<std::string> find() {
    using Find = void (Findings::*)();
    static const std::map<std::string, Find> kFinds = {{"dram_queue", &Findings::dram_queue},
                                                       {"dram", &Findings::dram},
                                                       {"mshr", &Findings::mshr},
                                                       {"mshr_full", &Findings::mshr},
                                                       {"l1_way", &Findings::l1_way},
                                                       {"way_full", &Findings::l1_way},
                                                       {"l1", &Findings::l1},
                                                       {"l1_port", &Findings::l1_port},
                                                       {"l1_queue", &Findings::l1_port},
                                                       {"lsu_queue", &Findings::l1_port},
                                                       {"l2", &Findings::l2},
                                                       {"network_up", &Findings::network},
                                                       {"network_down", &Findings::network},
                                                       {"l2_port", &Findings::l2_port},
                                                       {"l2_queue", &Findings::l2_port},
                                                       {"l2_mshr", &Findings::l2_mshr},
                                                       {"peer", &Findings::peer},
                                                       {"shared", &Findings::shared},
                                                       {"cluster_memory", &Findings::cluster_memory},
                                                       {"barrier", &Findings::barrier},
                                                       {"filter", &Findings::filter},
                                                       {"loads_limit", &Findings::loads_limit},
                                                       {"issuing", &Findings::issuing},
                                                       {"launch", &Findings::launch},
                                                       {"idle_sm", &Findings::idle_sm},
                                                       {"tail", &Findings::tail},
                                                       {"no_warp", &Findings::no_warp},
                                                       {"stores", &Findings::stores},
                                                       {"mbarrier", &Findings::mbarrier}};
    if (const auto it = kFinds.find(cause_.name); it != kFinds.end())
      (this->*it->second)();
    else if (cause_.name.rfind("result_", 0) == 0)
      unit_latency();
    else if (cause_.name.rfind("unit_", 0) == 0)
      unit_interval();
    return std::move(findings_);
  }

 private:
  double metric(const std::string& name) const { return evidence_.metric(name); }
  double share(const std::string& part, const std::string& whole) const { return evidence_.share(part, whole); }
  template <class... Values>
  void say(fmt::format_string<Values...> text, Values&&... values) {
    findings_.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  /// Loads past the L1, such as those of bulk copies, are not looked up.
  void misses_of_l1() {
    if (metric("l1.load.accesses") > metric("l1.load.bypasses"))
      say("{} of the looked-up loads miss in the L1.", percent(metric("l1.miss_rate")));
  }

  void dram_queue() {
    const double clocks = std::max(1.0, metric("run.dram_cycles"));
    Parts busy = evidence_.parts("dram.bus_busy_cycles");
    for (double& value : busy.values) value /= clocks;
    const Parts requests = evidence_.parts("dram.requests");
    const double conflicts = share("dram.row_conflicts", "dram.reads"),
                 writes = metric("dram.writes") / std::max(1.0, metric("dram.reads") + metric("dram.writes"));
    if (requests.is_uneven())
      say("The requests concentrate on channel {}: it has {} of them, {:.1f} times the mean, and its bus is busy {} of the time; the mean "
          "channel's {}.",
          requests.busiest(), percent(requests.most() / requests.sum()), requests.most() / requests.mean(),
          percent(busy.values[requests.busiest()]), percent(busy.mean()));
    else
      say("The channels are about equally busy: their buses move data {} of the time, the busiest bus {}.", percent(busy.mean()),
          percent(busy.most()));
    if (conflicts > 0.3) say("{} of the read bursts found another row open in their bank.", percent(conflicts));
    if (writes > 0.25) say("{} of the bursts are writebacks of evicted lines.", percent(writes));
    if (const double closed = metric("dram.refreshes") * params_.dram.refresh.tRFC / clocks / params_.channels; closed > 0.02)
      say("Refreshes close a channel for {} of the time.", percent(closed));
    sharing();
  }

  void dram() {
    if (const double trip = metric("round_trip.dram"); trip > 0.0)
      say("A load that DRAM answers takes {:.0f} core cycles, including the fixed latency to the channel and back.", trip);
    say("The buses move data {} of the time.", percent(metric("dram.utilisation")));
    const double displaced = evidence_.displaced_from_l2();
    say("{} of the accesses to L2 miss{}.", percent(metric("l2.miss_rate")),
        displaced == 0.0
            ? ""
            : fmt::format("; at most {} of these misses are to lines that L2 evicted and a larger L2 would keep", percent(displaced)));
    if (const double off = share("l2.accesses.off_tag", "l2.misses"); off > 0.0)
      say("{} of the misses are to lines whose data {} had switched off.", percent(off), params_.l2.line_policy);
    warps();
  }

  void mshr() {
    const double entries = metric("l1.refused.mshr_full"), targets = metric("l1.refused.targets_full");
    const double time = std::max(1.0, metric("run.core_cycles") * params_.caches());
    if (targets > entries) {
      say("The L1s refused accesses for {} of the time because the MSHR entry of their line had all {} targets in use.",
          percent(targets / time), params_.l1.mshr_targets);
      return;
    }
    say("The L1s refused accesses for {} of the time because all {:.0f} MSHR entries were in use.", percent(entries / time),
        evidence_.in_each_l1(params_.l1.mshr_entries));
    say("The levels below are not the reason: the loads spend most of that time in transit, not in queues.");
  }

  void l1_way() {
    say("The L1s refused accesses for {} of the time because every way of the set waited for a fill: the lines in flight are not spread "
        "over the {}.",
        percent(metric("l1.refused.no_way") / std::max(1.0, metric("run.core_cycles") * params_.caches())),
        counted(evidence_.in_each_l1(params_.l1.sets()), "set"));
  }

  void l1() {
    const bool is_home = metric("sm.served_by.home") > metric("sm.served_by.l1");
    const double hits = 1.0 - metric("l1.miss_rate_with_merges"), trip = metric(is_home ? "round_trip.home" : "round_trip.l1");
    if (trip == 0.0)
      say("{} of the looked-up loads hit.", percent(hits));
    else
      say("{} of the looked-up loads hit; a load that {} answers takes {:.0f} cycles, which other warps do not hide.", percent(hits),
          is_home ? "a home" : "the L1", trip);
    warps();
  }

  void l1_port() {
    const std::uint32_t banks = params_.l1.banks;
    say("A load instruction makes {:.1f} accesses to the L1, which accepts {} per cycle{}: it is busy {} of the time, the busiest L1 {}.",
        metric("sm.round_trips") / std::max(1.0, metric("sm.loads")), banks == 1 ? "one" : std::to_string(banks),
        banks == 1 ? "" : ", each to a different bank", percent(metric("l1.port_utilisation_mean")),
        percent(metric("l1.port_utilisation_max")));
  }

  void slices_camp() {
    const Parts accesses = evidence_.parts("l2.accesses");
    if (!accesses.is_uneven()) return;
    say("The accesses concentrate on slice {}: it has {} of them, {:.1f} times the mean.", accesses.busiest(),
        percent(accesses.most() / accesses.sum()), accesses.most() / accesses.mean());
  }

  void network() {
    const bool up = cause_.name == "network_up";
    const Network& busiest = evidence_.busiest_network(up);
    const std::string name = up ? busiest.up : busiest.down;
    slices_camp();
    say("The busiest {} link of {} carries flits {} of the time, the mean link {}; a packet spends {:.0f} network cycles in it.",
        up ? "request" : "reply", busiest.text, percent(metric(name + ".link_utilisation.max")),
        percent(metric(name + ".link_utilisation.mean")), metric(name + ".packet_latency"));
    misses_of_l1();
    sharing();
  }

  void l2() {
    const double pipeline = static_cast<double>(params_.built_l2().access_cycles) * params_.clock_mhz.core / params_.clock_mhz.l2;
    misses_of_l1();
    if (const double trip = metric("round_trip.l2"); trip > 0.0)
      say("A load that L2 answers takes {:.0f} cycles, {:.0f} of them in the slice's pipeline.", trip, pipeline);
    else
      say("The slice's pipeline takes {:.0f} cycles.", pipeline);
    sharing();
    warps();
  }

  void l2_port() {
    slices_camp();
    say("The busiest slice has {:.2f} accesses per core cycle, and accepts one per cycle of its own clock.",
        evidence_.parts("l2.accesses").most() / std::max(1.0, metric("run.core_cycles")));
    if (const double merged = share("l2.merged", "l2.accesses"); merged > 0.1)
      say("{} of the accesses wait for a line that another access already requested from DRAM, and their replies leave one by one.",
          percent(merged));
    sharing();
  }

  void l2_mshr() {
    const double cycles = std::max(1.0, metric("run.core_cycles") * params_.clock_mhz.l2 / params_.clock_mhz.core * params_.slices());
    const auto refused = [&](const char* cause, const std::string& why) {
      if (const double time = metric(cause) / cycles; time > 0.0)
        say("The slices refused accesses for {} of the time because {}.", percent(time), why);
    };
    refused("l2.refused.mshr_full", fmt::format("all {} MSHR entries were in use", params_.l2.mshr_entries));
    refused("l2.refused.targets_full", fmt::format("the MSHR entry of their line had all {} targets in use", params_.l2.mshr_targets));
    refused("l2.refused.no_way", "every way of the set waited for DRAM");
  }

  void peer() {
    std::string trips;
    for (const auto& [server, text] :
         {std::pair{"peer", "another L1"}, std::pair{"home", "a home"}, std::pair{"ellc", "the extended LLC"}, std::pair{"l2", "L2"}})
      if (const double trip = share(std::string("sm.served_by_cycles.") + server, std::string("sm.served_by.") + server); trip > 0.0)
        trips += fmt::format("{}{} {:.0f}", trips.empty() ? "" : ", ", text, trip);
    if (!trips.empty()) say("Core cycles of a load, by the block that answered: {}.", trips);
    sharing();
  }

  void shared() {
    say("A shared-memory instruction occupies the banks for {:.1f} cycles, including conflicts.",
        1.0 + share("sm.shared.conflict_cycles", "sm.shared.accesses"));
  }

  void cluster_memory() {
    const double accesses = std::max(1.0, metric("dsm.answers"));
    say("{} of the accesses to the cluster's shared memory are answered by another SM, one way {} cycles away in the same TPC, {} or more "
        "elsewhere; an access moves {:.0f} bytes.",
        percent(metric("dsm.served") / accesses), params_.network.cluster.same_tpc, params_.network.cluster.base,
        metric("dsm.bytes") / accesses);
    say("An access waits {:.1f} cycles for its turn at the memory.", metric("dsm.wait_cycles") / accesses);
    warps();
  }

  void barrier() {
    say("The warps execute {:.1f} barriers per 1000 warp instructions; while some warps wait at a barrier, the others wait for the causes "
        "below.",
        1000.0 * share("sm.barriers", "sm.warp_instructions"));
    if (params_.sm.barrier_cycles != 0)
      say("A barrier itself takes {} after its last arrival, {} of the warps' time in all.", counted(params_.sm.barrier_cycles, "cycle"),
          percent(evidence_.barriers_alone()));
    say("With fewer barriers, or with smaller CTAs so that more fit on an SM, more warps could issue meanwhile.");
  }

  void mbarrier() {
    if (metric("tma.copies") > 0.0)
      say("The SMs started {:.0f} bulk copies, which write {:.0f} bytes each.", metric("tma.copies"), share("tma.bytes", "tma.copies"));
    barrier();
  }

  void filter() {
    say("The filter {} keeps warps from issuing; {:.1f} warps of an SM are active on average.", params_.sm.warp_filter,
        metric("active_warps"));
  }

  void loads_limit() {
    say("An SM may have at most {} load instructions in flight, and it reaches this limit.", params_.sm.loads_in_flight);
  }

  void issuing() { say("A scheduler issues at most every {} cycles, but its warps could issue more often.", params_.sm.issue_interval); }

  void launch() {
    say("A kernel's first CTA starts {} cycles after the launch, and this run has {:.0f} kernels in {:.0f} cycles.",
        params_.front_end.kernel_launch_cycles, metric("front_end.kernels"), metric("run.core_cycles"));
  }

  void idle_sm() {
    say("A kernel has {:.0f} CTAs on average, which do not reach all {:.0f} SMs. A larger input would, and would show more about the "
        "machine.",
        share("front_end.ctas", "front_end.kernels"), evidence_.working_sms());
    if (params_.cache_sms() != 0) say("The other {} of the {} SMs are in cache mode and run no CTAs.", params_.cache_sms(), params_.sms);
  }

  void tail() {
    say("A kernel has {:.0f} CTAs on average for {:.0f} SMs; SMs whose CTAs end early wait for the last ones.",
        share("front_end.ctas", "front_end.kernels"), evidence_.working_sms());
  }

  void no_warp() {
    say("CTAs have too few warps for {}, some of their warps end long before the others, or the next CTA has not started yet.",
        counted(params_.sm.schedulers, "scheduler"));
  }

  void stores() {
    say("Warps that have ended keep their slots until their stores are sent{}.",
        params_.sm.cta_waits_for_stores ? " and acknowledged" : "");
    if (params_.sm.fence_waits == FenceWait::performed) say("Warps wait at fences until their stores are acknowledged.");
  }

  UnitTiming unit() const {
    const UnitsParams& units = params_.sm.units;
    const std::map<std::string, UnitTiming> timings = {{"alu", units.alu},
                                                       {"fp32", units.fp32},
                                                       {"fp64", units.fp64},
                                                       {"sfu", units.sfu},
                                                       {"tensor", units.tensor},
                                                       {"branch", units.branch},
                                                       {"shuffle", units.of(Unit::shuffle)},
                                                       {"imad", units.of(Unit::imad)}};
    return timings.at(cause_.name.substr(cause_.name.find('_') + 1));
  }
  void unit_latency() {
    say("Its latency is {}.", counted(unit().latency, "cycle"));
    warps();
  }
  void unit_interval() { say("Its initiation interval is {}.", counted(unit().interval, "cycle")); }

  // Said of several causes.
  /// What other L1s answer, and what they could.
  void sharing() {
    if (const double share = evidence_.answered_by_other_l1s(); share >= 0.005)
      say("L1s other than the SM's own answered {} of the loads.", percent(share));
    if (!evidence_.misses_replicas()) return;
    const SharesL1s::Reach reach = evidence_.reach();
    const std::string missed =
        percent(evidence_.not_supplied()) + " of the L1s' misses are to lines that another L1 holds but does not supply";
    if (reach.sms > 1) {
      say("{}: the L1s of {} supply each other.", missed, counted(reach.sms, "SM"));
      return;
    }
    std::vector<std::string> designs;
    for (const DesignEntry& entry : design_entries())
      if (dynamic_cast<const SharesL1s*>(&params_.designs[design_row(entry.name)]) != nullptr) designs.emplace_back(entry.name);
    say("{}; a design that shares L1s ({}) could answer them instead of L2.", missed, join(designs));
  }
  void warps() {
    const double resident = metric("sm.warp_cycles") / std::max(1.0, metric("run.core_cycles") * evidence_.working_sms());
    say("{:.1f} of {} warps of an SM are resident on average.", resident, params_.sm.warps);
  }

  const Cause& cause_;
  const Evidence& evidence_;
  const GpuParams& params_;
  std::vector<std::string> findings_;
};

}  // namespace

std::string percent(double share) {
  const double value = 100.0 * share;
  return std::abs(value) >= 9.95 ? fmt::format("{:.0f} %", value) : fmt::format("{:.1f} %", value);
}

std::vector<std::string> findings_on(const Cause& cause, const Evidence& evidence) { return Findings(cause, evidence).find(); }

}  // namespace wharf::cli
