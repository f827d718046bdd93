// Division of a plan among several machines.

#include "platforms/cli/runs/run_shard.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

std::string refusal_of(const std::string& text) {
  try {
    parse_shard(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a shard is a part of a number of parts, and everything else is refused with what to write") {
  CHECK(parse_shard("2/3").index == 2);
  CHECK(parse_shard("2/3").count == 3);
  CHECK(parse_shard("1/1").is_whole());
  CHECK_THAT(refusal_of("2"), Contains("--shard: '2' is not of the form i/n; write 1/3, 2/3 and 3/3"));
  for (const char* text : {"0/2", "3/2", "a/2", "1/0", "1/", "/2", "-1/2"}) {
    INFO(text);
    CHECK_THAT(refusal_of(text), Contains("--shard: the "));
  }
}

TEST_CASE("the longest run goes first, each to the part with the least to do") {
  // 9 | 7; 5 joins 7 (12); 4 joins 9 (13); 2 joins 12 (14)
  CHECK(parts_of({4, 9, 2, 7, 5}, {"a", "b", "c", "d", "e"}, 2) == std::vector<unsigned>{1, 1, 2, 2, 2});
  CHECK(parts_of({4, 9}, {"a", "b"}, 1) == std::vector<unsigned>{1, 1});
}

TEST_CASE("runs of equal length are spread by their names, whatever their order in the plan") {
  CHECK(parts_of({1, 1, 1}, {"a", "b", "c"}, 3) == std::vector<unsigned>{1, 2, 3});
  CHECK(parts_of({1, 1, 1}, {"c", "b", "a"}, 3) == std::vector<unsigned>{3, 2, 1});
}

}  // namespace
}  // namespace wharf::cli
