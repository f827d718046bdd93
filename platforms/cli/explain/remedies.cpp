#include "platforms/cli/explain/remedies.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/base/error.h"
#include "platforms/cli/explain/explained_run.h"
#include "platforms/cli/runs/search.h"

namespace wharf::cli {
namespace {

/// How the value of a key changes: a number by a factor, or to a word, from any other one or from `from` alone.
struct Step {
  double factor = 0.0;
  const char* to = nullptr;
  const char* from = nullptr;
  double at_least = 0.0;
};
constexpr Step times(double factor, double at_least = 0.0) { return {factor, nullptr, nullptr, at_least}; }
constexpr Step half() { return {0.5, nullptr, nullptr, 0.0}; }
constexpr Step to(const char* word) { return {0.0, word, nullptr, 0.0}; }
constexpr Step from_to(const char* from, const char* word) { return {0.0, word, from, 0.0}; }

using Applies = bool (*)(const Evidence&);
using Pointless = std::string (*)(const Evidence&);

/// A key that eases causes. A machine on which it does not apply has another bottleneck.
struct Remedy {
  std::vector<std::string> causes;
  const char* key;
  Step step;
  Applies applies = nullptr;
  Pointless pointless = nullptr;  // why it could not help in this run; empty: it could
};

bool channels_camp(const Evidence& e) { return e.parts("dram.requests").is_uneven(); }
bool slices_camp(const Evidence& e) { return e.parts("l2.accesses").is_uneven(); }
bool l1_lacks_targets(const Evidence& e) { return e.metric("l1.refused.targets_full") > e.metric("l1.refused.mshr_full"); }
bool l1_lacks_entries(const Evidence& e) { return !l1_lacks_targets(e); }
double most_refused_of_l2(const Evidence& e) {
  return std::max({e.metric("l2.refused.mshr_full"), e.metric("l2.refused.targets_full"), e.metric("l2.refused.no_way")});
}
bool copies_in_bulk(const Evidence& e) { return e.metric("tma.copies") > 0.0; }
template <const Network& network, bool up>
bool is_busiest(const Evidence& e) {
  return &e.busiest_network(up) == &network;
}

std::string unless_l1_displaces(const Evidence& e) {
  return e.metric("l1.evictions") > 0.0 ? "" : "no L1 evicted a line, so a larger L1 would not hit more often";
}
std::string unless_l2_displaces(const Evidence& e) {
  return e.displaced_from_l2() > 0.0 ? "" : "L2 evicted no line, so a larger L2 would not hit more often";
}
std::string unless_others_are_slow(const Evidence& e) {
  const double others = e.round_trip_of_other_l1s(), l2 = e.metric("round_trip.l2");
  if (l2 == 0.0 || others > l2) return "";
  return fmt::format("other L1s answer faster than L2: in {:.0f} cycles instead of {:.0f}", others, l2);
}

bool others_are_in_the_tpc(const Evidence& e) {
  return e.metric("dsm.by_distance.tpc") > e.metric("dsm.by_distance.cpc") + e.metric("dsm.by_distance.gpc");
}

/// The most promising one of a cause first.
const Remedy kRemedies[] = {
    {{"dram_queue"}, "address_map", from_to("interleave", "ipoly"), channels_camp},
    {{"dram_queue"}, "channels", times(2)},
    {{"dram"}, "l2.slice_kib", times(4), nullptr, unless_l2_displaces},
    {{"mshr", "mshr_full"}, "l1.mshr_targets", times(2), l1_lacks_targets},
    {{"mshr", "mshr_full"}, "l1.mshr_entries", times(2, 16), l1_lacks_entries},
    {{"l1_way", "way_full"}, "l1.set_index", from_to("linear", "ipoly")},
    {{"l1_way", "way_full"}, "l1.ways", times(2)},
    {{"l1"}, "l1.data_cycles", half()},
    {{"l1"}, "l1.tag_cycles", half()},
    {{"l1_port", "l1_queue", "lsu_queue"}, "l1.banks", times(2)},
    {{"l1_port", "lsu_queue"}, "sm.lsu.shared_interval", half()},
    {{"l1_port", "lsu_queue"}, "sm.lsu.address_interval", half()},
    {{"lsu_queue"}, "sm.lsu.subcore_queue", times(2)},
    {{"lsu_queue"}, "sm.lsu_queue", times(2)},
    {{"network_up", "network_down", "l2_port", "l2_queue"}, "address_map", from_to("interleave", "ipoly"), slices_camp},
    {{"network_up"}, "network.crossbar.flit_bytes", times(2), is_busiest<kL2Network, true>},
    {{"network_down"}, "network.crossbar.flit_bytes", times(2), is_busiest<kL2Network, false>},
    {{"network_up"}, "dc_l1.noc1.clock_mhz", times(2), is_busiest<kNoc1, true>},
    {{"network_down"}, "dc_l1.noc1.clock_mhz", times(2), is_busiest<kNoc1, false>},
    {{"network_up"}, "ata.crossbar.flit_bytes", times(2), is_busiest<kClusterNetwork, true>},
    {{"network_down"}, "ata.crossbar.flit_bytes", times(2), is_busiest<kClusterNetwork, false>},
    {{"network_up", "network_down"}, "clock_mhz.network", times(2)},
    {{"l2"}, "l1.capacity_kib", times(4), nullptr, unless_l1_displaces},
    {{"l2"}, "l2.access_cycles", half()},
    {{"partition"}, "l2.link.cycles", half()},
    {{"l2_port", "l2_queue"}, "slices_per_channel", times(2)},
    {{"l2_mshr"}, "l2.mshr_entries", times(2), [](const Evidence& e) { return e.metric("l2.refused.mshr_full") == most_refused_of_l2(e); }},
    {{"l2_mshr"},
     "l2.mshr_targets",
     times(2),
     [](const Evidence& e) { return e.metric("l2.refused.targets_full") == most_refused_of_l2(e); }},
    {{"l2_mshr"}, "l2.ways", times(2), [](const Evidence& e) { return e.metric("l2.refused.no_way") == most_refused_of_l2(e); }},
    {{"peer"}, "platform", to("private"), [](const Evidence& e) { return e.answered_by_other_l1s() > 0.0; }, unless_others_are_slow},
    {{"shared"}, "sm.shared_cycles", half()},
    {{"cluster_memory"}, "network.cluster.same_tpc", half(), others_are_in_the_tpc},
    {{"cluster_memory"}, "network.cluster.base", half(), [](const Evidence& e) { return !others_are_in_the_tpc(e); }},
    {{"cluster_memory"}, "sm.shared_cycles", half()},
    {{"mbarrier"}, "cluster.tma.start_cycles", half(), copies_in_bulk},
    {{"mbarrier"}, "cluster.tma.in_flight", times(2), copies_in_bulk},
    {{"mbarrier"}, "cluster.tma.bytes_per_clock", times(2), copies_in_bulk},
    {{"barrier"}, "sm.barrier_cycles", half(), [](const Evidence& e) { return e.barriers_alone() >= 0.05; }},
    {{"barrier", "mbarrier"}, "sm.warp_scheduler", to("lrr")},
    {{"barrier", "mbarrier"}, "sm.warp_scheduler", from_to("lrr", "gto")},
    {{"filter"}, "sm.warp_filter", to("none")},
    {{"loads_limit"}, "sm.loads_in_flight", times(2)},
    {{"issuing"}, "sm.issue_interval", to("1")},
    {{"launch"}, "front_end.kernel_launch_cycles", to("1")},
    {{"tail"}, "front_end.cta_scheduler", to("round_robin")},
    {{"stores"}, "sm.fence_waits", from_to("performed", "results")},
    {{"stores"}, "sm.cta_waits_for_stores", to("false")},
    {{"result_alu"}, "sm.units.alu.latency", half()},
    {{"result_fp32"}, "sm.units.fp32.latency", half()},
    {{"result_fp64"}, "sm.units.fp64.latency", half()},
    {{"result_sfu"}, "sm.units.sfu.latency", half()},
    {{"result_tensor"}, "sm.units.tensor.latency", half()},
    {{"result_branch"}, "sm.units.branch.latency", half()},
    {{"result_shuffle"}, "sm.units.shuffle.latency", half()},
    {{"unit_alu"}, "sm.units.alu.interval", half()},
    {{"unit_fp32"}, "sm.units.fp32.interval", half()},
    {{"unit_fp64"}, "sm.units.fp64.interval", half()},
    {{"unit_sfu"}, "sm.units.sfu.interval", half()},
    {{"unit_tensor"}, "sm.units.tensor.interval", half()},
    {{"unit_branch"}, "sm.units.branch.interval", half()},
    {{"unit_imad"}, "sm.units.imad_interval", half()},
};

/// Causes that no key eases, because they are the stimulus's own.
const std::pair<const char*, const char*> kOfTheStimulus[] = {
    {"idle_sm", "the kernels have too few CTAs for the SMs"},
    {"no_warp", "the CTAs have too few warps for the schedulers"},
    {"no_kernel", "no kernel runs in these slots"},
    {"open", "these waits had not ended when the run ended"},
};

/// Causes that are smaller where fewer accesses go below the L1s.
bool is_below_l1(const std::string& cause) {
  for (const char* below : {"dram_queue", "network_up", "network_down", "l2", "l2_port", "l2_queue"})
    if (cause == below) return true;
  return false;
}

bool eases(const Remedy& remedy, const std::string& cause) {
  return std::find(remedy.causes.begin(), remedy.causes.end(), cause) != remedy.causes.end();
}

/// The value to try; `now` itself where there is none.
std::string stepped(const Step& step, const std::string& now) {
  if (step.to != nullptr) return step.from == nullptr || now == step.from ? step.to : now;
  if (now.empty() || now.find_first_not_of("0123456789") != std::string::npos) return now;
  return fmt::format("{:.0f}", std::max(step.at_least, std::floor(std::stod(now) * step.factor)));
}

class Judge {
 public:
  Judge(const Evidence& evidence, const TurnableMachine& machine) : evidence_(evidence), machine_(machine) {}

  void judge(const Remedy& remedy) {
    if (remedy.applies != nullptr && !remedy.applies(evidence_)) return;
    const std::string now = machine_.value_of(remedy.key);
    if (now.empty()) return;
    const std::string why = remedy.pointless == nullptr ? "" : remedy.pointless(evidence_);
    if (!why.empty())
      remedies_.pointless.push_back(fmt::format("{}: {}", remedy.key, why));
    else
      consider({remedy.key, now, stepped(remedy.step, now)});
  }
  /// Lets more L1s supply each other.
  void judge(const SharesL1s::Reach& reach) {
    const std::string now = reach.wider_key.empty() ? "" : machine_.value_of(reach.wider_key);
    if (!now.empty()) consider({reach.wider_key, now, reach.wider_value});
  }
  void judge_stimulus(const char* why) { remedies_.pointless.emplace_back(why); }
  Remedies take() { return std::move(remedies_); }

 private:
  void consider(const Turn& turn) {
    if (turn.then == turn.now) {
      remedies_.pointless.push_back(fmt::format("{} is {} already", turn.key, turn.now));
    } else if (const std::string refusal = machine_.refusal_of(turn.key, turn.then); !refusal.empty()) {
      remedies_.pointless.push_back(fmt::format("{}={} is refused: {}", turn.key, turn.then, refusal));
    } else {
      remedies_.turns.push_back(turn);
    }
  }

  const Evidence& evidence_;
  const TurnableMachine& machine_;
  Remedies remedies_;
};

}  // namespace

TurnableMachine::TurnableMachine(const RunSpec& spec) : spec_(spec) {
  const Configuration configuration = closed_configuration_of(spec);
  params_ = configuration.params;
  values_ = resolved_values(configuration.resolved_yaml, spec.config);
}

std::string TurnableMachine::value_of(const std::string& key) const {
  const auto it = values_.find(key);
  return it == values_.end() ? "" : it->second;
}

std::string TurnableMachine::refusal_of(const std::string& key, const std::string& value) const {
  const std::string setting = key + "=" + value;
  RunSpec turned = spec_;
  set_key(turned, setting);
  try {
    closed_configuration_of(turned);
    return {};
  } catch (const InputError& error) {
    std::string text = error.what();
    text.resize(std::min(text.size(), text.find('\n')));
    for (const std::string& known : {"--set " + setting + ": ", key + ": "})
      if (text.compare(0, known.size(), known) == 0) text.erase(0, known.size());
    text.resize(std::min(text.size(), text.find("; set " + key + ": ")));  // the value that it has
    return text;
  }
}

Remedies remedies_for(const Cause& cause, const Evidence& evidence, const TurnableMachine& machine) {
  Judge judge(evidence, machine);
  for (const Remedy& remedy : kRemedies)
    if (eases(remedy, cause.name)) judge.judge(remedy);
  if (is_below_l1(cause.name) && evidence.misses_replicas()) judge.judge(evidence.reach());
  for (const auto& [of, why] : kOfTheStimulus)
    if (cause.name == of) judge.judge_stimulus(why);
  return judge.take();
}

}  // namespace wharf::cli
