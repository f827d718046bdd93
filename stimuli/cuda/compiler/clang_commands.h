#pragma once
// The command lines of clang for one CUDA source: the two passes of CU-1, and linking.

#include <string>
#include <vector>

#include "stimuli/cuda/compiler/nvcc_options.h"

namespace wharf::cuda {

/// Where the parts of our toolchain lie.
struct Toolchain {
  std::string clang = "clang++-14";
  std::string headers;         // the folder of cuda_runtime.h
  std::string device_math;     // the bitcode of the device's mathematics; empty for none
  std::string runtime_folder;  // of libcudart.so
};

using CommandLine = std::vector<std::string>;

/// `.cu` to LLVM's intermediate code, a text, before its optimisation. `source` may be a repaired copy of `original`, whose folder is searched for includes.
CommandLine device_command(const Toolchain& tools, const NvccOptions& options, const std::string& source, const std::string& original,
                           const std::string& module);
/// A module to an optimised one.
CommandLine optimise_command(const Toolchain& tools, const NvccOptions& options, const std::string& module, const std::string& optimised);
/// An optimised module to PTX.
CommandLine ptx_command(const Toolchain& tools, const NvccOptions& options, const std::string& module, const std::string& ptx);
/// `.cu` to an object that embeds `container`. clang makes the symbol of a relocatable object from the source's path.
CommandLine host_command(const Toolchain& tools, const NvccOptions& options, const std::string& source, const std::string& original,
                         const std::string& container, const std::string& object);
/// The same in two steps, by way of LLVM's intermediate code before its optimisation.
CommandLine host_module_command(const Toolchain& tools, NvccOptions options, const std::string& source, const std::string& original,
                                const std::string& container, const std::string& object, const std::string& module);
CommandLine host_object_command(const Toolchain& tools, const NvccOptions& options, const std::string& module, const std::string& object);
/// `.c` or `.cpp` to an object.
CommandLine plain_command(const Toolchain& tools, const NvccOptions& options, const Input& input, const std::string& object);
/// The includes of a source, as -M and -MM print them.
CommandLine dependency_command(const Toolchain& tools, const NvccOptions& options, const Input& input);
/// The stub of relocatable objects (device_link.h) to an object.
CommandLine stub_command(const Toolchain& tools, const NvccOptions& options, const std::string& source, const std::string& object);
CommandLine link_command(const Toolchain& tools, const NvccOptions& options, const std::vector<std::string>& objects,
                         const std::string& program);

/// For -v and messages: the command as a shell would take it.
std::string to_text(const CommandLine& command);

}  // namespace wharf::cuda
