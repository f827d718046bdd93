#include "platforms/inputs/configuration.h"

#include "model/base/config/named_files.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {

std::filesystem::path configuration_root() { return project_root() / "platforms" / "configs"; }

Configuration load_configuration(const std::string& name, const std::vector<std::string>& overrides, const std::string& workload) {
  if (!config::locate(name, "", configuration_root())) expect_path(name, PathKind::yaml);
  return config::load<GpuParams>(configuration_root(), name, overrides, workload);
}

}  // namespace wharf::cli
