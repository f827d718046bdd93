#pragma once
// The figures that `wharf reproduce` measured last, as data: platforms/claims/measured.json. Reports are written from them without a run.
// Verdicts are not stored: they follow from the measured and the published figures.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_results.h"

namespace wharf::cli {

class MeasuredFigures {
 public:
  /// The project's file.
  static std::filesystem::path project_file();
  /// Throws InputError where the file cannot be read or has another form.
  static MeasuredFigures read(const std::filesystem::path& file);

  /// Each replaces the earlier figures of the same claim or source. A claim that has no measure has no figures.
  void put(const JudgedClaim& judged);
  void put(const JudgedCharacteristics& judged);

  /// Judges the figures anew. What was not measured says so.
  std::vector<JudgedClaim> judged(const std::vector<Claim>& claims) const;
  std::vector<JudgedCharacteristics> judged(const std::vector<SourceCharacteristics>& sources) const;

  /// One line per claim and per workload, in alphabetical order; eight digits of each figure.
  std::string as_json() const;

 private:
  struct OfClaim {
    Origin origin;
    std::vector<MeasureResult> parts;  // without the figures of single workloads
    std::vector<MissingFigure> missing;
  };
  struct OfSource {
    Origin origin;
    std::map<std::string, WorkloadCharacteristics> workloads;  // without statements
  };

  bool is_used(const Origin& origin) const;

  std::vector<Origin> origins_;              // in the file's order, which as_json() keeps: new figures change few lines
  std::map<std::string, OfClaim> claims_;    // by id
  std::map<std::string, OfSource> sources_;  // characteristics
};

}  // namespace wharf::cli
