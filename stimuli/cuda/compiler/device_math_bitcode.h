#pragma once
// The device's mathematics as bitcode for one clang, which is compiled when it is first used: a clang reads no newer one's bitcode (CU-12).

#include <filesystem>
#include <string>

namespace wharf::cuda {

/// The bitcode file for `clang`, compiled from stimuli/cuda/device_math below `root` unless `folder` has it. Throws InputError where clang
/// cannot be started or the folder cannot be written.
std::string device_math_bitcode(const std::string& clang, const std::filesystem::path& root, const std::filesystem::path& folder);

/// The folder for files that can be made again: XDG_CACHE_HOME/wharf, ~/.cache/wharf, or without a home the folder for temporary files.
std::filesystem::path cache_folder();

}  // namespace wharf::cuda
