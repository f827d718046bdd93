#include "stimuli/cuda/compiler/clang_commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "model/base/hash.h"

namespace wharf::cuda {
namespace {

void append(CommandLine& command, const std::vector<std::string>& arguments) {
  command.insert(command.end(), arguments.begin(), arguments.end());
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

std::string absolute_path(const std::string& path) { return std::filesystem::absolute(path).lexically_normal(); }

std::string host_program(const Toolchain& tools, const NvccOptions& options) {
  return options.host_compiler_program.empty() ? tools.clang : options.host_compiler_program;
}

/// Our headers, and the folders of old names that only include cuda_runtime.h.
std::vector<std::string> header_folders(const Toolchain& tools) {
  return {"-isystem", tools.headers, "-isystem", tools.headers + "/names", "-isystem", tools.headers + "/names/architecture"};
}

/// Arguments of both passes over a .cu file. The language is CUDA even if the file's name does not end in .cu.
CommandLine common(const Toolchain& tools, const NvccOptions& options, const std::string& source, const std::string& original) {
  CommandLine command = {tools.clang,
                         "-x",
                         "cuda",
                         "--cuda-path=/nonexistent",
                         "-nocudainc",
                         "-nocudalib",
                         "--cuda-gpu-arch=sm_70",
                         "-Xclang",
                         "-target-sdk-version=11.2",
                         "-Xclang",
                         "-fcuda-allow-variadic-functions"};  // templates declare some that nobody calls
  append(command, {options.optimisation, "-std=" + (options.standard.empty() ? "gnu++17" : options.standard)});
  // nvcc accepts all of these (CU-7).
  append(command, {"-Wno-narrowing", "-Wno-reserved-user-defined-literal", "-Wno-register"});
  if (options.relocatable) {
    // Gives private variables that the host accesses the same name in both passes. clang 14 hands it on to the pass for the device alone.
    const std::string number = "-cuid=" + hash_text(absolute_path(original));
    append(command, {"-fgpu-rdc", number, "-Xclang", number});
  }
  append(command, options.warnings);
  append(command, options.preprocessor);
  if (source != original) append(command, {"-I", folder_of(original)});
  append(command, header_folders(tools));
  append(command, {"-include", "cuda_runtime.h"});
  return command;
}

/// Without it the PTX is version 6.0, which lacks what inline assembly may ask for.
const std::vector<std::string> kPtxVersion = {"-Xclang", "-target-feature", "-Xclang", "+ptx72"};

/// What both steps behind the first one begin with.
CommandLine of_module(const Toolchain& tools, const NvccOptions& options) {
  CommandLine command = {tools.clang, "-x", "ir", "-S", "--target=nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_70"};
  append(command, kPtxVersion);
  command.push_back(options.optimisation);
  return command;
}

/// nvcc's options for arithmetic. The host pass takes them too, so that code for both sides is compiled alike.
void append_arithmetic(CommandLine& command, const NvccOptions& options) {
  if (!options.contract) command.push_back("-ffp-contract=off");
  // nvcc's fast mathematics is approximate functions and no more: it keeps NaNs, infinities and the order of sums.
  if (options.fast_math) command.push_back("-fcuda-approx-transcendentals");
  if (options.flush_subnormals) command.push_back("-fcuda-flush-denormals-to-zero");
}

}  // namespace

CommandLine device_command(const Toolchain& tools, const NvccOptions& options, const std::string& source, const std::string& original,
                           const std::string& module) {
  CommandLine command = common(tools, options, source, original);
  append(command, {"--cuda-device-only", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-gline-tables-only"});
  append(command, kPtxVersion);
  append_arithmetic(command, options);
  // clang 14 knows no architecture behind sm_86, and generates the same code. Older ones would choose what our headers have already.
  if (options.architecture > 70) append(command, {"-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}", options.architecture * 10)});
  if (!tools.device_math.empty()) append(command, {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", tools.device_math});
  append(command, {source, "-o", module});
  return command;
}

CommandLine optimise_command(const Toolchain& tools, const NvccOptions& options, const std::string& module, const std::string& optimised) {
  CommandLine command = of_module(tools, options);
  // clang inlines less than nvcc (CU-7).
  append(command, {"-emit-llvm", "-mllvm", "-inline-threshold=10000", module, "-o", optimised});
  return command;
}

CommandLine ptx_command(const Toolchain& tools, const NvccOptions& options, const std::string& module, const std::string& ptx) {
  CommandLine command = of_module(tools, options);
  append(command, {"-Xclang", "-disable-llvm-passes"});
  append(command, {"-mllvm", options.contract || options.fast_math ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0"});
  if (options.fast_math || !options.precise_division) append(command, {"-mllvm", "-nvptx-prec-divf32=0"});
  if (options.fast_math || !options.precise_root) append(command, {"-mllvm", "-nvptx-prec-sqrtf32=0"});
  append(command, {module, "-o", ptx});
  return command;
}

CommandLine host_command(const Toolchain& tools, const NvccOptions& options, const std::string& source, const std::string& original,
                         const std::string& container, const std::string& object) {
  CommandLine command = common(tools, options, source, original);
  append(command, {"--cuda-host-only", "-c", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", container});
  if (options.debug) command.push_back("-g");
  append(command, options.host_compiler);
  for (const std::string& dependency : options.dependencies)
    if (dependency != "-M" && dependency != "-MM") command.push_back(dependency);
  append(command, {options.relocatable ? absolute_path(source) : source, "-o", object});
  return command;
}

CommandLine host_module_command(const Toolchain& tools, NvccOptions options, const std::string& source, const std::string& original,
                                const std::string& container, const std::string& object, const std::string& module) {
  // The rule that -MD writes names the object.
  const auto has = [&](const char* option) {
    return std::find(options.dependencies.begin(), options.dependencies.end(), option) != options.dependencies.end();
  };
  if (has("-MD") || has("-MMD")) {
    if (!has("-MT") && !has("-MQ")) append(options.dependencies, {"-MQ", object});
    if (!has("-MF")) append(options.dependencies, {"-MF", std::filesystem::path(object).replace_extension(".d")});
  }
  CommandLine command = host_command(tools, options, source, original, container, module);
  append(command, {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"});  // -S replaces -c
  return command;
}

CommandLine host_object_command(const Toolchain& tools, const NvccOptions& options, const std::string& module, const std::string& object) {
  // Options for the language have had their effect.
  CommandLine command = {tools.clang, "-x", "ir", "-c", options.optimisation, "-Qunused-arguments"};
  append(command, options.host_compiler);
  append(command, {module, "-o", object});
  return command;
}

CommandLine plain_command(const Toolchain& tools, const NvccOptions& options, const Input& input, const std::string& object) {
  CommandLine command = {host_program(tools, options), "-x", input.language == Language::c ? "c" : "c++", "-c", options.optimisation};
  if (!options.standard.empty() && input.language == Language::cpp) command.push_back("-std=" + options.standard);
  if (options.debug) command.push_back("-g");
  append(command, options.warnings);
  append(command, options.preprocessor);
  append(command, header_folders(tools));
  append(command, options.host_compiler);
  for (const std::string& dependency : options.dependencies) command.push_back(dependency);
  append(command, {input.path, "-o", object});
  return command;
}

CommandLine dependency_command(const Toolchain& tools, const NvccOptions& options, const Input& input) {
  CommandLine command = common(tools, options, input.path, input.path);
  if (input.language != Language::cuda) command[2] = input.language == Language::c ? "c" : "c++";
  if (input.language == Language::cuda) command.push_back("--cuda-host-only");
  append(command, options.dependencies);
  command.push_back(input.path);
  if (!options.output.empty()) append(command, {"-o", options.output});
  return command;
}

CommandLine stub_command(const Toolchain& tools, const NvccOptions& options, const std::string& source, const std::string& object) {
  CommandLine command = {host_program(tools, options), "-x", "c", "-c"};
  append(command, options.host_compiler);
  append(command, {source, "-o", object});
  return command;
}

CommandLine link_command(const Toolchain& tools, const NvccOptions& options, const std::vector<std::string>& objects,
                         const std::string& program) {
  CommandLine command = {host_program(tools, options)};
  append(command, options.host_compiler);
  append(command, objects);
  append(command, options.linker);
  append(command, {"-L" + tools.runtime_folder, "-lcudart", "-Wl,-rpath," + tools.runtime_folder, "-lm", "-o", program});
  return command;
}

std::string to_text(const CommandLine& command) {
  std::string text;
  for (const std::string& argument : command) {
    if (!text.empty()) text += ' ';
    const bool plain =
        !argument.empty() &&
        argument.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_=./,:@%") == std::string::npos;
    if (plain) {
      text += argument;
      continue;
    }
    text += '\'';
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace wharf::cuda
