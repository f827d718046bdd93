#pragma once
// Runs of the program itself, several at a time, each in its own process, because SystemC elaborates once per process; and of other programs.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wharf::cli {

struct Job {
  std::vector<std::string> arguments;  // of the program, without its name
  std::filesystem::path log;           // stdout and stderr of the child; created with its folder
  std::string program = "/proc/self/exe";
  unsigned most_threads = 1;  // more: may be given --threads, where fewer jobs are left than may run at a time
};

struct JobResult {
  int exit_code = -1;    // 128 + signal where a signal ended it
  double wall_s = 0.0;   // from its start until its end was seen: at most 1 %, or 20 ms, too long
  double cpu_s = 0.0;    // user and system time, with the processes that it waited for
  double peak_mb = 0.0;  // peak resident size of the largest of these processes, in 10^6 bytes
  bool ok() const { return exit_code == 0; }
};

/// The exit code of a child by its wait status; 128 + signal where a signal ended it.
int exit_code_of(int status);

/// For example "exit code 1" or "signal 11 (Segmentation fault)".
std::string describe_exit(int exit_code);

/// Number of processors this process may use.
unsigned usable_processors();

/// The callbacks of run_jobs(); a job is named by its index in the list.
class JobOwner {
 public:
  enum class Turn : std::uint8_t { start, later, never };

  virtual ~JobOwner() = default;
  /// Called before a job starts, and repeatedly after the answer `later`.
  virtual Turn turn(std::size_t /*job*/) { return Turn::start; }
  /// Returns true to start the job once more.
  virtual bool finished(std::size_t job, const JobResult& result) = 0;
  /// Called regularly while children run.
  virtual void idle() {}
};

/// Runs every job, at most `parallel` threads at a time, each job in a process of its own. Where fewer jobs are left than may run at a time, those
/// that start share the rest as threads. Returns false where Ctrl-C was pressed; the children
/// were then stopped, and the remaining jobs not run. Call it under an InterruptGuard. Throws InputError where a child cannot be started or
/// its log cannot be written.
bool run_jobs(const std::vector<Job>& jobs, unsigned parallel, JobOwner& owner);

}  // namespace wharf::cli
