#include "platforms/cli/explain/slot_stack.h"

#include <algorithm>
#include <initializer_list>

namespace wharf::cli {
namespace {

using Shares = std::map<std::string, double>;

/// The slots of one cause, or of one stage, by who answered the load ("" where none is concerned).
using Pool = Shares;

double total(const Pool& pool) {
  double sum = 0.0;
  for (const auto& [server, share] : pool) sum += share;
  return sum;
}

/// Stages below the L1, in which a load holds an MSHR.
constexpr const char* kBelow[] = {"inject_up", "network_up", "network",    "queueing", "peer",        "l2",          "partition",
                                  "l2_queue",  "dram_link",  "dram_queue", "dram",     "inject_down", "network_down"};
/// The stages in which a load spends time only because other accesses are in its way.
constexpr const char* kQueuesBelow[] = {"inject_up", "queueing", "l2_queue", "dram_queue", "inject_down"};

class Roots {
 public:
  /// `metrics`: those of the run or of the launch that the slots are of.
  Roots(std::map<std::string, Pool> slots, const Json& metrics) : metrics_(metrics), pools_(std::move(slots)) {}

  std::map<std::string, Pool> find() {
    spread_merged();
    rename();
    from_load_store_unit();
    from_mshrs();
    from_injection();
    from_l2_queue();
    return std::move(pools_);
  }

 private:
  double metric(const std::string& name) const {
    const auto it = metrics_.find(name);
    return it == metrics_.end() || !it->is_number() ? 0.0 : it->get<double>();
  }
  double metrics(std::initializer_list<const char*> names) const {
    double sum = 0.0;
    for (const char* name : names) sum += metric(name);
    return sum;
  }
  double of(const std::string& name) const {
    const auto it = pools_.find(name);
    return it == pools_.end() ? 0.0 : total(it->second);
  }

  /// Moves the pool `from` to others in proportion to their weights; what has weight 0 gets nothing, and without any weight all stays.
  void divide(const std::string& from, const Shares& weights) {
    const double sum = total(weights);
    if (sum <= 0.0 || pools_.count(from) == 0) return;
    const Pool pool = pools_[from];
    pools_.erase(from);
    for (const auto& [to, weight] : weights)
      for (const auto& [server, share] : pool) pools_[to][server] += share * weight / sum;
  }

  /// A load that merged with another load's request counts in the stages of that request: those for which warps wait or, if they wait for
  /// merged loads only, those in which loads spend time.
  void spread_merged() {
    const Pool merged = pools_["merged"];
    pools_.erase("merged");
    for (const auto& [server, share] : merged) {
      Shares waits, times;
      for (const char* stage : kBelow) {
        if (pools_[stage].count(server) != 0) waits[stage] = pools_[stage][server];
        const bool beyond = server == "l2" && std::string(stage).compare(0, 4, "dram") == 0;
        if (!beyond) times[stage] = metric("loads.in_" + std::string(stage));
      }
      const Shares& weights = total(waits) > 0.0 ? waits : times;
      const double sum = total(weights);
      if (sum <= 0.0) pools_["l1"][server] += share;
      for (const auto& [stage, weight] : weights)
        if (weight > 0.0) pools_[stage][server] += share * weight / sum;
    }
  }

  void rename() {
    const auto add = [this](const char* from, const char* to) {
      for (const auto& [server, share] : pools_[from]) pools_[to][server] += share;
      pools_.erase(from);
    };
    add("dram_link", "dram_queue");
    add("network", "network_up");
    add("result_shared", "shared");
    add("result_cluster", "cluster_memory");
    add("lsu", "lsu_queue");
  }

  /// The load/store unit waits because the L1 refuses its accesses, or because it sends one line per cycle.
  void from_load_store_unit() {
    const Shares l1 = {{"mshr_full", metrics({"l1.refused.mshr_full", "l1.refused.targets_full"})},
                       {"way_full", metric("l1.refused.no_way")},
                       {"inject_up", metric("l1.refused.queue_full")},
                       {"stores", metric("l1.refused.pending_store")},
                       {"peer", metric("l1.refused.peers_full")},
                       {"l1_port", metrics({"l1.refused.bank_busy", "l1.busy_cycles"})}};
    Shares all = l1;
    all["shared"] = metrics({"sm.shared.accesses", "sm.shared.conflict_cycles"});
    divide("lsu_queue", all);
    divide("l1_queue", l1);
    // The stage is that of both.
    divide("mshr_full", {{"mshr_full", l1.at("mshr_full")}, {"way_full", l1.at("way_full")}});
  }

  /// An MSHR and a way are held as long as their load is below, whether a warp waits for it or not. The part of that time that loads queue is not
  /// for want of them.
  void from_mshrs() {
    const auto time_in = [this](const std::string& stage) { return metric("loads.in_" + stage); };
    double below = 0.0, queues = time_in("dram_link");
    Shares weights = {{"dram_queue", queues}};
    for (const char* stage : kBelow) below += time_in(stage);
    for (const char* stage : kQueuesBelow) {
      weights[stage] += time_in(stage);
      queues += time_in(stage);
    }
    if (below <= 0.0) return;
    Shares of_way = weights;
    weights["mshr"] = of_way["l1_way"] = below - queues;
    divide("mshr_full", weights);
    divide("way_full", of_way);
  }

  /// A packet waits because others want its link, or because a slice takes none. Where queues, credits and virtual channels refuse it, one of both
  /// has filled them.
  void from_injection() {
    divide("inject_up", {{"l2_queue", metric("net.request.refused.ejection")}, {"network_up", metric("net.request.refused.arbitration")}});
    divide("inject_up", {{"network_up", 1.0}});
    divide("inject_down", {{"network_down", 1.0}});
    divide("queueing", {{"peer", 1.0}});
  }

  /// A slice's queue waits because its head is refused, or for its turn. A slice accepts one access per cycle: the port's part is the time
  /// that the accesses would wait if nothing refused them.
  void from_l2_queue() {
    const double entries = metrics({"l2.refused.mshr_full", "l2.refused.targets_full", "l2.refused.no_way"});
    const double queued = of("dram_queue"), served = of("dram");
    const double by_queue = queued + served > 0.0 ? queued / (queued + served) : 0.0;
    const double to_dram = metric("l2.refused.queue_full"), replies = metric("l2.refused.reply_full"),
                 refused = entries + to_dram + replies;
    const double taken = metric("l2.accesses"), used = metric("l2.utilisation"), held = used * (taken + refused) / std::max(1.0, taken);
    const double port = refused > 0.0 && used > 0.0 ? taken * turn(used) / ((taken + refused) * turn(held)) : 1.0;
    const double per_refusal = (1.0 - port) / std::max(1.0, refused);
    divide("l2_queue", {{"dram_queue", (entries * by_queue + to_dram) * per_refusal},
                        {"l2_mshr", entries * (1.0 - by_queue) * per_refusal},
                        {"network_down", replies * per_refusal},
                        {"l2_port", port}});
  }
  /// How long an arrival at random waits for a server that is in use for this part of the time, in services (M/M/1).
  static double turn(double used) {
    const double most = std::min(used, 0.99);
    return most / (1.0 - most);
  }

  const Json& metrics_;
  std::map<std::string, Pool> pools_;
};

/// Counts of a run: the rows of its table.
std::map<std::string, Pool> slots_of(const Json& rows) {
  std::map<std::string, Pool> slots;
  for (const Json& row : rows) {
    const std::string cause = row.at(0), server = row.at(1), stage = row.at(2);
    slots[cause == "load" ? stage : cause][server] += row.at(4).get<double>();
  }
  return slots;
}

/// Counts of a launch: its counters.
std::map<std::string, Pool> slots_of_launch(const Json& launch) {
  const std::string slot = "sm.slots.", stage = slot + "load.in_", load = slot + "load.";
  const auto starts = [](const std::string& name, const std::string& with) { return name.compare(0, with.size(), with) == 0; };
  const double all = launch.at("sm.slots.all").get<double>();
  std::map<std::string, Pool> slots;
  for (const auto& [name, value] : launch.items()) {
    if (!starts(name, slot) || name == "sm.slots.all" || value == 0.0) continue;
    if (starts(name, stage))
      slots[name.substr(stage.size())]["load"] = value.get<double>() / all;
    else if (!starts(name, load))
      slots[name.substr(slot.size())][""] = value.get<double>() / all;
  }
  return slots;
}

SlotStack slot_stack_of(std::map<std::string, Pool> slots, const Json& metrics) {
  SlotStack stack;
  stack.slots = metrics.at("sm.slots.all").get<double>() / 1e6;
  stack.time_ns = metrics.at("time_ns").get<double>();
  for (auto& [name, pool] : Roots(std::move(slots), metrics).find()) {
    const double share = total(pool);
    if (name == "issued") {
      stack.issued = share;
    } else if (share > 0.0) {
      pool.erase("");
      stack.causes.push_back({name, share, pool});
    }
  }
  std::stable_sort(stack.causes.begin(), stack.causes.end(), [](const Cause& a, const Cause& b) { return a.share > b.share; });
  return stack;
}

}  // namespace

bool Cause::without_warp() const {
  return name == "no_kernel" || name == "launch" || name == "idle_sm" || name == "no_warp" || name == "tail";
}

double Cause::served() const { return total(served_by); }

double SlotStack::share(const std::string& cause) const {
  const auto it = std::find_if(causes.begin(), causes.end(), [&](const Cause& one) { return one.name == cause; });
  return it == causes.end() ? 0.0 : it->share;
}

bool has_slot_stack(const Json& result) {
  return result.contains("tables") && result["tables"].contains("cycle_stack") && !result["tables"]["cycle_stack"].at("rows").empty() &&
         result["tables"].contains("replication");
}

SlotStack slot_stack_of(const Json& result) {
  return slot_stack_of(slots_of(result.at("tables").at("cycle_stack").at("rows")), result.at("run"));
}

SlotStack slot_stack_of_launch(const Json& launch) { return slot_stack_of(slots_of_launch(launch), launch); }

std::string text_of_cause(const std::string& name) {
  static const std::map<std::string, std::string> kTexts = {
      {"l1", "the L1's own latency: lookup, data and fill"},
      {"l1_port", "a turn at the L1's port"},
      {"mshr", "an MSHR of the L1"},
      {"l1_way", "a free way of a set of the L1"},
      {"shared", "shared memory"},
      {"cluster_memory", "the shared memory of other SMs of the cluster"},
      {"network_up", "the network on the way to L2"},
      {"network_down", "the network on the way back from L2"},
      {"peer", "another L1: a home, a DC-L1 node, a holder of the line, or an SM in cache mode"},
      {"l2", "the latency of the L2 slices"},
      {"partition", "the link between the halves of L2"},
      {"l2_port", "a turn at an L2 slice"},
      {"l2_mshr", "an MSHR of an L2 slice"},
      {"dram_queue", "a turn at a DRAM channel: its queue, bank and row"},
      {"dram", "DRAM's latency: to the channel and back, and the data"},
      {"barrier", "other warps at a barrier, or the barrier itself"},
      {"result_alu", "results of the integer unit"},
      {"result_fp32", "results of the single-precision unit"},
      {"result_fp64", "results of the double-precision unit"},
      {"result_sfu", "results of the special-function unit"},
      {"result_tensor", "results of the tensor unit"},
      {"result_branch", "results of the branch unit"},
      {"result_shuffle", "shuffles and reductions of warps"},
      {"unit_alu", "the integer unit, which is busy"},
      {"unit_fp32", "the single-precision unit, which is busy"},
      {"unit_fp64", "the double-precision unit, which is busy"},
      {"unit_sfu", "the special-function unit, which is busy"},
      {"unit_tensor", "the tensor unit, which is busy"},
      {"unit_branch", "the branch unit, which is busy"},
      {"unit_imad", "the multiplier of integers, which is busy"},
      {"lsu_queue", "a place in the load/store unit's queue"},
      {"l1_queue", "a turn at the L1"},
      {"l2_queue", "a turn at an L2 slice"},
      {"mshr_full", "an MSHR of the L1"},
      {"way_full", "a free way of a set of the L1"},
      {"loads_limit", "the limit on loads in flight"},
      {"filter", "the warp filter, which throttles"},
      {"stores", "stores to leave or to be acknowledged"},
      {"mbarrier", "arrivals at an mbarrier, or bulk copies"},
      {"issuing", "the scheduler, which does not issue in every cycle"},
      {"launch", "the first CTA of the kernel"},
      {"idle_sm", "a CTA on SMs that the kernel never reaches"},
      {"no_warp", "a warp on a scheduler without warps"},
      {"tail", "other SMs at the end of the kernel"},
      {"no_kernel", "a kernel"},
      {"open", "something that happened after the end of the run"},
  };
  const auto it = kTexts.find(name);
  return it == kTexts.end() ? name : it->second;
}

}  // namespace wharf::cli
