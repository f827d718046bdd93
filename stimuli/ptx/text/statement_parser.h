#pragma once
// Parses one instruction: guard, opcode with its modifiers, and operands.

#include <optional>

#include "stimuli/ptx/text/names.h"
#include "stimuli/ptx/text/syntax.h"
#include "stimuli/ptx/text/token_reader.h"

namespace wharf::ptx {

/// Reads up to and with the `;`. Throws InputError.
Statement read_statement(TokenReader& reader, const Names& names);

/// The fences that an access of a scope beyond the CTA stands for (PTX ISA, memory consistency model): one that releases, for the one before
/// it, one that acquires, for the one behind it. Accesses of shared memory need none.
std::optional<Statement> fence_before(const Statement& access);
std::optional<Statement> fence_behind(const Statement& access);

}  // namespace wharf::ptx
