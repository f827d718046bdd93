// Lowers operands.
#include "stimuli/ptx/program/operand_lowering.h"

#include <fmt/format.h>

#include <cstring>

#include "model/base/bits.h"
#include "stimuli/ptx/lanes/floats/float_bits.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {

using Kind = OperandSyntax::Kind;

namespace {

constexpr std::uint64_t kMostFrameBytes = 1 << 20;  // of parameters, and of local variables

}  // namespace

OperandLowering::OperandLowering(Surroundings& around, const Function& function, FunctionCode& code, DraftFunction& out)
    : around_(around), function_(function), code_(code), out_(out) {
  for (const Register& declared : function.registers) add_register(class_of(declared.type), false);
  place_variables();
}

void OperandLowering::fail(Place place, const std::string& text, const std::string& remedy) const {
  fail_at(*around_.module.source, place, text, remedy);
}

std::uint32_t OperandLowering::add_register(RegisterClass kind, bool pinned) {
  out_.registers.push_back(kind);
  out_.pinned.push_back(pinned);
  return static_cast<std::uint32_t>(out_.registers.size()) - 1;
}

/// Parameters, local and shared variables in the order of their declarations (CU-28, 44, 46).
void OperandLowering::place_variables() {
  offsets_.resize(function_.variables.size());
  is_argument_.resize(function_.variables.size());
  for (auto& rows : local_rows_) rows.assign(function_.variables.size(), kNone);
  for (const std::uint32_t index : function_.parameters)
    if ((index & kRegisterParameter) == 0) is_argument_[index] = function_.is_kernel;
  std::uint64_t arguments = 0, area = 0, local = 0;
  for (std::size_t i = 0; i < function_.variables.size(); ++i) {
    const Variable& variable = function_.variables[i];
    if (variable.space == StateSpace::shared) {
      offsets_[i] = static_cast<std::uint32_t>(around_.shared_variables.size());
      code_.shared_variables.push_back(offsets_[i]);
      around_.shared_variables.push_back({std::string(variable.name), variable.bytes, variable.alignment});
      continue;
    }
    if (variable.space != StateSpace::param && variable.space != StateSpace::local)
      fail(variable.place, fmt::format("a variable in .{} is declared in a function", name_of(variable.space)),
           "declare it at the top of the module");
    std::uint64_t& end = variable.space == StateSpace::local ? local : is_argument_[i] ? arguments : area;
    offsets_[i] = round_up(static_cast<std::uint32_t>(end), variable.alignment);
    end = offsets_[i] + variable.bytes;
    if (end > kMostFrameBytes) fail(variable.place, "the variables of the function exceed 1 MiB per thread", "use global memory");
  }
  const auto describe = [&](std::uint32_t index) {
    if ((index & kRegisterParameter) != 0) {
      const std::uint32_t number = index & ~kRegisterParameter;
      out_.pinned[number] = true;  // callers write and read its row
      return Parameter{0, bytes_of(function_.registers[number].type), Operand(Bank::frame, number),
                       out_.registers[number] == RegisterClass::wide};
    }
    return Parameter{offsets_[index], static_cast<std::uint32_t>(function_.variables[index].bytes), Operand(), false};
  };
  for (const std::uint32_t index : function_.parameters) code_.parameters.push_back(describe(index));
  for (const std::uint32_t index : function_.results) code_.results.push_back(describe(index));
  constexpr std::uint32_t kStackAlignment = 16;
  code_.parameter_bytes = round_up(static_cast<std::uint32_t>(area), kStackAlignment);
  code_.argument_bytes = static_cast<std::uint32_t>(arguments);
  code_.local_bytes = round_up(static_cast<std::uint32_t>(local), kStackAlignment);
}

Operand OperandLowering::local_row(std::uint32_t variable, bool wide) {
  std::uint32_t& number = local_rows_[wide ? 1 : 0][variable];
  if (number == kNone) {
    number = add_register(wide ? RegisterClass::wide : RegisterClass::narrow, true);
    code_.local_addresses.push_back({Operand(Bank::frame, number), offsets_[variable], wide});
  }
  return Operand(Bank::frame, number);
}

OperandLowering::NamedPlace OperandLowering::place_of_variable(std::uint32_t variable, bool wide) {
  switch (function_.variables[variable].space) {
    case StateSpace::local:
      return {local_row(variable, wide), 0};
    case StateSpace::shared:
      return {Operand(Bank::launch, shared_address_row(offsets_[variable], wide)), 0};
    default:
      return {Operand(), static_cast<std::int64_t>(offsets_[variable])};
  }
}

OperandLowering::NamedPlace OperandLowering::place_of(const OperandSyntax& syntax, bool wide) {
  NamedPlace place;
  if (syntax.kind == Kind::variable) {
    place = place_of_variable(syntax.index, wide);
  } else {
    const auto symbol = around_.symbols.find(around_.module_index, syntax.name);
    if (!symbol) fail(syntax.place, quoted(syntax.name) + " is not declared", "declare a register, a variable or a function of that name");
    switch (symbol->kind) {
      case Symbol::Kind::function:
        place.offset = static_cast<std::int64_t>(kFunctionWindow + std::uint64_t{symbol->index} * Program::kBytesPerInstruction);
        break;
      case Symbol::Kind::memory:
      case Symbol::Kind::texture:
        place.offset = static_cast<std::int64_t>(symbol->address);
        break;
      case Symbol::Kind::shared: {
        place.row = Operand(Bank::launch, shared_address_row(symbol->index, wide));
        auto& used = code_.shared_variables;
        if (std::find(used.begin(), used.end(), symbol->index) == used.end()) used.push_back(symbol->index);
        break;
      }
    }
  }
  place.offset += syntax.offset;
  return place;
}

void OperandLowering::require_size(const OperandSyntax& syntax, Type type, bool loose) const {
  const Register& named = register_of(syntax);
  const unsigned has = bytes_of(named.type), wants = bytes_of(type);
  if ((named.type == Type::pred) != (type == Type::pred))
    fail(syntax.place,
         fmt::format("register {} has type .{} where the instruction has .{}", quoted(named.name), name_of(named.type), name_of(type)),
         "use a register of that type");
  if (has == wants || (loose && has > wants && class_of(named.type) == class_of(type))) return;
  fail(syntax.place, fmt::format("register {} has {} bits where the instruction has {}", quoted(named.name), 8 * has, 8 * wants),
       "use a register of that size, or convert with cvt");
}

Operand OperandLowering::literal_row(const OperandSyntax& syntax, Type type) {
  const bool wide = class_of(type) == RegisterClass::wide;
  if (type == Type::pred) return around_.constants.row(syntax.value != 0 ? kAllLanes : 0, false);
  if (syntax.kind == Kind::integer) {
    if (is_float(type) && !is_pair(type))
      fail(syntax.place, fmt::format("an integer stands where .{} is expected", name_of(type)),
           "write floats as 0f3F800000 or 0d3FF0000000000000");
    const unsigned bits = 8 * bytes_of(type);
    std::uint64_t value = syntax.value;
    // Narrow signed values are kept sign-extended, as loads leave them.
    if (bits < 32)
      value = is_signed(type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits))
                              : value & ((std::uint64_t{1} << bits) - 1);
    return around_.constants.row(value, wide);
  }
  const bool single = syntax.kind == Kind::float32;
  if (bytes_of(type) == 8 && (type == Type::f64 || !single))
    return around_.constants.row(
        single ? bit_cast<std::uint64_t>(static_cast<double>(bit_cast<float>(static_cast<std::uint32_t>(syntax.value)))) : syntax.value,
        true);
  if (bytes_of(type) == 4 && (type == Type::f32 || single))
    return around_.constants.row(single ? syntax.value : bit_cast<std::uint32_t>(static_cast<float>(bit_cast<double>(syntax.value))),
                                 false);
  fail(syntax.place, fmt::format("a float stands where .{} is expected", name_of(type)), "write an integer, or use .f32 or .f64");
}

Operand OperandLowering::address_source(const OperandSyntax& syntax, Type type) {
  const bool wide = bytes_of(type) == 8;
  if (bytes_of(type) < 4) fail(syntax.place, "an address does not fit the type of the instruction", "use .u64 or .u32");
  const NamedPlace place = place_of(syntax, wide);
  if (!place.row.present()) return around_.constants.row(static_cast<std::uint64_t>(place.offset), wide);
  if (place.offset != 0)
    fail(syntax.place, "the address of a shared or local variable has an offset here", "move it to a register with mov first");
  return place.row;
}

Operand OperandLowering::source(const OperandSyntax& syntax, Type type, bool loose) {
  switch (syntax.kind) {
    case Kind::reg:
      require_size(syntax, type, loose);
      if (syntax.negated) break;
      return Operand(Bank::frame, syntax.index);
    case Kind::special: {
      const auto row = special_row(syntax.name);
      if (!row) {
        const bool changes = clock_named(syntax.name).has_value();
        fail(syntax.place, changes ? quoted(syntax.name) + " is read outside mov" : "unknown register " + quoted(syntax.name),
             changes ? "move it to a register first" : "declare it with .reg, or use a special register such as %tid.x");
      }
      if (class_of(type) != RegisterClass::narrow)
        fail(syntax.place, quoted(syntax.name) + " has 32 bits", "use .u32, and cvt for 64 bits");
      return *row;
    }
    case Kind::integer:
    case Kind::float32:
    case Kind::float64:
      return literal_row(syntax, type);
    case Kind::variable:
    case Kind::symbol:
      return address_source(syntax, type);
    default:
      break;
  }
  fail(syntax.place, "the operand is neither a register nor a literal", "write one register or literal here");
}

Operand OperandLowering::destination(const OperandSyntax& syntax, Type type, bool loose) {
  if (syntax.kind == Kind::sink) return Operand();
  if (syntax.kind != Kind::reg || syntax.negated)
    fail(syntax.place, "the destination is not a register", "write a register, or _ where no result is wanted");
  require_size(syntax, type, loose);
  return Operand(Bank::frame, syntax.index);
}

Operand OperandLowering::predicate(const OperandSyntax& syntax) {
  if (syntax.kind == Kind::integer) return literal_row(syntax, Type::pred);
  if (syntax.kind != Kind::reg) fail(syntax.place, "the operand is not a predicate", "write a register that is declared with .pred");
  require_size(syntax, Type::pred, false);
  return Operand(Bank::frame, syntax.index);
}

Operand OperandLowering::data(const OperandSyntax& syntax, Type type, unsigned index, Operation& operation, bool is_destination) {
  if (is_destination && syntax.kind == Kind::sink) return Operand();
  if (syntax.kind != Kind::reg) {
    if (is_destination) fail(syntax.place, "the destination is not a register", "write a register here");
    if (bytes_of(type) == 8) operation.data_wide |= static_cast<std::uint8_t>(1u << index);
    return source(syntax, type);
  }
  const Register& named = register_of(syntax);
  if (named.type == Type::pred || bytes_of(named.type) < bytes_of(type) || syntax.negated)
    fail(syntax.place, fmt::format("register {} of type .{} cannot hold .{}", quoted(named.name), name_of(named.type), name_of(type)),
         "use a register of that size or wider");
  if (bytes_of(named.type) == 8) operation.data_wide |= static_cast<std::uint8_t>(1u << index);
  return Operand(Bank::frame, syntax.index);
}

Operand OperandLowering::address(const OperandSyntax& syntax, Operation& operation) {
  if (syntax.kind != Kind::address || syntax.parts.size() != 1)
    fail(syntax.place, "the operand is not an address", "write it as [register+offset]");
  const OperandSyntax& base = syntax.parts.front();
  operation.immediate = syntax.offset;
  switch (base.kind) {
    case Kind::reg: {
      const Register& named = register_of(base);
      if (named.type == Type::pred || bytes_of(named.type) < 4)
        fail(base.place, quoted(named.name) + " is too narrow for an address", "use a register of 64 bits, or of 32 for shared memory");
      operation.address_wide = bytes_of(named.type) == 8;
      operation.reads_arguments = function_.is_kernel;
      return Operand(Bank::frame, base.index);
    }
    case Kind::integer:
      operation.immediate = static_cast<std::int64_t>(base.value) + syntax.offset;
      return Operand();
    case Kind::variable:
    case Kind::symbol: {
      const NamedPlace place = place_of(base, true);
      operation.immediate = place.offset + syntax.offset;
      operation.reads_arguments = base.kind == Kind::variable && is_argument_[base.index];
      return place.row;
    }
    default:
      fail(base.place, "the address is not a register, a variable or a number", "write it as [register+offset]");
  }
}

Operand OperandLowering::carry() {
  if (carry_ == kNone) carry_ = add_register(RegisterClass::predicate, false);
  return Operand(Bank::frame, carry_);
}

std::uint64_t OperandLowering::literal(const OperandSyntax& syntax) const {
  if (syntax.kind != Kind::integer) fail(syntax.place, "the operand is not a literal", "write an integer here");
  return syntax.value;
}

CallArgument OperandLowering::call_argument(const OperandSyntax& syntax, bool is_result) {
  CallArgument argument;
  if (syntax.kind == Kind::variable && function_.variables[syntax.index].space == StateSpace::param) {
    if (is_argument_[syntax.index]) fail(syntax.place, "a parameter of the kernel is passed on", "copy it to a .param variable first");
    argument.offset = offsets_[syntax.index];
    argument.bytes = static_cast<std::uint32_t>(function_.variables[syntax.index].bytes);
    return argument;
  }
  if (syntax.kind == Kind::reg) {
    const Type type = register_of(syntax).type;
    if (type == Type::pred) fail(syntax.place, "a predicate is passed to a function", "pass an integer");
    argument.row = Operand(Bank::frame, syntax.index);
    argument.bytes = bytes_of(type);
    argument.wide = class_of(type) == RegisterClass::wide;
    return argument;
  }
  if (is_result) fail(syntax.place, "the result of a call is neither a register nor a .param variable", "use one of these");
  // The size of a literal is that of the parameter; 64 bits serve all.
  argument.row = source(syntax, syntax.kind == Kind::float32 ? Type::f32 : syntax.kind == Kind::float64 ? Type::f64 : Type::u64);
  argument.wide = syntax.kind != Kind::float32;
  argument.bytes = argument.wide ? 8 : 4;
  return argument;
}

}  // namespace wharf::ptx
