#pragma once
// Which execution unit and which memory an opcode of a trace means, by GPU family.
// The units are those of reference tables for trace-driven simulation of each family (CM-38 names the Volta one).

#include <cstdint>
#include <string_view>

#include "model/base/warp_instruction.h"

namespace wharf::traces {

/// What memory an opcode names. `generic` is resolved by the address; `async_copy` goes from global to shared memory without
/// a register between.
enum class Memory : std::uint8_t { none, global, local, shared, generic, async_copy };

/// How well an opcode is known: in the table of its trace's GPU family, only in another family's (whose meaning is taken), or not at
/// all (taken as an ALU instruction).
enum class Standing : std::uint8_t { known, of_another_family, unknown };

struct Opcode {
  Unit unit = Unit::alu;
  Memory memory = Memory::none;
  CacheOp cache_op = CacheOp::all;
  std::uint8_t access_bytes = 4;
  Standing standing = Standing::known;
};

/// The meaning of `text`, an opcode with its suffixes ("LDG.E.64.STRONG.GPU"), for a trace's `binary version` (70 = sm_70).
/// A version newer than the newest table uses that one.
Opcode decode_opcode(std::string_view text, unsigned binary_version);

/// The newest `binary version` with a table of its own.
unsigned newest_binary_version();

}  // namespace wharf::traces
