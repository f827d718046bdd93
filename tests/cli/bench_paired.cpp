// bench --against: this program and another one run alternately on the same traces.

#include <catch2/catch.hpp>
#include <fstream>

#include "model/base/error.h"
#include "platforms/cli/bench/paired.h"
#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

JobResult used(double cpu_s, double wall_s, double peak_mb) {
  JobResult result;
  result.exit_code = 0;
  result.cpu_s = cpu_s;
  result.wall_s = wall_s;
  result.peak_mb = peak_mb;
  return result;
}

std::string vectoradd() { return (project_root() / "tests" / "data" / "accelsim" / "traces" / "vectoradd").string(); }

std::vector<std::string> against(const TemporaryFolder& folder, const std::string& command, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"bench", "--against", command, "--trace", vectoradd(), "--pairs=2", "--out", (folder / "out").string()});
  return more;
}

}  // namespace

TEST_CASE("bench --against: ratios are of each pair, and a row has their median, least and largest value") {
  // CPU ratios 4, 8 and 6; wall ratios 2, 8 and 5. Second trace: 24 and 3.
  const std::vector<Pair> pairs = {{"a", used(1, 2, 10), used(4, 4, 50)},
                                   {"a", used(2, 1, 10), used(16, 8, 70)},
                                   {"a", used(1, 1, 10), used(6, 5, 60)},
                                   {"b", used(1, 1, 10), used(24, 3, 60)}};
  const Table table = pairs_table(pairs);
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0] ==
        std::vector<std::string>{"a", "3", "6.00", "4.00-8.00", "5.00", "2.00-8.00", "6.00", "1.000", "6.000", "10.0", "60.0"});
  CHECK(table.rows[1][2] == "24.00");
  // sqrt(6 * 24), sqrt(5 * 3), sqrt(6 * 6)
  CHECK(table.rows[2] == std::vector<std::string>{"geometric mean", "", "12.00", "", "3.87", "", "6.00", "", "", "", ""});
}

TEST_CASE("bench --against: the median of an even number of pairs is the mean of the middle two") {
  const std::vector<Pair> pairs = {{"a", used(1, 1, 1), used(2, 1, 1)}, {"a", used(1, 1, 1), used(5, 1, 1)}};
  CHECK(pairs_table(pairs).rows[0][2] == "3.50");
}

TEST_CASE("bench --threads: faster is the wall time of one thread by that of several, and CPU the other way around") {
  const std::vector<Pair> pairs = {{"private", used(6, 2, 10), used(4, 4, 50)}, {"private", used(5, 1, 10), used(4, 3, 70)}};
  CHECK(threads_table(pairs, 2).rows[0] == std::vector<std::string>{"private", "2", "2.50", "2.00-3.00", "1.36", "1.50", "3.50"});
  CHECK(threads_json(pairs)[1]["threads"]["wall_s"] == 1);
}

TEST_CASE("bench --threads refuses numbers that cannot be, and other benchmarks beside it") {
  const TemporaryFolder folder;
  CHECK(wharf(folder, {"bench", "--threads", "1"}).exit_code == 2);
  CHECK_THAT(wharf(folder, {"bench", "--threads", "2", "--growth"}).output, Contains("each is a benchmark of its own; give one"));
}

TEST_CASE("bench --against runs the command with the trace's folder in place of {trace}, as often as this program") {
  const TemporaryFolder folder;
  const std::string log = (folder / "seen").string();
  const Ended ended = wharf(folder, against(folder, "ls {trace}/kernelslist.g >> " + log, {"--json"}));
  REQUIRE(ended.exit_code == 0);
  const auto pairs = nlohmann::ordered_json::parse(ended.output.substr(ended.output.find('[')));
  REQUIRE(pairs.size() == 2);
  for (const auto& pair : pairs) {
    CHECK(pair["trace"] == vectoradd());
    for (const char* program : {"wharf", "other"}) {
      CHECK(pair[program]["wall_s"].get<double>() > 0.0);
      CHECK(pair[program]["peak_mb"].get<double>() > 0.0);
    }
    CHECK(pair["wharf"]["cpu_s"].get<double>() > 0.0);
  }
  std::ifstream seen(log);
  for (int i = 0; i < 2; ++i) {
    std::string line;
    REQUIRE(std::getline(seen, line));
    CHECK(line == vectoradd() + "/kernelslist.g");
  }
  CHECK(std::filesystem::exists(folder / "out" / "against" / "vectoradd" / "result.json"));
}

TEST_CASE("bench --against refuses a command without {trace}, a trace that does not exist, and options that it alone has") {
  const TemporaryFolder folder;
  const Ended nameless = wharf(folder, against(folder, "true"));
  CHECK(nameless.exit_code == 2);
  CHECK_THAT(nameless.output, Contains("'true' names no trace; write {trace}"));
  const Ended absent = wharf(folder, against(folder, "ls {trace}", {"--trace", (folder / "absent").string()}));
  CHECK(absent.exit_code == 2);
  CHECK_THAT(absent.output, Contains("absent"));
  const Ended alone = wharf(folder, {"bench", "--pairs=3"});
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.output, Contains("--pairs is for a comparison with another program; give --against or --threads as well"));
}

TEST_CASE("bench --against stops at a run that fails and says how") {
  const TemporaryFolder folder;
  const Ended other = wharf(folder, against(folder, "echo no licence for {trace} >&2; exit 3"));
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.output, Contains("exit code 3") && Contains("no licence for"));
  const Ended own = wharf(folder, against(folder, "ls {trace}", {"--config", "absent"}));
  CHECK(own.exit_code == 2);
  CHECK_THAT(own.output, Contains("this program on") && Contains("absent"));
}

}  // namespace wharf::cli
