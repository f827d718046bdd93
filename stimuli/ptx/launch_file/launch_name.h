#pragma once
// A launch file by its command-line name, ptx:LAUNCHES[:MODULE].

#include <string>

namespace wharf::ptx {

inline constexpr const char* kLaunchPrefix = "ptx:";

inline bool is_launch_file(const std::string& stimulus) { return stimulus.rfind(kLaunchPrefix, 0) == 0; }

}  // namespace wharf::ptx
