#pragma once
// `wharf sweep --agent`: a search agent in Python chooses which lines of a sweep run (docs/howto-search.md).

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/cli/runs/runner.h"
#include "platforms/cli/sweeps/sweep_spec.h"

namespace wharf::cli {

struct AgentOptions {
  std::string name;       // as wharf.agents has it in Python
  std::string objective;  // "max ipc"
  std::size_t points;     // machines to try
  std::uint64_t seed;     // of the agent
};

struct AgentChoice {
  std::vector<std::size_t> tried;  // lines of the sweep, in the order in which they were tried
  std::size_t best = 0;            // one of them
  double value = 0.0;              // its objective: the geometric mean over the stimuli
  bool interrupted = false;        // Ctrl-C: nothing else is set
};

/// Lets the agent search the lines of `sweep`. Its runs are kept as finished runs in runner.out, where search.csv shows how the best result
/// improved. Throws InputError for a sweep with searches of its own, an objective that is none, an agent that does not exist, or where
/// Python or a package is missing; SimulationError where a run fails.
AgentChoice ask_agent(const SweepSpec& sweep, const AgentOptions& agent, const RunnerOptions& runner);

}  // namespace wharf::cli
