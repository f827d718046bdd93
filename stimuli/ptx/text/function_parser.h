#pragma once
// Parses functions and kernels: their parameters, performance directives and bodies.

#include <vector>

#include "stimuli/ptx/text/syntax.h"
#include "stimuli/ptx/text/token_reader.h"

namespace wharf::ptx {

/// Reads one function from .entry or .func on, and appends it. A declaration without a body has is_defined == false.
void read_function(TokenReader& reader, Linkage linkage, std::vector<Function>& functions);

}  // namespace wharf::ptx
