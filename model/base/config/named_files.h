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

/// For messages: the path, and the point after a colon.
std::string text_of(const NamedFile& file);

/// The file of a configuration's name, searched from `directory` (of the extending file, or the working directory) and from root. The name
/// `sweep:point` is a point of a sweep file. A sweep that cannot be read is still found, so that its reader reports what is wrong.
std::optional<NamedFile> locate(const std::string& name, const std::filesystem::path& directory, const std::filesystem::path& root);

/// The file of a sweep's name, such as `remote_sharing/coverage` or a path that ends in .yaml, searched as by locate().
std::optional<std::filesystem::path> locate_sweep(const std::string& name, const std::filesystem::path& directory,
                                                  const std::filesystem::path& root);

/// Converts `name`, by which a file in `directory` refers to a configuration, to its name from the working directory. For
/// `design+addition@gpu`, converts each part. Throws InputError if there is no such configuration.
std::string name_from_working_directory(const std::string& name, const std::filesystem::path& directory, const std::filesystem::path& root);

/// What to add to "there is no configuration 'name'": the nearest name, the names in that folder or sweep, or how to list all names.
std::string remedy_for(const std::string& name, const std::filesystem::path& directory, const std::filesystem::path& root);

/// Names of all configurations: files, then points of sweeps.
std::vector<std::string> configuration_names(const std::filesystem::path& root);

/// Names of all sweeps, sorted.
std::vector<std::string> sweep_names(const std::filesystem::path& root);

/// Names of all sweeps with their descriptions. Throws InputError if one is not YAML.
std::vector<ConfigurationName> list_sweeps(const std::filesystem::path& root);

}  // namespace wharf::config
