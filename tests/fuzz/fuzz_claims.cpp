// Fuzzes the reader of claims: any bytes are claims or an input error.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/error.h"
#include "platforms/cli/claims/claims.h"
#include "tests/fuzz/file_of.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<wharf::Suite> suites = {{"duo", {{"gemm@tiny", false, {}}, {"atax@tiny", true, {}}}}};
  try {
    wharf::cli::load_claims(wharf::test::file_of(data, size), suites);
  } catch (const wharf::InputError&) {
  }
  return 0;
}

extern "C" int sc_main(int, char**) { return 0; }
