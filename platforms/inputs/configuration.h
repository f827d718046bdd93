#pragma once
// Loads configurations by name or by path. A name stands for a file in platforms/configs or of a design (model/base/config/named_files.h).

#include <string>
#include <vector>

#include "model/base/config/load.h"
#include "platforms/frame/gpu_params.h"

namespace wharf::cli {

using Configuration = config::LoadResult<GpuParams>;

/// The folder of the named configurations.
std::filesystem::path configuration_root();

/// Throws InputError with every mistake in the configuration.
Configuration load_configuration(const std::string& name, const std::vector<std::string>& overrides, const std::string& workload);

}  // namespace wharf::cli
