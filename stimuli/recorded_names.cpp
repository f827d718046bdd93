#include "stimuli/recorded_names.h"

#include "stimuli/cuda/recording/recording_name.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf {

std::string as_named_in(const std::filesystem::path& folder, const std::string& stimulus) {
  if (!cuda::is_recording(stimulus)) return traces::as_named_in(folder, stimulus);
  const std::filesystem::path file = cuda::path_of_recording(stimulus);
  return folder.empty() || file.is_absolute() ? stimulus : cuda::kPrefix + (folder / file).lexically_normal().string();
}

}  // namespace wharf
