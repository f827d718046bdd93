#pragma once
// A recording by its command-line name, cuda:FILE[:KERNELS[:warm]].

#include <string>

namespace wharf::cuda {

inline constexpr const char* kPrefix = "cuda:";

inline bool is_recording(const std::string& stimulus) { return stimulus.rfind(kPrefix, 0) == 0; }

}  // namespace wharf::cuda
