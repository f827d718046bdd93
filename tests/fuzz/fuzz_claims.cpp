// Fuzzes the readers of claims and of characteristics of workloads: any bytes are valid, or an input error.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/base/error.h"
#include "platforms/cli/claims/characteristics.h"
#include "platforms/cli/claims/claims.h"
#include "tests/fuzz/file_of.h"

namespace {

template <class Load>
void read(const Load& load, const std::filesystem::path& file) {
  static const std::vector<wharf::Suite> suites = {{"duo", {{"gemm@tiny", false, {}}, {"atax@tiny", true, {}}}}};
  try {
    load(file, suites);
  } catch (const wharf::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = wharf::test::file_of(data, size);
  read(wharf::cli::load_claims, file);
  read(wharf::cli::load_characteristics, file);
  return 0;
}

extern "C" int sc_main(int, char**) { return 0; }
