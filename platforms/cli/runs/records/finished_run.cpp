#include "platforms/cli/runs/records/finished_run.h"

#include <fmt/core.h>

#include <fstream>

#include "model/base/error.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/results/sampled_result.h"

namespace wharf::cli {

std::optional<Json> read_finished_run(const std::filesystem::path& folder, const Json& inputs, const std::string& program) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder / "result.json", error)) return std::nullopt;
  std::ifstream file(folder / "result.json");
  Json result = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!result.is_object() || result.value("inputs", Json()) != inputs || result.value("partial", true)) return std::nullopt;
  if (result.contains("sampled")) result["run"] = estimates_of(result);
  if (!result.contains("run") || !result.contains("host") || result["host"].value("program", std::string()) != program) return std::nullopt;
  return result;
}

std::vector<std::string> last_lines_of(const std::filesystem::path& log, std::size_t most) {
  std::vector<std::string> last;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (last.size() == most) last.erase(last.begin());
    last.push_back(line);
  }
  return last;
}

std::string failure_of(int exit_code, const std::filesystem::path& log) {
  if (exit_code == 0) return "no complete result was written";
  const std::vector<std::string> last = last_lines_of(log, 1);
  return describe_exit(exit_code) + (last.empty() ? "" : ": " + last.front());
}

}  // namespace wharf::cli
