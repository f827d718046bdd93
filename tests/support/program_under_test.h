#pragma once
// Runs the built program as a user does.

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wharf::cli {

struct Ended {
  int exit_code = -1;
  std::string output;  // stdout and stderr, in the order of output
};

/// A folder for this process alone, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in the folder and returns its name.
  std::string file(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// The path of the built program.
std::string built_program();

/// Runs the program (or another `file`) in a separate process. Its output goes to a file in `folder`.
class Program {
 public:
  Program(const TemporaryFolder& folder, const std::vector<std::string>& arguments, const std::string& file = built_program());
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  /// Returns when the program handles SIGINT itself, or returns false if it ended before.
  bool wait_for_signal_handler() const;
  void interrupt() const;
  /// Its child processes that run a command of their own. A copy of the process, such as a sanitizer makes to look for leaks, does not
  /// count.
  std::vector<pid_t> children() const;
  bool ended() const;
  Ended wait();

 private:
  std::filesystem::path log_;
  pid_t pid_;
};

/// Runs the program to its end.
Ended wharf(const TemporaryFolder& folder, const std::vector<std::string>& arguments);

nlohmann::ordered_json read_json(const std::filesystem::path& path);

/// result.json without `host`, as text: it must be the same for the same inputs.
std::string comparable_result(const std::filesystem::path& folder);

}  // namespace wharf::cli
