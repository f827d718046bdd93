#pragma once
// Turns the statements of a function into operations, by the rows of the instruction table.

#include "stimuli/ptx/program/operand_lowering.h"

namespace wharf::ptx {

/// The function of the system that a call names where no module defines it.
SystemFunction system_function(std::string_view name);

class StatementLowering {
 public:
  /// The first statement becomes operation `code.begin`; targets of branches are counted from there.
  StatementLowering(Surroundings& around, const Function& function, FunctionCode& code, DraftFunction& out)
      : around_(around), function_(function), code_(code), out_(out), operands_(around, function, code, out) {}

  /// Appends one draft per statement, and a `ret` where the last one does not end the function. Throws InputError.
  void run();

 private:
  Draft lower(const Statement& statement);
  Draft lower(const Statement& statement, const Instruction& row, const Form& form);
  const Instruction& find_row(const Statement& statement, Form& form) const;
  void lower_by_signature(const Statement& statement, const Instruction& row, const Form& form, Draft& draft);
  void lower_mov(const Statement& statement, const Form& form, Draft& draft);
  void lower_move_of_place(const OperandSyntax& from, Type type, Draft& draft);
  void lower_pack(const Statement& statement, Type type, Draft& draft);
  unsigned lower_vector(const OperandSyntax& syntax, unsigned slot, bool is_destination, Operation& operation);
  void set_memory_fields(const Statement& statement, const Form& form, Draft& draft) const;
  void lower_branch(const Statement& statement, Draft& draft);
  void lower_indexed_branch(const Statement& statement, Draft& draft);
  void lower_call(const Statement& statement, Draft& draft);
  void lower_texture(const Statement& statement, const Form& form, Draft& draft);
  void lower_barrier(const Statement& statement, const Form& form, Draft& draft);
  void lower_mbarrier(const Statement& statement, const Form& form, Draft& draft);
  void lower_copy(const Statement& statement, const Form& form, Draft& draft);
  void lower_bulk_copy(const Statement& statement, const Form& form, Draft& draft);
  void lower_transposition(const Statement& statement, Draft& draft);
  void lower_matrix_product(const Statement& statement, const Form& form, Draft& draft);
  void lower_matrix_access(const Statement& statement, const Form& form, Draft& draft);
  void lower_fragment(const OperandSyntax& syntax, const Fragment& fragment, bool is_destination, Draft& draft);
  void add_matrix(const MatrixOperation& matrix, Draft& draft);
  Operand further_address(const OperandSyntax& syntax, unsigned number, Operation& operation);
  std::uint32_t label(std::string_view name, std::uint32_t scope, Place place) const;
  void require_count(const Statement& statement, std::size_t least, std::size_t most) const;
  void require_line(const Statement& statement) const;
  [[noreturn]] void fail(Place place, const std::string& text, const std::string& remedy) const { operands_.fail(place, text, remedy); }

  Surroundings& around_;
  const Function& function_;
  FunctionCode& code_;
  DraftFunction& out_;
  OperandLowering operands_;
};

}  // namespace wharf::ptx
