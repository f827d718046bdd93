#include "stimuli/synthetic/synthetic.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <vector>

#include "model/base/error.h"

namespace wharf {
namespace {

struct Seen {
  std::uint64_t instructions = 0, loads = 0, longest_run = 0;
  std::map<std::uint64_t, unsigned> lines;  // line number -> reads
};

Seen drain(const SyntheticParams& params, std::uint64_t seed) {
  Seen seen;
  const auto stimulus = make_synthetic(params, seed);
  const KernelLaunch* launch = stimulus->next_kernel();
  REQUIRE(launch != nullptr);
  for (std::uint64_t cta = 0; cta < launch->grid.count(); ++cta) {
    for (const auto& warp : stimulus->open_cta(cta)) {
      while (const WarpInstruction* instruction = warp->peek()) {
        REQUIRE(warp->peek() == instruction);
        seen.instructions += instruction->repeat;
        if (instruction->unit == Unit::load) {
          ++seen.loads;
          ++seen.lines[LineAddress::of(instruction->addresses[0]).number];
          CHECK(LineAddress::of(instruction->addresses[31]) == LineAddress::of(instruction->addresses[0]));
        } else {
          seen.longest_run = std::max<std::uint64_t>(seen.longest_run, instruction->repeat);
        }
        warp->advance();
      }
    }
  }
  CHECK(stimulus->next_kernel() == nullptr);
  return seen;
}

TEST_CASE("a diverged synthetic load names as many lines as asked for, shared equally by its lanes") {
  for (const char* mix : {"l1=0,l2=0", "l1=100,l2=0"}) {
    const auto stimulus = make_synthetic(parse_synthetic(std::string("loads=100,lines=8,ctas=1,warps=1,instructions=1,") + mix), 1);
    stimulus->next_kernel();
    const auto warps = stimulus->open_cta(0);
    const WarpInstruction* load = warps[0]->peek();
    REQUIRE(load != nullptr);
    std::map<std::uint64_t, unsigned> lanes;
    for (const Address address : load->addresses) ++lanes[LineAddress::of(address).number];
    CHECK(lanes.size() == 8);
    for (const auto& [line, count] : lanes) CHECK(count == 32 / 8);
  }
}

TEST_CASE("the synthetic stimulus issues exactly the instructions and the share of loads it is asked for") {
  const Seen half = drain(parse_synthetic("loads=50,ctas=3,warps=2,instructions=100"), 1);
  CHECK(half.instructions == 3 * 2 * 100);
  CHECK(half.loads == 3 * 2 * 50);

  const Seen tenth = drain(parse_synthetic("loads=10,ctas=1,warps=1,instructions=1000"), 1);
  CHECK(tenth.instructions == 1000);
  CHECK(tenth.loads == 100);
  CHECK(tenth.longest_run == 9);

  const Seen none = drain(parse_synthetic("loads=0,ctas=1,warps=1,instructions=100,run=16"), 1);
  CHECK(none.instructions == 100);
  CHECK(none.loads == 0);
  CHECK(none.longest_run == 16);

  const Seen all = drain(parse_synthetic("loads=100,ctas=1,warps=1,instructions=100"), 1);
  CHECK(all.loads == 100);
}

TEST_CASE("the synthetic stimulus mixes the three kinds of line as asked") {
  const Seen hot = drain(parse_synthetic("loads=100,l1=100,l2=0,ctas=2,warps=4,instructions=50"), 1);
  CHECK(hot.lines.size() == 2);  // one line per CTA

  const Seen fresh = drain(parse_synthetic("loads=100,l1=0,l2=0,ctas=2,warps=4,instructions=50"), 1);
  CHECK(fresh.lines.size() == 2 * 4 * 50);  // no line is read twice

  const Seen region = drain(parse_synthetic("loads=100,l1=0,l2=100,l2_lines=8,ctas=2,warps=4,instructions=50"), 1);
  CHECK(region.lines.size() == 8);
}

TEST_CASE("the synthetic stimulus depends on its seed and on nothing else") {
  const SyntheticParams params = parse_synthetic("ctas=2,warps=2,instructions=200");
  CHECK(drain(params, 1).lines == drain(params, 1).lines);
  CHECK(drain(params, 1).lines != drain(params, 2).lines);
}

TEST_CASE("a wrong argument of the synthetic stimulus is named with its remedy") {
  CHECK_THROWS_WITH(parse_synthetic("laods=5"), Catch::Contains("did you mean 'loads'?"));
  CHECK_THROWS_WITH(parse_synthetic("loads=101"), Catch::Contains("from 0 to 100"));
  CHECK_THROWS_WITH(parse_synthetic("loads=-1"), Catch::Contains("from 0 to 100"));
  CHECK_THROWS_WITH(parse_synthetic("loads"), Catch::Contains("from 0 to 100"));
  CHECK_THROWS_WITH(parse_synthetic("loads=5,loads=6"), Catch::Contains("given twice"));
  CHECK_THROWS_WITH(parse_synthetic("l1=60,l2=50"), Catch::Contains("exceed 100 %"));
  CHECK_THROWS_AS(parse_synthetic("ctas=0"), InputError);
}

}  // namespace
}  // namespace wharf
