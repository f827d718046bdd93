#include "platforms/cli/firmware.h"

#include <algorithm>
#include <array>

#include "model/base/error.h"
#include "platforms/cli/files.h"

namespace wharf::cli {

std::filesystem::path firmware_file(const std::string& name) {
  static constexpr std::array<const char*, 3> kBuilt = {"demo", "host_loop", "launches"};
  if (std::find(kBuilt.begin(), kBuilt.end(), name) == kBuilt.end()) return name;
  // An installation has it beside its source, a build in a folder of its own.
  std::filesystem::path file = project_root() / "platforms/virtual/firmware" / (name + ".elf");
  if (!std::filesystem::exists(file)) file = std::filesystem::path(WHARF_FIRMWARE_DIR) / (name + ".elf");
  if (!std::filesystem::exists(file))
    throw InputError("the firmware '" + name + "' was not built, for want of a RISC-V compiler; install gcc-riscv64-unknown-elf and "
                     "picolibc-riscv64-unknown-elf and build again, or give a file of your own");
  return file;
}

}  // namespace wharf::cli
