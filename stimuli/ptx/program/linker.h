#pragma once
// Builds a program: finds symbols across its modules, places variables, and decodes functions.

#include <vector>

#include "stimuli/ptx/program/constant_pool.h"
#include "stimuli/ptx/program/definitions.h"
#include "stimuli/ptx/program/draft.h"
#include "stimuli/ptx/program/program.h"
#include "stimuli/ptx/program/symbols.h"

namespace wharf::ptx {

class Linker {
 public:
  Linker(Program& program, DeviceMemory& memory)
      : program_(program), memory_(memory), definitions_(program.modules_), symbols_(program.modules_.size()) {}
  void run();

 private:
  void add_functions(std::uint32_t module);
  void add_variables(std::uint32_t module);
  void write_initial_values(std::uint32_t module);
  void relocate(std::uint32_t module, const Variable& variable, Address base);
  void decode(const Function& function, FunctionCode& code);
  std::vector<Location> locations_of(const Function& function, const FunctionCode& code) const;
  void finish(DraftFunction& drafts, const Function& function, FunctionCode& code);

  Program& program_;
  DeviceMemory& memory_;
  Definitions definitions_;
  Symbols symbols_;
  ConstantPool constants_;
  std::vector<std::pair<const Function*, std::uint32_t>> sources_;  // of each function of the program, with its module
};

}  // namespace wharf::ptx
