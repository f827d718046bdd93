// libFuzzer entry for the configuration reader: any bytes give parameters or an InputError, never a crash, a hang or another
// exception. Not part of the normal build:
//
//   clang++ -std=c++17 -O1 -g -fsanitize=fuzzer,address,undefined -I. -DWHARF_SOURCE_DIR='"'$PWD'"' tests/fuzz/fuzz_config.cpp
//           model/base/text.cpp model/base/config/*.cpp -lyaml-cpp -lfmt -o fuzz_config
//   mkdir -p corpus && ./fuzz_config -max_total_time=120 -timeout=5 corpus tests/data/fuzz/config

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/config_case.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wharf::test::fuzz_config(std::string(reinterpret_cast<const char*>(data), size), WHARF_SOURCE_DIR "/tests/data/fuzz/config");
  return 0;
}
