// `wharf run --sample`: estimates beside a whole run, and refusals.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "platforms/cli/runs/sampling.h"
#include "platforms/inputs/files.h"
#include "stimuli/catalogue.h"
#include "stimuli/sampling/launch_census.h"
#include "test_paths.h"
#include "tests/cli/runs/sampled_run.h"

namespace wharf::cli {

using Catch::Contains;

TEST_CASE("if every launch is measured, the estimates are the counts of the whole run, without an interval") {
  const TemporaryFolder folder;
  const Json whole = run(folder, {})["run"], sampled = run(folder, {"--sample", "31"})["sampled"];
  CHECK(sampled["launches"] == 62);
  CHECK(sampled["measured_launches"] == 62);
  REQUIRE(sampled["metrics"].size() > 100);
  for (const auto& [name, metric] : sampled["metrics"].items()) {
    INFO(name);
    if (name != "time_ns") CHECK(value(metric, "estimate") == whole[name].get<double>());
    if (!metric.contains("low")) continue;
    CHECK(metric["low"] == metric["estimate"]);
    CHECK(metric["high"] == metric["estimate"]);
  }
  CHECK(value(sampled["metrics"]["time_ns"], "estimate") == Approx(whole["time_ns"].get<double>()));
}

TEST_CASE("a sampled result has no place where a reader looks for a measured one") {
  const TemporaryFolder folder;
  const Json result = run(folder, {"--sample", "2"});
  for (const char* measured : {"run", "windows", "tables"}) CHECK_FALSE(result.contains(measured));
  CHECK(result["inputs"]["sample"] == 2);
  CHECK(result["partial"] == false);
  const Json& sampled = result["sampled"];
  CHECK(sampled["confidence"] == 0.95);
  CHECK(sampled["size_unit"] == "warp instructions");
  CHECK(sampled["size"] == 53560);
  CHECK(sampled["detailed_size"].get<std::uint64_t>() < 53560 / 2);
  CHECK(result["kernels"].size() == sampled["detailed_launches"]);
  std::uint64_t measured = 0, launches = 0;
  for (const Json& kernel : result["kernels"]) measured += kernel["measured"].get<bool>() ? 1 : 0;
  for (const Json& group : sampled["groups"]) launches += group["launches"].get<std::uint64_t>();
  CHECK(sampled["measured_launches"] == measured);
  CHECK(launches == 62);
  CHECK_THAT(read_file(folder / "o/stats.csv"), Contains("metric,unit,estimate,low,high\n"));
}

TEST_CASE("sizes are those that were executed, where launches were grouped by some of their CTAs") {
  const char* const program = "gaussian:n=192";  // whose launches have 144 CTAs, with more and less to do
  const auto total = [](const std::vector<LaunchFacts>& launches) {
    std::uint64_t size = 0;
    for (const LaunchFacts& launch : launches) size += launch.size;
    return size;
  };
  const auto quiet = [](std::size_t) {};
  const auto whole = [](const KernelLaunch&) { return 0; };
  const std::vector<LaunchFacts> launches = launches_of_functional_run(*make_stimulus(program, 1), quiet, whole);
  const std::uint64_t executed = total(launches);
  CHECK(total(launches_of_some_ctas(*make_stimulus(program, 1), quiet, whole).value()) != executed);
  const TemporaryFolder folder;
  const Json sampled = run(folder, {"--sample", "2"}, program)["sampled"];
  CHECK(sampled["size"] == executed);
  CHECK(value(sampled["metrics"]["warp_instructions"], "estimate") == Approx(executed));
  std::uint64_t ctas = 0;
  for (const LaunchFacts& launch : launches) ctas += launch.grid.count();
  for (const char* which : {"estimate", "low", "high"}) {
    CHECK(sampled["metrics"]["front_end.kernels"][which] == launches.size());
    for (const char* of_ctas : {"front_end.ctas", "sm.ctas"}) CHECK(sampled["metrics"][of_ctas][which] == ctas);
  }
}

TEST_CASE("metrics of launches and of the contents of L2 have intervals") {
  const TemporaryFolder folder;
  const Json metrics = run(folder, {"--sample", "2"})["sampled"]["metrics"];
  for (const char* of_launch :
       {"cycles", "thread_instructions", "sm.warp_instructions", "l1.load.hits", "front_end.ctas", "sm.ctas", "run.core_cycles", "l2.hits",
        "ipc", "round_trip", "l1.hit_rate_sectors", "l2.miss_rate", "energy.l1", "energy.extras", "l2.misses", "dram.reads"}) {
    INFO(of_launch);
    CHECK(metrics[of_launch].size() == 3);
    CHECK(value(metrics[of_launch], "low") <= value(metrics[of_launch], "estimate"));
    CHECK(value(metrics[of_launch], "estimate") <= value(metrics[of_launch], "high"));
  }
}

TEST_CASE("sums over samples in time, and what is computed from them, have no estimate") {
  const TemporaryFolder folder;
  const Json whole = run(folder, {}), metrics = run(folder, {"--sample", "2"})["sampled"]["metrics"];
  for (const char* sampled : {"directory.copies_sampled", "directory.samples", "replicas", "replicated_lines"}) {
    INFO(sampled);
    CHECK(whole["run"].contains(sampled));
    CHECK_FALSE(metrics.contains(sampled));
    CHECK_THAT(read_file(folder / "o/stats.csv"), !Contains(sampled));
  }
  CHECK(metrics.contains("inter_core_locality"));
}

TEST_CASE("skipped launches warm L2, so its misses and the DRAM traffic are those of the whole run") {
  const TemporaryFolder folder;
  // 3dconv's arrays do not fit in these slices, so lines are written back; one launch fits, so the order within it does not matter.
  for (const char* stimulus : {"gaussian@tiny", "3dconv@tiny"})
    for (const bool sectors : {false, true})
      for (const char* seed : {"1", "2"}) {
        INFO(stimulus << ' ' << sectors << ' ' << seed);
        std::vector<std::string> machine = {"--set", "l2.slice_kib=16", "--seed", seed, "--verify"};
        if (sectors)
          machine.insert(machine.end(), {"--set", "transaction=sector", "--set", "l1.sectored=true", "--set", "l2.sectored=true", "--set",
                                         "l1.store_hit=update"});
        const Json whole = run(folder, machine, stimulus)["run"];
        std::vector<std::string> sample = machine;
        sample.insert(sample.end(), {"--sample", "2"});
        const Json sampled = run(folder, sample, stimulus)["sampled"];
        CHECK(sampled["detailed_launches"] == sampled["measured_launches"]);
        CHECK(sampled["measured_launches"].get<int>() < sampled["launches"].get<int>());
        for (const char* traffic : {"l2.sectors.misses", "dram.reads", "dram.writes"}) {
          INFO(traffic);
          CHECK(value(sampled["metrics"][traffic], "estimate") == Approx(whole[traffic].get<double>()).epsilon(1e-9));
        }
      }
}

TEST_CASE("if skipped launches cannot warm L2, a launch in detail does, and the counters of L2 have no interval") {
  const TemporaryFolder folder;
  const Json sampled = run(folder, {"--sample", "2", "--set", "l2.line_policy=loscache", "--set", "sm.prediction.scheme=none"})["sampled"];
  CHECK(sampled["detailed_launches"].get<int>() > sampled["measured_launches"].get<int>());
  for (const char* metric : {"l2.misses", "dram.reads", "l2.hits"}) CHECK(sampled["metrics"][metric].size() == 1);
  const std::vector<std::string> policy = {"--set", "l2.line_policy=loscache", "--set", "sm.prediction.scheme=none"};
  CHECK(run(folder, with(kSmallMachine, policy), kLongLaunch)["sampled"]["launches_in_part"] == 0);
}

TEST_CASE("the summary and the tables of a sampled run say so") {
  const TemporaryFolder folder;
  const Ended text = wharf(folder, {"run", "private", "--stimulus", kProgram, "--sample", "2", "--out", "o"});
  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.output, Contains("sampled: ") && Contains(" of 62 launches ran in detail, with ") &&
                              Contains(" % of 53,560 warp instructions; ") && Contains("95 % interval, +-") &&
                              Contains("\ndram.sectors.reads ") && !Contains("ran whole"));
  const Ended all = wharf(folder, {"run", "private", "--stimulus", kProgram, "--sample", "31", "--out", "o"});
  CHECK_THAT(all.output, Contains("all launches ran whole, because too few are alike, or long enough to run in part"));
  const Ended csv = wharf(folder, {"run", "private", "--stimulus", kProgram, "--sample", "2", "--out", "o", "--format", "csv"});
  REQUIRE(csv.exit_code == 0);
  CHECK_THAT(csv.output, Contains("sampled\nmetric,estimate,\"95 % interval, +-\"\ncycles,"));
}

TEST_CASE("equal seeds give equal bytes, with scramble as well, and other seeds draw other launches") {
  const TemporaryFolder folder;
  const std::vector<std::string> sample = {"--sample", "2", "--seed", "5"};
  run(folder, sample);
  const std::string first = comparable_result(folder / "o");
  run(folder, {"--sample", "2", "--seed", "5", "--scramble"});
  CHECK(comparable_result(folder / "o") == first);
  const auto launches = [&](const char* seed) {
    std::set<std::uint64_t> numbers;
    const Json result = run(folder, {"--sample", "2", "--seed", seed});
    for (const Json& kernel : result["kernels"]) numbers.insert(kernel["launch"].get<std::uint64_t>());
    return numbers;
  };
  CHECK(launches("5") != launches("6"));
}

TEST_CASE("skipped launches leave the memory that the host expects, and no load is stale") {
  const TemporaryFolder folder;
  run(folder, {"--sample", "2", "--verify"});
  run(folder, {"--sample", "2", "--verify"}, "nw:n=256");
}

TEST_CASE("with --sample-error, more launches are drawn until the interval of cycles is as narrow as it says, or all are measured") {
  const TemporaryFolder folder, again;
  Json narrow = run(folder, {"--sample", "2", "--sample-error", "5%"});
  const Json cycles = narrow["sampled"]["metrics"]["cycles"];
  CHECK(value(cycles, "high") - value(cycles, "estimate") <= 0.05 * value(cycles, "estimate"));
  const auto drawn = narrow["inputs"]["sample"].get<std::uint64_t>();
  CHECK(drawn > 2);
  CHECK(narrow["sampled"]["measured_launches"].get<std::uint64_t>() < 62);
  CHECK_FALSE(std::filesystem::exists(folder / "o/larger_sample"));

  Json same = run(again, {"--sample", std::to_string(drawn)});
  for (Json* result : {&narrow, &same}) result->erase("host");
  CHECK(narrow == same);

  const Json all = run(folder, {"--sample", "2", "--sample-error", "0.0001"})["sampled"];
  CHECK(all["measured_launches"] == 62);
  CHECK(all["metrics"]["cycles"]["high"] == all["metrics"]["cycles"]["estimate"]);
}

TEST_CASE("a long launch runs in part, and its traffic and work are those of the whole launch") {
  const TemporaryFolder folder;
  for (const char* seed : {"1", "2"}) {
    const std::vector<std::string> machine = with({kSmallMachine.begin(), kSmallMachine.end() - 2}, {"--seed", seed, "--verify"});
    const Json whole = run(folder, machine, kLongLaunch)["run"];
    const Json result = run(folder, with(machine, {"--sample", "2"}), kLongLaunch), sampled = result["sampled"];
    CHECK(sampled["launches_in_part"] == 1);
    CHECK(sampled["detailed_size"].get<double>() < 0.4 * sampled["size"].get<double>());
    for (const char* work : {"warp_instructions", "thread_instructions"})
      CHECK(value(sampled["metrics"][work], "estimate") == Approx(whole[work].get<double>()).epsilon(1e-9));
    for (const char* traffic : {"l2.sectors.misses", "dram.reads"})
      CHECK(value(sampled["metrics"][traffic], "estimate") == Approx(whole[traffic].get<double>()).epsilon(0.002));
    CHECK(value(sampled["metrics"]["cycles"], "estimate") == Approx(whole["cycles"].get<double>()).epsilon(0.1));
    CHECK(value(sampled["metrics"]["cycles"], "low") < value(sampled["metrics"]["cycles"], "high"));
    const Json& spans = result["kernels"][0]["spans"];
    std::uint64_t cycles = 0, instructions = 0;
    for (const Json& span : spans["detailed"]) {
      cycles += span["cycles"].get<std::uint64_t>();
      instructions += span["warp_instructions"].get<std::uint64_t>();
    }
    CHECK(result["kernels"][0]["cycles"] == cycles);
    CHECK(result["kernels"][0]["warp_instructions"] == instructions);
  }
}

TEST_CASE("launches in part give equal bytes for equal seeds, also scrambled and ticking") {
  const TemporaryFolder folder;
  run(folder, kSmallMachine, kLongLaunch);
  const std::string first = comparable_result(folder / "o");
  for (const char* oracle : {"--scramble", "--ticking"}) {
    run(folder, with(kSmallMachine, {oracle}), kLongLaunch);
    CHECK(comparable_result(folder / "o") == first);
  }
}

TEST_CASE("with --sample-error, a launch in part gets more spans, and in the end runs whole") {
  const TemporaryFolder folder;
  const Json few = run(folder, kSmallMachine, kLongLaunch);
  const Json more = run(folder, with(kSmallMachine, {"--sample-error", "2%"}), kLongLaunch);
  const Json cycles = more["sampled"]["metrics"]["cycles"];
  CHECK(value(cycles, "high") - value(cycles, "estimate") <= 0.02 * value(cycles, "estimate"));
  CHECK(more["inputs"]["sample"].get<int>() > few["inputs"]["sample"].get<int>());
  const Json all = run(folder, with(kSmallMachine, {"--sample-error", "0.0001"}), kLongLaunch)["sampled"];
  CHECK(all["launches_in_part"] == 0);
  CHECK(all["metrics"]["cycles"]["high"] == all["metrics"]["cycles"]["estimate"]);
}

TEST_CASE("the next sample grows with the square of the excess, at most fourfold, and there is none after a good or partial one") {
  Json result = {{"partial", false},
                 {"inputs", {{"sample", 5}}},
                 {"sampled",
                  {{"launches", 101},
                   {"measured_launches", 6},
                   {"launches_in_part", 0},
                   {"metrics", {{"cycles", {{"estimate", 100.0}, {"high", 110.0}}}}}}}};
  CHECK(next_per_group(result, 0.05) == 20);  // (10 / 5)^2 * 5
  CHECK(next_per_group(result, 0.08) == 8);   // (10 / 8)^2 * 5 = 7.8
  CHECK(next_per_group(result, 0.099) == 6);  // 5.1, but at least one more
  CHECK(next_per_group(result, 0.01) == 20);  // at most four times as many
  CHECK(next_per_group(result, 0.1) == 0);
  result["sampled"]["measured_launches"] = 101;
  CHECK(next_per_group(result, 0.05) == 0);
  result["sampled"]["launches_in_part"] = 1;
  CHECK(next_per_group(result, 0.05) == 20);
  result["partial"] = true;
  CHECK(next_per_group(result, 0.05) == 0);
}

TEST_CASE("compare --sample-error draws as many of a stimulus on each machine as the widest interval needs") {
  const TemporaryFolder folder;
  const std::vector<std::string> compare = {"compare",  "private", "dc_l1/sh40",     "--stimuli", "gaussian@tiny,nn@tiny", "--out", "o",
                                            "--sample", "2",       "--sample-error", "4%"};
  const Ended ended = wharf(folder, compare);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  std::map<std::string, std::set<std::uint64_t>> drawn;  // by stimulus
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "o/runs")) {
    if (entry.path().filename() != "result.json") continue;
    const Json result = read_json(entry.path());
    const Json& cycles = result["sampled"]["metrics"]["cycles"];
    CHECK(value(cycles, "high") - value(cycles, "estimate") <= 0.04 * value(cycles, "estimate"));
    drawn[result["inputs"]["stimulus"].get<std::string>()].insert(result["inputs"]["sample"].get<std::uint64_t>());
  }
  REQUIRE(drawn.size() == 2);
  CHECK(drawn["gaussian@tiny"].size() == 1);
  CHECK(*drawn["gaussian@tiny"].begin() > 2);
  CHECK(drawn["nn@tiny"] == std::set<std::uint64_t>{2});  // one launch
  const Ended again = wharf(folder, compare);
  CHECK(again.exit_code == 0);
  const Ended alone = wharf(folder, {"compare", "private", "--stimuli", "nn@tiny", "--sample-error", "4%"});
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.output, Contains("--sample-error needs --sample, the number to begin with; add such as --sample 5"));
}

TEST_CASE("compare estimates each run from the same launches, and the speed-up of whole runs lies in its interval") {
  const TemporaryFolder folder;
  std::vector<std::string> compare = {"compare", "private", "dc_l1/sh40", "--stimuli", kProgram, "--out"};
  std::vector<std::string> whole = compare;
  whole.emplace_back("whole");
  REQUIRE(wharf(folder, whole).exit_code == 0);
  compare.insert(compare.end(), {"o", "--sample", "3"});
  const Ended ended = wharf(folder, compare);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("docs/howto-sample.md") && Contains("x +-0."));
  const Json run = read_json(folder / "o/compare.json")["runs"][1];
  const double speed_up = read_json(folder / "whole/compare.json")["runs"][1]["speed_up"].get<double>();
  CHECK(value(run, "speed_up_half_width") < 0.2);
  CHECK(value(run, "speed_up") == Approx(speed_up).margin(value(run, "speed_up_half_width")));
  for (const char* derived : {"ipc", "l1.miss_rate", "energy.total"}) CHECK(run["run"].contains(derived));
  CHECK_FALSE(run["run"].contains("l1.port_utilisation_max"));

  const Ended designs = wharf(folder, {"compare", "--stimuli", kProgram, "--sample", "3", "--out", "designs"});
  CHECK_THAT(designs.output, Contains("docs/howto-sample.md"));
  CHECK_THAT(read_file(folder / "designs/report.html"), Contains("All figures are estimates of a sample"));
  const Ended refused = wharf(folder, {"compare", "private", "--stimuli", kProgram, "--sample", "3", "--explain"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.output, Contains("issue slots are counted in whole runs; leave one of them out"));
}

TEST_CASE("a sweep with `sample` estimates its runs, and refuses what a sample cannot begin or end with") {
  const TemporaryFolder folder;
  write_file(folder / "s.yaml", "description: d\nconfigs: [private]\nstimuli: [gaussian@tiny]\nmetrics: [cycles]\nsample: 3\n");
  const Ended ended = wharf(folder, {"sweep", "s.yaml", "--out", "o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("Estimates of a sample"));
  const Json sweep = read_json(folder / "o/sweep.json"), estimate = sweep["runs"][0]["run"];
  CHECK(sweep["sample"] == 3);
  CHECK(value(estimate, "cycles") == value(run(folder, {"--sample", "3"})["sampled"]["metrics"]["cycles"], "estimate"));
  write_file(folder / "s.yaml", "description: d\nconfigs: [private]\nstimuli: [gaussian@tiny]\nsample: 1\nlimit_warp_instructions: 5\n");
  const Ended refused = wharf(folder, {"sweep", "s.yaml", "--out", "o"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.output, Contains("s.yaml:4:9: sample: ") && Contains("leave out limit_warp_instructions"));
}

TEST_CASE("a sweep with `sample_error` draws as many of a stimulus on each machine as the widest interval needs, and runs in one part") {
  const TemporaryFolder folder;
  const std::string head = "description: d\nconfigs: [private]\nvary: {l1.capacity_kib: [16, 64]}\nstimuli: [gaussian@tiny]\n";
  write_file(folder / "s.yaml", head + "metrics: [cycles]\nsample: 2\nsample_error: 4%\n");
  const Ended ended = wharf(folder, {"sweep", "s.yaml", "--out", "o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const Json sweep = read_json(folder / "o/sweep.json");
  CHECK(sweep["sample_error"] == 0.04);
  CHECK(sweep["runs"][0]["sample"].get<int>() > 2);
  CHECK(sweep["runs"][1]["sample"] == sweep["runs"][0]["sample"]);
  const Ended in_parts = wharf(folder, {"sweep", "s.yaml", "--out", "o", "--shard", "1/2"});
  CHECK(in_parts.exit_code == 2);
  CHECK_THAT(in_parts.output, Contains("leave out it or --shard"));
  write_file(folder / "s.yaml", head + "sample_error: 200%\n");
  const Ended refused = wharf(folder, {"sweep", "s.yaml", "--out", "o"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.output,
             Contains("s.yaml:5:15: sample_error: needs `sample`") && Contains("'200%' is not above 0 % and at most 100 %"));
}

TEST_CASE("a sampled trace reads the drawn kernels alone") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "t");
  std::string list;
  const std::string source = WHARF_SOURCE_DIR "/tests/data/accelsim/traces/bfs/";
  std::string kernel;
  for (const auto& entry : std::filesystem::directory_iterator(source))
    if (entry.path().filename().string().rfind("kernel-1.", 0) == 0) kernel = entry.path().filename().string();
  REQUIRE_FALSE(kernel.empty());
  for (int i = 1; i <= 12; ++i) {
    const std::string name = "kernel-" + std::to_string(i) + kernel.substr(kernel.find('.'));
    std::filesystem::copy_file(source + kernel, folder / ("t/" + name));
    list += name + "\n";
  }
  folder.file("t/kernelslist.g", list);
  const Json whole = run(folder, {}, "trace:t"), sampled = run(folder, {"--sample", "2"}, "trace:t");
  CHECK(sampled["sampled"]["size_unit"] == "bytes of kernel files");
  CHECK(sampled["sampled"]["launches"] == 12);
  CHECK(sampled["sampled"]["measured_launches"] == 3);
  CHECK(sampled["kernels"].size() < 12);
  CHECK(value(sampled["sampled"]["metrics"]["cycles"], "estimate") == Approx(whole["run"]["cycles"].get<double>()).epsilon(0.05));
  CHECK(value(sampled["sampled"]["metrics"]["warp_instructions"], "estimate") == Approx(whole["run"]["warp_instructions"].get<double>()));
}

TEST_CASE("compare gives the speed-up of sampled traces, and of launches in part, whose thread instructions are estimates") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"trace", "export", "--stimulus", "gaussian@tiny", "--out", "t"}).exit_code == 0);
  const auto speed_up = [&](const std::vector<std::string>& options, const std::string& stimulus) {
    const Ended ended = wharf(folder, with({"compare", "private", "private_16x_l1", "--stimuli", stimulus, "--out", "c"}, options));
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_json(folder / "c/compare.json")["runs"][1]["speed_up"];
  };
  const Json whole = speed_up({}, "trace:t"), sampled = speed_up({"--sample", "5"}, "trace:t");
  CHECK(sampled.get<double>() == Approx(whole.get<double>()).epsilon(0.05));
  CHECK(speed_up(kSmallMachine, kLongLaunch).is_number());
}

TEST_CASE("a long launch of a trace runs in part, with the estimates of the stimulus that was recorded, also with threads") {
  const TemporaryFolder folder;
  const Ended exported = wharf(folder, {"trace", "export", "--stimulus", kLongLaunch, "--out", "t"});
  INFO(exported.output);
  REQUIRE(exported.exit_code == 0);
  const std::vector<std::string> machine = with(kSmallMachine, {"--verify"});
  const Json recorded = run(folder, machine, kLongLaunch), traced = run(folder, machine, "trace:t");
  CHECK(traced["sampled"]["launches_in_part"] == 1);
  CHECK(traced["kernels"][0]["spans"] == recorded["kernels"][0]["spans"]);
  const Json &metrics = traced["sampled"]["metrics"], &expected = recorded["sampled"]["metrics"];
  CHECK(metrics["cycles"] == expected["cycles"]);
  for (const char* of_traffic : {"l2.sectors.misses", "dram.reads"}) CHECK(metrics[of_traffic].size() == 3);
  const std::string one_thread = comparable_result(folder / "o");
  const Json two = run(folder, with(machine, {"--threads", "2"}), "trace:t");
  CHECK(two["host"]["threads"] == 2);
  CHECK(comparable_result(folder / "o") == one_thread);
}

TEST_CASE("what cannot be sampled is refused with a remedy") {
  const TemporaryFolder folder;
  const auto refusal = [&](std::vector<std::string> options, const std::string& stimulus = kProgram) {
    std::vector<std::string> arguments = {"run", "private", "--stimulus", stimulus, "--out", "o", "--quiet", "--sample", "2"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Ended ended = wharf(folder, arguments);
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  const std::string whole = "it needs all launches in detail; leave one of them out";
  CHECK_THAT(refusal({"--save-at", "3", "f"}), Contains("--sample and --save-at: " + whole));
  CHECK_THAT(refusal({"--load", "f"}), Contains("--sample and --load: " + whole));
  CHECK_THAT(refusal({"--timeline", "t"}), Contains("--sample and --timeline: " + whole));
  CHECK_THAT(refusal({"--waves", "w"}), Contains("--sample and --waves: " + whole));
  CHECK_THAT(refusal({"--explain"}), Contains("--sample and --explain: " + whole));
  CHECK_THAT(refusal({"--accelsim-stats", "s"}), Contains("--sample and --accelsim-stats: " + whole));
  CHECK_THAT(refusal({"--limit-cycles", "9"}), Contains("--sample and --limit-cycles: an estimate is of a whole program"));
  CHECK_THAT(refusal({"--set", "front_end.concurrent_kernels=2"}), Contains("set front_end.concurrent_kernels=1"));
  CHECK_THAT(refusal({"--set", "data=bytes"}), Contains("set data=none"));
  const std::string trace = "trace:" WHARF_SOURCE_DIR "/tests/data/accelsim/traces/bfs";
  CHECK_THAT(refusal({}, trace + ":limit_warp_instructions=100"), Contains("leave out limit_warp_instructions"));
  CHECK_THAT(refusal({}, trace + ":3-7:warm"), Contains("leave out :warm"));
  CHECK_THAT(refusal({"--skip-bad-kernels"}, trace),
             Contains("--sample and --skip-bad-kernels: a sample needs the headers of all kernels"));
  for (const char* bad : {"0", "0%", "-2%", "101%", "%", "2 %", "nan", "two"}) {
    INFO(bad);
    CHECK_THAT(refusal({"--sample-error", bad}), Contains("is not above 0 % and at most 100 %; give such as 2%"));
  }
  const Ended alone = wharf(folder, {"run", "private", "--stimulus", kProgram, "--out", "o", "--sample-error", "2%"});
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.output, Contains("--sample-error needs --sample, the number to begin with; add such as --sample 5"));
  CHECK(wharf(folder, {"run", "private", "--stimulus", kProgram, "--sample", "1"}).exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(folder / "o/result.json"));
}

}  // namespace wharf::cli
