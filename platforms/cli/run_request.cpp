#include "platforms/cli/run_request.h"

#include "model/base/hash.h"
#include "platforms/cli/files.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace fs = std::filesystem;

std::string workload_of(const RunRequest& request) {
  if (!request.trace.empty()) return trace_name(request.trace);
  return request.stimulus.substr(0, request.stimulus.find_first_of("@:"));
}

Configuration configuration_of(const RunRequest& request) {
  return load_configuration(request.config, request.overrides, workload_of(request));
}

std::unique_ptr<Stimulus> open_stimulus(const RunRequest& request) {
  return request.trace.empty() ? open_named_stimulus(request.stimulus, request.seed) : open_trace(request.trace);
}

Json inputs_json(const RunRequest& request, const Configuration& configuration) {
  Json json;
  json["version"] = kVersion;
  json["config"] = request.config;
  json["config_hash"] = hash_text(configuration.resolved_yaml);
  json["set"] = request.overrides;
  if (request.trace.empty()) {
    json["stimulus"] = request.stimulus;
  } else {
    json["trace"] = request.trace;
    json["trace_hash"] = trace_fingerprint(request.trace);
  }
  json["seed"] = request.seed;
  json["verify"] = request.verify;
  if (request.limit_warp_instructions != kNever) json["limit_warp_instructions"] = request.limit_warp_instructions;
  if (request.limit_cycles != kNever) json["limit_cycles"] = request.limit_cycles;
  return json;
}

std::vector<std::string> run_arguments(const RunRequest& request, const fs::path& out) {
  std::vector<std::string> arguments = {"run", request.config, "--out=" + out.string(), "--seed=" + std::to_string(request.seed),
                                        "--quiet"};
  arguments.push_back(request.trace.empty() ? "--stimulus=" + request.stimulus : "--trace=" + request.trace);
  for (const std::string& setting : request.overrides) arguments.push_back("--set=" + setting);
  if (request.verify) arguments.emplace_back("--verify");
  if (request.limit_warp_instructions != kNever)
    arguments.push_back("--limit-warp-instructions=" + std::to_string(request.limit_warp_instructions));
  if (request.limit_cycles != kNever) arguments.push_back("--limit-cycles=" + std::to_string(request.limit_cycles));
  return arguments;
}

}  // namespace wharf::cli
