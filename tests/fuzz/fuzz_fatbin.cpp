// Fuzzes the readers of device code in programs: any bytes are a container, a fat binary or PTX, or an input error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/base/error.h"
#include "stimuli/cuda/modules/kernel_signature.h"
#include "stimuli/cuda/modules/module_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wharf;
  try {
    for (const cuda::PtxText& text : cuda::read_module_image({reinterpret_cast<const char*>(data), size}, "program")) {
      cuda::KernelDescription description;
      cuda::read_signature(text.text, "k", description);
    }
  } catch (const InputError&) {
  }
  return 0;
}
