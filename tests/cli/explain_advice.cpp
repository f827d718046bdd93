// The advice of `explain`: keys that the machine has, that its configuration accepts, and that could help in this run.

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "model/base/config/named_files.h"
#include "platforms/cli/explain/diagnosis.h"
#include "platforms/cli/explain/remedies.h"
#include "platforms/cli/runs/search.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const std::vector<std::string> kCauses = {
    "l1",          "l1_port",     "mshr",        "l1_way",        "shared",        "cluster_memory", "network_up", "network_down",
    "peer",        "l2",          "l2_port",     "l2_mshr",       "dram_queue",    "dram",           "barrier",    "result_alu",
    "result_fp32", "result_fp64", "result_sfu",  "result_tensor", "result_branch", "unit_alu",       "unit_fp32",  "unit_fp64",
    "unit_sfu",    "unit_tensor", "unit_branch", "lsu_queue",     "l1_queue",      "l2_queue",       "mshr_full",  "way_full",
    "loads_limit", "filter",      "stores",      "issuing",       "launch",        "idle_sm",        "no_warp",    "tail",
    "no_kernel",   "open",        "mbarrier"};

Cause cause_named(const std::string& name) { return {name, 0.5, {}}; }

/// A run in which every key could help, with these additional metrics.
Json run_with(const std::vector<std::pair<std::string, double>>& metrics = {}) {
  Json result;
  result["run"] = {{"run.core_cycles", 1000},  {"run.dram_cycles", 1000},
                   {"l1.miss_rate", 0.5},      {"inter_core_locality", 0.5},
                   {"l1.evictions", 1},        {"l2.evictions", 50},
                   {"l2.misses", 100},         {"sm.round_trips", 100},
                   {"sm.served_by.peer", 10},  {"sm.served_by_cycles.peer", 4000},
                   {"round_trip.l2", 200},     {"l2.refused.mshr_full", 1},
                   {"l1.refused.mshr_full", 1}};
  for (const auto& [name, value] : metrics) result["run"][name] = value;
  result["tables"]["parts"]["rows"] = Json::array({{"l2.accesses", 0, 100},
                                                   {"l2.accesses", 1, 1},
                                                   {"l2.accesses", 2, 1},
                                                   {"dram.requests", 0, 100},
                                                   {"dram.requests", 1, 1},
                                                   {"dram.requests", 2, 1},
                                                   {"dram.bus_busy_cycles", 0, 100},
                                                   {"dram.bus_busy_cycles", 1, 1},
                                                   {"dram.bus_busy_cycles", 2, 1}});
  result["tables"]["replication"]["rows"] = Json::array({{100, 50, 40}});
  return result;
}

RunSpec spec_of(const std::string& config, const std::vector<std::string>& settings = {}) {
  RunSpec spec;
  spec.config = config;
  spec.overrides = settings;
  return spec;
}

Remedies remedies(const std::string& cause, const RunSpec& spec, const Json& result) {
  const TurnableMachine machine(spec);
  return remedies_for(cause_named(cause), Evidence(result, machine.params()), machine);
}

bool turns(const Remedies& remedies, const std::string& key) {
  return std::any_of(remedies.turns.begin(), remedies.turns.end(), [&](const Turn& turn) { return turn.key == key; });
}

std::string text_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

std::string findings(const std::string& cause, const RunSpec& spec, const Json& result) {
  const TurnableMachine machine(spec);
  return text_of(findings_on(cause_named(cause), Evidence(result, machine.params())));
}

/// Gives the first value to the searched key of a configuration, if it has one. Returns false if the search is over configurations.
bool close(RunSpec& spec) {
  const Configuration configuration = load_configuration(spec.config, {}, "");
  if (!configuration.search) return true;
  if (configuration.search->over_configurations()) return false;
  spec.overrides.push_back(configuration.search->key + "=" + configuration.search->values.front());
  return true;
}

TEST_CASE(
    "advice: every cause of every configuration has a key to turn that the configuration accepts and that changes, or a reason why none") {
  std::size_t machines = 0;
  std::set<std::string> keys;
  for (const std::string& name : config::configuration_names(configuration_root())) {
    RunSpec spec = spec_of(name);
    if (name.find(':') != std::string::npos || !close(spec)) continue;  // points of sweeps are configurations with changed values
    CAPTURE(name);
    ++machines;
    const TurnableMachine machine(spec);
    const Json result = run_with();
    const Evidence evidence(result, machine.params());
    for (const std::string& cause : kCauses) {
      CAPTURE(cause);
      const Remedies all = remedies_for(cause_named(cause), evidence, machine);
      CHECK(all.turns.size() + all.pointless.size() > 0);
      for (const Turn& turn : all.turns) {
        CAPTURE(turn.key, turn.then);
        keys.insert(turn.key);
        CHECK(turn.now == machine.value_of(turn.key));
        std::vector<std::string> settings = spec.overrides;
        settings.push_back(turn.key + "=" + turn.then);
        const Configuration turned = load_configuration(name, settings, "");
        CHECK(resolved_values(turned.resolved_yaml, name).at(turn.key) == turn.then);
        CHECK(turn.then != turn.now);
      }
    }
  }
  CHECK(machines > 90);
  for (const char* key : {"ata.cluster_size", "remote_sharing.coverage", "shared_l1.organisation", "dc_l1.clusters"})
    CHECK(keys.count(key) == 1);
}

TEST_CASE("a run that waits for DRAM is told what share of the time its channels refresh, where it is more than 2 %") {
  // Two channels: 4 refreshes of 100 clocks in 1000 clocks of each are 20 %.
  const RunSpec spec = spec_of("private", {"channels=2", "dram.refresh.enabled=true", "dram.refresh.tREFI=400", "dram.refresh.tRFC=100"});
  CHECK_THAT(findings("dram_queue", spec, run_with({{"dram.refreshes", 4}})), Contains("Refreshes close a channel for 20 % of the time."));
  CHECK_THAT(findings("dram_queue", spec, run_with({{"dram.refreshes", 0}})), !Contains("efresh"));
}

TEST_CASE("advice: a key at its limit, one that has its best value, and one that the design refuses are no advice, with the reason") {
  const auto reason = [](const std::string& cause, const RunSpec& spec, const std::string& key) {
    const Remedies all = remedies(cause, spec, run_with());
    CHECK(!turns(all, key));
    return text_of(all.pointless);
  };
  CHECK_THAT(reason("l1", spec_of("private", {"l1.tag_cycles=1", "l1.data_cycles=0"}), "l1.tag_cycles"),
             Contains("l1.data_cycles is 0 already") &&
                 Contains("l1.tag_cycles=0 is refused: '0' is out of range; write a whole number from 1 to 1000"));
  CHECK_THAT(reason("dram_queue", spec_of("private", {"channels=128", "slices_per_channel=1", "address_map=ipoly"}), "channels"),
             Contains("address_map is ipoly already") && Contains("channels=256 is refused: '256' is out of range"));
  CHECK_THAT(reason("l1_port", spec_of("ata/ata"), "l1.banks"),
             Contains("l1.banks=2 is refused: l1 banks: one access per cycle is looked up, in order"));
  CHECK_THAT(reason("l1_port", spec_of("shared_l1/shared"), "l1.banks"), Contains("a home looks up one access per cycle"));
  CHECK_THAT(reason("l1_port", spec_of("dc_l1/sh40_c10"), "l1.banks"), Contains("a node looks up one access per cycle"));
  CHECK_THAT(reason("l2", spec_of("gpus/volta_qv100"), "l1.capacity_kib"), Contains("l1.capacity_kib=512 is refused"));
  CHECK_THAT(reason("issuing", spec_of("private", {"sm.issue_interval=1"}), "sm.issue_interval"),
             Contains("sm.issue_interval is 1 already"));
  CHECK_THAT(reason("peer", spec_of("private"), "platform"), Contains("platform is private already"));
}

TEST_CASE("advice: waits at mbarriers are eased by the copy engine only if the run copies in bulk, and otherwise by the warp scheduler") {
  const RunSpec spec = spec_of("cluster/h100");
  const Json copies = run_with({{"tma.copies", 4}, {"tma.bytes", 2048}});
  for (const char* key : {"cluster.tma.start_cycles", "cluster.tma.in_flight"}) {
    CAPTURE(key);
    CHECK(turns(remedies("mbarrier", spec, copies), key));
    CHECK(!turns(remedies("mbarrier", spec, run_with()), key));
  }
  CHECK(turns(remedies("mbarrier", spec, run_with()), "sm.warp_scheduler"));
  CHECK(!turns(remedies("mbarrier", spec_of("private"), copies), "cluster.tma.in_flight"));
  CHECK_THAT(findings("mbarrier", spec, copies), Contains("The SMs started 4 bulk copies, which write 512 bytes each."));
  CHECK_THAT(findings("mbarrier", spec, run_with()), !Contains("bulk copies"));
}

TEST_CASE("advice: a full load/store unit is eased by the queues and intervals that it has") {
  const auto turned = [](const RunSpec& spec, const char* key) { return turns(remedies("lsu_queue", spec, run_with()), key); };
  const RunSpec single = spec_of("private"), subcore = spec_of("private", {"sm.lsu.model=subcore"});
  CHECK(turned(single, "sm.lsu_queue"));
  CHECK(!turned(subcore, "sm.lsu_queue"));
  for (const char* key : {"sm.lsu.subcore_queue", "sm.lsu.shared_interval", "sm.lsu.address_interval"}) {
    CAPTURE(key);
    CHECK(turned(subcore, key));
    CHECK(!turned(single, key));
  }
}

TEST_CASE("advice: no larger cache is advised if the cache has evicted no line") {
  CHECK(turns(remedies("l2", spec_of("private"), run_with()), "l1.capacity_kib"));
  CHECK(turns(remedies("dram", spec_of("private"), run_with()), "l2.slice_kib"));
  const Json first = run_with({{"l1.evictions", 0}, {"l2.evictions", 0}});
  const Remedies l1 = remedies("l2", spec_of("private"), first), l2 = remedies("dram", spec_of("private"), first);
  CHECK(!turns(l1, "l1.capacity_kib"));
  CHECK_THAT(text_of(l1.pointless), Contains("l1.capacity_kib: no L1 evicted a line"));
  CHECK(l2.turns.empty());
  CHECK_THAT(text_of(l2.pointless), Contains("l2.slice_kib: L2 evicted no line"));
  CHECK_THAT(findings("dram", spec_of("private"), first), !Contains("displaced"));
  CHECK_THAT(findings("dram", spec_of("private"), run_with()), Contains("at most 50 % of these misses are to lines that L2 evicted"));
}

TEST_CASE("advice: private L1s are not advised if other L1s answer faster than L2") {
  const RunSpec spec = spec_of("remote_sharing");
  CHECK(turns(remedies("peer", spec, run_with({{"sm.served_by_cycles.peer", 10 * 201}})), "platform"));
  const Remedies fast = remedies("peer", spec, run_with({{"sm.served_by_cycles.peer", 10 * 199}}));
  CHECK(!turns(fast, "platform"));
  CHECK_THAT(text_of(fast.pointless), Contains("platform: other L1s answer faster than L2: in 199 cycles instead of 200"));
}

TEST_CASE("advice: what other L1s supplied is a gain, what they held and did not supply a chance, and the design says what can be done") {
  const auto said = [](const RunSpec& spec) { return findings("l2", spec, run_with()); };
  // Another L1 held 50 of the missed lines, and 40 of them were supplied.
  const char* const kChance = "40 % of the L1s' misses are to lines that another L1 holds but does not supply";
  const char* const kGain = "L1s other than the SM's own answered 10 % of the loads.";
  const char* const kDesigns = "; a design that shares L1s (remote_sharing, shared_l1, dc_l1, ata) could answer them instead of L2.";
  for (const char* alone :
       {"private", "remote_sharing/baseline", "shared_l1/baseline", "dc_l1/cdxbar", "ciao/ciao_c", "loscache/adaptive", "morpheus/all"}) {
    INFO(alone);
    CHECK_THAT(said(spec_of(alone)), Contains(std::string(kChance) + kDesigns));
  }
  const std::pair<const char*, unsigned> kSharing[] = {{"ata/ata", 10},
                                                       {"ata+loscache@80sm_common", 10},
                                                       {"remote_sharing/rp_5_2_05", 6},
                                                       {"remote_sharing/pp", 28},
                                                       {"remote_sharing/la_llc", 28},
                                                       {"remote_sharing/ccn_ring", 28},
                                                       {"shared_l1/shared", 28},
                                                       {"shared_l1/dyn_eb", 28},
                                                       {"dc_l1/sh40_c10", 8},
                                                       {"dc_l1/pr40", 2},
                                                       {"dc_l1/sh40", 80}};
  for (const auto& [sharing, sms] : kSharing) {
    INFO(sharing);
    const std::string text = said(spec_of(sharing));
    CHECK_THAT(text,
               Contains(kGain) && Contains(std::string(kChance) + ": the L1s of " + std::to_string(sms) + " SMs supply each other.\n"));
    CHECK_THAT(text, !Contains("a design that shares"));
  }
  // If every line held by another L1 was supplied, there is no advice.
  Json all = run_with();
  all["tables"]["replication"]["rows"] = Json::array({{100, 50, 0}});
  CHECK_THAT(findings("l2", spec_of("ata/ata"), all), Contains(kGain) && !Contains("does not supply"));
  CHECK(!turns(remedies("l2", spec_of("ata/ata"), all), "ata.cluster_size"));
}

TEST_CASE("advice: L1s that miss what others hold are to supply more of each other, as far as the design goes") {
  const auto wider = [](const std::string& config, const std::vector<std::string>& settings = {}) {
    const GpuParams params = load_configuration(config, settings, "").params;
    const Json result = run_with();
    const SharesL1s::Reach reach = Evidence(result, params).reach();
    return reach.wider_key + (reach.wider_key.empty() ? "" : "=") + reach.wider_value;
  };
  CHECK(wider("private").empty());
  CHECK(wider("ata/ata") == "ata.cluster_size=15");
  CHECK(wider("ata/ata", {"ata.cluster_size=15"}).empty());
  CHECK(wider("cluster/ata").empty());
  CHECK(wider("cluster/ata", {"ata.cluster_size=2"}) == "ata.cluster_size=gpc");
  CHECK(wider("cluster/shared_l1", {"shared_l1.group_sms=2"}) == "shared_l1.group_sms=gpc");
  CHECK(wider("cluster/dc_l1").empty());
  CHECK(wider("cluster/dc_l1", {"dc_l1.clusters=66"}) == "dc_l1.clusters=gpc");
  CHECK(wider("cluster/direct", {"remote_sharing.cluster_sms=2"}) == "remote_sharing.cluster_sms=gpc");
  CHECK(wider("dc_l1/sh40_c10") == "dc_l1.clusters=5");
  CHECK(wider("dc_l1/sh40_c5") == "dc_l1.clusters=1");
  CHECK(wider("dc_l1/sh40").empty());
  CHECK(wider("dc_l1/cdxbar") == "dc_l1.l1_at=nodes");
  CHECK(wider("shared_l1/shared").empty());
  CHECK(wider("shared_l1/dyn_eb") == "shared_l1.organisation=shared");
  CHECK(wider("remote_sharing/baseline") == "remote_sharing.scheme=probe");
  CHECK(wider("remote_sharing/pp").empty());
  CHECK(wider("remote_sharing/la_llc").empty());
  CHECK(wider("remote_sharing/rp_5_2_05") == "remote_sharing.coverage=10");
  CHECK(wider("remote_sharing/rp_27_1_1").empty());
}

TEST_CASE(
    "advice: every key that explain prints of a run of each design passes check, and its misses held elsewhere are those of all L1s") {
  const TemporaryFolder folder;
  for (const char* config : {"private", "remote_sharing/baseline", "remote_sharing/pp", "remote_sharing/la_llc", "remote_sharing/rp_5_2_05",
                             "remote_sharing/ccn_ring", "shared_l1/shared", "shared_l1/dyn_eb", "dc_l1/sh40_c10_boost", "dc_l1/cdxbar",
                             "ata/ata", "ciao/ciao_t", "ciao/ciao_c", "ciao/ccws", "loscache/adaptive", "morpheus/all",
                             "ata+loscache@80sm_common", "shared_l1@48sm_8x8", "gpus/28sm_mesh"}) {
    CAPTURE(config);
    REQUIRE(wharf(folder, {"run", config, "--stimulus", "bfs@tiny", "--explain", "--quiet", "--out", "run"}).exit_code == 0);
    const auto result = read_json(folder / "run/result.json");
    const auto& row = result["tables"]["replication"]["rows"][0];
    CHECK(row[1] == result["run"]["l1.load.misses_held_elsewhere"]);
    CHECK(row[1] <= row[0]);
    CHECK(row[2] <= row[1]);
    const Ended ended = wharf(folder, {"explain", "run", "--json", "--quiet"});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    for (const auto& diagnosis : nlohmann::json::parse(ended.output)["runs"][0]["diagnoses"]) {
      const std::string key = diagnosis["key"], then = diagnosis["then"];
      CAPTURE(diagnosis["cause"].get<std::string>(), key, then);
      if (key.empty()) {
        CHECK(diagnosis["pointless"].size() > 0);
        continue;
      }
      CHECK_THAT(diagnosis["command"].get<std::string>(), Catch::EndsWith(" --set " + key + "=" + then));
      CHECK(wharf(folder, {"check", config, "--set", key + "=" + then}).exit_code == 0);
    }
  }
}

}  // namespace
}  // namespace wharf::cli
