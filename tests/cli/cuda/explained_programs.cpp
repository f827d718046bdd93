// The commands that `wharf explain` offers for a CUDA program, which it cannot run itself.

#include <catch2/catch.hpp>
#include <iterator>
#include <sstream>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

}  // namespace

TEST_CASE("explain offers commands for a recording of the program: the one that the run has written, or one to be made") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const std::string program = kPrograms + "vector_addition.cu";
  const auto explained = [&](const std::string& recording, const std::vector<std::string>& option) {
    std::vector<std::string> words = {"cuda", program, "--explain", "--out", "o"};
    words.insert(words.end(), option.begin(), option.end());
    words.insert(words.end(), {"--", "20000"});
    REQUIRE(wharf(folder, words).exit_code == 0);
    const Ended ended = wharf(folder, {"explain", "o"});
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    const std::size_t command = ended.output.find("explain private private --stimulus cuda:" + recording + " --set");
    REQUIRE(command != std::string::npos);
    std::istringstream offered(ended.output.substr(command, ended.output.find('\n', command) - command));
    return std::make_pair(ended.output, std::vector<std::string>{std::istream_iterator<std::string>(offered), {}});
  };
  const auto [unrecorded, needs_recording] = explained("vector_addition.wcr", {});
  CHECK_THAT(unrecorded, Contains("'wharf cuda' with --record vector_addition.wcr makes it."));
  REQUIRE(wharf(folder, {"cuda", program, "--functional", "--record", "vector_addition.wcr", "--", "20000"}).exit_code == 0);
  CHECK(wharf(folder, needs_recording).exit_code == 0);
  const auto [recorded, runs_at_once] = explained("made/of_mine.wcr", {"--record", "made/of_mine.wcr"});
  CHECK_THAT(recorded, Contains("The commands below run the program's recording."));
  CHECK(wharf(folder, runs_at_once).exit_code == 0);
}

}  // namespace wharf::cli
