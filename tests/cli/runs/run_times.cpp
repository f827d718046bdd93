// The expected duration of runs, as plans use it.

#include "platforms/cli/runs/run_times.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

RunSpec spec(const std::string& config, const std::string& stimulus, const std::vector<std::string>& overrides = {}) {
  RunSpec one;
  one.config = config;
  one.stimulus = stimulus;
  one.overrides = overrides;
  return one;
}

TEST_CASE("a run is expected to take what it took, else what its stimulus, its workload, or all take on average") {
  const TemporaryFolder folder;
  RunTimes times = RunTimes::read(folder / folder.file("t.yaml", "'bfs@std': 6\n'bfs@wide': 10\n'gemm@std': 20\n"));
  CHECK(times.expected(spec("private", "bfs@std")) == 6.0);
  CHECK(times.expected(spec("private", "bfs@paper")) == 8.0);
  CHECK(times.expected(spec("private", "atax@std")) == 12.0);
  times.add("private", "bfs@std", 2.0);
  times.add("ata", "bfs@std", 4.0);
  CHECK(times.expected(spec("private", "bfs@std")) == 2.0);
  CHECK(times.expected(spec("private", "bfs@std", {"l1.ways=8"})) == 3.0);  // a duration measured here overrides the file
  times.add("private", "bfs@std", 1.0);
  CHECK(times.expected(spec("private", "bfs@std")) == 1.0);
  CHECK(RunTimes().expected(spec("private", "bfs@std")) == 1.0);
}

TEST_CASE("times are written as they are read, measured ones in the place of older ones") {
  const TemporaryFolder folder;
  RunTimes times = RunTimes::read(folder / folder.file("t.yaml", "'bfs@std': 6\n'gemm:n=64,m=8': 20\n"));
  times.add("private", "bfs@std", 2.26);
  const RunTimes again = RunTimes::read(folder / folder.file("u.yaml", times.as_yaml()));
  CHECK(again.expected("bfs@std") == 2.3);
  CHECK(again.expected("gemm:n=64,m=8") == 20.0);
  CHECK(again.as_yaml() == times.as_yaml());
}

TEST_CASE("a time that is not a number of seconds is refused at its place") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(RunTimes::read(folder / folder.file("t.yaml", "bfs@std: 6\ngemm@std: long\n")), Contains("t.yaml:2:11: gemm@std"));
  CHECK_THROWS_WITH(RunTimes::read(folder / folder.file("n.yaml", "gemm@std: -1\n")), Contains("n.yaml:1:11: gemm@std"));
}

}  // namespace
}  // namespace wharf::cli
