#pragma once
// Explains runs in sentences, and for machines.

#include <string>
#include <vector>

#include "platforms/cli/explain/diagnosis.h"
#include "platforms/cli/explain/explained_run.h"
#include "platforms/cli/explain/remedies.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// A cause in words.
struct Sentence {
  Cause cause;
  std::vector<std::string> findings;
  Remedies remedies;
  std::string command;  // that compares with the first of the keys turned; empty where there is none
  Turn turn() const { return remedies.turns.empty() ? Turn() : remedies.turns.front(); }
};

struct Explanation {
  std::string name;  // configuration and stimulus
  std::string note;  // on the commands that try a key; empty if they run as they stand
  SlotStack stack;
  double without_warp = 0.0;        // share of the slots in which the scheduler has no warp
  std::vector<Sentence> no_warp;    // the causes of these
  std::vector<Sentence> sentences;  // of the others the largest, at most three
  bool partial = false;             // the run was stopped before its end
  Table instructions;               // that cost most
  Json instructions_json;
};

/// `run` has its result.
Explanation explain(const ExplainedRun& run);
std::string as_text(const Explanation& explanation);
Json as_json(const Explanation& explanation);

/// The additional cost of each cause in the second run, as a share of the first run's time, sorted by size. The costs, including issued
/// slots, add up to the difference of the times.
struct Change {
  std::string cause;
  double share = 0.0;
};
struct Difference {
  double speed_up = 1.0;  // of the second over the first
  std::vector<Change> changes;
  bool same_work = true;  // they have issued the same number of thread instructions
};
Difference difference(const Json& first, const Json& second);
std::string as_text(const Difference& difference, const Explanation& first, const Explanation& second);
Json as_json(const Difference& difference);

}  // namespace wharf::cli
