#pragma once
// Compares Wharf with a cycle-level simulator on the same traces: reference figures, deviations and limits.

#include <array>
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
  Json warnings = Json::array();            // of its result
};

/// The largest accepted deviations; a negative limit is not checked.
struct ValidationLimits {
  double cycles_mean = 0.0, cycles_each = 0.0;  // relative
  double hit_rate = -1.0;                       // absolute
  double traffic = -1.0;                        // of L2 accesses, L2 misses and DRAM reads, as a share of the reference's L2 accesses
};

inline constexpr ValidationLimits kTraceLimits = {0.03, 0.10, 0.02, 0.02};
/// Limits for exported stimuli, whose counts equal the reference's.
inline constexpr ValidationLimits kExportedLimits = {0.01, 0.02, 0.0, 0.0};
/// Limits for a user's own traces and totals: programs with which the model was never compared.
inline constexpr ValidationLimits kOtherLimits = {0.05, 0.15, 0.05, 0.05};

struct ValidationSet {
  std::string title;
  ValidationLimits limits;
  std::vector<ValidationCase> cases;
  bool is_reference = false;  // the programs of tests/data/accelsim, for which known_reason() speaks
};

/// The deviations of one case from its reference.
struct Deviations {
  double cycles = 0.0;                                          // relative, signed
  double l2_accesses = 0.0, l2_misses = 0.0, dram_reads = 0.0;  // as a share of the reference's L2 accesses, signed
  double hit_rate = 0.0;                                        // difference
  bool instructions_exact = false;                              // warp instructions, and thread instructions where the reference has them
};

/// A figure that is compared: its name in tables and in JSON.
struct Figure {
  const char* name;
  const char* key;
  double Deviations::*deviation;
  bool is_share;  // shown in per cent
};
inline constexpr std::array<Figure, 5> kFigures = {{{"cycles", "cycles", &Deviations::cycles, true},
                                                    {"L1D hit rate", "l1d_hit_rate", &Deviations::hit_rate, false},
                                                    {"L2 accesses", "l2_accesses", &Deviations::l2_accesses, true},
                                                    {"L2 misses", "l2_misses", &Deviations::l2_misses, true},
                                                    {"DRAM reads", "dram_reads", &Deviations::dram_reads, true}}};

/// A deviation with its sign: "+2.0 %" or "-0.0078"; "?" where it is unknown.
std::string deviation_text(const Figure& figure, double value);

/// The cases of a results file; each kernelslist is `traces`/NAME/kernelslist.g. Throws InputError naming a wrong line.
std::vector<ValidationCase> read_reference(const std::filesystem::path& results, const std::filesystem::path& traces);

/// Parses "key = value" lines. Throws InputError naming a wrong line.
std::map<std::string, double> read_accelsim_stats(const std::string& text, const std::string& file);

Deviations deviations_of(const ValidationCase& validated);

/// A sentence for every exceeded limit; empty where the set is good. A failed run counts as exceeding. A recorded program with a
/// known_reason() has to have the reference's instruction counts, but has no other limit and does not count in the mean.
std::vector<std::string> exceeded_limits(const ValidationSet& set);

/// Why a recorded program has no limit of its own: a latency that differs by a cycle moves its figures by more than the limits allow
/// (docs/validation.md). Empty for all others.
std::string known_reason(const std::string& name);

Table validation_table(const ValidationSet& set);
Json validation_json(const std::vector<ValidationSet>& sets);

}  // namespace wharf::cli
