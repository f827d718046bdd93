// Fuzzes the reader of a kernel's trace, plain or compressed: any bytes are a trace or an input error, and the streams return as many
// instructions as the reader counts.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/trace_probe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wharf::traces::Probe probe = wharf::traces::probe_kernel({reinterpret_cast<const char*>(data), size});
  if (probe.decoded != probe.promised) std::abort();
  return 0;
}
