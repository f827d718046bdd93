#include "platforms/cli/firmware.h"

#include <algorithm>
#include <array>

#include "model/base/error.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {

namespace {

constexpr std::array<const char*, 3> kBuilt = {"demo", "host_loop", "launches"};

/// An installation keeps firmware next to its source; a build keeps it in a separate folder.
std::filesystem::path place_of(const std::string& name) {
  const std::filesystem::path installed = project_root() / "platforms/virtual/firmware" / (name + ".elf");
  return std::filesystem::exists(installed) ? installed : std::filesystem::path(WHARF_FIRMWARE_DIR) / (name + ".elf");
}

}  // namespace

bool has_firmware() {
  return std::all_of(kBuilt.begin(), kBuilt.end(), [](const char* name) { return std::filesystem::exists(place_of(name)); });
}

std::filesystem::path firmware_file(const std::string& name) {
  if (std::find(kBuilt.begin(), kBuilt.end(), name) == kBuilt.end()) {
    expect_path(name, PathKind::firmware);
    return name;
  }
  const std::filesystem::path file = place_of(name);
  if (!std::filesystem::exists(file))
    throw InputError("the firmware '" + name +
                     "' was not built, because no RISC-V compiler was found; `./wharf setup virtual` builds it, or give a file "
                     "of your own");
  return file;
}

}  // namespace wharf::cli
