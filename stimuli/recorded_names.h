#pragma once
// Names of recorded stimuli, trace:PATH and cuda:FILE, that are written in a file.

#include <filesystem>
#include <string>

namespace wharf {

/// The same stimulus as named from the working directory, where `stimulus` is written in a file of `folder`. Stimuli that are no files stay as
/// they are.
std::string as_named_in(const std::filesystem::path& folder, const std::string& stimulus);

}  // namespace wharf
