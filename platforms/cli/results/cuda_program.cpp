#include "platforms/cli/results/cuda_program.h"

#include <algorithm>

#include "platforms/cli/results/check_results.h"
#include "stimuli/cuda/process/program_stimulus.h"

namespace wharf::cli {
namespace {

Json dimensions(const Dim3& d) { return Json::array({d.x, d.y, d.z}); }

}  // namespace

Json program_json(const Stimulus& stimulus) {
  const auto* cuda = dynamic_cast<const cuda::CudaStimulus*>(&stimulus);
  if (cuda == nullptr) return {};
  Json json;
  if (const auto* program = dynamic_cast<const cuda::ProgramStimulus*>(cuda)) json["exit_code"] = program->exit_code();
  json["kernels"] = Json::array();
  for (const cuda::LaunchedKernel& kernel : cuda->device().launched())
    json["kernels"].push_back({{"name", kernel.name},
                               {"grid", dimensions(kernel.grid)},
                               {"block", dimensions(kernel.block)},
                               {"registers_per_thread", kernel.registers_per_thread},
                               {"shared_bytes", kernel.shared_bytes},
                               {"launches", kernel.launches}});
  json["api_calls"] = Json::object();
  for (const auto& [function, calls] : cuda->device().calls()) json["api_calls"][function] = calls;
  if (Json checks = checks_json(cuda->device()); !checks.empty()) json["checks"] = std::move(checks);
  if (!cuda->device().faults().empty()) json["faults"] = cuda->device().faults();
  return json;
}

void name_source_lines(Json& result, const Stimulus& stimulus) {
  enum Column : std::size_t { kKernel, kFile, kLine, kPc };  // of the table
  const auto* cuda = dynamic_cast<const cuda::CudaStimulus*>(&stimulus);
  if (cuda == nullptr || !result["tables"].contains("instructions")) return;
  const std::vector<cuda::LaunchedKernel>& kernels = cuda->device().launched();
  for (Json& row : result["tables"]["instructions"]["rows"]) {
    const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&row](const cuda::LaunchedKernel& one) { return one.name == row[kKernel]; });
    if (kernel == kernels.end()) continue;
    const std::string place = cuda->device().place_of(*kernel, row[kPc].get<std::uint32_t>());
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) continue;
    row[kFile] = place.substr(0, colon);
    row[kLine] = std::stoull(place.substr(colon + 1));
  }
}

std::string failure_of_program(const Stimulus& stimulus) {
  const auto* program = dynamic_cast<const cuda::ProgramStimulus*>(&stimulus);
  return program == nullptr ? std::string() : program->failure();
}

}  // namespace wharf::cli
