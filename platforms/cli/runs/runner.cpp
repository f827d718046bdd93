#include "platforms/cli/runs/runner.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <ostream>
#include <set>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/hash.h"
#include "platforms/cli/metric_names.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/processes/folder_lock.h"
#include "platforms/cli/program_fingerprint.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/runs/records/run_database.h"
#include "platforms/cli/runs/run_times.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

struct PlannedRun {
  RunIdentity identity;
  std::string key, name;  // name: for display
  fs::path folder;
  RunRecord record;
  double seconds = 1.0;  // expected duration, from similar runs
};

/// A requested spec: one run, or the candidates of a search.
struct Wanted {
  std::vector<std::size_t> runs;         // indices in Plan::runs
  std::optional<config::Search> search;  // over these runs
  std::string workload;                  // their workload
};

struct Plan {
  std::vector<PlannedRun> runs;  // distinct runs
  std::vector<Wanted> wanted;    // one per spec
};

/// Folder name of a configuration or stimulus: the name itself where it is safe, else the harmless characters of `shown` and a hash.
std::string folder_name(const std::string& name, const std::string& shown) {
  constexpr const char* kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@=,:+-.";
  constexpr std::size_t kLongest = 100;
  std::string safe = shown;
  for (std::size_t i = 0; (i = safe.find_first_not_of(kSafe, i)) != std::string::npos;) safe[i] = '_';
  if (safe == name && name.size() <= kLongest && name.front() != '.') return safe;
  return '_' + safe.substr(0, kLongest) + '-' + hash_text(name).substr(0, 8);
}

class Planner {
 public:
  explicit Planner(fs::path out) : out_(std::move(out)), program_(program_fingerprint()) {}

  void add(const RunSpec& spec) {
    Wanted& wanted = plan_.wanted.emplace_back();
    try {
      check_stimulus_of(spec);
      const Configuration configuration = configuration_of(spec);
      if (!is_open(configuration.search, spec.overrides)) {
        wanted.runs.push_back(place_of(spec, configuration));
        return;
      }
      for (const RunSpec& candidate : candidates(spec, *configuration.search)) {
        metrics_.require(configuration.search->objective, candidate.config, candidate.overrides);
        wanted.runs.push_back(place_of(candidate, configuration_of(candidate)));
      }
      wanted.search = configuration.search;
      wanted.workload = workload_of(spec.stimulus);
    } catch (const InputError& error) {
      if (mistakes_seen_.insert(error.what()).second) mistakes_ += (mistakes_.empty() ? "" : "\n") + std::string(error.what());
    }
  }

  Plan finish() {
    if (!mistakes_.empty()) throw InputError(mistakes_);
    return std::move(plan_);
  }

 private:
  std::size_t place_of(const RunSpec& spec, const Configuration& configuration) {
    const RunIdentity identity{spec, inputs_json(spec, configuration), program_};
    const std::string key = identity.key();
    const auto [place, is_new] = places_.emplace(key, plan_.runs.size());
    if (is_new) {
      std::string config = spec.config;
      for (const std::string& setting : spec.overrides) config += ',' + setting;
      const fs::path folder =
          out_ / "runs" / folder_name(config, config) / folder_name(spec.stimulus, short_names({spec.stimulus}).front());
      plan_.runs.push_back({identity, key, config + ' ' + spec.stimulus, folder, {}, 1.0});
    }
    return place->second;
  }

  fs::path out_;
  std::string program_;
  MetricNames metrics_;
  Plan plan_;
  std::map<std::string, std::size_t> places_;  // by key
  std::set<std::string> mistakes_seen_;
  std::string mistakes_;
};

/// The distinct runs, each with its time by the project's times alone.
Plan plan_of(const std::vector<RunSpec>& specs, const RunnerOptions& options) {
  Planner planner(options.out);
  for (const RunSpec& spec : specs) planner.add(spec);
  Plan plan = planner.finish();
  const RunTimes times = RunTimes::of_project();
  for (PlannedRun& run : plan.runs) run.seconds = times.expected(run.identity.spec);
  return plan;
}

/// Sets the time of each run by what has been measured here as well.
void expect_times(Plan& plan, RunDatabase& database) {
  RunTimes times = RunTimes::of_project();
  database.add_times_to(times);
  for (PlannedRun& run : plan.runs) run.seconds = times.expected(run.identity.spec);
}

/// The part of each run. Uses only the project's run times, which are the same on every machine.
std::vector<unsigned> parts_of_plan(const std::vector<PlannedRun>& runs, const Shard& shard) {
  std::vector<double> seconds;
  std::vector<std::string> names;
  for (const PlannedRun& run : runs) {
    seconds.push_back(run.seconds);
    names.push_back(run.name);
  }
  return parts_of(seconds, names, shard.count);
}

/// The runs without a record, while they execute.
class Runs : public JobOwner {
 public:
  /// `part` is indexed by run of the plan.
  Runs(Plan& plan, const std::vector<unsigned>& part, RunDatabase& database, const RunnerOptions& options, std::ostream& err)
      : database_(database), style_(options.progress), parallel_(options.jobs), err_(err), bar_(options.progress) {
    if (std::filesystem::exists(options.known / "runs.sqlite")) others_.emplace(options.known);
    for (std::size_t i = 0; i < plan.runs.size(); ++i) {
      PlannedRun& run = plan.runs[i];
      if (receive_result(run)) {
        ++known_;
        continue;
      }
      if (part[i] != options.shard.index) continue;
      require_writable_folder(run.folder);
      all_s_ += run.seconds;
      Job& job = jobs_.emplace_back(Job{run_arguments(run.identity.spec, run.folder), run.folder / "log.txt"});
      job.most_threads = options.most_threads;
      active_.push_back({&run, std::nullopt, false});
    }
  }

  const std::vector<Job>& jobs() const { return jobs_; }
  /// Number of runs that had a record before.
  std::size_t known() const { return known_; }
  /// Seconds left, from the times of similar runs, corrected by the ratio observed so far. Before enough runs have ended to measure it, the
  /// ratio is at least what it would be if those under way ended now.
  double left() const {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double done_at_once = std::min<double>(parallel_, static_cast<double>(std::max<std::size_t>(1, jobs_.size())));
    const bool is_measured = done_ >= kMeasured && done_s_ > 0.0;
    const double expected = is_measured ? done_s_ : done_s_ + under_way_s_;
    const double ratio = expected > 0.0 ? elapsed * done_at_once / expected : 0.0;
    return (all_s_ - done_s_) / done_at_once * (is_measured ? ratio : std::max(1.0, ratio));
  }

  Turn turn(std::size_t job) override {
    Active& active = active_[job];
    if (active.lock) return Turn::start;  // once more
    FolderLock lock(active.run->folder);
    if (!lock.held()) return Turn::later;  // another command runs it
    if (receive_result(*active.run)) {
      count(active);
      return Turn::never;
    }
    active.lock.emplace(std::move(lock));
    under_way_s_ += active.run->seconds;
    return Turn::start;
  }

  bool finished(std::size_t job, const JobResult& result) override {
    Active& active = active_[job];
    PlannedRun& run = *active.run;
    const bool killed = result.exit_code > 128;
    if (!result.ok() || !take_folder(run)) {
      run.record.failure = failure_of(result.exit_code, jobs_[job].log);
      report(active, jobs_[job].log, killed && !active.again);
      if (killed && !active.again) return active.again = true;
      run.record.status = RunStatus::failed;
      database_.add_failed(run.identity, run.record.failure);
    }
    active.lock.reset();
    under_way_s_ -= run.seconds;
    count(active);
    last_ = run.name;
    idle();
    return false;
  }

  void idle() override {
    bar_.show(all_s_ > 0.0 ? done_s_ / all_s_ : 1.0, left(), fmt::format("{}/{} runs  {}", done_, jobs_.size(), last_));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMeasured = 4;  // runs after which the speed of this machine is known

  struct Active {
    PlannedRun* run;
    std::optional<FolderLock> lock;  // held while it runs
    bool again;                      // this is its second attempt
  };

  void count(const Active& active) {
    ++done_;
    done_s_ += active.run->seconds;
  }

  bool receive_result(PlannedRun& run) {
    if (std::optional<Json> known = database_.find(run.key)) {
      run.record = {RunStatus::done, std::move(*known), {}, {}};
      return true;
    }
    if (std::optional<Json> known = others_ ? others_->find(run.key) : std::nullopt) {
      run.record = {RunStatus::done, database_.add_done(run.identity, std::move(*known)), {}, {}};
      return true;
    }
    return take_folder(run);  // its command ended between result and record, or the database was removed
  }

  bool take_folder(PlannedRun& run) {
    std::optional<Json> written = read_finished_run(run.folder, run.identity.inputs, run.identity.program);
    if (!written) return false;
    run.record = {RunStatus::done, database_.add_done(run.identity, std::move(*written)), {}, {}};
    return true;
  }

  void report(const Active& active, const fs::path& log, bool again) {
    constexpr std::size_t kMostLines = 5;
    if (style_ == ProgressStyle::json) {
      write_event("failed", fmt::format("\"run\":{},\"reason\":{},\"again\":{}", json_string(active.run->name),
                                        json_string(active.run->record.failure), again));
      return;
    }
    bar_.clear();
    fmt::print(err_, "failed: {}: {}{}\n", active.run->name, active.run->record.failure, again ? "; it is repeated once" : "");
    const std::vector<std::string> lines = last_lines_of(log, kMostLines);
    if (lines.size() < 2 || style_ == ProgressStyle::none) return;
    for (const std::string& line : lines) fmt::print(err_, "  | {}\n", line);
  }

  RunDatabase& database_;
  std::optional<RunDatabase> others_;
  ProgressStyle style_;
  unsigned parallel_;
  std::ostream& err_;
  ProgressBar bar_;
  std::vector<Job> jobs_;
  std::vector<Active> active_;  // one per job
  std::size_t done_ = 0, known_ = 0;
  double all_s_ = 0.0, done_s_ = 0.0, under_way_s_ = 0.0;  // expected seconds of all jobs, of those that have ended, and that run
  Clock::time_point begin_ = Clock::now();
  std::string last_;
};

RunRecord record_of(const Wanted& wanted, const std::vector<PlannedRun>& runs) {
  if (!wanted.search) return runs[wanted.runs.front()].record;
  std::vector<const RunRecord*> records;
  for (const std::size_t run : wanted.runs) records.push_back(&runs[run].record);
  return winner(*wanted.search, records, wanted.workload);
}

void announce(const Plan& plan, const Runs& runs, const RunnerOptions& options, std::ostream& err) {
  if (options.progress == ProgressStyle::none || options.shard.index == 0) return;
  if (options.progress == ProgressStyle::json) {
    write_event("start",
                fmt::format("\"runs\":{},\"finished\":{},\"jobs\":{},\"part\":{},\"parts\":{},\"expected_s\":{:.1f}", runs.jobs().size(),
                            runs.known(), options.jobs, options.shard.index, options.shard.count, runs.left()));
    return;
  }
  fmt::print(err, "{} run{}, {} at a time", runs.jobs().size(), plural_ending(runs.jobs().size()), options.jobs);
  if (!options.shard.is_whole()) fmt::print(err, ", part {}/{} of {}", options.shard.index, options.shard.count, plan.runs.size());
  if (runs.known() > 0) fmt::print(err, "; {} {} finished already in {}", runs.known(), is_or_are(runs.known()), options.out.string());
  if (!runs.jobs().empty()) fmt::print(err, "; about {} as similar runs took", format_duration(runs.left()));
  fmt::print(err, "\n");
}

void print_warnings(const Plan& plan, ProgressStyle style, std::ostream& err) {
  std::vector<WarnedRun> runs;
  for (const PlannedRun& run : plan.runs) runs.emplace_back(run.name, warnings_of(run.record.result));
  for (const std::string& line : warning_lines(runs)) {
    if (style == ProgressStyle::json)
      write_event("warning", "\"text\":" + json_string(line));
    else
      fmt::print(err, "{}\n", line);
  }
}

void print_dry_run(const Plan& plan, const RunnerOptions& options, std::ostream& err) {
  double seconds = 0.0;
  for (const PlannedRun& run : plan.runs) seconds += run.seconds;
  fmt::print(err, "{} runs, {} at a time, in {}; about {} as similar runs took, minus finished runs; nothing was run\n", plan.runs.size(),
             options.jobs, options.out.string(),
             format_duration(seconds / std::min<double>(options.jobs, static_cast<double>(plan.runs.size()))));
}

}  // namespace

RunBatch run_batch(const std::vector<RunSpec>& specs, const RunnerOptions& options, std::ostream& err) {
  Plan plan = plan_of(specs, options);
  if (options.dry) {
    print_dry_run(plan, options, err);
    return {};
  }
  RunDatabase database(options.out);
  const std::vector<unsigned> part = parts_of_plan(plan.runs, options.shard);
  expect_times(plan, database);
  Runs runs(plan, part, database, options, err);
  announce(plan, runs, options, err);
  const InterruptGuard guard;
  RunBatch batch;
  batch.interrupted = !run_jobs(runs.jobs(), options.jobs, runs);
  print_warnings(plan, options.progress, err);
  for (const Wanted& wanted : plan.wanted) batch.records.push_back(record_of(wanted, plan.runs));
  batch.runs = plan.runs.size();
  std::set<unsigned> open_parts;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    if (plan.runs[i].record.status != RunStatus::not_run) continue;
    ++batch.open;
    open_parts.insert(part[i]);
  }
  batch.open_parts.assign(open_parts.begin(), open_parts.end());
  return batch;
}

bool has_failed(const RunBatch& batch) {
  return std::any_of(batch.records.begin(), batch.records.end(),
                     [](const RunRecord& record) { return record.status == RunStatus::failed; });
}

std::string part_text(const RunBatch& batch, const RunnerOptions& options) {
  return fmt::format("part {}/{} is done: {} of {} runs have ended in {}", options.shard.index, options.shard.count,
                     batch.runs - batch.open, batch.runs, options.out.string());
}

std::vector<ExpectedRun> expected_runs(const std::vector<RunSpec>& specs, const RunnerOptions& options) {
  Plan plan = plan_of(specs, options);
  RunDatabase database(options.out);
  std::vector<ExpectedRun> expected;
  for (const PlannedRun& run : plan.runs) expected.push_back({run.name, run.seconds, run.seconds, database.find(run.key).has_value()});
  expect_times(plan, database);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i].seconds = plan.runs[i].seconds;
  return expected;
}

}  // namespace wharf::cli
