#pragma once
// The declarations of a PTX module, as in its text: variables, functions, and statements whose names are resolved to registers and
// variables.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/types.h"
#include "stimuli/ptx/text/ptx_error.h"
#include "stimuli/ptx/text/types.h"

namespace wharf::ptx {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// A line of the program that was compiled to PTX, from a .loc directive. File 0: unknown.
struct SourceLine {
  std::uint32_t file = 0;  // number of a .file directive
  std::uint32_t line = 0;
};

/// An address that an initialiser holds.
struct Relocation {
  std::uint64_t offset = 0;  // in the variable
  std::string_view symbol;   // a variable or a function
  std::int64_t addend = 0;
  bool generic = false;  // the generic address, not the one in the symbol's own space
  unsigned bytes = 8;    // of the field
  unsigned shift = 0;    // the field holds the bytes from bit `shift` of the address on
  Place place;
};

enum class Linkage : std::uint8_t { internal, visible, weak, external };

struct Variable {
  std::string_view name;
  StateSpace space = StateSpace::global;
  Type type = Type::b8;
  Linkage linkage = Linkage::internal;
  std::uint32_t alignment = 1;
  std::uint64_t bytes = 0;         // 0: an array without a length, which is external
  bool is_texture = false;         // .texref, .samplerref or .surfref
  std::vector<std::byte> initial;  // fewer than `bytes` where zeros follow
  std::vector<Relocation> relocations;
  Place place;
};

struct Register {
  std::string_view name;
  Type type = Type::b32;
};

/// An operand of a statement.
struct OperandSyntax {
  enum class Kind : std::uint8_t {
    reg,       // register `index`
    special,   // special register `name`, such as "%tid.x"
    integer,   // `value`
    float32,   // `value` has the bits
    float64,   // `value` has the bits
    variable,  // variable `index` of the function, plus `offset`
    symbol,    // anything else with a name: a label, a function, a variable of the module; plus `offset`
    address,   // [parts[0] + offset]; further parts are the coordinates of a texture
    list,      // {parts} or (parts)
    both,      // parts[0] | parts[1]
    sink       // _
  };
  Kind kind = Kind::sink;
  bool negated = false;  // !p
  std::uint32_t index = 0;
  std::uint64_t value = 0;
  std::int64_t offset = 0;
  std::string_view name;
  std::vector<OperandSyntax> parts;
  Place place;
};

/// An instruction as written.
struct Statement {
  std::uint32_t guard = kNone;  // a register
  bool guard_negated = false;
  std::string_view opcode;
  std::vector<std::string_view> words;  // behind the opcode, without dots
  std::vector<OperandSyntax> operands;
  std::uint32_t scope = 0;  // the block { } it stands in, an index of Function::scopes
  Place place;
  SourceLine source;
};

struct Function {
  std::string_view name;
  bool is_kernel = false;
  bool is_defined = false;
  Linkage linkage = Linkage::internal;
  std::vector<std::uint32_t> parameters, results;  // indices of `variables`, or of `registers` with kRegisterParameter added
  std::vector<Register> registers;
  std::vector<Variable> variables;  // of all blocks: param, local and shared
  std::vector<Statement> statements;
  std::vector<std::uint32_t> scopes = {kNone};                                 // the enclosing block of each block; block 0 is the body
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> labels;  // (block, name) to a statement
  std::map<std::string_view, std::vector<std::string_view>> branch_targets;    // of .branchtargets labels
  Dim3 most_threads = {0, 0, 0}, required_threads = {0, 0, 0};                 // .maxntid and .reqntid; 0: absent
  Dim3 required_cluster = {0, 0, 0};                                           // .reqnctapercluster
  std::uint32_t least_ctas_per_sm = 0, most_registers = 0;                     // .minnctapersm and .maxnreg; 0: absent
  Place place;
  SourceLine source;
};
inline constexpr std::uint32_t kRegisterParameter = std::uint32_t{1} << 31;

struct Module {
  std::shared_ptr<const SourceText> source;    // all views point into it
  unsigned target = ~0u;                       // 80 of sm_80; the largest number where none is named
  std::map<std::uint32_t, std::string> files;  // by number of .file
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Parses the text of a module. Throws InputError with file, line and column. The instructions themselves are not checked here.
Module parse_module(SourceText source);

}  // namespace wharf::ptx
