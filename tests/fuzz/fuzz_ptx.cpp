// Fuzzes PTX: any text is a program whose kernels run briefly under all checks, or an input error.

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/base/error.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/ptx_stimulus.h"
#include "tests/fuzz/executed_stimulus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wharf;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    ptx::DeviceMemory memory(std::uint64_t{16} << 20);
    ptx::Checks checks(ptx::parse_checks("bounds,init,race,sync"));
    const std::vector<std::byte> arguments(256);
    std::vector<ptx::LaunchRequest> launches;
    {
      ptx::DeviceMemory scratch(std::uint64_t{16} << 20);
      const ptx::PtxStimulus parsed({{"m.ptx", text}}, scratch, {});
      for (const ptx::FunctionCode& function : parsed.program().functions())
        if (function.is_kernel && function.error.empty()) launches.push_back({function.name, {2, 1, 1}, {40, 1, 1}, 64, arguments});
    }
    for (const ptx::LaunchRequest& launch : launches) {
      ptx::PtxStimulus stimulus({{"m.ptx", text}}, memory, {launch});
      stimulus.use({&checks, true, true});
      try {
        test::execute_briefly(stimulus, 2000);
      } catch (const InputError&) {  // only this kernel's error
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
