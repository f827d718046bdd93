#include "platforms/cli/results/cuda_program.h"

#include <fmt/core.h>

#include <algorithm>

#include "platforms/cli/results/check_results.h"
#include "stimuli/cuda/process/program_stimulus.h"
#include "stimuli/ptx/launch_file/launch_stimulus.h"

namespace wharf::cli {
namespace {

/// `app.cu:17` of an instruction; empty where it is not known.
std::string place_of(const Stimulus& stimulus, const std::string& kernel, std::uint32_t pc) {
  if (const auto* launches = dynamic_cast<const ptx::PtxStimulus*>(&stimulus)) {
    const std::uint32_t index = pc / ptx::Program::kBytesPerInstruction;
    return index < launches->program().code().size() ? launches->program().place_of(index) : std::string();
  }
  const auto* cuda = dynamic_cast<const cuda::CudaStimulus*>(&stimulus);
  if (cuda == nullptr) return {};
  const std::vector<cuda::LaunchedKernel>& kernels = cuda->device().launched();
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const cuda::LaunchedKernel& one) { return one.name == kernel; });
  return found == kernels.end() ? std::string() : cuda->device().place_of(*found, pc);
}

}  // namespace

Json program_json(const Stimulus& stimulus) {
  const auto* cuda = dynamic_cast<const cuda::CudaStimulus*>(&stimulus);
  if (cuda == nullptr) return {};
  Json json;
  if (const auto* program = dynamic_cast<const cuda::ProgramStimulus*>(cuda)) {
    json["exit_code"] = program->exit_code();
    if (!program->recording().empty()) json["recording"] = program->recording();
  }
  json["kernels"] = Json::array();
  for (const cuda::LaunchedKernel& kernel : cuda->device().launched())
    json["kernels"].push_back({{"name", kernel.name},
                               {"grid", dimensions(kernel.grid)},
                               {"block", dimensions(kernel.block)},
                               {"registers_per_thread", kernel.registers_per_thread},
                               {"shared_bytes", kernel.shared_bytes},
                               {"launches", kernel.launches}});
  json["untimed_launches"] = cuda->untimed();
  json["api_calls"] = Json::object();
  for (const auto& [function, calls] : cuda->device().calls()) json["api_calls"][function] = calls;
  if (Json checks = checks_json(cuda->device()); !checks.empty()) json["checks"] = std::move(checks);
  if (!cuda->device().faults().empty()) json["faults"] = cuda->device().faults();
  return json;
}

void name_source_lines(Json& result, const Stimulus& stimulus) {
  enum Column : std::size_t { kKernel, kFile, kLine, kPc };  // of the table
  if (!result.contains("tables") || !result["tables"].contains("instructions")) return;
  for (Json& row : result["tables"]["instructions"]["rows"]) {
    if (!row[kPc].is_number_unsigned() || !row[kKernel].is_string()) continue;
    const std::string place = place_of(stimulus, row[kKernel], row[kPc].get<std::uint32_t>());
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) continue;
    row[kFile] = place.substr(0, colon);
    row[kLine] = std::stoull(place.substr(colon + 1));
  }
}

std::string why_nothing_was_measured(const Stimulus& stimulus) {
  const auto* cuda = dynamic_cast<const cuda::CudaStimulus*>(&stimulus);
  const std::uint64_t refused = cuda != nullptr && cuda->device().launched().empty() ? cuda->device().refused_launches() : 0;
  if (refused == 0) return "launched no kernel, so nothing was measured; `wharf cuda --functional` runs it without a result";
  return fmt::format("{} refused, so nothing was measured; the warnings name the reasons and the remedies",
                     refused == 1 ? "its only launch was" : fmt::format("all {} launches were", refused));
}

bool program_was_stopped(const Stimulus& stimulus) {
  const auto* program = dynamic_cast<const cuda::CudaStimulus*>(&stimulus);
  return program != nullptr && program->stopped();
}

std::string failure_of_program(const Stimulus& stimulus) {
  if (const auto* launches = dynamic_cast<const ptx::LaunchStimulus*>(&stimulus)) return launches->wrong_results();
  const auto* program = dynamic_cast<const cuda::ProgramStimulus*>(&stimulus);
  return program == nullptr ? std::string() : program->failure();
}

}  // namespace wharf::cli
