// Replays the fuzzers' corpora. Each file is a trace, a packed trace, or an input error, and nothing else.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "test_paths.h"
#include "tests/fuzz/packed_probe.h"
#include "tests/fuzz/trace_probe.h"

using namespace wharf::traces;

namespace {

std::vector<std::filesystem::path> corpus(const std::string& reader) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WHARF_SOURCE_DIR) + "/tests/data/fuzz/" + reader))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("Every file of the fuzzer's corpus is read or refused, and what is read decodes in full") {
  const auto files = corpus("trace");
  REQUIRE(files.size() >= 30);
  for (const auto& path : files) {
    const std::string name = path.filename().string(), bytes = bytes_of(path);
    CAPTURE(name);
    CHECK(bytes.size() < 10000);
    CHECK(probe_list(bytes) == (name == "list"));
    const Probe probe = probe_kernel(bytes);
    CHECK(probe.decoded == probe.promised);
    // The names of valid traces. All others are damaged as their name says.
    const std::vector<std::string> whole = {"crlf",        "empty_cta", "empty_warp",        "gz", "valid", "valid_ampere",
                                            "valid_newer", "valid_v2",  "valid_v4_lineinfo", "xz", "zst",   "valid_hopper",
                                            "valid_mark",  "container", "valid_version_6"};
    CHECK(probe.whole == (std::find(whole.begin(), whole.end(), name) != whole.end()));
  }
}

TEST_CASE("Every file of the fuzzer's corpus of lists is read or refused") {
  const std::vector<std::string> lists = {"list", "list_calls_and_paths", "list_gz", "list_mark_crlf"};
  for (const auto& path : corpus("list")) {
    const std::string name = path.filename().string();
    CAPTURE(name);
    CHECK(probe_list(bytes_of(path)) == (std::find(lists.begin(), lists.end(), name) != lists.end()));
  }
}

TEST_CASE("Every file of the fuzzer's corpus of packed traces is read or refused") {
  const auto files = corpus("packed");
  REQUIRE(files.size() >= 8);
  for (const auto& path : files) {
    const std::string name = path.filename().string();
    CAPTURE(name);
    CHECK(probe_packed(bytes_of(path)) == (name.rfind("valid", 0) == 0));
  }
}
