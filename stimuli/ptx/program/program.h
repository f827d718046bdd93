#pragma once
// A linked program: the modules of one group, decoded into one array of operations, with its variables placed in device memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/warp_instruction.h"
#include "stimuli/ptx/lanes/matrices/fragment.h"
#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/memory/device_memory.h"
#include "stimuli/ptx/program/options.h"
#include "stimuli/ptx/table/instruction_table.h"
#include "stimuli/ptx/text/syntax.h"

namespace wharf::ptx {

/// How an operation takes issue slots: its machine instructions, and its names in the scoreboard.
struct Issue {
  Cost cost;
  RegisterId destination = kNoRegister;
  std::array<RegisterId, 4> sources = {kNoRegister, kNoRegister, kNoRegister, kNoRegister};
};

/// Where an operation stands.
struct Location {
  std::uint32_t line = 0;  // of the PTX text
  SourceLine source;       // of the program
};

/// A parameter or a result of a function, with its offset in the function's parameter area; of a register parameter, its row.
struct Parameter {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  Operand row;        // present for a register parameter
  bool wide = false;  // the row has 64 bits
};

/// A part of a frame, in bytes.
struct RowBytes {
  std::uint32_t offset = 0, size = 0;
};

struct FunctionCode {
  std::string name, readable_name;
  std::uint32_t module = 0;  // index of Program::modules
  bool is_kernel = false;
  std::uint32_t begin = 0, end = 0;   // pcs
  std::uint32_t frame_bytes = 0;      // of its rows
  std::vector<RowBytes> cleared;      // rows that it may read before it writes them: they begin as 0
  std::uint32_t parameter_bytes = 0;  // of its parameter area per lane
  std::uint32_t argument_bytes = 0;   // of a kernel
  std::uint32_t local_bytes = 0;      // of its variables in local memory, a multiple of 16
  std::vector<Parameter> parameters, results;
  struct LocalAddress {
    Operand row;
    std::uint32_t offset = 0;  // of the variable in the function's part of the stack
    bool wide = false;         // the row has 64 bits
  };
  std::vector<LocalAddress> local_addresses;    // rows that hold addresses of local variables
  std::vector<std::uint32_t> shared_variables;  // indices of Program::shared_variables
  std::vector<std::uint32_t> callees;           // functions that it calls by name
  bool calls_indirectly = false;
  std::uint32_t live_registers = 0;  // the most 32-bit registers that live at once
  std::uint32_t live_at_calls = 0;   // the most that live across one of its calls
  Dim3 most_threads = {0, 0, 0}, required_threads = {0, 0, 0}, required_cluster = {0, 0, 0};
  std::uint32_t least_ctas_per_sm = 0, most_registers = 0;
  std::string error;  // why it cannot run, an InputError's text; empty where it can
};

struct SharedVariable {
  std::string name;
  std::uint64_t bytes = 0;  // 0: dynamic
  std::uint32_t alignment = 1;
};

/// An argument of a call: bytes of the caller's parameter area, or a register or literal.
using CallArgument = Parameter;

/// Functions of the system, which PTX calls without defining them (CU-45).
enum class SystemFunction : std::uint8_t { none, print, assert_fail, allocate, free };

struct CallSite {
  std::uint32_t function = kNone;  // kNone: by the handle in operand 0, or a system function
  SystemFunction system = SystemFunction::none;
  std::vector<CallArgument> arguments, results;
};

class Program {
 public:
  /// Links `modules` and places their variables in `memory`, which must outlive the program. Throws InputError where a module cannot be
  /// linked; a mistake inside a function is kept in its `error`, because the function may never run.
  Program(std::vector<Module> modules, DeviceMemory& memory, const Options& options = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Options& options() const { return options_; }
  const std::vector<Operation>& code() const { return code_; }
  const std::vector<Issue>& issues() const { return issues_; }
  const std::vector<FunctionCode>& functions() const { return functions_; }
  const std::vector<CallSite>& calls() const { return calls_; }
  const std::vector<MatrixOperation>& matrices() const { return matrices_; }
  const std::vector<std::vector<std::uint32_t>>& branch_tables() const { return branch_tables_; }
  const std::vector<SharedVariable>& shared_variables() const { return shared_variables_; }
  const std::vector<std::byte>& constants() const { return constants_; }

  /// The function of that name, or nullptr.
  const FunctionCode* find_function(std::string_view name) const;
  /// The address of a variable in global or constant memory; 0 where there is none of that name.
  Address find_variable(std::string_view name) const;

  /// `app.cu:17`, or `app.ptx:123` where the PTX names no line.
  std::string place_of(std::uint32_t pc) const;
  const FunctionCode& function_at(std::uint32_t pc) const;
  const Location& location(std::uint32_t pc) const { return locations_[pc]; }
  const Module& module_of(const FunctionCode& function) const { return modules_[function.module]; }

  static constexpr std::uint32_t kBytesPerInstruction = 16;  // CU-57

 private:
  friend class Linker;
  Options options_;
  std::vector<Module> modules_;
  std::vector<Operation> code_;
  std::vector<Issue> issues_;
  std::vector<Location> locations_;
  std::vector<FunctionCode> functions_;
  std::vector<CallSite> calls_;
  std::vector<MatrixOperation> matrices_;
  std::vector<std::vector<std::uint32_t>> branch_tables_;
  std::vector<SharedVariable> shared_variables_;
  std::vector<std::byte> constants_;  // rows, see Bank::constants
  std::map<std::string, std::uint32_t, std::less<>> function_names_;
  std::map<std::string, Address, std::less<>> variable_names_;
};

}  // namespace wharf::ptx
