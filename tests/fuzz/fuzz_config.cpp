// Fuzzes the reader of configurations: any bytes are parameters, which read back from their resolved form, or an input error.

#include <cstddef>
#include <cstdint>
#include <string>

#include "test_paths.h"
#include "tests/fuzz/config_case.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wharf::test::fuzz_config(std::string(reinterpret_cast<const char*>(data), size), WHARF_SOURCE_DIR "/tests/data/fuzz/config");
  return 0;
}
