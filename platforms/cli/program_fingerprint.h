#pragma once
// Which program this is.

#include <string>

namespace wharf::cli {

/// Identifies this program's binary, so that results of another build are not reused: 16 hexadecimal digits of its build id, which the
/// linker makes of all its contents.
std::string program_fingerprint();

}  // namespace wharf::cli
