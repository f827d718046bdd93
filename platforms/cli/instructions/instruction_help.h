#pragma once
// The instructions of PTX for `wharf describe ptx:OPCODE`.

#include <string>
#include <vector>

#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

inline constexpr const char* kInstructions = "ptx:";

/// The forms of an instruction such as st or st.async that have its modifiers, or with an empty name all opcodes. Throws InputError for an
/// opcode that PTX does not have, and for modifiers that no supported form has.
std::vector<Table> instruction_tables(const std::string& name);

}  // namespace wharf::cli
