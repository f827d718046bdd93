#pragma once
// Operations of a function before its registers have rows: operands of Bank::frame hold the number of a virtual register.

#include <cstdint>
#include <vector>

#include "stimuli/ptx/program/program.h"

namespace wharf::ptx {

enum class RegisterClass : std::uint8_t { predicate, narrow, wide };  // a lane mask, 32 bits a lane, 64 bits a lane

constexpr RegisterClass class_of(Type type) {
  if (type == Type::pred) return RegisterClass::predicate;
  return bytes_of(type) > 4 ? RegisterClass::wide : RegisterClass::narrow;
}

struct Draft {
  Operation operation;
  unsigned destinations = 0;  // leading operands that the operation writes
  const Instruction* row = nullptr;
  std::vector<std::vector<Operand>> fragments;  // registers of matrices: of D, A, B and C, or of the one of an access
  bool writes_fragment = false;                 // the first of these
  bool literal_field = false;                   // a bit field at a literal position
  bool is_ordered = false;                      // an access that is volatile or has a memory order
};

inline constexpr unsigned kNoSlot = 99;

/// The operand that holds the address of an access; kNoSlot for what is none.
inline unsigned address_slot(const Draft& draft) {
  switch (draft.operation.action) {
    case Action::load:
      return draft.destinations;
    case Action::store:
    case Action::prefetch:
    case Action::matrix_load:
    case Action::matrix_store:
      return 0;
    case Action::atomic:
      return 1;
    default:
      return kNoSlot;
  }
}

inline bool is_register(Operand operand) { return operand.present() && operand.bank() == static_cast<unsigned>(Bank::frame); }

struct DraftFunction {
  std::vector<Draft> drafts;
  std::vector<RegisterClass> registers;  // of the virtual registers
  std::vector<bool> pinned;              // keeps its row in the whole function
};

/// Calls visit(register) for every virtual register that the operation, its guard included, reads, or for those that it writes.
template <class Visit>
void for_each_use(const Draft& draft, const std::vector<CallSite>& calls, Visit visit) {
  const auto see = [&](Operand operand) {
    if (is_register(operand)) visit(operand.offset());
  };
  const Operation& operation = draft.operation;
  for (std::size_t i = draft.destinations; i < operation.operands.size(); ++i) see(operation.operands[i]);
  see(operation.guard);
  for (std::size_t i = draft.writes_fragment ? 1 : 0; i < draft.fragments.size(); ++i)
    for (const Operand operand : draft.fragments[i]) see(operand);
  if (operation.action == Action::call || operation.action == Action::call_indirect)
    for (const CallArgument& argument : calls[operation.target].arguments) see(argument.row);
}
template <class Visit>
void for_each_definition(const Draft& draft, const std::vector<CallSite>& calls, Visit visit) {
  const auto see = [&](Operand operand) {
    if (is_register(operand)) visit(operand.offset());
  };
  const Operation& operation = draft.operation;
  for (std::size_t i = 0; i < draft.destinations; ++i) see(operation.operands[i]);
  if (draft.writes_fragment)
    for (const Operand operand : draft.fragments.front()) see(operand);
  if (operation.action == Action::call || operation.action == Action::call_indirect)
    for (const CallArgument& result : calls[operation.target].results) see(result.row);
}

}  // namespace wharf::ptx
