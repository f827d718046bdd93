#include "platforms/cli/bench/validation.h"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "platforms/cli/files.h"

namespace wharf::cli {
namespace {

/// A case that agrees with its reference in everything.
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
  CHECK_THAT(exceeded_after("gpu_tot_sim_cycle", 1201).at(0), Catch::Contains("cycles deviate by +20.1 %"));
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
  fast.measured["gpu_tot_sim_cycle"] = 900;   // -10 %: the mean of the sizes is 12.5 %
  const auto exceeded = exceeded_limits({"traces", {0.10, 0.20, 0.03, 0.05}, {slow, fast}});
  REQUIRE(exceeded.size() == 1);
  CHECK_THAT(exceeded[0], Catch::Contains("12.5 % on average"));
}

TEST_CASE("a recorded program that is chaotic has no limit of its own, but its instructions count, and a user's of that name has all limits") {
  ValidationCase one = exact_case("gesummv");
  REQUIRE_FALSE(known_reason(one.name).empty());
  one.measured["gpu_tot_sim_cycle"] = 1300;
  ValidationSet set{"traces", {1.0, 0.20, 0.03, 0.05}, {one}, true};
  CHECK(exceeded_limits(set).empty());
  set.cases[0].measured["gpu_tot_sim_insn"] = 319;
  CHECK_THAT(exceeded_limits(set).at(0), Catch::Contains("instruction counts differ"));
  set.recorded_here = false;
  CHECK(exceeded_limits(set).size() == 2);
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
  CHECK_THROWS_WITH(read_reference(path, "traces"), Catch::Contains(":2: has no number in column 'cycles'"));
  write_file(path, "something else\n");
  CHECK_THROWS_AS(read_reference(path, "traces"), InputError);
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(read_reference(path, "traces"), Catch::Contains("cannot be read"));
}

TEST_CASE("a totals file is read line by line, and a broken line is named") {
  CHECK(read_accelsim_stats("a = 1\nb = 2.5\n", "f").at("b") == 2.5);
  CHECK_THROWS_WITH(read_accelsim_stats("a = 1\nb: 2\n", "f"), Catch::Contains("f:2: 'b: 2' is not"));
}

}  // namespace
}  // namespace wharf::cli
