// The reference traces and microbenchmarks against the counts of the cycle-level simulator that ran them.
//
// The simulator's counting rule, derived from these figures: warp_insts is the number of instruction lines, including those with an empty
// mask (predicated-off EXITs). thread_insts is the sum of their active lanes, so an empty mask adds nothing. l1d_acc is the sum of the
// distinct 32 B sectors of each global instruction, without loads that bypass the L1.

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "stimuli/traces/trace_check.h"
#include "stimuli/traces/trace_reader.h"
#include "test_paths.h"

using namespace wharf;
using namespace wharf::traces;

namespace {

const std::string kReference = std::string(WHARF_SOURCE_DIR) + "/tests/data/accelsim/";

using Row = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<Row> read_table(const std::string& name) {
  std::ifstream in(kReference + name);
  REQUIRE(in);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> columns = split(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line);
    Row row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[columns[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

void check_against(const Row& row, const std::string& folder) {
  const std::string name = row.at("name");
  CAPTURE(name);
  const CheckReport report = check(kReference + folder + "/" + name);
  CHECK(report.problems.empty());
  CHECK(report.warnings.empty());
  const std::vector<KernelInfo> kernels = info(kReference + folder + "/" + name).kernels;
  CHECK(kernels.size() == std::stoul(row.at("kernels")));
  std::uint64_t warp_instructions = 0, thread_instructions = 0, packed_bytes = 0;
  for (const KernelInfo& kernel : kernels) {
    warp_instructions += kernel.warp_instructions;
    thread_instructions += kernel.thread_instructions;
    packed_bytes += kernel.packed_bytes;
  }
  CHECK(warp_instructions == std::stoull(row.at("warp_insts")));
  CHECK(thread_instructions == std::stoull(row.at("thread_insts")));
  CHECK(packed_bytes <= 16 * warp_instructions);
}

void check_per_kernel(const std::string& table, const std::string& folder) {
  std::map<std::string, std::vector<KernelInfo>> kernels;
  for (const Row& row : read_table(table)) {
    auto& trace = kernels[row.at("name")];
    if (trace.empty()) trace = info(kReference + folder + "/" + row.at("name")).kernels;
    const KernelInfo& kernel = trace.at(std::stoul(row.at("kernel")) - 1);
    CAPTURE(row.at("name"), row.at("kernel"));
    CHECK(kernel.name == row.at("function"));
    CHECK(kernel.thread_instructions == std::stoull(row.at("thread_insts")));
  }
}

}  // namespace

TEST_CASE("The five reference traces have the simulator's warp and thread instructions") {
  const std::vector<Row> rows = read_table("results.csv");
  REQUIRE(rows.size() == 5);
  for (const Row& row : rows) check_against(row, "traces");
}

TEST_CASE("The 68 microbenchmarks have the simulator's warp and thread instructions") {
  const std::vector<Row> rows = read_table("micro_results.csv");
  REQUIRE(rows.size() == 68);
  for (const Row& row : rows) check_against(row, "micro");
}

TEST_CASE("Each reference kernel has its name and its thread instructions") {
  check_per_kernel("per_kernel.csv", "traces");
  check_per_kernel("micro_per_kernel.csv", "micro");
}

TEST_CASE("The decoded addresses of the five reference traces coalesce into the simulator's L1 sectors") {
  for (const Row& row : read_table("results.csv")) {
    CAPTURE(row.at("name"));
    std::uint64_t sectors = 0;
    for (const KernelInfo& kernel : info(kReference + "traces/" + row.at("name")).kernels) sectors += kernel.sectors;
    CHECK(sectors == std::stoull(row.at("l1d_acc")));
  }
}

TEST_CASE("A strong load bypasses the L1 in the microbenchmarks whose name says cg") {
  const std::string name = GENERATE("chase_l2_cg_1000", "chase_l2_1000");
  TraceStimulus stimulus(kReference + "micro/" + name);
  const KernelLaunch* launch = stimulus.next_kernel();
  REQUIRE(launch != nullptr);
  std::uint64_t bypassing = 0, loads = 0;
  for (std::uint64_t cta = 0; cta < launch->grid.count(); ++cta) {
    for (const auto& warp : stimulus.open_cta(cta)) {
      for (const WarpInstruction* next = warp->peek(); next != nullptr; next = warp->peek()) {
        loads += next->unit == Unit::load;
        bypassing += next->unit == Unit::load && next->cache_op == CacheOp::bypass_l1;
        warp->advance();
      }
    }
  }
  CHECK(loads > 0);
  CHECK(bypassing == (name == "chase_l2_cg_1000" ? 1000 : 0));
}
