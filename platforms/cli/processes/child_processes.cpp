#include "platforms/cli/processes/child_processes.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <map>
#include <numeric>
#include <thread>

#include "model/base/error.h"
#include "platforms/cli/terminal/interrupt.h"

namespace wharf::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Clock::duration kShortestPoll = std::chrono::milliseconds(1), kLongestPoll = std::chrono::milliseconds(20);
constexpr auto kPatience = std::chrono::seconds(5);  // with children that were asked to stop

pid_t start(const Job& job, unsigned threads) {
  std::error_code error;
  if (job.log.has_parent_path()) std::filesystem::create_directories(job.log.parent_path(), error);
  const int log = open(job.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (log < 0)
    throw InputError(fmt::format("{}: cannot be written: {}; choose another place for it", job.log.string(), std::strerror(errno)));

  std::string option = "--threads=" + std::to_string(threads);
  std::vector<char*> argv = {const_cast<char*>("wharf")};
  for (const std::string& argument : job.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  if (threads > 1) argv.push_back(option.data());
  argv.push_back(nullptr);

  // Signals are blocked between fork and exec: there the handler would only set our flag in the child, which exec discards. After exec a
  // signal ends the child.
  sigset_t stops, before;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGHUP);
  sigprocmask(SIG_BLOCK, &stops, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {  // only async-signal-safe calls from here
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (signal(SIGHUP, SIG_DFL) == SIG_IGN) signal(SIGHUP, SIG_IGN);  // under nohup
    sigprocmask(SIG_SETMASK, &before, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    execv(job.program.c_str(), argv.data());
    _exit(127);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(log);
  if (child < 0) throw InputError(fmt::format("cannot start another process: {}; lower --jobs", std::strerror(errno)));
  return child;
}

/// Running children, by process id. None outlives this object.
class Children {
 public:
  ~Children() { stop(); }

  void add(pid_t pid, std::size_t index, unsigned threads) {
    last_start_ = Clock::now();
    running_[pid] = {index, threads, last_start_};
    threads_ += threads;
  }
  std::size_t count() const { return running_.size(); }
  unsigned threads() const { return threads_; }

  /// Reaps one child that has ended, if any.
  bool take_ended(std::size_t& index, JobResult& result) {
    for (auto it = running_.begin(); it != running_.end(); ++it) {
      int status = 0;
      rusage used = {};
      if (wait4(it->first, &status, WNOHANG, &used) != it->first) continue;
      index = it->second.index;
      result.exit_code = exit_code_of(status);
      result.wall_s = std::chrono::duration<double>(Clock::now() - it->second.start).count();
      result.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
      result.peak_mb = static_cast<double>(used.ru_maxrss) * 1024.0 / 1e6;
      threads_ -= it->second.threads;
      running_.erase(it);
      return true;
    }
    return false;
  }

  /// Waits before the next look: 1 % of the time since the last start, so that the end of a child is seen at most so much late.
  void pause() const { std::this_thread::sleep_for(std::clamp((Clock::now() - last_start_) / 100, kShortestPoll, kLongestPoll)); }

  /// Lets each child write its measurements; kills those that do not stop in time.
  void stop() {
    for (const auto& [pid, child] : running_) kill(pid, SIGTERM);
    const Clock::time_point deadline = Clock::now() + kPatience;
    std::size_t index = 0;
    JobResult result;
    while (!running_.empty() && Clock::now() < deadline) {
      if (!take_ended(index, result)) pause();
    }
    for (const auto& [pid, unused] : running_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    running_.clear();
  }

 private:
  struct Child {
    std::size_t index;
    unsigned threads;
    Clock::time_point start;
  };
  static double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

  std::map<pid_t, Child> running_;
  unsigned threads_ = 0;  // of all
  Clock::time_point last_start_;
};

/// Starts the first job that may start, with its share of the `free` threads, or drops one that need not run; returns false where all others
/// must wait.
bool begin_one(const std::vector<Job>& jobs, std::deque<std::size_t>& waiting, unsigned free, Children& children, JobOwner& owner) {
  const unsigned share = std::max(1u, free / static_cast<unsigned>(waiting.size()));
  for (auto job = waiting.begin(); job != waiting.end(); ++job) {
    const JobOwner::Turn turn = owner.turn(*job);
    if (turn == JobOwner::Turn::later) continue;
    const unsigned threads = std::min(share, jobs[*job].most_threads);
    if (turn == JobOwner::Turn::start) children.add(start(jobs[*job], threads), *job, threads);
    waiting.erase(job);
    return true;
  }
  return false;
}

}  // namespace

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

std::string describe_exit(int exit_code) {
  if (exit_code <= 128) return fmt::format("exit code {}", exit_code);
  return fmt::format("signal {} ({})", exit_code - 128, strsignal(exit_code - 128));
}

unsigned usable_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

bool run_jobs(const std::vector<Job>& jobs, unsigned parallel, JobOwner& owner) {
  Children children;
  std::deque<std::size_t> waiting(jobs.size());
  std::iota(waiting.begin(), waiting.end(), std::size_t{0});
  while (!waiting.empty() || children.count() > 0) {
    if (InterruptGuard::requested()) {
      children.stop();
      return false;
    }
    const unsigned free = parallel - std::min(parallel, children.threads());
    if (free > 0 && !waiting.empty() && begin_one(jobs, waiting, free, children, owner)) continue;
    std::size_t index = 0;
    JobResult result;
    if (children.take_ended(index, result)) {
      if (owner.finished(index, result)) waiting.push_front(index);
    } else {
      owner.idle();
      children.pause();
    }
  }
  return true;
}

}  // namespace wharf::cli
