#pragma once
// Parses one instruction: guard, opcode with its modifiers, and operands.

#include "stimuli/ptx/text/names.h"
#include "stimuli/ptx/text/syntax.h"
#include "stimuli/ptx/text/token_reader.h"

namespace wharf::ptx {

/// Reads up to and with the `;`. Throws InputError.
Statement read_statement(TokenReader& reader, const Names& names);

}  // namespace wharf::ptx
