// The wait-for graph of the watchdog's report.

#include <catch2/catch.hpp>

#include "model/monitor/watchdog_logic.h"

using namespace wharf;
using Indices = std::vector<std::size_t>;

namespace {

Wait wait(const char* holder, const char* waits_for, Cycle since = 0) { return {holder, waits_for, 100 + since, 0x80 * since, since}; }

}  // namespace

TEST_CASE("wait graph: nothing and chains have no cycle") {
  CHECK(find_wait_cycle({}).empty());
  CHECK(find_wait_cycle({wait("a", "b"), wait("b", "c"), wait("c", "d")}).empty());
}

TEST_CASE("wait graph: resources reached on several ways are no cycle") {
  CHECK(find_wait_cycle({wait("a", "b"), wait("a", "c"), wait("b", "d"), wait("c", "d"), wait("d", "e"), wait("a", "e")}).empty());
}

TEST_CASE("wait graph: a cycle is found wherever it hangs and named from its oldest wait on, in order") {
  const std::vector<Wait> waits = {wait("entry", "b", 1), wait("c", "d", 7), wait("b", "leaf", 2), wait("d", "b", 4), wait("b", "c", 5)};
  CHECK(find_wait_cycle(waits) == Indices{3, 4, 1});  // d -> b, b -> c, c -> d
}

TEST_CASE("wait graph: a resource that waits for itself is a cycle of one") {
  CHECK(find_wait_cycle({wait("a", "b"), wait("b", "b")}) == Indices{1});
}

TEST_CASE("wait graph: a cycle behind a dead end that was searched first is found") {
  CHECK(find_wait_cycle({wait("a", "x"), wait("a", "y"), wait("x", "end"), wait("y", "a")}) == Indices{1, 3});
}

TEST_CASE("wait graph: names must match exactly") {
  CHECK(find_wait_cycle({wait("l1[1].mshr", "net"), wait("net", "l1[11].mshr")}).empty());
}

TEST_CASE("wait graph: the report names every access of the cycle with what it holds, waits for, and since when") {
  CHECK(describe_waits({wait("a", "b", 9), wait("other", "a", 1), wait("b", "a", 3)}) ==
        "circular wait:"
        "\n  access 103 (0x180) holds b and waits for a since cycle 3"
        "\n  access 109 (0x480) holds a and waits for b since cycle 9");
}

TEST_CASE("wait graph: without a cycle the report names the longest waits and where they end") {
  CHECK(describe_waits({wait("a", "b", 9), wait("b", "dram", 3), wait("c", "dram", 4), wait("d", "nic", 5)}) ==
        "no circular wait; the longest waits are"
        "\n  access 103 (0x180) holds b and waits for dram since cycle 3"
        "\n  access 104 (0x200) holds c and waits for dram since cycle 4"
        "\n  access 105 (0x280) holds d and waits for nic since cycle 5"
        "\n  access 109 (0x480) holds a and waits for b since cycle 9"
        "\nand all waiting ends at"
        "\n  dram (2 waits)"
        "\n  nic (1 wait)"
        "\na machine that is only slow needs a larger watchdog.interval_cycles");
}

TEST_CASE("wait graph: a wait that is no access is reported with its detail") {
  Wait warps = wait("sm[0].warps", "sm[0].barrier");
  warps.detail = "CTA 3: barrier 1 is awaited by warp 0";
  CHECK_THAT(describe_waits({warps}),
             Catch::Matchers::Contains("\n  sm[0].warps waits for sm[0].barrier: CTA 3: barrier 1 is awaited by warp 0\n"));
}

TEST_CASE("wait graph: a long report is cut after ten waits") {
  std::vector<Wait> waits;
  for (Cycle since = 0; since < 13; ++since) waits.push_back(wait("l1[0].mshr", "dram", since));
  const std::string text = describe_waits(waits);
  CHECK_THAT(text, Catch::Matchers::Contains("since cycle 9\n  and 3 more\n"));
  CHECK_THAT(text, !Catch::Matchers::Contains("since cycle 10"));
  CHECK_THAT(text, Catch::Matchers::Contains("dram (13 waits)"));
}

TEST_CASE("wait graph: the report says so where no block waits") { CHECK(describe_waits({}) == "no block reports an access that waits"); }
