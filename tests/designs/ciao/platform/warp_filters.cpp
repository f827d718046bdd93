// Warp filters that use lost lines (ciao), on whole GPUs.

#include <algorithm>
#include <catch2/catch.hpp>

#include "model/base/rng.h"
#include "platforms/cli/stimuli.h"
#include "tests/platform/machines/apart.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {
namespace {

using Settings = std::vector<std::string>;

Settings operator+(const Settings& a, const Settings& b) { return layered(a, b); }

/// Settings that make each filter act often in a short run.
Settings eager(const std::string& filter) {
  Settings settings = {"sm.warp_filter=" + filter};
  if (filter == "swl" || filter == "statpcal") settings = settings + Settings{"sm.swl_limit=3"};
  if (filter == "statpcal") settings = settings + Settings{"sm.pcal.window=64"};
  if (filter == "ccws") settings = settings + Settings{"sm.ccws.k=200"};
  if (filter.rfind("ciao_", 0) == 0)
    settings = settings + Settings{"sm.ciao.low_epoch=20", "sm.ciao.high_epoch=40",    "sm.ciao.high=0.001",          "sm.ciao.low=0.001",
                                   "sm.ciao.max_act=2",    "sm.ciao.irs_window=epoch", "sm.ciao.empty_on_action=true"};
  return settings;
}
const char* const kFilters[] = {"swl", "predictor_cta", "ccws", "statpcal", "ciao_p", "ciao_t", "ciao_c"};

const Settings kFew = {"sms=4", "sm.warps=24", "sm.ctas=6", "l1.capacity_kib=2", "l2.slice_kib=4", "watchdog.interval_cycles=40000"};
const Settings kPrediction = {"l2.line_policy=loscache", "sm.prediction.scheme=adaptive", "sm.prediction.period_accesses=10"};

Outcome run(const std::string& configuration, const Settings& settings, const std::vector<ScriptedKernel>& kernels, bool scramble = false) {
  RunOptions options = checked();
  options.scramble = scramble;
  Outcome outcome = run_apart(machine(configuration, settings), kernels, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

/// Checks that the result is the same in any order of the blocks.
Outcome soak(const std::string& configuration, const Settings& settings, const std::vector<ScriptedKernel>& kernels) {
  CAPTURE(configuration, settings);
  const Outcome outcome = run(configuration, settings, kernels);
  CHECK((run(configuration, settings, kernels, true).bytes() == outcome.bytes()));
  return outcome;
}

/// CTAs whose warps meet at barriers after loads of lines that all of them need. A stalled warp can hold them up.
std::vector<ScriptedKernel> barriers(std::uint64_t seed, int ctas = 40, std::uint64_t lines = 200) {
  Rng rng(seed);
  std::vector<ScriptedKernel> kernels(2);
  for (ScriptedKernel& kernel : kernels) {
    kernel.warps_per_cta = 1 + static_cast<std::uint32_t>(rng.below(6));
    kernel.shared_bytes = static_cast<std::uint32_t>(1024 * rng.below(8));
    for (int cta = 0; cta < ctas; ++cta) {
      const auto rounds = 1 + rng.below(4);
      Warps warps;
      for (unsigned w = 0; w < kernel.warps_per_cta; ++w) {
        Instructions instructions;
        for (std::uint64_t round = 0; round < rounds; ++round) {
          for (std::uint64_t i = rng.below(25); i != 0; --i) {
            const RegisterId destination = static_cast<RegisterId>(1 + rng.below(4));
            if (rng.chance(0.5))
              instructions.push_back(load(rng.below(lines) * kLineBytes, destination, 1, kAllLanes));
            else if (rng.chance(0.2))
              instructions.push_back(store(rng.below(lines) * kLineBytes, 1, kAllLanes));
            else
              instructions.push_back(compute(Unit::alu, destination, 2));
          }
          instructions.push_back(barrier());
        }
        warps.push_back(std::move(instructions));
      }
      kernel.ctas.push_back(std::move(warps));
    }
  }
  return kernels;
}

/// Metrics of `one` with another value in `other`. Additional metrics of `other` are ignored.
Settings differences(const Outcome& one, const Outcome& other) {
  Settings names;
  for (const auto& [name, value] : one.result.at("run").items())
    if (other.result.at("run").at(name) != value) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("every warp filter gives correct data, and one result, on the GPU of ciao under random traffic") {
  for (const char* filter : kFilters) {
    const Settings prediction = std::string(filter) == "predictor_cta" ? kPrediction : Settings{};
    const Outcome outcome = soak("gpus/fermi_15sm", kFew + eager(filter) + prediction, random_traffic(5, {2, 24, 4, 60, 6, 300, 3, true}));
    CHECK(outcome.result["partial"] == false);
  }
}

TEST_CASE("lines are lost, warps are isolated and stalled, and it is undone") {
  const auto kernels = barriers(3);
  const Outcome gto = run("gpus/fermi_15sm", kFew + Settings{"sm.interference.passive=true"}, kernels);
  CHECK(gto.run("sm.interference.hits") > 100);
  CHECK(gto.run("sm.filter.stalled_cycles") == 0);
  CHECK(gto.result.at("tables").at("interference").at("rows").size() > 10);
  const Outcome p = run("gpus/fermi_15sm", kFew + eager("ciao_p"), kernels), t = run("gpus/fermi_15sm", kFew + eager("ciao_t"), kernels),
                c = run("gpus/fermi_15sm", kFew + eager("ciao_c"), kernels);
  CHECK(t.run("sm.filter.isolations") == 0);
  CHECK(t.run("sm.filter.stalls") > 10);
  CHECK(t.run("sm.filter.undos") > 10);
  CHECK(t.run("sm.filter.stalled_cycles") > 0);
  CHECK(p.run("sm.filter.stalls") == 0);
  for (const Outcome* isolating : {&p, &c}) {
    CHECK(isolating->run("sm.filter.isolations") > 10);
    CHECK(isolating->run("sm.filter.isolated_cycles") > 0);
    CHECK(isolating->run("l1.shared_memory_cache.hits") > 0);
  }
  CHECK(run("gpus/fermi_15sm", kFew + eager("ccws"), kernels).run("sm.filter.stalled_cycles") > 0);
}

TEST_CASE("CIAO whose thresholds never fire is GTO, byte for byte") {
  const auto kernels = barriers(7);
  const Outcome gto = run("gpus/fermi_15sm", kFew + Settings{"sm.interference.passive=true"}, kernels);
  CHECK(gto.run("sm.interference.hits") > 0);
  for (const char* mode : {"ciao_p", "ciao_t", "ciao_c"}) {
    const Settings never = {std::string("sm.warp_filter=") + mode, "sm.ciao.high=1e9", "energy.extras.ciao_mw=0"};
    const Outcome ciao = run("gpus/fermi_15sm", kFew + never, kernels);
    CHECK(differences(gto, ciao) == Settings{});
    if (std::string(mode) == "ciao_t")
      CHECK((ciao.csv == gto.csv));
    else
      CHECK(ciao.run("l1.shared_memory_cache.loads") == 0);
  }
  // Measuring changes nothing but its own metrics.
  CHECK(differences(run("gpus/fermi_15sm", kFew, kernels), gto) ==
        Settings{"active_warps"});  // which counts whole CTAs if no filter counts warps
}

TEST_CASE("barriers and total stalling never stop an SM") {
  std::uint64_t forced = 0, stalls = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    for (const char* mode : {"ciao_t", "ciao_c"}) {
      for (const Settings& more : {Settings{"sm.ciao.high=0", "sm.ciao.low=0", "sm.ciao.max_act=64"},
                                   Settings{"sm.ciao.exam=front_only", "sm.ciao.irs_window=kernel", "sm.ciao.empty_on_action=false"}}) {
        Settings settings = kFew + eager(mode);
        if (more.front() == "sm.ciao.exam=front_only")
          settings.erase(std::remove(settings.begin(), settings.end(), "sm.ciao.max_act=2"), settings.end());
        const Outcome outcome = run("gpus/fermi_15sm", settings + more, barriers(seed));
        forced += outcome.run("sm.filter.forced_reactivations");
        stalls += outcome.run("sm.filter.stalls");
      }
    }
    soak("gpus/fermi_15sm", kFew + eager("ccws"), barriers(seed));
  }
  CHECK(stalls > 500);
  CHECK(forced > 50);
}

TEST_CASE("warp filters that use lost lines work with every organisation of L1 caches") {
  const Settings small = {"l1.capacity_kib=4", "l1.ways=4"}, many_tags = {"sm.interference.victim_ways=32"};
  const Settings few_nodes = small + Settings{"sms=8", "dc_l1.nodes=4", "dc_l1.clusters=2"};
  const std::vector<std::pair<const char*, Settings>> machines = {{"private", small + Settings{"sms=8"}},
                                                                  {"private_single_l1", {"l1.capacity_kib=1", "l1.ways=8", "sms=8"}},
                                                                  {"gpus/28sm_mesh", small},
                                                                  {"shared_l1", small},
                                                                  {"shared_l1/shared", {"l1.capacity_kib=1", "l1.ways=8"}},
                                                                  {"dc_l1", few_nodes},
                                                                  {"dc_l1/cdxbar", few_nodes},
                                                                  {"remote_sharing", small},
                                                                  {"ata", {"l1.capacity_kib=4", "l1.ways=32", "sm.unified_kib=0"}},
                                                                  {"morpheus", {}}};
  for (const auto& [machine, l1] : machines)
    for (const char* filter : {"ccws", "ciao_t", "ciao_c", "statpcal"}) {
      if (std::string(machine) == "private_single_l1" && std::string(filter) == "ciao_c") continue;  // no SM has a shared-memory cache
      const bool asks = std::string(filter) != "statpcal";
      const Outcome outcome = soak(machine, l1 + eager(filter) + (asks ? many_tags : Settings{}), barriers(2, 100, 300));
      if (!asks || l1.empty()) continue;
      CHECK(outcome.run("sm.interference.evictions") > 0);
      CHECK(outcome.run("sm.interference.hits") > 0);
    }
}

TEST_CASE("the predictor CTA has priority with any filter, and predictor_cta does nothing else") {
  const auto kernels = barriers(4);
  const Outcome alone = run("gpus/fermi_15sm", kFew + kPrediction + Settings{"sm.warp_filter=predictor_cta"}, kernels);
  const Outcome priority = run("gpus/fermi_15sm", kFew + kPrediction + Settings{"sm.prediction.priority=true"}, kernels);
  CHECK((alone.bytes() == priority.bytes()));
  const Outcome neither = run("gpus/fermi_15sm", kFew + kPrediction, kernels);
  CHECK(neither.run("run.core_cycles") != alone.run("run.core_cycles"));
  for (const char* filter : {"ciao_t", "ciao_c", "ccws", "statpcal"})
    soak("gpus/fermi_15sm", kFew + kPrediction + eager(filter) + Settings{"sm.prediction.priority=true"}, kernels);
}

TEST_CASE("a filter's parameters are refused where they contradict each other, or where the filter is not chosen") {
  const auto refused = [](const Settings& settings, const std::string& text) {
    CHECK_THROWS_WITH(machine("gpus/fermi_15sm", settings), Catch::Contains(text));
  };
  const Settings ciao = {"sm.warp_filter=ciao_c"};
  refused(ciao + Settings{"sm.ciao.high_epoch=5050"}, "sm.ciao.high_epoch does not end where a low_epoch does");
  refused(ciao + Settings{"sm.ciao.low=0.02"}, "sm.ciao.low is above high");
  refused(ciao + Settings{"sm.ciao.exam=front_only", "sm.ciao.max_act=2"}, "sm.ciao.max_act has no effect because exam is front_only");
  refused(ciao + Settings{"sm.ciao.exam=front_only", "sm.ciao.max_undo=2"}, "sm.ciao.max_undo has no effect because exam is front_only");
  refused(ciao + Settings{"sm.ciao.exam=front_only", "sm.ciao.act_once=true"}, "sm.ciao.act_once has no effect because exam is front_only");
  refused(ciao + Settings{"l1.shared_memory_cache.placement=xor"}, "write one of plain, hash, fold");
  refused({"sm.warp_filter=ciao_t", "l1.shared_memory_cache.placement=hash"},
          "l1.shared_memory_cache.placement has no effect because no warp is isolated and shared_memory_cache.use is not always");
  refused({"sm.warp_filter=statpcal", "sm.pcal.utilisation=most"}, "write one of mean, busiest");
  refused(ciao + Settings{"sm.interference.victim_sets=3"}, "sm.interference.victim_sets is not a power of two");
  refused(ciao + Settings{"sm.swl_limit=2"}, "sm.swl_limit has no effect because sm.warp_filter is neither swl nor statpcal");
  refused({"sm.warp_filter=statpcal", "sm.pcal.low=0.95"}, "sm.pcal.low is above high");
  refused({"sm.ciao.high=0.1"}, "sm.ciao has no effect because sm.warp_filter is not one of CIAO's");
  refused({"sm.ccws.k=9"}, "sm.ccws has no effect because sm.warp_filter is not ccws");
  refused({"sm.pcal.step=9"}, "sm.pcal has no effect because sm.warp_filter is not statpcal");
  refused({"sm.interference.count_stores=true"},
          "sm.interference.count_stores has no effect because sm.warp_filter does not ask for lost lines");
  refused({"sm.interference.victim_ways=4"},
          "sm.interference.victim_ways has no effect because sm.warp_filter does not ask for lost lines");
  refused({"sm.prediction.priority=true"}, "sm.prediction.priority has no effect because sm.prediction.scheme is none");
}

TEST_CASE("kernels with barriers run to their results under every warp filter of the chapter") {
  for (const char* filter : {"ccws", "statpcal", "ciao_p", "ciao_t", "ciao_c"})
    for (const char* stimulus : {"backprop@tiny", "hotspot@tiny", "nw@tiny", "kmeans@tiny"}) {
      CAPTURE(filter, stimulus);
      const Outcome outcome = run_apart(
          machine("gpus/fermi_15sm", eager(filter)), [&] { return cli::open_named_stimulus(stimulus, 1); }, checked());
      INFO(outcome.failure);
      CHECK(outcome.end == End::done);
    }
}

}  // namespace wharf::test
