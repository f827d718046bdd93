#pragma once
// Turns operands as written into operands of operations: registers, literals, special registers and addresses of variables.

#include <cstdint>
#include <string>

#include "stimuli/ptx/program/constant_pool.h"
#include "stimuli/ptx/program/draft.h"
#include "stimuli/ptx/program/symbols.h"
#include "stimuli/ptx/text/syntax.h"

namespace wharf::ptx {

/// The parts of the program around a function that lowering needs.
struct Surroundings {
  const Module& module;
  std::uint32_t module_index;
  const Symbols& symbols;
  ConstantPool& constants;
  std::vector<CallSite>& calls;
  std::vector<MatrixOperation>& matrices;
  std::vector<std::vector<std::uint32_t>>& branch_tables;
  std::vector<SharedVariable>& shared_variables;
};

class OperandLowering {
 public:
  OperandLowering(Surroundings& around, const Function& function, FunctionCode& code, DraftFunction& out);

  /// Registers of `type`'s size; with `loose`, wider ones too, up to 32 bits.
  Operand source(const OperandSyntax& syntax, Type type, bool loose = false);
  Operand destination(const OperandSyntax& syntax, Type type, bool loose = false);
  Operand predicate(const OperandSyntax& syntax);
  /// Data of a load or store, which may be wider than `type`; sets bit `index` of operation.data_wide for a 64-bit register.
  Operand data(const OperandSyntax& syntax, Type type, unsigned index, Operation& operation, bool is_destination);
  /// [base + offset]: returns the base, which is absent for a fixed address, and sets the offset, the width and the parameter space.
  Operand address(const OperandSyntax& syntax, Operation& operation);
  /// The carry bit of the function.
  Operand carry();
  std::uint64_t literal(const OperandSyntax& syntax) const;
  /// Where the bytes of a .param variable, or the row of a register, lie for a call.
  CallArgument call_argument(const OperandSyntax& syntax, bool is_result);
  /// A name's address: `offset` is what the row lacks.
  struct NamedPlace {
    Operand row;  // absent for a fixed address, which is `offset`
    std::int64_t offset = 0;
  };
  NamedPlace place_of(const OperandSyntax& syntax, bool wide);

  [[noreturn]] void fail(Place place, const std::string& text, const std::string& remedy) const;
  const Register& register_of(const OperandSyntax& syntax) const { return function_.registers[syntax.index]; }

 private:
  void place_variables();
  NamedPlace place_of_variable(std::uint32_t variable, bool wide);
  Operand local_row(std::uint32_t variable, bool wide);
  Operand address_source(const OperandSyntax& syntax, Type type);
  Operand literal_row(const OperandSyntax& syntax, Type type);
  void require_size(const OperandSyntax& syntax, Type type, bool loose) const;
  std::uint32_t add_register(RegisterClass kind, bool pinned);

  Surroundings& around_;
  const Function& function_;
  FunctionCode& code_;
  DraftFunction& out_;
  std::vector<std::uint32_t> offsets_;  // of each variable of the function: in its parameter area, its stack frame, or the shared table
  std::vector<bool> is_argument_;       // of each variable: a parameter of a kernel
  std::vector<std::uint32_t> local_rows_[2];  // virtual registers with addresses of local variables, narrow and wide; kNone: not used
  std::uint32_t carry_ = kNone;
};

}  // namespace wharf::ptx
