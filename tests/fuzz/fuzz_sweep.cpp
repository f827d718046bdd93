// Fuzzes the reader of sweeps: any bytes are a sweep or an input error.

#include <cstddef>
#include <cstdint>

#include "model/base/error.h"
#include "platforms/cli/sweeps/sweep_spec.h"
#include "tests/fuzz/file_of.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    wharf::cli::read_sweep(wharf::test::file_of(data, size));
  } catch (const wharf::InputError&) {
  }
  return 0;
}

extern "C" int sc_main(int, char**) { return 0; }
