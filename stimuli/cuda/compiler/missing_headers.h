#pragma once
// Headers of libraries that a program includes and Wharf does not bring.

#include <string>
#include <vector>

namespace wharf::cuda {

/// Names the library of each header that is missing, and the remedy, once per library. `rule` is what `clang -M -MG` prints: a header that is
/// not found stands there as the program wrote it. Headers of unknown libraries are left to the compiler's own message.
std::vector<std::string> notes_on_missing_headers(const std::string& rule);

}  // namespace wharf::cuda
