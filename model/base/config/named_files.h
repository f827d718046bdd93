#pragma once
// Finds the files of configurations and sweeps by their names. `a/b` is a/b.yaml below the root of the configurations, or the file
// designs/a/configs/b.yaml beside it; `a` may be designs/a/design.yaml. Sweeps likewise: sweeps/a/b.yaml or designs/a/sweeps/b.yaml.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/base/config/layers.h"

namespace wharf::config {

/// A configuration's file, or a sweep's with one of its points.
struct NamedFile {
  std::filesystem::path path;
  std::string point;  // empty for a configuration's own file
};

/// For messages: the path, and the point behind a colon.
std::string text_of(const NamedFile& file);

/// The file of a configuration's name, searched from `directory` (of the extending file, or the working directory) and from root. The name
/// `sweep:point` is a point of a sweep file; a sweep that cannot be read is found all the same, so that its reader says what is wrong.
std::optional<NamedFile> locate(const std::string& name, const std::filesystem::path& directory, const std::filesystem::path& root);

/// The same for a sweep's own name, such as `remote_sharing/coverage` or a path that ends in .yaml.
std::optional<std::filesystem::path> locate_sweep(const std::string& name, const std::filesystem::path& directory,
                                                  const std::filesystem::path& root);

/// The name of a configuration that a file in `directory` has written as `name`, as it is named from the working directory; also of
/// `design+addition@gpu`, part by part. Throws InputError where there is none.
std::string name_from_here(const std::string& name, const std::filesystem::path& directory, const std::filesystem::path& root);

/// What to add to "there is no configuration 'name'": the nearest name, the names in that folder or sweep, or where all names are listed.
std::string remedy_for(const std::string& name, const std::filesystem::path& directory, const std::filesystem::path& root);

/// Names of all configurations: files, then points of sweeps.
std::vector<std::string> configuration_names(const std::filesystem::path& root);

/// Names of all sweeps, sorted.
std::vector<std::string> sweep_names(const std::filesystem::path& root);

/// The same with their descriptions. Throws InputError if one is no YAML.
std::vector<ConfigurationName> list_sweeps(const std::filesystem::path& root);

}  // namespace wharf::config
