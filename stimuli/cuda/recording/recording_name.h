#pragma once
// A recording by its command-line name, cuda:FILE.

#include <string>

namespace wharf::cuda {

inline constexpr const char* kPrefix = "cuda:";

bool is_recording(const std::string& stimulus);
/// FILE of `cuda:FILE`. Throws InputError where it is empty.
std::string path_of_recording(const std::string& stimulus);

}  // namespace wharf::cuda
