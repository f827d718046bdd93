#pragma once
// Maps the opcodes of a trace to execution units and memories, by GPU family. The units are those of reference tables for trace-driven
// simulation of each family (CM-38 names the Volta table).

#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/warp_instruction.h"

namespace wharf::traces {

/// The memory that an opcode names. For `generic` the address decides; `async_copy` moves data from global to shared memory without a
/// register.
enum class Memory : std::uint8_t { none, global, local, shared, generic, async_copy };

/// Where an opcode is listed: in the table of its trace's GPU family, only in another family's table (whose meaning is used), or nowhere.
enum class Standing : std::uint8_t { known, of_another_family, unknown };

/// Treatment of opcodes that no table lists.
enum class UnknownOpcodes : std::uint8_t { guessed, refused };

struct Opcode {
  Unit unit = Unit::alu;
  Memory memory = Memory::none;
  CacheOp cache_op = CacheOp::all;
  Eviction eviction = Eviction::unhinted;
  std::uint8_t access_bytes = 4;
  Standing standing = Standing::known;
  std::uint8_t unit_cycles = 0;  // as in WarpInstruction
  bool is_bulk = false;          // an asynchronous bulk copy or reduction; a trace does not hold how many bytes it moves
};

/// The meaning of `text`, an opcode with its suffixes ("LDG.E.64.STRONG.GPU"), for a trace's `binary version` (70 = sm_70). A version newer
/// than the newest table uses that table. An unknown opcode is an ALU instruction, or one of the tensor cores if it begins with UTC.
Opcode decode_opcode(std::string_view text, unsigned binary_version);

/// The access of an opcode that no table lists, on a line with a width and addresses: a load where it names a destination register, else a
/// store, of the memory that its name spells, else generic.
Opcode access_of_unknown(std::string_view text, bool has_destination, std::uint64_t width);

/// What an access is taken for, in messages: "a global load", "an ALU instruction".
std::string kind_of_access(Memory memory, bool is_load);

/// What is missing where an instruction waits, or others wait for it, and the model does not: a warning. Else empty.
std::string missing_wait(std::string_view text, const Opcode& opcode);

/// The newest `binary version` that has a table.
unsigned newest_binary_version();

}  // namespace wharf::traces
