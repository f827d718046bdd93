#pragma once
// The summary of `wharf compare` without configurations: a row per design, with its change on workloads of the class that it is made for,
// its change on the same suite as all others, its energy on both, and the figure of its publication.

#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_results.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// A design and its baseline.
struct SummarisedDesign {
  Machine system, baseline;
  Claim claim;                     // its published figure; without an id for a design that has none
  std::string page;                // where to read on; empty where there is no page
  SourceCharacteristics criteria;  // of its class, with the workloads that represent it; without workloads if it has no class

  std::vector<std::string> class_workloads() const { return criteria.workloads.workloads(); }
};

/// The designs of the catalogue that have a baseline, then the other designs that have characteristics. Throws InputError where a
/// file names a claim or a workload that does not exist.
std::vector<SummarisedDesign> summarised_designs(const std::vector<Suite>& suites);

/// The suite that all designs run.
struct CommonSuite {
  std::string title;  // of its column
  std::vector<std::string> workloads;
};

/// One row per design. Without columns of classes where no design has one.
Table design_table(const std::vector<SummarisedDesign>& designs, const CommonSuite& common, const RecordOf& record_of);
/// One row per workload of a class: the criterion of the publication, and what the workload has on the baseline.
Table class_table(const std::vector<SummarisedDesign>& designs, const RecordOf& record_of);
/// The rows of both tables as data.
Json summary_json(const std::vector<SummarisedDesign>& designs, const CommonSuite& common, const RecordOf& record_of);

}  // namespace wharf::cli
