#pragma once
// Opcodes of PTX that no row of the instruction table has.

#include <string_view>
#include <vector>

namespace wharf::ptx {

const std::vector<std::string_view>& refused_opcodes();

/// 1: executed; 2: refused, though no hardware is missing; 3: refused, because it drives hardware that is not modelled. 0 for no opcode of PTX.
unsigned tier_of(std::string_view opcode);

}  // namespace wharf::ptx
