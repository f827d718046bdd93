#include "stimuli/cuda/recording/recording_name.h"

#include <string_view>

#include "model/base/error.h"

namespace wharf::cuda {

bool is_recording(const std::string& stimulus) { return stimulus.rfind(kPrefix, 0) == 0; }

std::string path_of_recording(const std::string& stimulus) {
  const std::string path = stimulus.substr(std::string_view(kPrefix).size());
  if (path.empty()) throw InputError("'cuda:' names no file; write cuda:FILE with a recording that `wharf cuda --record FILE` has made");
  return path;
}

}  // namespace wharf::cuda
