// Fuzzes the reader of kernelslist.g, plain or compressed: any bytes are a list of kernels or an input error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/trace_probe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wharf::traces::probe_list({reinterpret_cast<const char*>(data), size});
  return 0;
}
