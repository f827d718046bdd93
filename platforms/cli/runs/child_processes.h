#pragma once
// Runs of the program itself, one process each (SystemC elaborates once a process), several at a time.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wharf::cli {

struct Job {
  std::vector<std::string> arguments;  // of the program, without its name
  std::filesystem::path log;           // stdout and stderr of the child; created with its folder
};

struct JobResult {
  int exit_code = -1;  // 128 + signal where a signal ended it
  bool ok() const { return exit_code == 0; }
};

/// "exit code 1", "signal 11 (Segmentation fault)".
std::string describe_exit(int exit_code);

/// Number of processors this process may use.
unsigned usable_processors();

/// What run_jobs() asks about jobs and tells of them, by their place in the list.
class JobOwner {
 public:
  enum class Turn : std::uint8_t { start, later, never };

  virtual ~JobOwner() = default;
  /// Asked before a job is started, and again and again where the answer was `later`.
  virtual Turn turn(std::size_t /*job*/) { return Turn::start; }
  /// True: start it once more.
  virtual bool finished(std::size_t job, const JobResult& result) = 0;
  /// Called now and then while children run.
  virtual void idle() {}
};

/// Runs every job, at most `parallel` at a time, each in a process of this program.
/// False: Ctrl-C was pressed; the children were stopped and jobs not yet begun were not run.
/// Call it under an InterruptGuard. Throws InputError where a child cannot be started or its log not be written.
bool run_jobs(const std::vector<Job>& jobs, unsigned parallel, JobOwner& owner);

}  // namespace wharf::cli
