// validate --hardware: the form of its files, the figures and verdicts, and the command.

#include <catch2/catch.hpp>
#include <cmath>

#include "model/base/error.h"
#include "platforms/cli/bench/hardware_report.h"
#include "platforms/cli/bench/hardware_rows.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

std::vector<HardwareRow> rows_of(const std::string& text) {
  const TemporaryFolder folder;
  return load_hardware_rows(folder.file("gpu.yaml", text));
}

std::string refusal_of(const std::string& text) {
  try {
    rows_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A file with one good row, of which the line that begins with `key` is another one; an empty line is none.
std::string with(const std::string& key, const std::string& line) {
  std::string text = "rows:\n";
  const std::pair<const char*, const char*> lines[] = {
      {"what", "what: hit"},    {"machine", "machine: gpus/volta_qv100"}, {"stimulus", "stimulus: \"chase:half=0\""},
      {"unit", "unit: cycles"}, {"published", "published: 193"},          {"source", "source: a paper"},
      {"kind", "kind: fitted"}};
  const char* start = "- ";
  for (const auto& [name, usual] : lines) {
    const std::string one = key == name ? line : usual;
    if (one.empty()) continue;
    text += start + one + '\n';
    start = "  ";
  }
  return text;
}

TEST_CASE("a row of hardware is read with its facts") {
  const auto rows = rows_of(with("kind", "kind: prediction\n  known: {deviation: -20, cause: too slow, page: docs/a.md}"));
  REQUIRE(rows.size() == 1);
  const HardwareRow& row = rows[0];
  CHECK(row.what == "hit");
  CHECK(row.machine == "gpus/volta_qv100");
  CHECK(row.stimulus == "chase:half=0");
  CHECK(row.unit == HardwareUnit::cycles);
  CHECK(row.low == 193);
  CHECK(row.high == 193);
  CHECK(row.source == "a paper");
  CHECK(row.kind == HardwareKind::prediction);
  REQUIRE(row.known);
  CHECK(row.known->deviation == Approx(-0.2));
  CHECK(row.known->cause == "too slow");
  CHECK(row.known->page == "docs/a.md");
  const auto bounds = rows_of(with("published", "published: [190, 196]"));
  CHECK(bounds[0].low == 190);
  CHECK(bounds[0].high == 196);
  const auto missing = rows_of("rows:\n- {what: a, machine: private, unit: cycles, published: 1, source: b, not_modelled: clusters}\n");
  CHECK(missing[0].not_modelled == "clusters");
}

TEST_CASE("a mistake in a file of hardware is refused where it stands, with its remedy") {
  CHECK_THAT(refusal_of("row: 3\n"), Contains("gpu.yaml:1:1: hardware file: needs `rows:`"));
  CHECK_THAT(refusal_of("rows: 3\n"), Contains("gpu.yaml:1:7: hardware file: needs `rows:`, a list of rows"));
  CHECK_THAT(refusal_of(with("what", "wat: hit")), Contains("has no what") && Contains("unknown key 'wat'; did you mean 'what'?"));
  CHECK_THAT(refusal_of(with("machine", "machine: gpus/volta")), Contains("gpu.yaml:3:12") && Contains("gpus/volta"));
  CHECK_THAT(refusal_of(with("stimulus", "")), Contains("gpu.yaml:2:3: hit: needs either stimulus"));
  CHECK_THAT(refusal_of(with("stimulus", "stimulus: \"chase:hlaf=0\"")), Contains("gpu.yaml:4:13: hit: chase: unknown argument 'hlaf'"));
  CHECK_THAT(refusal_of(with("stimulus", "stimulus: gemm@tiny")), Contains("gpu.yaml:4:13: hit: 'gemm' is neither chase nor stream"));
  CHECK_THAT(refusal_of(with("stimulus", "stimulus: stream")), Contains("hit: cycles is measured by chase, not by stream"));
  CHECK_THAT(refusal_of(with("unit", "unit: B/clk")), Contains("hit: B/clk is measured by stream, not by chase"));
  CHECK_THAT(refusal_of(with("unit", "unit: cycle")), Contains("gpu.yaml:5:9: hit: unit is 'cycle'; did you mean 'cycles'?"));
  CHECK_THAT(refusal_of(with("published", "published: 0")), Contains("gpu.yaml:6:14: hit: published must be a figure above 0"));
  CHECK_THAT(refusal_of(with("published", "published: [2, 1]")), Contains("in ascending order, such as [3.9, 4.4]"));
  CHECK_THAT(refusal_of(with("published", "published: [1, x]")), Contains("in ascending order"));
  CHECK_THAT(refusal_of(with("published", "")), Contains("hit: has no published"));
  CHECK_THAT(refusal_of(with("source", "")), Contains("hit: has no source"));
  CHECK_THAT(refusal_of(with("kind", "")), Contains("hit: has no kind"));
  CHECK_THAT(refusal_of(with("kind", "kind: guess")), Contains("gpu.yaml:8:9: hit: kind is 'guess'; write one of fitted,"));
  CHECK_THAT(refusal_of(with("", "") +
                        "- {what: hit, machine: gpus/volta_qv100, stimulus: chase, unit: cycles, published: 1, source: b, kind: fitted}\n"),
             Contains("gpu.yaml:9:3: hit: two rows of gpus/volta_qv100 have this name; rename one"));
  CHECK_THAT(refusal_of("claims: []\n"), Contains("is a file of claims; run `wharf reproduce --claims-file"));
}

TEST_CASE("a ratio needs its divisor, and nothing else has one") {
  const auto text = [&](const std::string& more) {
    return "rows:\n- {what: tpc, machine: private, stimulus: stream, published: 2, source: b, kind: prediction, " + more + "}\n";
  };
  CHECK(rows_of(text("unit: x, relative_to: stream"))[0].relative_to == "stream");
  CHECK_THAT(refusal_of(text("unit: x")), Contains("tpc: unit x, and no other, needs relative_to"));
  CHECK_THAT(refusal_of(text("unit: GB/s, relative_to: stream")), Contains("tpc: unit x, and no other, needs relative_to"));
  CHECK_THAT(refusal_of(text("unit: x, relative_to: chase")), Contains("x is measured by stream, not by chase"));
}

TEST_CASE("a known deviation within the limit is refused, and so is one of what is not modelled") {
  CHECK_THAT(refusal_of(with("kind", "kind: fitted\n  known: {deviation: 0.9, cause: a, page: b}")),
             Contains("gpu.yaml:9:10: hit: known: needs a deviation in per cent beyond the limit of 1 %"));
  CHECK_THAT(refusal_of(with("kind", "kind: fitted\n  known: {cause: a, page: b}")), Contains("beyond the limit of 1 %"));
  CHECK_THAT(refusal_of(with("kind", "kind: fitted\n  known: {deviation: 2, page: b}")), Contains("hit: known: has no cause"));
  CHECK_THAT(refusal_of("rows:\n- {what: a, machine: private, unit: cycles, published: 1, source: b, not_modelled: c, kind: fitted}\n"),
             Contains("a: unknown key 'kind'"));
}

HardwareResult result(HardwareUnit unit, HardwareKind kind, double published, double measured) {
  HardwareResult one;
  one.row.what = "hit";
  one.row.machine = "gpu";
  one.row.stimulus = unit == HardwareUnit::cycles ? "chase" : "stream:bytes=4";
  one.row.unit = unit;
  one.row.kind = kind;
  one.row.low = one.row.high = published;
  one.measured = measured;
  return one;
}

TEST_CASE("the limit is 1 % of what is fitted, 10 % of what is fitted together, and 5 % or 10 % of a prediction") {
  const auto is_within = [](HardwareUnit unit, HardwareKind kind, double measured) {
    return verdict_of(result(unit, kind, 100.0, measured)) == HardwareVerdict::within;
  };
  CHECK(is_within(HardwareUnit::cycles, HardwareKind::fitted, 100.9));
  CHECK_FALSE(is_within(HardwareUnit::cycles, HardwareKind::fitted, 101.1));
  CHECK(is_within(HardwareUnit::gigabytes_per_second, HardwareKind::fitted_together, 90.1));
  CHECK_FALSE(is_within(HardwareUnit::gigabytes_per_second, HardwareKind::fitted_together, 89.9));
  CHECK(is_within(HardwareUnit::microseconds, HardwareKind::prediction, 104.9));
  CHECK_FALSE(is_within(HardwareUnit::microseconds, HardwareKind::prediction, 105.1));
  CHECK_FALSE(is_within(HardwareUnit::cycles, HardwareKind::prediction, 94.9));
  for (const HardwareUnit unit : {HardwareUnit::bytes_per_cycle, HardwareUnit::gigabytes_per_second, HardwareUnit::ratio}) {
    CHECK(is_within(unit, HardwareKind::prediction, 109.9));
    CHECK_FALSE(is_within(unit, HardwareKind::prediction, 110.1));
  }
  CHECK_FALSE(is_within(HardwareUnit::cycles, HardwareKind::prediction, std::nan("")));
}

TEST_CASE("a figure between two bounds does not deviate, and others deviate from the nearer one") {
  HardwareResult one = result(HardwareUnit::microseconds, HardwareKind::prediction, 4.0, 4.2);
  one.row.high = 5.0;
  CHECK(deviation_of(one) == 0.0);
  one.measured = 2.0;
  CHECK(deviation_of(one) == Approx(-0.5));
  one.measured = 6.0;
  CHECK(deviation_of(one) == Approx(0.2));
}

TEST_CASE("a known deviation does not count as exceeded while it stays as large as listed") {
  HardwareResult one = result(HardwareUnit::bytes_per_cycle, HardwareKind::prediction, 100.0, 45.0);
  CHECK(exceeded_rows({one}) == std::vector<std::string>{"gpu, hit: deviates by -55.0 %, limit 10 %"});
  one.row.known = KnownDeviation{-0.5, "one sector per cycle", "docs/validation.md"};
  CHECK(verdict_of(one) == HardwareVerdict::known);
  CHECK(exceeded_rows({one}).empty());
  CHECK(known_deviations({one}) == std::vector<std::string>{"gpu, hit: one sector per cycle (docs/validation.md)"});
  one.measured = 35.0;
  CHECK(verdict_of(one) == HardwareVerdict::outside);
  CHECK(exceeded_rows({one}) == std::vector<std::string>{"gpu, hit: deviates by -65.0 %, limit 10 %, known -50.0 %"});
  CHECK(known_deviations({one}).empty());
  one.measured = 100.0;
  CHECK(verdict_of(one) == HardwareVerdict::within);
}

TEST_CASE("a failed run exceeds, and what is not modelled does not") {
  HardwareResult failed = result(HardwareUnit::cycles, HardwareKind::fitted, 100.0, std::nan(""));
  failed.failure = "exit code 1: deadlock";
  CHECK(verdict_of(failed) == HardwareVerdict::failed);
  CHECK(exceeded_rows({failed}) == std::vector<std::string>{"gpu, hit: the run failed: exit code 1: deadlock"});
  HardwareResult missing = result(HardwareUnit::cycles, HardwareKind::fitted, 100.0, std::nan(""));
  missing.row.stimulus.clear();
  missing.row.not_modelled = "clusters";
  CHECK(verdict_of(missing) == HardwareVerdict::not_modelled);
  CHECK(exceeded_rows({missing}).empty());
  const Table table = hardware_table("gpu", {failed, missing});
  CHECK(table.rows[0][3] == "-");
  CHECK(table.rows[0][8] == "failed");
  CHECK(table.rows[1][8] == "not modelled");
}

Json kernel(double cycles, double ns, double instructions) {
  return {{"cycles", cycles}, {"time_ns", ns}, {"warp_instructions", instructions}};
}

TEST_CASE("figures are differences of the last two kernels, and a time is that of the last one") {
  const Json run = {{"kernels", {kernel(9999, 9999, 9), kernel(1000, 500, 10), kernel(3000, 1500, 20)}}};
  const Json slower = {{"kernels", {kernel(1000, 500, 10), kernel(5000, 2500, 20)}}};
  const auto figure = [&](HardwareUnit unit) {
    HardwareResult one = result(unit, HardwareKind::prediction, 1.0, 0.0);
    if (unit == HardwareUnit::ratio) one.row.relative_to = "stream:bytes=4";
    return hardware_figure(one.row, run, slower);
  };
  CHECK(figure(HardwareUnit::cycles) == (3000 - 1000) / (20 - 10));
  CHECK(figure(HardwareUnit::bytes_per_cycle) == 10.0 * (32 * 4) / (3000 - 1000));
  CHECK(figure(HardwareUnit::gigabytes_per_second) == 10.0 * (32 * 4) / (1500 - 500));
  CHECK(figure(HardwareUnit::ratio) == (5000.0 - 1000) / (3000 - 1000));
  CHECK(figure(HardwareUnit::microseconds) == 1.5);
  const Json standstill = {{"kernels", {kernel(1000, 500, 10), kernel(1000, 500, 20)}}};
  CHECK(std::isnan(hardware_figure(result(HardwareUnit::bytes_per_cycle, HardwareKind::prediction, 1, 0).row, standstill, Json())));
}

/// Three rows on volta_qv100: a hop in L2 takes 193 cycles, one in the L1 24; clusters it has none.
std::string fixture(const TemporaryFolder& folder, const std::string& l2_hit, const std::string& known = "") {
  return folder.file(
      "volta.yaml",
      "rows:\n"
      "- {what: L2 hit, machine: gpus/volta_qv100, stimulus: \"chase:loads=4,lines=8\", unit: cycles, published: " +
          l2_hit + ", source: one, kind: fitted" + known +
          "}\n"
          "- {what: L1 hit, machine: gpus/volta_qv100, stimulus: \"chase:loads=4,lines=2,warm=2\", unit: cycles, published: 24, source: two, kind: fitted}\n"
          "- {what: peer load, machine: gpus/volta_qv100, unit: cycles, published: 181, source: three, not_modelled: clusters}\n");
}

TEST_CASE("validate --hardware measures each row, writes it as JSON, and ends with 0 where all are within") {
  const TemporaryFolder folder;
  const std::string file = fixture(folder, "193"), json = folder / "v.json";
  const Ended ended = wharf(folder, {"validate", "--hardware", file, "--out", folder / "o", "--json", json});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("L2 hit") && Contains("193.0") && Contains("within") && Contains("not modelled"));
  CHECK_THAT(ended.output, Contains("every figure is within its limit"));
  const auto read = read_json(json);
  CHECK(read["hardware"] == "volta");
  CHECK(read["exceeded"].empty());
  REQUIRE(read["rows"].size() == 3);
  const auto& row = read["rows"][0];
  CHECK(row["what"] == "L2 hit");
  CHECK(row["machine"] == "gpus/volta_qv100");
  CHECK(row["stimulus"] == "chase:loads=4,lines=8");
  CHECK(row["unit"] == "cycles");
  CHECK(row["measured"] == 4 + (20 + 3 + 160 + 3 + 3));
  CHECK(row["published"] == 193);
  CHECK(row["source"] == "one");
  CHECK(row["kind"] == "fitted");
  CHECK(row["limit"] == 0.01);
  CHECK(row["deviation"] == 0.0);
  CHECK(row["verdict"] == "within");
  CHECK(read["rows"][1]["measured"] == 4 + 20);
  CHECK(read["rows"][2]["verdict"] == "not modelled");
  CHECK(read["rows"][2]["not_modelled"] == "clusters");
  CHECK_FALSE(read["rows"][2].contains("measured"));
}

TEST_CASE("validate --hardware ends with 1 where a row is outside, and with 0 where its deviation is known") {
  const TemporaryFolder folder;
  const std::string outside = fixture(folder, "200"), json = folder / "v.json";
  const std::vector<std::string> words = {"validate", "L2 hit", "--hardware", outside, "--out", folder / "o", "--json", json};
  const Ended exceeded = wharf(folder, words);
  INFO(exceeded.output);
  CHECK(exceeded.exit_code == 1);
  CHECK_THAT(exceeded.output, Contains("exceeded: gpus/volta_qv100, L2 hit: deviates by -3.5 %, limit 1 %") && !Contains("L1 hit"));
  CHECK(read_json(json)["exceeded"].size() == 1);
  fixture(folder, "200", ", known: {deviation: -3.5, cause: it is old, page: docs/validation.md}");
  const Ended known = wharf(folder, words);
  INFO(known.output);
  CHECK(known.exit_code == 0);
  CHECK_THAT(known.output, Contains("known: gpus/volta_qv100, L2 hit: it is old (docs/validation.md)") &&
                               Contains("every other figure is within its limit"));
  CHECK(read_json(json)["rows"][0]["known"]["cause"] == "it is old");
}

TEST_CASE("validate --hardware names a GPU, a row or an option that does not fit, and ends with 2") {
  const TemporaryFolder folder;
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "validate");
    words.insert(words.end(), {"--out", folder / "o"});
    const Ended ended = wharf(folder, words);
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refusal({"--hardware", "a10"}),
             Contains("there are no measurements of 'a10'; did you mean 'a100'") && Contains("a100, b200, h100, h200"));
  CHECK_THAT(refusal({"near hti", "--hardware", "a100"}),
             Contains("'near hti' is not a row of these measurements; did you mean 'near hit'?"));
  CHECK_THAT(refusal({"--hardware", "a100", "--config", "private"}), Contains("name their machines"));
  CHECK_THAT(refusal({"--hardware", "a100", "--sensitivity", "l1.tag_cycles=1"}), Contains("name their machines"));
  CHECK_THAT(refusal({"--seed", "2"}), Contains("--seed needs --hardware"));
  CHECK_THAT(refusal({"--hardware", folder.file("c.yaml", "rows:\n- what: a\n")}), Contains("c.yaml:2:3: a: has no machine"));
}

TEST_CASE("a run that fails makes validate --hardware end with 1 and say why") {
  const TemporaryFolder folder;
  const std::string file = folder.file(
      "gpu.yaml",
      "rows:\n- {what: SMs, machine: gpus/volta_qv100, stimulus: \"stream:ctas=81\", unit: B/clk, published: 1, source: a, kind: fitted}\n");
  const Ended ended = wharf(folder, {"validate", "--hardware", file, "--out", folder / "o", "--json", folder / "v.json"});
  INFO(ended.output);
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("exceeded: gpus/volta_qv100, SMs: the run failed") && Contains("needs 81 SMs, but the GPU has 80"));
  CHECK(read_json(folder / "v.json")["rows"][0]["verdict"] == "failed");
}

TEST_CASE("rows that are not modelled run nothing") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"validate", "peer load", "--hardware", fixture(folder, "193"), "--out", folder / "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
}

TEST_CASE("a file of hardware in the place of a configuration is told from one") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"run", fixture(folder, "193"), "--stimulus", "chase", "--out", folder / "o"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("volta.yaml:1:1: has measurements of hardware; run `wharf validate --hardware "));
}

TEST_CASE("the project's files of hardware have no mistake, and --dry-run runs none of their rows") {
  for (const char* name : {"a100", "b200", "h100", "h200"}) {
    INFO(name);
    CHECK_FALSE(load_hardware_rows(hardware_file(name)).empty());
  }
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"validate", "--hardware", "h100", "--dry-run", "--out", folder / "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("nothing was run"));
}

// MG-8
TEST_CASE("on the A100, latencies that were fitted to published ones are within 1 % of them at another seed too") {
  const TemporaryFolder folder;
  for (const char* seed : {"1", "2"}) {
    const Ended ended = wharf(folder, {"validate", "L1 hit", "shared memory", "near hit", "far hit", "near miss", "--hardware", "a100",
                                       "--seed", seed, "--out", folder / "o"});
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
  }
}

}  // namespace
}  // namespace wharf::cli
