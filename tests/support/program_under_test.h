#pragma once
// The built program as a user starts it.

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wharf::cli {

struct Ended {
  int exit_code = -1;
  std::string output;  // stdout and stderr, as they came
};

/// A folder of this process's own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file below it and returns its name.
  std::string file(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// The path of the built program.
std::string built_program();

/// The program (or another `file`) in a process of its own, its output in a file of `folder`.
class Program {
 public:
  Program(const TemporaryFolder& folder, const std::vector<std::string>& arguments, const std::string& file = built_program());
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  /// Returns when the program handles SIGINT itself, or false where it ended before.
  bool wait_for_signal_handler() const;
  void interrupt() const;
  /// Processes that it has started and that run a command of their own. A copy of it, as a sanitizer makes one to look for leaks, is none.
  std::vector<pid_t> children() const;
  bool ended() const;
  Ended wait();

 private:
  std::filesystem::path log_;
  pid_t pid_;
};

/// Runs to the end.
Ended wharf(const TemporaryFolder& folder, const std::vector<std::string>& arguments);

nlohmann::ordered_json read_json(const std::filesystem::path& path);

/// result.json without `host`, as text: what must be the same for the same inputs.
std::string comparable_result(const std::filesystem::path& folder);

}  // namespace wharf::cli
