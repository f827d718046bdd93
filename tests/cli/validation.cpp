#include "platforms/cli/bench/validation.h"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "platforms/cli/bench/sensitivity.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace {

/// A case that agrees completely with its reference.
ValidationCase exact_case(const std::string& name) {
  ValidationCase one;
  one.name = name;
  one.reference = {{"cycles", 1000}, {"warp_insts", 10}, {"thread_insts", 320}, {"l1d_acc", 100},
                   {"l1d_miss", 20}, {"l2_acc", 40},     {"l2_miss", 10},       {"dram_rd", 0}};
  one.measured = {{"gpu_tot_sim_cycle", 1000},       {"gpgpu_n_tot_w_icount", 10},   {"gpu_tot_sim_insn", 320},
                  {"L1D_total_cache_accesses", 100}, {"L1D_total_cache_misses", 20}, {"L2_total_cache_accesses", 40},
                  {"L2_total_cache_misses", 10},     {"total_dram_reads", 0}};
  return one;
}

ValidationSet set_of(std::vector<ValidationCase> cases) { return {"traces", kTraceLimits, std::move(cases)}; }

TEST_CASE("a run equal to the reference exceeds no limit") { CHECK(exceeded_limits(set_of({exact_case("a")})).empty()); }

TEST_CASE("each figure beyond its limit is named") {
  const auto exceeded_after = [](const char* key, double value) {
    ValidationCase one = exact_case("a");
    one.measured[key] = value;
    return exceeded_limits({"traces", {1.0, 0.20, 0.03, 0.05}, {one}});
  };
  CHECK(exceeded_after("gpu_tot_sim_cycle", 1200).empty());
  CHECK_THAT(exceeded_after("gpu_tot_sim_cycle", 1201).at(0), Catch::Contains("cycles deviate by +20.10 %"));
  CHECK(exceeded_after("L1D_total_cache_misses", 22).empty());
  CHECK_THAT(exceeded_after("L1D_total_cache_misses", 24).at(0), Catch::Contains("hit rate differs by -0.0400"));
  CHECK(exceeded_after("L2_total_cache_accesses", 42).empty());
  CHECK_THAT(exceeded_after("L2_total_cache_accesses", 43).at(0), Catch::Contains("L2 accesses"));
  CHECK(exceeded_after("L2_total_cache_misses", 8).empty());  // 5 % of the L2 accesses
  CHECK_THAT(exceeded_after("L2_total_cache_misses", 7).at(0), Catch::Contains("L2 misses"));
  CHECK(exceeded_after("total_dram_reads", 2).empty());
  CHECK_THAT(exceeded_after("total_dram_reads", 3).at(0), Catch::Contains("DRAM reads"));
  CHECK_THAT(exceeded_after("gpgpu_n_tot_w_icount", 11).at(0), Catch::Contains("instruction counts differ"));
  CHECK_THAT(exceeded_after("gpu_tot_sim_insn", 319).at(0), Catch::Contains("instruction counts differ"));
}

TEST_CASE("a figure that the run did not write exceeds its limit") {
  ValidationCase one = exact_case("a");
  one.measured.erase("L2_total_cache_misses");
  CHECK_THAT(exceeded_limits(set_of({one})).at(0), Catch::Contains("L2 misses"));
}

TEST_CASE("the mean of the cycles has a limit of its own") {
  ValidationCase slow = exact_case("slow"), fast = exact_case("fast");
  slow.measured["gpu_tot_sim_cycle"] = 1150;  // +15 %
  fast.measured["gpu_tot_sim_cycle"] = 900;   // -10 %: the mean of the absolute values is 12.5 %
  const auto exceeded = exceeded_limits({"traces", {0.10, 0.20, 0.03, 0.05}, {slow, fast}});
  REQUIRE(exceeded.size() == 1);
  CHECK_THAT(exceeded[0], Catch::Contains("12.5 % on average"));
}

TEST_CASE(
    "a recorded program that is chaotic has no limit of its own, but its instructions count, and a user's of that name has all limits") {
  ValidationCase one = exact_case("gesummv");
  REQUIRE_FALSE(known_reason(one.name).empty());
  one.measured["gpu_tot_sim_cycle"] = 1300;
  ValidationSet set{"traces", {1.0, 0.20, 0.03, 0.05}, {one}, true};
  CHECK(exceeded_limits(set).empty());
  set.cases[0].measured["gpu_tot_sim_insn"] = 319;
  CHECK_THAT(exceeded_limits(set).at(0), Catch::Contains("instruction counts differ"));
  set.is_reference = false;
  CHECK(exceeded_limits(set).size() == 2);
}

TEST_CASE("a recorded program without a limit of its own does not count in the mean") {
  ValidationCase edge = exact_case("ges128_b128"), other = exact_case("a");
  edge.measured["gpu_tot_sim_cycle"] = 700;
  other.measured["gpu_tot_sim_cycle"] = 1020;
  ValidationSet set{"capacity", {0.02, 0.02, 0.0, 0.0}, {edge, other}, true};
  CHECK(exceeded_limits(set).empty());
  CHECK(validation_table(set).rows.at(2) == std::vector<std::string>{"mean", "", "limit 2 %", "2.0 %", "", "", "", "", ""});
  set.is_reference = false;
  CHECK(exceeded_limits(set).size() == 2);  // -30 %, and 16 % on average
}

TEST_CASE("a limit of zero accepts equal counts only") {
  ValidationCase one = exact_case("a");
  one.reference["l2_acc"] = one.measured["L2_total_cache_accesses"] = 1e6;
  ValidationSet set{"exported stimuli", kExportedLimits, {one}, true};
  CHECK(exceeded_limits(set).empty());
  set.cases[0].measured["L2_total_cache_accesses"] = 1e6 + 100;
  CHECK_THAT(exceeded_limits(set).at(0), Catch::Contains("L2 accesses deviate by +0.01 %, limit 0 %"));
}

TEST_CASE("a failed run exceeds and shows in the table") {
  ValidationCase one = exact_case("a");
  one.failure = "exit code 2: no such file";
  CHECK_THAT(exceeded_limits(set_of({one})).at(0), Catch::Contains("no such file"));
  CHECK(validation_table(set_of({one})).rows[0][1] == "failed");
  CHECK(validation_json({set_of({one})})["exceeded"].size() == 1);
}

TEST_CASE("a reference file is read by column name, and a broken line is named") {
  const auto path = std::filesystem::temp_directory_path() / ("wharf_reference_" + std::to_string(getpid()) + ".csv");
  const std::string header = "name,config,cycles,warp_insts,thread_insts,l1d_acc,l1d_miss,l2_acc,l2_miss,dram_rd\n";
  write_file(path, header + "bfs,QV100,95885,1,2,3,4,5,6,7\n");
  const auto cases = read_reference(path, "traces");
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].reference.at("cycles") == 95885);
  CHECK(cases[0].reference.at("dram_rd") == 7);
  CHECK(cases[0].kernelslist == std::filesystem::path("traces/bfs/kernelslist.g"));

  write_file(path, header + "bfs,QV100,95885\n");
  CHECK_THROWS_WITH(read_reference(path, "traces"), Catch::Contains(":2: has 3 cells"));
  write_file(path, header + "bfs,QV100,many,1,2,3,4,5,6,7\n");
  CHECK_THROWS_WITH(read_reference(path, "traces"), Catch::Contains(":2: column 'cycles' is not a number"));
  // A reference may count only warp instructions.
  write_file(path, "name,cycles,warp_insts,l1d_acc,l1d_miss,l2_acc,l2_miss,dram_rd\nbfs,95885,10,3,4,5,6,7\n");
  ValidationCase warps_alone = read_reference(path, "traces").at(0);
  warps_alone.measured = {{"gpgpu_n_tot_w_icount", 10}, {"gpu_tot_sim_insn", 320}};
  CHECK(deviations_of(warps_alone).instructions_exact);
  warps_alone.measured["gpgpu_n_tot_w_icount"] = 11;
  CHECK_FALSE(deviations_of(warps_alone).instructions_exact);

  write_file(path, header);
  CHECK_THROWS_WITH(read_reference(path, "traces"), Catch::Contains("has no line below its header"));
  write_file(path, "something else\n");
  CHECK_THROWS_AS(read_reference(path, "traces"), InputError);
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(read_reference(path, "traces"), Catch::Contains("cannot be read"));
}

TEST_CASE("a totals file is read line by line, and a broken line is named") {
  CHECK(read_accelsim_stats("a = 1\nb = 2.5\n", "f").at("b") == 2.5);
  CHECK_THROWS_WITH(read_accelsim_stats("a = 1\nb: 2\n", "f"), Catch::Contains("f:2: 'b: 2' is not"));
}

TEST_CASE("a varied key is read with its values, lists in brackets among them") {
  const VariedKey varied = parse_varied_key("network.mesh.slice_nodes=[1,2],[3,4]");
  CHECK(varied.key == "network.mesh.slice_nodes");
  CHECK(varied.values == std::vector<std::string>{"[1,2]", "[3,4]"});
  CHECK(parse_varied_key("l1.tag_cycles=19").values == std::vector<std::string>{"19"});
  CHECK_THROWS_WITH(parse_varied_key("l1.tag_cycles"), Catch::Contains("'l1.tag_cycles' is not a key with values; write KEY=VALUE,VALUE"));
  CHECK_THROWS_WITH(parse_varied_key("=19"), Catch::Contains("is not a key"));
  CHECK_THROWS_WITH(parse_varied_key("l1.tag_cycles="), Catch::Contains("has an empty value"));
  CHECK_THROWS_WITH(parse_varied_key("l1.tag_cycles=19,,21"), Catch::Contains("has an empty value"));
  CHECK_THROWS_WITH(parse_varied_key("l1.tag_cycles=19,21,19"), Catch::Contains("has the value '19' twice"));
}

/// exact_case("a") with other cycles and L1 misses.
ValidationCase measured_at(double cycles, double l1_misses) {
  ValidationCase one = exact_case("a");
  one.measured["gpu_tot_sim_cycle"] = cycles;
  one.measured["L1D_total_cache_misses"] = l1_misses;
  return one;
}

TEST_CASE("the response of a machine is the largest change of a deviation, and says whether the deviation is smaller") {
  // The unchanged machine: 3 % too many cycles, hit rate 0.05 too low. The key changes cycles by -1 % and +4 %, the hit rate by 0 and 0.02.
  const Response response{measured_at(1030, 25), {measured_at(1020, 25), measured_at(1070, 23)}};
  const Figure &cycles = kFigures[0], &hit_rate = kFigures[1];
  CHECK(change_of(response, cycles, 0) == Approx(-0.01));
  CHECK(change_of(response, cycles, 1) == Approx(0.04));
  CHECK(largest_change(response, cycles) == Approx(0.04));
  CHECK(largest_change(response, hit_rate) == Approx(0.02));

  const Sensitivity sensitivity{{"l1.tag_cycles", {"19", "21"}}, {response}};
  const Table table = sensitivity_table(sensitivity);
  CHECK(table.columns == std::vector<std::string>{"name", "figure", "deviation", "at 19", "at 21", "response", "deviation is"});
  REQUIRE(table.rows.size() == 2);  // L2 and DRAM agree with the reference
  CHECK(table.rows[0] == std::vector<std::string>{"a", "cycles", "+3.0 %", "-1.0 %", "+4.0 %", "4.0 %", "within the response"});
  CHECK(table.rows[1] == std::vector<std::string>{"a", "L1D hit rate", "-0.0500", "+0.0000", "+0.0200", "0.0200", "beyond it"});

  const Json json = sensitivity_json({sensitivity}).at(0);
  CHECK(json["key"] == "l1.tag_cycles");
  CHECK(json["values"] == Json({"19", "21"}));
  CHECK(json["cases"][0]["cycles"]["response"].get<double>() == Approx(0.04));
  CHECK(json["cases"][0]["cycles"]["within"] == true);
  CHECK(json["cases"][0]["l1d_hit_rate"]["within"] == false);
  CHECK(json["cases"][0]["dram_reads"]["changes"] == Json({0.0, 0.0}));
}

TEST_CASE("a run with a changed key that failed leaves its response unknown, and is named") {
  Response response{measured_at(1030, 20), {measured_at(1070, 20), exact_case("a")}};
  response.varied[1].failure = "exit code 1: deadlock";
  const Sensitivity sensitivity{{"l1.tag_cycles", {"19", "21"}}, {response}};
  CHECK(sensitivity_table(sensitivity).rows.at(0) == std::vector<std::string>{"a", "cycles", "+3.0 %", "+4.0 %", "failed", "?", "?"});
  CHECK(failed_variations(sensitivity) == std::vector<std::string>{"a with l1.tag_cycles=21: the run failed: exit code 1: deadlock"});
  CHECK(sensitivity_json({sensitivity})[0]["cases"][0]["cycles"]["response"].is_null());
  Sensitivity broken = sensitivity;
  broken.responses[0].as_is.failure = "exit code 1";
  CHECK(sensitivity_table(broken).rows.at(0) == std::vector<std::string>{"a", "failed", "", "", "", "", ""});
}

TEST_CASE("a figure that is the reference's in every run is exact") {
  const Sensitivity sensitivity{{"l1.tag_cycles", {"19"}}, {{exact_case("a"), {exact_case("a")}}}};
  CHECK(sensitivity_table(sensitivity).rows ==
        std::vector<std::vector<std::string>>{{"a", "cycles", "+0.0 %", "+0.0 %", "0.0 %", "exact"}});
}

}  // namespace
}  // namespace wharf::cli
