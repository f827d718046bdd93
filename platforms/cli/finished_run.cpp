#include "platforms/cli/finished_run.h"

#include <fmt/core.h>

#include <fstream>

#include "platforms/cli/child_processes.h"
#include "platforms/cli/files.h"

namespace wharf::cli {

std::string program_fingerprint() { return fingerprint_of_file("/proc/self/exe"); }

std::optional<Json> read_finished_run(const std::filesystem::path& folder, const Json& inputs, const std::string& program) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder / "result.json", error)) return std::nullopt;
  std::ifstream file(folder / "result.json");
  Json result = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!result.is_object() || result.value("inputs", Json()) != inputs || result.value("partial", true)) return std::nullopt;
  if (!result.contains("run") || !result.contains("host") || result["host"].value("program", std::string()) != program) return std::nullopt;
  return result;
}

std::string last_line_of(const std::filesystem::path& log) {
  std::string last;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

std::string failure_of(int exit_code, const std::filesystem::path& log) {
  const std::string last = exit_code == 0 ? "no complete result was written" : last_line_of(log);
  return describe_exit(exit_code) + (last.empty() ? "" : ": " + last);
}

}  // namespace wharf::cli
