// Runs the corpus of the configuration fuzzer (tests/fuzz/fuzz_config.cpp), including its malformed files, in every test run.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "test_paths.h"
#include "tests/fuzz/config_case.h"

namespace {

namespace fs = std::filesystem;
const char* const kCorpus = WHARF_SOURCE_DIR "/tests/data/fuzz/config";

std::vector<fs::path> corpus() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kCorpus)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_good(const fs::path& path) { return path.filename().string().rfind("good_", 0) == 0; }

}  // namespace

TEST_CASE("every file of the fuzz corpus is accepted or refused with a position and good files are accepted") {
  const std::vector<fs::path> files = corpus();
  REQUIRE(files.size() >= 30);
  for (const fs::path& file : files) {
    INFO(file);
    std::string error;
    REQUIRE_NOTHROW(error = wharf::test::fuzz_config(text_of(file), kCorpus));
    CHECK(error.empty() == is_good(file));
  }
}

TEST_CASE("every file of the fuzz corpus loads by name with the same verdict") {
  for (const fs::path& file : corpus()) {
    if (text_of(file).find("\n# ") != std::string::npos) continue;  // it needs settings or a workload
    INFO(file);
    const std::string error = wharf::test::error_of([&] { wharf::config::load<wharf::test::SampleParams>(kCorpus, file.string()); });
    CHECK((error == "no error") == is_good(file));
  }
}
