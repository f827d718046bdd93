// Fuzzes the reader of packed traces: any bytes are a packed trace or an input error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/packed_probe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wharf::traces::probe_packed({reinterpret_cast<const char*>(data), size});
  return 0;
}
