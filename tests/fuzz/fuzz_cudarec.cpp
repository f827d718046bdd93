// Fuzzes recordings of CUDA programs: any bytes replay briefly under all checks, or are an input error. The corpus is not compressed, so
// that changes reach the records.

#include <cstddef>
#include <cstdint>

#include "model/base/error.h"
#include "stimuli/cuda/device/cuda_stimulus.h"
#include "tests/fuzz/executed_stimulus.h"
#include "tests/fuzz/file_of.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wharf;
  try {
    cuda::RecordedStimulus stimulus(test::file_of(data, size).string(), cuda::RecordedProgram::Mismatch::count);
    cuda::DeviceOptions options;
    options.checks = ptx::parse_checks("bounds,init,race,sync");
    stimulus.device().use(options);
    test::execute_briefly(stimulus, 2000);
  } catch (const InputError&) {
  } catch (const SimulationError&) {  // a thread fails
  }
  return 0;
}
