#include "platforms/cli/serve/run_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <new>

#include "model/base/error.h"
#include "model/base/host/out_of_memory.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/processes/folder_lock.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/runs/records/run_database.h"
#include "platforms/cli/runs/single_run.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

constexpr int kAnswers = 3;                // the child's descriptor of the pipe to the server
constexpr double kProgressInterval = 0.1;  // seconds

/// The child's part: it looks the run up, or simulates it, and writes lines to the pipe.
class RunChild {
 public:
  explicit RunChild(const RunStore& store) : store_(store) {}

  void run(const RunSpec& spec) {
    try {
      answer(spec);
    } catch (const InputError& error) {
      send(error_json("bad_input", error.what()));
    } catch (const SimulationError& error) {
      send(error_json("simulation_failed", error.what()));
    } catch (const std::bad_alloc&) {
      send(error_json("bad_input", kOutOfMemory));
    } catch (const std::exception& error) {
      send(error_json("simulation_failed", fmt::format("internal error: {}", error.what())));
    }
  }

 private:
  void answer(const RunSpec& spec) {
    const PreparedRun run = prepare_run(spec);
    const RunIdentity identity{spec, inputs_json(spec, run.configuration), store_.program};
    const std::string key = identity.key();
    RunDatabase database(store_.folder);
    if (send_known(database, key)) return;
    const fs::path folder = folder_of(key);
    const FolderLock lock(folder, FolderLock::Wait::yes);  // another process may be at the same run
    if (send_known(database, key)) return;
    write_all_to(folder / "log.txt");
    RunOutcome outcome =
        execute(run, {}, [&](double fraction, const Progress& progress, double elapsed_s) { return show(fraction, progress, elapsed_s); },
                {folder, {}});
    if (!outcome.failure.empty()) {
      database.add_failed(identity, outcome.failure);
      throw SimulationError(outcome.failure);
    }
    send_result(database.add_done(identity, std::move(outcome.result)), key, false);
  }

  fs::path folder_of(const std::string& key) const { return store_.folder / "runs" / key; }

  /// From here on, all output goes to the log of the run.
  static void write_all_to(const fs::path& log) {
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) throw InputError(fmt::format("{}: cannot be written: {}; choose another --out", log.string(), std::strerror(errno)));
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    close(file);
  }

  bool show(double fraction, const Progress& progress, double elapsed_s) {
    if (elapsed_s < next_s_) return true;
    next_s_ = elapsed_s + kProgressInterval;
    Json json = {{"cycles", progress.cycles}, {"warp_instructions", progress.warp_instructions}, {"elapsed_s", elapsed_s}};
    json["fraction"] = fraction < 0.0 ? Json() : Json(fraction);
    send({{"progress", std::move(json)}});
    return true;
  }

  bool send_known(RunDatabase& database, const std::string& key) const {
    std::optional<Json> known = database.find(key);
    if (known) send_result(std::move(*known), key, true);
    return known.has_value();
  }

  void send_result(Json record, const std::string& key, bool cached) const {
    Json result = {{"cached", cached}, {"partial", record.value("partial", false)}, {"key", key}};
    if (const fs::path folder = folder_of(key); fs::exists(folder / "result.json")) result["folder"] = folder.string();
    result["inputs"] = std::move(record["inputs"]);
    result["warnings"] = record.value("warnings", Json::array());
    result["metrics"] = std::move(record["run"]);
    result["wall_s"] = record["host"].value("wall_s", Json());
    send({{"result", std::move(result)}});
  }

  static void send(const Json& answer) {
    const std::string line = answer.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t count = write(kAnswers, line.data() + done, line.size() - done);
      if (count < 0 && errno != EINTR) _exit(1);  // the server is gone
      if (count > 0) done += static_cast<std::size_t>(count);
    }
  }

  const RunStore& store_;
  double next_s_ = 0.0;
};

/// Leaves the child nothing of the server but the pipe: a client's connection must end with the server's copy of it.
void become_child(int pipe_end, pid_t server) {
  signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the server too, which ends its runs
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(1);
  if (pipe_end != kAnswers) dup2(pipe_end, kAnswers);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  close_range(kAnswers + 1, std::numeric_limits<unsigned>::max(), 0);
}

}  // namespace

Json error_json(const char* kind, const std::string& message) { return {{"error", {{"kind", kind}, {"message", message}}}}; }

RunProcess::RunProcess(const RunSpec& spec, const RunStore& store) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw InputError(fmt::format("cannot start a run: {}; lower --jobs", std::strerror(errno)));
  const pid_t server = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become_child(ends[1], server);
    RunChild(store).run(spec);
    _exit(0);
  }
  const int error = errno;
  close(ends[1]);
  descriptor_ = ends[0];
  if (pid_ > 0) return;
  close(descriptor_);
  throw InputError(fmt::format("cannot start a run: {}; lower --jobs", std::strerror(error)));
}

RunProcess::~RunProcess() {
  close(descriptor_);
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);  // records are transactions and files are renamed when they are complete, so nothing is left half
  waitpid(pid_, nullptr, 0);
}

Json RunProcess::how_it_ended() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return error_json("crashed", "the run ended with " + describe_exit(exit_code_of(status)) + " and without a result");
}

std::vector<Json> RunProcess::read() {
  std::vector<Json> answers;
  char piece[1 << 16];
  const ssize_t count = ::read(descriptor_, piece, sizeof piece);
  if (count < 0 && errno == EINTR) return answers;
  if (count <= 0) {
    if (!has_answered_) answers.push_back(how_it_ended());
    return answers;
  }
  for (const Line& line : lines_.add({piece, static_cast<std::size_t>(count)}, std::numeric_limits<std::size_t>::max())) {
    answers.push_back(Json::parse(line.text));
    has_answered_ = has_answered_ || !answers.back().contains("progress");
  }
  return answers;
}

}  // namespace wharf::cli
