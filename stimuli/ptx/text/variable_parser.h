#pragma once
// Parses declarations of variables: linkage, space, alignment, type, name, length and initial value.

#include <vector>

#include "stimuli/ptx/text/syntax.h"
#include "stimuli/ptx/text/token_reader.h"

namespace wharf::ptx {

/// Takes the words .extern, .visible, .weak and .common if they are next; the last one counts.
Linkage read_linkage(TokenReader& reader);

/// Reads one declaration, from its space on, up to and without the `;`, `,` or `)` behind it, and appends its variables: one, or several
/// where the declaration lists names.
void read_variables(TokenReader& reader, Linkage linkage, std::vector<Variable>& variables);

}  // namespace wharf::ptx
