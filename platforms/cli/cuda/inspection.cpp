#include "platforms/cli/cuda/inspection.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/cuda/kernel_list.h"
#include "platforms/cli/cuda/program_file.h"
#include "platforms/cli/program.h"
#include "platforms/inputs/files.h"
#include "stimuli/cuda/modules/module_image.h"
#include "stimuli/cuda/recording/recording_reader.h"

namespace wharf::cli {
namespace {

using Modules = std::vector<std::vector<cuda::PtxText>>;

Modules modules_of_recording(const std::string& file) {
  Modules modules;
  cuda::RecordingReader reader(file);
  cuda::RecordKind kind;
  std::string body;
  while (reader.next(kind, body))
    if (kind == cuda::RecordKind::module) modules.push_back(cuda::unpacked<cuda::ModuleRecord>(body).ptx);
  return modules;
}

/// How images of modules begin, and where in their header the u64 with their size is.
struct ImageForm {
  std::string_view magic;
  std::size_t size_at, uncounted_bytes;  // bytes that the size does not count
};
constexpr ImageForm kImageForms[] = {{"WHARFPTX", 16, 0}, {{"\x50\xed\x55\xba", 4}, 8, 16}};  // a container (CU-2), a fat binary (CU-4)

/// Relocatable device code becomes one module when the program starts (CU-6).
bool is_relocatable(const std::vector<cuda::PtxText>& module) {
  return !module.empty() && module[0].flags.find(" -fgpu-rdc ") != std::string::npos;
}

Modules with_one_group(const Modules& modules) {
  Modules grouped;
  std::vector<cuda::PtxText> group;
  for (const std::vector<cuda::PtxText>& module : modules)
    if (is_relocatable(module))
      group.insert(group.end(), module.begin(), module.end());
    else
      grouped.push_back(module);
  if (!group.empty()) grouped.push_back(group);
  return grouped;
}

Modules modules_of_program(const std::string& file) {
  const std::string bytes = read_file(file);
  Modules modules;
  for (const ImageForm& form : kImageForms) {
    for (std::size_t at = bytes.find(form.magic); at != std::string::npos; at = bytes.find(form.magic, at + 1)) {
      std::uint64_t size = 0;
      if (bytes.size() - at < form.size_at + sizeof size) break;
      std::memcpy(&size, bytes.data() + at + form.size_at, sizeof size);
      try {
        modules.push_back(cuda::read_module_image(std::string_view(bytes).substr(at, size + form.uncounted_bytes), file));
      } catch (const InputError&) {
        // The same bytes may stand in the program's own code.
      }
    }
  }
  if (modules.empty())
    throw InputError(file + ": contains no PTX; build it with `wharf nvcc`, or with nvcc -gencode arch=compute_70,code=compute_70");
  return with_one_group(modules);
}

Modules modules_of(const std::string& file, const std::vector<std::string>& compile_options) {
  const std::string extension = std::filesystem::path(file).extension();
  if (extension != ".wcr" && extension != ".ptx") return modules_of_program(ProgramFile({file}, compile_options).path());
  if (!compile_options.empty()) throw InputError("--compile applies to sources, but " + file + " is not a source; leave --compile out");
  if (extension == ".wcr") return modules_of_recording(file);
  return {{{file, "", read_file(file)}}};
}

}  // namespace

int inspect(const std::vector<std::string>& files, const std::vector<std::string>& compile_options, const TableOutput& output) {
  if (files.empty()) throw InputError("cuda inspect: name a program, a .cu or .ptx file, or a recording");
  Table table{"Kernels", "", {"kernel", "file", "registers", "shared B", "stack B", "runs"}, {}, 0};
  for (const std::string& file : files) {
    for (const std::vector<cuda::PtxText>& module : modules_of(file, compile_options)) {
      const std::vector<UnsupportedInstruction> unsupported = unsupported_instructions(module);
      for (const UnsupportedInstruction& one : unsupported) fmt::print(output.remarks(), "{}: {}\n", one.place, one.text);
      for (const ListedKernel& kernel : kernels_of(module)) {
        const bool runs = kernel.error.empty();
        table.rows.push_back({kernel.name, kernel.source, runs ? std::to_string(kernel.registers_per_thread) : "-",
                              runs ? std::to_string(kernel.shared_bytes) : "-", runs ? std::to_string(kernel.stack_bytes) : "-",
                              runs ? "yes" : "no"});
        const bool is_listed = std::any_of(unsupported.begin(), unsupported.end(),
                                           [&](const UnsupportedInstruction& one) { return kernel.error.rfind(one.place, 0) == 0; });
        if (!runs && !is_listed) fmt::print(output.remarks(), "{}\n", kernel.error);
      }
    }
  }
  output.print({table});
  return kDone;
}

}  // namespace wharf::cli
