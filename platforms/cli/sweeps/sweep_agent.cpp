#include "platforms/cli/sweeps/sweep_agent.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/text.h"
#include "platforms/cli/metric_names.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

constexpr int kNoProgram = 127;  // as `env` ends where there is no python3

/// The metric of "max ipc".
std::string metric_of(const std::string& objective) {
  const std::string direction = objective.substr(0, 4);
  if ((direction != "max " && direction != "min ") || objective.size() == direction.size())
    throw InputError(fmt::format("--objective: is {}; write max or min and a metric, such as 'max ipc'", quote(objective)));
  return objective.substr(direction.size());
}

void check(const SweepSpec& sweep, const std::string& metric) {
  MetricNames metrics;
  for (const SweepLine& line : sweep.lines) {
    if (line.search) throw InputError("--agent: the file has its own search; remove `search` from it");
    metrics.require(metric, line.config, line.overrides);
  }
}

Json question_of(const SweepSpec& sweep, const AgentOptions& agent, const RunnerOptions& runner) {
  Json question = {{"program", fs::canonical("/proc/self/exe").string()},
                   {"agent", agent.name},
                   {"agent_seed", agent.seed},
                   {"objective", agent.objective},
                   {"runs", agent.points},
                   {"jobs", runner.jobs},
                   {"stimuli", sweep.stimuli},
                   {"zip", sweep.zipped},
                   {"seed", sweep.seed}};
  question["plugins"] = Json::array();
  for (const LoadedPlugin& plugin : loaded_plugins()) question["plugins"].push_back(plugin.file);
  for (const SweepLine& line : sweep.lines) {
    Json set = Json::object();
    for (const std::string& setting : line.overrides) set[setting.substr(0, setting.find('='))] = setting.substr(setting.find('=') + 1);
    question["lines"].push_back({{"config", line.config}, {"set", std::move(set)}});
  }
  return question;
}

/// The agent as a job; draws how many points it has tried.
class AgentJob : public JobOwner {
 public:
  AgentJob(fs::path progress, std::size_t points, ProgressStyle style) : progress_(std::move(progress)), points_(points), bar_(style) {}

  JobResult ended;

  bool finished(std::size_t, const JobResult& result) override {
    bar_.clear();
    ended = result;
    return false;
  }
  void idle() override {
    std::ifstream table(progress_);
    std::string line;
    std::size_t lines = 0;
    while (std::getline(table, line)) ++lines;
    const std::size_t tried = std::max<std::size_t>(lines, 1) - 1;  // without the heading
    bar_.show(static_cast<double>(tried) / static_cast<double>(points_), fmt::format("{}/{} points", tried, points_));
  }

 private:
  fs::path progress_;
  std::size_t points_;
  ProgressBar bar_;
};

}  // namespace

AgentChoice ask_agent(const SweepSpec& sweep, const AgentOptions& agent, const RunnerOptions& runner) {
  check(sweep, metric_of(agent.objective));
  const fs::path question = runner.out / "agent.json", answer = runner.out / "agent_choice.json", search = runner.out / "search.csv";
  write_file(question, question_of(sweep, agent, runner).dump(2) + "\n");
  fs::remove(answer);
  fs::remove(search);
  const char* path = std::getenv("PYTHONPATH");
  const std::string package = (project_root() / "platforms/python").string();
  const char* given = std::getenv("WHARF_PYTHON");
  const std::string python = given == nullptr ? "python3" : given;
  Job job;
  job.program = "/usr/bin/env";
  job.arguments = {"PYTHONDONTWRITEBYTECODE=1",
                   "PYTHONPATH=" + package + (path == nullptr ? std::string() : ':' + std::string(path)),
                   python,
                   "-m",
                   "wharf.sweep_agent",
                   question.string(),
                   answer.string()};
  job.log = runner.out / "agent.log";
  const InterruptGuard guard;
  AgentJob owner(search, agent.points, runner.progress);
  if (!run_jobs({job}, 1, owner) || owner.ended.exit_code == kInterrupted) return {{}, 0, 0.0, true};
  if (owner.ended.exit_code == kNoProgram)
    throw InputError(fmt::format("--agent: {} was not found; install it with apt-get install python3, or set WHARF_PYTHON", python));
  if (!owner.ended.ok()) {
    const std::vector<std::string> last = last_lines_of(job.log, 1);
    const std::string why = last.empty() ? describe_exit(owner.ended.exit_code) : last.front();
    if (owner.ended.exit_code == kBadInput) throw InputError(fmt::format("--agent {}: {}", agent.name, why));
    throw SimulationError(fmt::format("--agent {}: {}; see {}", agent.name, why, job.log.string()));
  }
  const Json choice = Json::parse(read_file(answer));
  return {choice["tried"].get<std::vector<std::size_t>>(), choice["best"].get<std::size_t>(), choice["value"].get<double>(), false};
}

}  // namespace wharf::cli
