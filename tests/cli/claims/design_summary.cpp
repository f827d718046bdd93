// The summary of `wharf compare`: its designs and workloads, and the arithmetic of its rows.

#include "platforms/cli/claims/design_summary.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "platforms/cli/claims/measured_figures.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/files.h"
#include "tests/cli/claims/claim_records.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
using Names = std::vector<std::string>;

Names names_of(const std::vector<SummarisedDesign>& designs) {
  Names names;
  for (const SummarisedDesign& design : designs) names.push_back(design.system.config);
  return names;
}

TEST_CASE("the summary has the seven published designs, each with a claim, a page and a class") {
  const std::vector<SummarisedDesign> designs = summarised_designs(all_suites());
  CHECK(names_of(designs) == Names{"remote_sharing", "shared_l1", "dc_l1", "ata", "morpheus", "ciao", "loscache"});
  for (const SummarisedDesign& design : designs) {
    INFO(design.system.config);
    CHECK(design.claim.value.has_value());
    CHECK(std::filesystem::exists(project_root() / design.page));
    CHECK(design.class_workloads().size() >= 2);
  }
}

TEST_CASE("every workload of a class meets the publication's criterion, as last measured") {
  const MeasuredFigures figures = MeasuredFigures::read(MeasuredFigures::project_file());
  for (const SummarisedDesign& design : summarised_designs(all_suites())) {
    const auto judged = figures.judged(std::vector<SourceCharacteristics>{design.criteria});
    const CharacteristicsResult& result = judged.front().result;
    CHECK(result.workloads.size() == design.class_workloads().size());
    for (const WorkloadCharacteristics& workload : result.workloads) {
      INFO(design.system.config << " " << workload.workload);
      CHECK(workload.within(false));
    }
  }
}

TEST_CASE("docs/commands.md names the workloads of each class") {
  const std::string page = read_file(project_root() / "docs" / "commands.md");
  for (const SummarisedDesign& design : summarised_designs(all_suites())) {
    const std::vector<std::string> workloads = design.class_workloads();
    for (const std::string& workload : workloads) {
      INFO(design.system.config << " " << workload);
      const std::size_t row = page.find("\n| " + design.system.config + " | ");
      REQUIRE(row != std::string::npos);
      CHECK(page.find(workload, row) < page.find('\n', row + 1));
    }
  }
}

void add_run(Records& records, const std::string& key, double ipc, double energy, double misses = 0.0) {
  records.add(key, {{"ipc", ipc}, {"energy.total", energy}, {"thread_instructions", 100.0}, {"l1.miss_rate", misses}});
}

/// A design whose class misses with more than half of its loads: a and b, of which b misses less.
SummarisedDesign example_design() {
  SummarisedDesign design;
  design.system.config = "system";
  design.baseline.config = "base";
  design.page = "docs/system.md";
  design.claim.id = "X-1";
  design.claim.unit = "percent";
  design.claim.value = 21.0;
  design.claim.measures.emplace_back().metric = {"ipc"};
  design.criteria.baseline.config = "base";
  design.criteria.workloads = {"class", {{"a", false, {}}, {"b", false, {}}}};
  Stated stated;
  stated.low = 0.5;
  design.criteria.groups = {{"class", "2.1", design.criteria.workloads, {{"l1.miss_rate", stated}}, {}}};
  return design;
}

/// Runs on `base` and `system`, as the criterion requires.
Records example_records() {
  Records records;
  add_run(records, "base a", 10.0, 100.0, 0.9);
  add_run(records, "system a", 20.0, 50.0);
  add_run(records, "base b", 10.0, 100.0, 0.2);
  add_run(records, "system b", 20.0, 50.0);
  add_run(records, "base six", 10.0, 100.0);
  add_run(records, "system six", 9.0, 125.0);
  return records;
}

TEST_CASE("a row has the publication's figure, and speed and energy on the class and on the suite") {
  const Records records = example_records();
  const Table table = design_table({example_design()}, {"suite x", {"six"}}, records.look_up());
  CHECK(table.columns == Names{"design", "published", "its class", "energy", "suite x", "energy", "read on"});
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0] == Names{"system", "+21 %", "+100.0 %", "-50.0 %", "-10.0 %", "+25.0 %", "docs/system.md"});
  CHECK_THAT(table.note, Contains("suite x: six.") && Contains("Workloads outside their class on this baseline: b (system)."));
}

TEST_CASE("the classes are shown with criterion, measured value and whether it is met") {
  const Table table = class_table({example_design()}, example_records().look_up());
  CHECK(table.rows == std::vector<Names>{{"a", "system", "L1 miss rate above 50 %", "L1 miss rate 90.0 %", "yes"},
                                         {"b", "system", "L1 miss rate above 50 %", "L1 miss rate 20.0 %", "NO"}});
}

TEST_CASE("a mean that lacks a workload is no figure") {
  const Records records = example_records();
  const RecordOf all = records.look_up();
  const RecordOf without_b = [&](const Machine& machine, const std::string& workload) {
    return machine.config == "system" && workload == "b" ? nullptr : all(machine, workload);
  };
  const Table table = design_table({example_design()}, {"suite x", {"six"}}, without_b);
  CHECK(table.rows[0] == Names{"system", "+21 %", "-", "-", "-10.0 %", "+25.0 %", "docs/system.md"});
}

TEST_CASE("without classes the table has none of their columns, and a design without publication none of its figures") {
  SummarisedDesign design = example_design();
  design.criteria = {};
  design.claim.id.clear();
  design.page.clear();
  const Table table = design_table({design}, {"stimuli", {"six"}}, example_records().look_up());
  CHECK(table.columns == Names{"design", "published", "stimuli", "energy", "read on"});
  CHECK(table.rows[0] == Names{"system", "-", "-10.0 %", "+25.0 %", "-"});
  CHECK(class_table({design}, example_records().look_up()).rows.empty());
}

TEST_CASE("the summary as data has changes in per cent and the workloads behind them") {
  const Json json = summary_json({example_design()}, {"suite x", {"six"}}, example_records().look_up());
  CHECK(json[0]["claim"] == "X-1");
  CHECK(json[0]["class"] == Json({{"workloads", {"a", "b"}}, {"gain_percent", 100.0}, {"energy_percent", -50.0}}));
  CHECK(json[0]["suite"]["workloads"] == Json({"six"}));
  CHECK(json[0]["suite"]["gain_percent"].get<double>() == Approx(-10.0));
}

}  // namespace
}  // namespace wharf::cli
