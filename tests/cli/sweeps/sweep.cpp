// `wharf sweep` from the user's view.

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <sstream>
#include <thread>

#include "model/base/config/named_files.h"
#include "platforms/cli/sweeps/sweep_spec.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "platforms/measure/interval_metrics.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

Ended sweep(const TemporaryFolder& folder, const std::string& text, const std::vector<std::string>& more = {}) {
  folder.file("s.yaml", text);
  std::vector<std::string> arguments = {"sweep", "s.yaml", "--out", "s"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return wharf(folder, arguments);
}

/// The sweep's message about the mistakes in the text.
std::string mistakes_in(const std::string& text) {
  const TemporaryFolder folder;
  const Ended ended = sweep(folder, text);
  CHECK(ended.exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(folder / "s"));  // nothing ran
  return ended.output;
}

/// The first `count` cells of each row of sweep.csv, without the heading.
std::vector<std::string> rows_of(const TemporaryFolder& folder, std::size_t count) {
  std::istringstream csv(read_file(folder / "s/sweep.csv"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(csv, line);) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < count; ++i) end = line.find(',', end) + 1;
    rows.push_back(line.substr(0, end - 1));
  }
  rows.erase(rows.begin());
  return rows;
}

TEST_CASE("vary makes every combination and zip takes its lists in step") {
  const TemporaryFolder folder;
  const Ended ended = sweep(folder,
                            "configs: private\nstimuli: [vectoradd@tiny]\nvary: {l1.ways: [4, 8], l1.capacity_kib: [16, 64]}\n"
                            "zip: {l1.tag_cycles: [1, 4], l1.data_cycles: [2, 3]}\nmetrics: [cycles]\n");
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("8 runs"));
  CHECK(rows_of(folder, 6) == std::vector<std::string>{"private,4,16,1,2,vectoradd@tiny", "private,4,16,4,3,vectoradd@tiny",
                                                       "private,4,64,1,2,vectoradd@tiny", "private,4,64,4,3,vectoradd@tiny",
                                                       "private,8,16,1,2,vectoradd@tiny", "private,8,16,4,3,vectoradd@tiny",
                                                       "private,8,64,1,2,vectoradd@tiny", "private,8,64,4,3,vectoradd@tiny"});
  const auto json = read_json(folder / "s/sweep.json");
  CHECK(json["runs"][5]["set"] ==
        nlohmann::ordered_json({{"l1.ways", "8"}, {"l1.capacity_kib", "16"}, {"l1.tag_cycles", "4"}, {"l1.data_cycles", "3"}}));
  CHECK_THAT(read_file(folder / "s/runs/private,l1.ways=8,l1.capacity_kib=16,l1.tag_cycles=4,l1.data_cycles=3/vectoradd@tiny/config.yaml"),
             Contains("tag_cycles: 4"));
}

TEST_CASE("a sweep runs its points by name, and each of them is a configuration for run and compare too") {
  const TemporaryFolder folder;
  const Ended ended =
      sweep(folder,
            "configs: [private]\nstimuli: [vectoradd@tiny]\nmetrics: [cycles]\n"
            "points: [{name: big, set: {l1.capacity_kib: 64}}, {name: slow, extends: 's.yaml:big', set: {l1.tag_cycles: 2}}]\n");
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK(rows_of(folder, 2) ==
        std::vector<std::string>{"private,vectoradd@tiny", "s.yaml:big,vectoradd@tiny", "s.yaml:slow,vectoradd@tiny"});
  const Ended compared = wharf(folder, {"compare", "s.yaml:slow", "--baseline", "s.yaml:big", "--stimuli", "vectoradd@tiny", "--out", "s"});
  INFO(compared.output);
  CHECK(compared.exit_code == 0);
  CHECK_THAT(compared.output, Contains("2 are finished already"));
  REQUIRE(wharf(folder, {"run", "s.yaml:slow", "--stimulus", "vectoradd@tiny", "--out", "point"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--set", "l1.capacity_kib=64", "--set", "l1.tag_cycles=2", "--stimulus", "vectoradd@tiny",
                         "--out", "set"})
              .exit_code == 0);
  CHECK(read_file(folder / "point/stats.csv") == read_file(folder / "set/stats.csv"));
  CHECK(read_json(folder / "point/result.json")["inputs"]["config_hash"] == read_json(folder / "set/result.json")["inputs"]["config_hash"]);
}

TEST_CASE("a point's published figures stand beside what it measures, in the table and in the JSON") {
  const TemporaryFolder folder;
  const Ended ended = sweep(folder,
                            "stimuli: [vectoradd@tiny]\nmetrics: [cycles, ipc]\npoints:\n"
                            "  - {name: two, extends: private, set: {l1.ways: 2}, published: {cycles: 1000}}\n"
                            "  - {name: four, extends: private, set: {l1.ways: 4}}\n");
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("s.yaml:two") && Contains("(1000, ") && Contains(" %)"));
  const Json runs = read_json(folder / "s/sweep.json")["runs"];
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["published_metrics"] == Json({{"cycles", 1000.0}}));
  CHECK_FALSE(runs[1].contains("published_metrics"));
}

TEST_CASE("published figures without a metric, a number or a single run to compare with are refused with their place") {
  const std::string head = "stimuli: [vectoradd@tiny]\nmetrics: [cycles]\n",
                    two = "stimuli: [vectoradd@tiny, gemm@tiny]\nmetrics: [cycles]\n";
  const auto point = [](const char* published) {
    return std::string("points: [{name: a, extends: private, published: {") + published + "}}]\n";
  };
  CHECK_THAT(mistakes_in(head + point("cycle: 3")),
             Contains("s.yaml:3:") && Contains("'cycle' is not among the sweep's metrics; they are cycles"));
  CHECK_THAT(mistakes_in(head + point("cycles: many")), Contains("s.yaml:3:") && Contains("is not a number"));
  CHECK_THAT(mistakes_in(two + point("cycles: 3")), Contains("s.yaml:3:") && Contains("needs a sweep of one stimulus"));
  CHECK_THAT(mistakes_in(head + "vary: {l1.ways: [2, 4]}\n" + point("cycles: 3")), Contains("varies nothing else"));
}

TEST_CASE("all mistakes of a sweep's points are reported at once, each with its place") {
  const std::string said = mistakes_in(
      "points:\n  - {name: a, extends: privat}\n  - {name: b}\n  - {name: c, extends: private, set: {l1.wayz: 4}}\nstimuli: "
      "gemm@tiny\n");
  CHECK_THAT(said, Contains("s.yaml:2:24: extends: there is no configuration 'privat'; did you mean 'private'?"));
  CHECK_THAT(said, Contains("s.yaml:3:5: points: 'b' does not say which configuration it extends"));
  CHECK_THAT(said, Contains("s.yaml:4:39: l1.wayz: unknown key; did you mean 'ways'?"));
  CHECK_THAT(mistakes_in("points: []\nstimuli: gemm@tiny\n"), Contains("s.yaml:1:1: points: must be a list of 1 to 256 points"));
}

TEST_CASE("every sweep of a design reads as it stands, points and all") {
  const TemporaryFolder folder;
  const std::vector<std::string> names = config::sweep_names(configuration_root());
  REQUIRE(names.size() >= 10);
  for (const std::string& name : names) {
    INFO(name);
    const SweepSpec spec = read_sweep(name);
    CHECK_FALSE(spec.stimuli.empty());
    CHECK(std::any_of(spec.lines.begin(), spec.lines.end(), [&](const SweepLine& line) { return line.config.rfind(name + ':', 0) == 0; }));
  }
  CHECK_THAT(wharf(folder, {"sweep", "remote_sharing/coverag"}).output,
             Contains("unknown sweep") && Contains("did you mean 'remote_sharing/coverage'?"));
  CHECK_THAT(wharf(folder, {"sweep", "nothing_alike"}).output, Contains("give a path that ends in .yaml, or one of ata/latency, "));
}

TEST_CASE("a search keeps the best run of each stimulus, and of equals the one that its tie rule names") {
  const TemporaryFolder folder;
  // vectoradd loads each line once, so its time does not depend on the capacity.
  const Ended ended = sweep(folder,
                            "configs: private\nstimuli: [vectoradd@tiny]\nmetrics: [ipc]\nsearch:\n"
                            "  - {name: early, key: l1.capacity_kib, values: [32, 16, 64], objective: max ipc, tie: first}\n"
                            "  - {name: late, key: l1.capacity_kib, values: [32, 16, 64], objective: max ipc, tie: last}\n"
                            "  - {name: fast, key: l1.mshr_entries, values: [2, 32, 1], objective: min time_ns}\n"
                            "  - {name: slow, key: l1.mshr_entries, values: [2, 32, 1], objective: max cycles}\n");
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK(rows_of(folder, 6) == std::vector<std::string>{"private,vectoradd@tiny,,,,done", "private,vectoradd@tiny,early,32,,done",
                                                       "private,vectoradd@tiny,late,64,,done", "private,vectoradd@tiny,fast,32,,done",
                                                       "private,vectoradd@tiny,slow,1,,done"});
  CHECK_THAT(ended.output, Contains("private fast") && Contains("(32)"));
}

TEST_CASE("a search over configurations keeps the run of one of them") {
  const TemporaryFolder folder;
  const Ended ended = sweep(folder,
                            "configs: [private, private_single_l1]\nstimuli: [gemm@tiny]\nmetrics: [ipc]\n"
                            "search: {key: extends, values: [private, private_single_l1], objective: max ipc}\n");
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("2 runs"));  // the candidates are the configurations themselves
  const auto runs = read_json(folder / "s/sweep.json")["runs"];
  REQUIRE(runs.size() == 3);
  CHECK(runs[2]["config"] == "best");
  CHECK(runs[2]["run"]["ipc"] == std::max(runs[0]["run"]["ipc"].get<double>(), runs[1]["run"]["ipc"].get<double>()));
  CHECK(runs[2]["chosen"] == (runs[0]["run"]["ipc"] < runs[1]["run"]["ipc"] ? "private_single_l1" : "private"));
}

TEST_CASE("a configuration with a search is resolved by runs in sweep and compare, and run asks for the value") {
  const TemporaryFolder folder;
  folder.file("auto.yaml",
              "description: as many MSHRs as are good\nextends: private\n"
              "search: {key: l1.mshr_entries, values: [2, 32], objective: max ipc, tie: first}\n");
  folder.file("best.yaml",
              "description: the better of two\nsearch: {key: extends, values: [private, ./auto2.yaml], objective: max ipc, tie: first}\n");
  folder.file("auto2.yaml", "description: few MSHRs\nextends: private\nl1: {mshr_entries: 2}\n");
  const Ended swept = sweep(folder, "configs: [./auto.yaml, ./best.yaml]\nstimuli: [vectoradd@tiny]\n");
  INFO(swept.output);
  REQUIRE(swept.exit_code == 0);
  CHECK(rows_of(folder, 4) == std::vector<std::string>{"./auto.yaml,vectoradd@tiny,,32", "./best.yaml,vectoradd@tiny,,private"});

  const Ended compared = wharf(folder, {"compare", "private", "./auto.yaml", "./best.yaml", "--stimuli", "vectoradd@tiny", "--out", "s"});
  INFO(compared.output);
  CHECK(compared.exit_code == 0);
  CHECK_THAT(compared.output, Contains("0 runs"));  // private also has 32, and the sweep ran the others
  CHECK(read_json(folder / "s/compare.json")["runs"][1]["chosen"] == "32");

  const Ended run = wharf(folder, {"run", "./auto.yaml", "--stimulus", "vectoradd@tiny"});
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.output, Contains("./auto.yaml means the best of several runs: `./wharf compare ./auto.yaml` runs them") &&
                             Contains("set l1.mshr_entries, as in --set l1.mshr_entries=2"));
  CHECK(wharf(folder, {"run", "./auto.yaml", "--stimulus", "vectoradd@tiny", "--set", "l1.mshr_entries=2"}).exit_code == 0);
  const Ended best = wharf(folder, {"run", "./best.yaml", "--stimulus", "vectoradd@tiny"});
  CHECK(best.exit_code == 2);
  CHECK_THAT(best.output, Contains("name one of private, ./auto2.yaml"));
  CHECK(wharf(folder, {"check", "./best.yaml"}).exit_code == 0);
  folder.file("auto2.yaml", "extends: private\nl1: {mshr_entries: 0}\n");
  const Ended check = wharf(folder, {"check", "./best.yaml"});
  CHECK(check.exit_code == 2);
  CHECK_THAT(check.output, Contains("auto2.yaml:2:20: l1.mshr_entries: '0' is out of range"));
}

TEST_CASE("shared_l1/best is the faster of private caches and Shared++") {
  const TemporaryFolder folder;
  const Ended ended =
      sweep(folder, "configs: [shared_l1/baseline, shared_l1/shared_plus_plus, shared_l1/best]\nstimuli: [gemm@tiny, vectoradd@tiny]\n");
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("4 runs"));
  const auto runs = read_json(folder / "s/sweep.json")["runs"];
  for (std::size_t stimulus = 0; stimulus < 2; ++stimulus) {
    const double baseline = runs[stimulus]["run"]["ipc"], shared = runs[2 + stimulus]["run"]["ipc"];
    CHECK(runs[4 + stimulus]["run"]["ipc"] == std::max(baseline, shared));
    CHECK(runs[4 + stimulus]["chosen"] == (shared > baseline ? "shared_l1/shared_plus_plus" : "shared_l1/baseline"));
  }
}

TEST_CASE("a sweep runs nothing twice, and a longer list adds its new runs only") {
  const TemporaryFolder folder;
  const std::string shorter = "configs: private\nstimuli: [vectoradd@tiny]\nvary: {l1.ways: [4, 8]}\n";
  REQUIRE(sweep(folder, shorter).exit_code == 0);
  const std::string csv = read_file(folder / "s/sweep.csv");
  CHECK_THAT(sweep(folder, shorter).output, Contains("0 runs") && Contains("2 are finished already in s"));
  CHECK(read_file(folder / "s/sweep.csv") == csv);
  CHECK_THAT(sweep(folder, "configs: private\nstimuli: [vectoradd@tiny]\nvary: {l1.ways: [4, 16, 8]}\n").output,
             Contains("1 run,") && Contains("2 are finished already"));
}

TEST_CASE("an interrupted sweep ends with 130 and continues where it stopped") {
  const TemporaryFolder folder;
  folder.file("s.yaml", "configs: private\nstimuli: [vectoradd@tiny, 'synthetic:instructions=200']\n");
  const std::vector<std::string> arguments = {"sweep", "s.yaml", "--out", "s", "--jobs", "1"};
  Program program(folder, arguments);
  const auto second = folder / "s/runs/private/synthetic:instructions=200/log.txt";
  while (!std::filesystem::exists(second) && !program.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  program.interrupt();
  const Ended stopped = program.wait();
  INFO(stopped.output);
  CHECK(stopped.exit_code == 130);
  CHECK_THAT(stopped.output, Contains("the same command continues"));
  CHECK_FALSE(std::filesystem::exists(folder / "s/sweep.csv"));
  const Ended ended = wharf(folder, arguments);
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("1 run,") && Contains("1 is finished already"));
}

TEST_CASE("all mistakes of a sweep are reported at once, each with its place and remedy") {
  std::istringstream output(
      mistakes_in("configs: [private, privat, private]\n"
                  "stimuli: [gemm@tiny, 7]\n"
                  "suites: quik\n"
                  "vary: {l1.mshr_entries: [2, 0], l1.ways: 8, l1..x: [1], l1.mshr_entrys: [4]}\n"
                  "zip: {l1.tag_cycles: [1, 4], l1.data_cycles: [1], l1.ways: [3]}\n"
                  "search:\n"
                  "  - {name: best, key: sm.warp_scheduler, values: [gto, lrrr], objective: max ipc}\n"
                  "  - {name: best, key: l1.banks, values: [1], objective: max ipc}\n"
                  "  - {name: which, key: extends, values: [private], objective: ipc, tie: lowest}\n"
                  "  - {name: more, key: l1.mshr_entries, values: [8], objective: max ipc}\n"
                  "  - {name: other, key: extends, values: [privat], objective: max ipc}\n"
                  "seed: -1\n"));
  for (const char* expected :
       {"wharf: s.yaml:1:20: there is no configuration 'privat'; did you mean 'private'?",
        "s.yaml:1:28: configs: 'private' is listed twice; keep one", "s.yaml:2:22: 7: unknown workload '7'",
        "s.yaml:3:9: unknown suite 'quik'; did you mean 'quick'?",
        "s.yaml:4:29: l1.mshr_entries: '0' is out of range; write a whole number from 1 to",
        "s.yaml:4:42: vary.l1.ways: is '8'; write the values as a list, such as [4, 8]",
        "s.yaml:4:45: vary: 'l1..x' is not a key path; write key.key",
        "s.yaml:4:74: l1.mshr_entrys: unknown key; did you mean 'mshr_entries'?",
        "s.yaml:5:46: zip.l1.data_cycles: has 1 values and l1.tag_cycles has 2; give all the same number",
        "s.yaml:5:51: zip.l1.ways: the key is given twice; keep one", "s.yaml:7:56: sm.warp_scheduler: is 'lrrr'; did you mean 'lrr'?",
        "s.yaml:8:23: search: two are called 'best'; give each a `name` of its own",
        "s.yaml:9:63: search.objective: is 'ipc'; write max METRIC or min METRIC, such as max ipc",
        "s.yaml:9:73: search.tie: is 'lowest'; write first or last",
        "s.yaml:10:23: search.key: l1.mshr_entries is also varied; remove it from `vary` and `zip`",
        "s.yaml:11:42: there is no configuration 'privat'", "s.yaml:12:7: seed: is '-1'; write a whole number"}) {
    std::string line;
    std::getline(output, line);
    CHECK_THAT(line, Catch::StartsWith(expected));
  }
  std::string rest;
  CHECK_FALSE(std::getline(output, rest));
}

TEST_CASE("a file that is not a sweep is refused with the expected form") {
  CHECK(mistakes_in("confgs: private\nsuites: tiny\nseed: x\n") ==
        "wharf: s.yaml:1:1: confgs: unknown key; did you mean 'configs'?\n"
        "s.yaml:3:7: seed: is 'x'; write a whole number from 0 to 18446744073709551615 in decimal digits only\n");
  CHECK_THAT(mistakes_in("vary: {l1.ways: [4]}\n"), Contains("has no `configs`; name the configurations, such as configs: [private") &&
                                                        Contains("has neither `stimuli` nor `suites`"));
  CHECK_THAT(mistakes_in("configs: {a: b}\nstimuli: []\nsearch: 3\nvary: [1]\n"),
             Contains("s.yaml:1:10: configs: is a mapping; write a list") &&
                 Contains("s.yaml:2:10: stimuli: is a list; write a list such as") &&
                 Contains("s.yaml:3:9: search: is '3'; write search: {name, key,") &&
                 Contains("s.yaml:4:7: vary: is a list; write lists of values"));
  const TemporaryFolder folder;
  const Ended nameless = wharf(folder, {"sweep"}), missing = wharf(folder, {"sweep", "none.yaml"});
  CHECK(nameless.exit_code == 2);
  CHECK_THAT(nameless.output, Contains("name one that `wharf list sweeps` prints"));
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.output, Contains("none.yaml: no such file"));
}

TEST_CASE("a metric or objective that no machine has is refused before anything runs") {
  const std::string output = mistakes_in(
      "configs: private\nstimuli: [vectoradd@tiny]\nmetrics: [ipc, l1.mis_rate]\nsearch: {key: l1.ways, values: [4], objective: max "
      "ipcx}\n");
  CHECK_THAT(output, Contains("s.yaml:3:16: metrics: private has no metric 'l1.mis_rate'; did you mean 'l1.miss_rate'?"));
  CHECK_THAT(output, Contains("s.yaml:4:48: search.objective: private has no metric 'ipcx'; did you mean 'ipc'?"));

  const TemporaryFolder folder;
  folder.file("auto.yaml", "extends: private\nsearch: {key: l1.ways, values: [4], objective: max ipcx}\n");
  const Ended compared = wharf(folder, {"compare", "./auto.yaml", "--stimuli", "vectoradd@tiny", "--out", "c"});
  CHECK(compared.exit_code == 2);
  CHECK_THAT(compared.output, Contains("./auto.yaml has no metric 'ipcx'; did you mean 'ipc'?"));
}

TEST_CASE("too many machines are refused") {
  std::string list = "[1";
  for (int i = 2; i <= 200; ++i) list += ", " + std::to_string(i);
  list += "]";
  CHECK_THAT(
      mistakes_in("configs: private\nstimuli: [vectoradd@tiny]\nvary: {l1.tag_cycles: " + list + ", l1.data_cycles: " + list + "}\n"),
      Contains("makes more than 10000 machines; vary fewer keys or values"));
}

TEST_CASE("the example of docs/howto-sweep.md runs as it stands") {
  std::istringstream document(read_file(project_root() / "docs" / "howto-sweep.md"));
  std::string example, command;
  for (std::string line; std::getline(document, line) && command.empty();) {
    if (line.rfind("    ./wharf ", 0) == 0) command = line.substr(12);
    if (line.rfind("    ", 0) == 0 && command.empty()) example += line.substr(4) + "\n";
  }
  const TemporaryFolder folder;
  folder.file("l1_size.yaml", example);
  std::istringstream words(command);
  const std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
  const Ended ended = wharf(folder, arguments);
  INFO(example << command << '\n' << ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK(read_json(folder / "out/l1_size/sweep.json")["runs"].size() == 2 * 2 * 2);
  CHECK_THAT(ended.output, Contains("private best"));
}

}  // namespace
}  // namespace wharf::cli
