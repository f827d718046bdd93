#include "platforms/cli/results/cuda_program.h"

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
  return json;
}

std::string failure_of_program(const Stimulus& stimulus) {
  const auto* program = dynamic_cast<const cuda::ProgramStimulus*>(&stimulus);
  return program == nullptr ? std::string() : program->failure();
}

}  // namespace wharf::cli
