// A linked program.
#include "stimuli/ptx/program/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "stimuli/ptx/program/linker.h"

namespace wharf::ptx {

Program::Program(std::vector<Module> modules, DeviceMemory& memory, const Options& options)
    : options_(options), modules_(std::move(modules)) {
  Linker(*this, memory).run();
}

const FunctionCode* Program::find_function(std::string_view name) const {
  const auto it = function_names_.find(name);
  return it == function_names_.end() ? nullptr : &functions_[it->second];
}

Address Program::find_variable(std::string_view name) const {
  const auto it = variable_names_.find(name);
  return it == variable_names_.end() ? 0 : it->second;
}

const FunctionCode& Program::function_at(std::uint32_t pc) const {
  return *std::find_if(functions_.begin(), functions_.end(), [pc](const FunctionCode& one) { return one.begin <= pc && pc < one.end; });
}

std::string Program::place_of(std::uint32_t pc) const {
  const Module& module = modules_[function_at(pc).module];
  const Location& at = locations_[pc];
  const auto file = module.files.find(at.source.file);
  if (at.source.line != 0 && file != module.files.end()) return fmt::format("{}:{}", file->second, at.source.line);
  return fmt::format("{}:{}", module.source->file, at.line);
}

}  // namespace wharf::ptx
