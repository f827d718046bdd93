#pragma once
// Finds firmware by name: built with the program, or a file.

#include <filesystem>
#include <string>

namespace wharf::cli {

/// `demo` and the two names that `wharf bench` uses denote files of the build; any other name is a file. Throws InputError where they were
/// not built, and names the package to install.
std::filesystem::path firmware_file(const std::string& name);

/// True where the program's firmware was built.
bool has_firmware();

}  // namespace wharf::cli
