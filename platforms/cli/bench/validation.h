#pragma once
// Compares Wharf with a cycle-level simulator on the same traces: reference figures, deviations and limits.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// One recorded program, with the reference's figures for it.
struct ValidationCase {
  std::string name;
  std::filesystem::path kernelslist;
  std::map<std::string, double> reference;  // by column of results.csv
  std::map<std::string, double> measured;   // by key of --accelsim-stats; empty for a failed run
  std::string failure;                      // why the run failed
};

/// The largest accepted deviations; a negative limit is not checked.
struct ValidationLimits {
  double cycles_mean = 0.0, cycles_each = 0.0;  // relative
  double hit_rate = -1.0;                       // absolute
  double traffic = -1.0;                        // relative: L2 accesses, L2 misses, DRAM reads
};

inline constexpr ValidationLimits kTraceLimits = {0.10, 0.20, 0.03, 0.05};
inline constexpr ValidationLimits kMicroLimits = {0.05, 0.15, -1.0, -1.0};

struct ValidationSet {
  std::string title;
  ValidationLimits limits;
  std::vector<ValidationCase> cases;
};

/// The deviations of one case from its reference.
struct Deviations {
  double cycles = 0.0, l2_accesses = 0.0, l2_misses = 0.0, dram_reads = 0.0;  // relative, signed
  double hit_rate = 0.0;                                                      // difference
  bool instructions_exact = false;                                            // warp and thread instructions
};

/// The cases of a results file; each kernelslist is `traces`/NAME/kernelslist.g. Throws InputError naming a wrong line.
std::vector<ValidationCase> read_reference(const std::filesystem::path& results, const std::filesystem::path& traces);

/// Parses "key = value" lines. Throws InputError naming a wrong line.
std::map<std::string, double> read_accelsim_stats(const std::string& text, const std::string& file);

Deviations deviations_of(const ValidationCase& validated);

/// A sentence for every exceeded limit; empty where the set is good. A failed run counts as exceeding.
std::vector<std::string> exceeded_limits(const ValidationSet& set);

Table validation_table(const ValidationSet& set);
Json validation_json(const std::vector<ValidationSet>& sets);

}  // namespace wharf::cli
