#include "platforms/cli/terminal/command_line.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "model/base/error.h"
#include "platforms/cli/terminal/progress_bar.h"

namespace wharf::cli {
namespace {

CommandLine example() {
  CommandLine arguments("example NAME", "An example.");
  arguments.value("seed", "N", "a number").values("set", "K=V", "settings").flag("quiet", "no output").positionals(1);
  return arguments;
}

CommandLine parsed(const std::vector<std::string>& words) {
  CommandLine arguments = example();
  std::ostringstream out;
  REQUIRE(arguments.parse(words, out));
  return arguments;
}

void parse(const std::vector<std::string>& words) {
  CommandLine arguments = example();
  std::ostringstream out;
  arguments.parse(words, out);
}

TEST_CASE("options, repeated options, flags and names are told apart") {
  const CommandLine arguments = parsed({"private", "--set", "a=1", "--seed=7", "--set", "b=2", "--quiet"});
  CHECK(arguments.positional() == std::vector<std::string>{"private"});
  CHECK(arguments.texts("set") == std::vector<std::string>{"a=1", "b=2"});
  CHECK(arguments.count("seed", 1, 0, 100) == 7);
  CHECK(arguments.has("quiet"));
  CHECK(parsed({}).count("seed", 1, 0, 100) == 1);
}

TEST_CASE("an option that is not declared is refused with the nearest one") {
  CHECK_THROWS_WITH(parse({"--sede", "1"}), Catch::Contains("'--sede'") && Catch::Contains("did you mean '--seed'?"));
  CHECK_THROWS_WITH(parse({"--see", "1"}), Catch::Contains("unknown option"));  // prefixes are not completed
  CHECK_THROWS_WITH(parse({"-x"}), Catch::Contains("Usage: wharf example NAME"));
}

TEST_CASE("a missing value, a repeated option and one name too many are refused") {
  CHECK_THROWS_AS(parse({"--seed"}), InputError);
  CHECK_THROWS_AS(parse({"--seed="}), InputError);
  CHECK_THROWS_AS(parse({"--seed", "1", "--seed", "2"}), InputError);
  CHECK_THROWS_AS(parse({"--quiet=yes"}), InputError);
  CHECK_THROWS_WITH(parse({"a", "b"}), Catch::Contains("'b' is one argument too many"));
}

TEST_CASE("a count is decimal digits within its range and nothing else") {
  for (const char* bad : {"-1", "+1", "1.5", "0x10", "", " 1", "1 ", "101", "99999999999999999999999"}) {
    INFO(bad);
    CHECK_THROWS_WITH(parse_count(bad, "--seed", 0, 100), Catch::Contains("--seed: ") && Catch::Contains("from 0 to 100"));
  }
  CHECK_THROWS_AS(parsed({"--seed=101"}).count("seed", 1, 0, 100), InputError);
  CHECK(parse_count("100", "n", 0, 100) == 100);
}

TEST_CASE("help is printed and ends the command") {
  CommandLine arguments = example();
  std::ostringstream out;
  CHECK_FALSE(arguments.parse({"--help"}, out));
  CHECK_THAT(out.str(), Catch::Contains("usage: wharf example NAME") && Catch::Contains("--seed"));
}

TEST_CASE("a list keeps the arguments of a stimulus together") {
  CHECK(split_list("gemm@std,atax") == std::vector<std::string>{"gemm@std", "atax"});
  CHECK(split_list("gemm:n=64,m=32,bfs:n=8") == std::vector<std::string>{"gemm:n=64,m=32", "bfs:n=8"});
  CHECK(split_list(",,").empty());
}

TEST_CASE("the progress line shows share and remaining time and fits the terminal") {
  CHECK_THAT(progress_line(0.25, 30.0, "x", 80), Catch::Contains(" 25 %") && Catch::Contains("1 min 30 s left"));
  CHECK(progress_line(-1.0, 30.0, "text", 80) == "text");
  CHECK_THAT(progress_line_left(0.25, 7200.0, "x", 80), Catch::Contains(" 25 %") && Catch::Contains("2 h 00 min left"));
  CHECK(progress_line(0.5, 1.0, std::string(200, 'x'), 40).size() == 40);
  CHECK(format_duration(7229) == "2 h 00 min");
}

}  // namespace
}  // namespace wharf::cli
