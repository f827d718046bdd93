#pragma once
// Constant expressions of PTX: integers with the operators of C.

#include <cstdint>

#include "stimuli/ptx/text/token_reader.h"

namespace wharf::ptx {

/// Reads an integer expression: numbers, WARP_SZ, parentheses, unary - + ~ ! and binary * / % + - & ^ |. Arithmetic wraps at 64 bits.
/// Throws InputError where there is none, or where it divides by zero.
std::int64_t read_constant(TokenReader& reader);

/// The same with one operand only: what may follow the + of an address.
std::int64_t read_constant_operand(TokenReader& reader);

}  // namespace wharf::ptx
