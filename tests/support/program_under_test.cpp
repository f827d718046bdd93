#include "tests/support/program_under_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "model/base/files/output_files.h"
#include "platforms/inputs/files.h"
#include "test_paths.h"

namespace wharf::cli {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(2);

/// Signals for which the process has handlers, one bit each; 0 if it has ended.
unsigned long long caught_signals(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigCgt:", 0) == 0) return std::stoull(line.substr(7), nullptr, 16);
  }
  return 0;
}

/// Between fork and exec, the child still has the test's handlers.
bool has_started(pid_t pid) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", error) == std::filesystem::canonical(WHARF_PROGRAM);
}

/// A new name, because several programs may run at once.
std::filesystem::path unused_file(const TemporaryFolder& folder) {
  for (int i = 0;; ++i) {
    const std::filesystem::path file = folder / ("output" + std::to_string(i) + ".txt");
    if (std::filesystem::exists(file)) continue;
    write_file(file, "");
    return file;
  }
}

bool has_ended(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

}  // namespace

std::string built_program() { return WHARF_PROGRAM; }

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "wharf_cli_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::file(const std::string& name, const std::string& text) const {
  write_file(path_ / name, text);
  return (path_ / name).string();
}

Program::Program(const TemporaryFolder& folder, const std::vector<std::string>& arguments, const std::string& file)
    : log_(unused_file(folder)) {
  std::vector<char*> argv = {const_cast<char*>("./wharf")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    const int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    if (chdir(folder.path().c_str()) == 0) execv(file.c_str(), argv.data());
    _exit(127);
  }
}

Program::~Program() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool Program::wait_for_signal_handler() const {
  while (!has_started(pid_) || (caught_signals(pid_) & (1ull << (SIGINT - 1))) == 0) {
    if (has_ended(pid_)) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

void Program::interrupt() const { kill(pid_, SIGINT); }

std::vector<pid_t> Program::children() const {
  const std::string own = std::to_string(pid_);
  const auto command = [](const std::string& pid) {
    std::ifstream line("/proc/" + pid + "/cmdline");
    return std::string(std::istreambuf_iterator<char>(line), {});
  };
  std::ifstream list("/proc/" + own + "/task/" + own + "/children");
  std::vector<pid_t> found{std::istream_iterator<pid_t>(list), std::istream_iterator<pid_t>()};
  const auto copy = [&](pid_t child) { return command(std::to_string(child)) == command(own); };
  found.erase(std::remove_if(found.begin(), found.end(), copy), found.end());
  return found;
}

bool Program::ended() const { return has_ended(pid_); }

Ended Program::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), read_file(log_)};
}

Ended wharf(const TemporaryFolder& folder, const std::vector<std::string>& arguments) { return Program(folder, arguments).wait(); }

nlohmann::ordered_json read_json(const std::filesystem::path& path) { return nlohmann::ordered_json::parse(read_file(path)); }

std::string comparable_result(const std::filesystem::path& folder) {
  nlohmann::ordered_json result = read_json(folder / "result.json");
  result.erase("host");
  return result.dump();
}

}  // namespace wharf::cli
