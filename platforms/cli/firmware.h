#pragma once
// Firmware by name: what is built with the program, or a file.

#include <filesystem>
#include <string>

namespace wharf::cli {

/// `demo` and the two that `wharf bench` measures stand for files of the build; anything else is a file's name. Throws InputError where
/// they were not built, and says what to install.
std::filesystem::path firmware_file(const std::string& name);

/// Whether the firmware that comes with the program was built.
bool has_firmware();

}  // namespace wharf::cli
