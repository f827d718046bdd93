#include "stimuli/synthetic/micro_kernels.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/base/cluster_member.h"
#include "model/base/error.h"

namespace wharf {
namespace {

struct SeenKernel {
  std::string name;
  std::uint64_t ctas = 0, instructions = 0, working_ctas = 0;
  std::vector<Address> addresses;  // of every active lane, CTA by CTA
  std::set<RegisterId> destinations;
  std::set<Unit> units;
  std::set<CacheOp> operators;

  std::set<std::uint64_t> lines() const {
    std::set<std::uint64_t> numbers;
    for (const Address address : addresses) numbers.insert(LineAddress::of(address).number);
    return numbers;
  }
};

std::vector<SeenKernel> drain(Stimulus& stimulus) {
  std::vector<SeenKernel> kernels;
  while (const KernelLaunch* launch = stimulus.next_kernel()) {
    SeenKernel& seen = kernels.emplace_back();
    seen.name = launch->name;
    seen.ctas = launch->grid.count();
    for (std::uint64_t cta = 0; cta < seen.ctas; ++cta) {
      const auto warps = stimulus.open_cta(cta);
      seen.working_ctas += warps.empty() ? 0 : 1;
      for (const auto& warp : warps) {
        for (; const WarpInstruction* instruction = warp->peek(); warp->advance()) {
          REQUIRE(warp->peek() == instruction);
          ++seen.instructions;
          seen.units.insert(instruction->unit);
          seen.operators.insert(instruction->cache_op);
          seen.destinations.insert(instruction->destination);
          for (unsigned lane = 0; lane < kLanes; ++lane)
            if ((instruction->active >> lane & 1) != 0) seen.addresses.push_back(instruction->addresses[lane]);
        }
      }
    }
  }
  return kernels;
}

std::vector<SeenKernel> chase(const std::string& arguments, std::uint64_t seed = 1) {
  return drain(*make_chase(parse_chase(arguments), seed));
}
std::vector<SeenKernel> stream(const std::string& arguments, std::uint64_t seed = 1) {
  return drain(*make_stream(parse_stream(arguments), seed));
}

TEST_CASE("chase reads its table into L2, and then loads by one thread, twice as many in the long kernel as in the short one") {
  const auto kernels = chase("loads=5,lines=64");
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0].name == "warm_up");
  CHECK(kernels[0].instructions == 2);  // 32 lines each
  CHECK(kernels[0].lines().size() == 64);
  CHECK(kernels[1].name == "short");
  CHECK(kernels[1].addresses.size() == 5);
  CHECK(kernels[1].lines().size() == 5);
  CHECK(kernels[2].name == "long");
  CHECK(kernels[2].addresses.size() == 2 * 5);
  CHECK(kernels[2].lines().size() == 2 * 5);
  CHECK(kernels[2].destinations.size() == 1);
}

TEST_CASE("chase reads the table into the L1 in both kernels with warm=2, and no line twice with warm=0") {
  const auto warm = chase("loads=5,lines=4,warm=2");
  REQUIRE(warm.size() == 3);
  CHECK(warm[1].instructions == 4 + 5);
  CHECK(warm[2].instructions == 4 + 2 * 5);
  const auto cold = chase("loads=5,lines=15,warm=0");
  REQUIRE(cold.size() == 2);
  std::set<std::uint64_t> lines = cold[0].lines();
  for (const std::uint64_t line : cold[1].lines()) CHECK(lines.insert(line).second);
  CHECK(lines.size() == 15);
}

TEST_CASE("chase with warm_by reads the table by the CTA of that SM, and then each line once by the first") {
  const auto stimulus = make_chase(parse_chase("loads=5,lines=15,warm_by=3"), 1);
  CHECK(stimulus->next_kernel()->grid.count() == 4);
  CHECK(stimulus->open_cta(0).empty());
  CHECK(stimulus->open_cta(3).size() == 1);
  stimulus->next_kernel();
  CHECK(stimulus->open_cta(0).size() == 1);
  CHECK(stimulus->open_cta(3).empty());
  const auto kernels = chase("loads=5,lines=15,warm_by=3");
  std::set<std::uint64_t> lines = kernels[1].lines();
  for (const std::uint64_t line : kernels[2].lines()) CHECK(lines.insert(line).second);
  CHECK(lines == kernels[0].lines());
  CHECK_THROWS_WITH(parse_chase("loads=5,lines=14,warm_by=3"), Catch::Contains("write lines=15"));
}

TEST_CASE("chase in shared memory has a table there and no warm-up") {
  const auto stimulus = make_chase(parse_chase("shared=1,lines=64,loads=3"), 1);
  CHECK(stimulus->next_kernel()->shared_bytes == 64 * 128);
  const auto kernels = chase("shared=1,lines=64,loads=3");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[1].units == std::set<Unit>{Unit::shared});
  for (const Address address : kernels[1].addresses) CHECK(address < 64 * 128);
}

TEST_CASE("a micro-kernel of one half of L2 uses chunks of 4 KiB and of 8 KiB of one parity alone") {
  const auto parity = [](Address address, Address chunk) { return unsigned(__builtin_parityll(address / chunk)); };
  for (const unsigned half : {0u, 1u}) {
    const std::string last = ",half=" + std::to_string(half);
    for (const auto& kernels : {chase("loads=100,lines=300,warm=0" + last), stream("lines=1024,warps=2" + last)}) {
      for (const SeenKernel& kernel : kernels) {
        for (const Address address : kernel.addresses) {
          REQUIRE(parity(address, 8 << 10) == half);
          REQUIRE(parity(address, 4 << 10) == half);
        }
      }
    }
  }
  std::set<unsigned> both;
  const std::vector<SeenKernel> kernels = chase("loads=100,lines=300,warm=0");
  for (const Address address : kernels[1].addresses) both.insert(parity(address, 8 << 10));
  CHECK(both.size() == 2);
}

TEST_CASE("stream accesses its table by the chosen SMs alone, coalesced, from its start again at its end") {
  const auto kernels = stream("accesses=3,ctas=2,first=1,step=2,warps=4,lines=64,bytes=8");
  REQUIRE(kernels.size() == 3);
  for (const SeenKernel& kernel : kernels) {
    CHECK(kernel.ctas == 4);  // SMs 1 and 3 work
    CHECK(kernel.working_ctas == 2);
    CHECK(kernel.units == std::set<Unit>{Unit::load});
    CHECK(kernel.operators == std::set<CacheOp>{CacheOp::bypass_l1});
  }
  CHECK(kernels[0].instructions == 64 / 2);  // 256 B are two lines
  CHECK(kernels[0].lines().size() == 64);
  CHECK(kernels[1].instructions == 3 * 2 * 4);
  CHECK(kernels[1].lines().size() == 3 * 2 * 4 * 2);
  CHECK(kernels[2].instructions == 6 * 2 * 4);
  CHECK(kernels[2].lines().size() == 64);
  CHECK(parse_stream("bytes=8").bytes_per_instruction() == 32 * 8);
  std::map<Address, unsigned> lanes;
  for (const Address address : kernels[1].addresses) ++lanes[address % 8];
  CHECK(lanes.size() == 1);
}

TEST_CASE("stream holds as many loads per warp as in_flight says, and stores or uses the L1 where told") {
  CHECK(stream("in_flight=3,warps=1")[1].destinations.size() == 3);
  const auto stores = stream("store=1,warps=1");
  CHECK(stores[0].units == std::set<Unit>{Unit::load});
  CHECK(stores[1].units == std::set<Unit>{Unit::store});
  CHECK(stores[1].destinations == std::set<RegisterId>{kNoRegister});
  CHECK(stream("l1=1,warps=1")[1].operators == std::set<CacheOp>{CacheOp::all});
}

TEST_CASE("the CTAs of a stream access pieces of their own, or all the pieces of the first, where told") {
  const auto lines = [](const std::string& arguments) {
    return stream(arguments + ",accesses=2,warps=2,bytes=4,l1=1,warm=0")[0].lines().size();
  };
  CHECK(lines("ctas=3") == 3 * 2 * 2);
  CHECK(lines("ctas=3,together=1") == 2 * 2);
  CHECK(stream("ctas=3,together=1,warps=1,lines=64")[0].lines().size() == 64);  // warm_up reads the whole table
}

TEST_CASE("stream in clusters accesses the memory of rank 1 from rank 0, of each next rank in a ring, and of rank 0 from all others") {
  const auto targets = [](const std::string& arguments) {
    const SeenKernel kernel = stream("cluster=4,ctas=8,accesses=2,warps=1" + arguments)[0];
    std::map<unsigned, unsigned> instructions;  // [rank accessed]
    for (const Address address : kernel.addresses) ++instructions[rank_of(address)];
    for (auto& [rank, count] : instructions) count /= kLanes;
    return std::pair{kernel.working_ctas, instructions};
  };
  using Targets = std::pair<std::uint64_t, std::map<unsigned, unsigned>>;
  CHECK(targets("") == Targets{2, {{1, 2 * 2}}});
  CHECK(targets(",ring=1") == Targets{8, {{0, 2 * 2}, {1, 2 * 2}, {2, 2 * 2}, {3, 2 * 2}}});
  CHECK(targets(",gather=1") == Targets{2 * 3, {{0, 2 * 3 * 2}}});
}

TEST_CASE("stream without accesses has two empty kernels, and with warm=0 no line twice") {
  const auto empty = stream("accesses=0");
  REQUIRE(empty.size() == 2);
  CHECK(empty[0].instructions + empty[1].instructions == 0);
  const auto cold = stream("accesses=2,ctas=2,warps=2,warm=0,lines=96");
  REQUIRE(cold.size() == 2);
  std::set<std::uint64_t> lines = cold[0].lines();
  for (const std::uint64_t line : cold[1].lines()) CHECK(lines.insert(line).second);
  CHECK(lines.size() == 3 * 2 * 2 * 2 * 4);
}

TEST_CASE("the seed of a micro-kernel chooses its addresses and nothing else does") {
  CHECK(chase("loads=9")[1].addresses == chase("loads=9")[1].addresses);
  CHECK(chase("loads=9")[1].addresses != chase("loads=9", 2)[1].addresses);
  CHECK(chase("shared=1")[1].addresses != chase("shared=1", 2)[1].addresses);
  CHECK(stream("warps=1")[1].addresses == stream("warps=1")[1].addresses);
  CHECK(stream("warps=1")[1].addresses != stream("warps=1", 2)[1].addresses);
}

TEST_CASE("the progress of a micro-kernel goes from 0 to 1") {
  const auto stimulus = make_stream(parse_stream("ctas=2,warps=1"), 1);
  CHECK(stimulus->progress() == 0.0);
  stimulus->next_kernel();
  stimulus->open_cta(0);
  CHECK(stimulus->progress() == Approx(0.5 / 3));
  stimulus->open_cta(1);
  stimulus->next_kernel();
  stimulus->next_kernel();
  stimulus->open_cta(1);
  CHECK(stimulus->progress() == 1.0);
}

TEST_CASE("a table too small for accesses that must not hit is refused with the size that it needs") {
  CHECK_THROWS_WITH(parse_chase("lines=64"), Catch::Contains("lines=64 is less than the 128 lines") && Catch::Contains("write lines=128"));
  CHECK_THROWS_WITH(parse_chase("loads=8,lines=23,warm=0"), Catch::Contains("write lines=24"));
  CHECK_NOTHROW(parse_chase("loads=8,lines=24,warm=0"));
  CHECK_NOTHROW(parse_chase("lines=1,warm=2"));
  CHECK_NOTHROW(parse_chase("lines=1,shared=1"));
  CHECK_THROWS_WITH(parse_stream("accesses=2,ctas=2,warps=2,warm=0,lines=92"), Catch::Contains("less than the 96 lines"));
}

struct Gpu : RunningGpu {
  explicit Gpu(std::uint32_t number) : number_(number) {}
  Cycle core_cycle() const override { return 0; }
  Picoseconds time() const override { return 0; }
  std::uint32_t sms() const override { return number_; }
  std::uint32_t sm_of_cta() const override { return 0; }
  std::uint32_t number_;
};

TEST_CASE("stream refuses a GPU on which an SM would have two of its CTAs") {
  const auto stimulus = make_stream(parse_stream("ctas=3,first=4,step=2"), 1);
  CHECK_NOTHROW(stimulus->run_on(Gpu(4 + 2 * 2 + 1)));
  CHECK_THROWS_WITH(stimulus->run_on(Gpu(8)), Catch::Contains("ctas=3,first=4,step=2 needs 9 SMs, but the GPU has 8; lower one of them"));
}

TEST_CASE("a wrong argument of a micro-kernel is named with its remedy") {
  CHECK_THROWS_WITH(parse_chase("laods=5"), Catch::Contains("chase: unknown argument 'laods'; did you mean 'loads'?"));
  CHECK_THROWS_WITH(parse_chase("half=3"), Catch::Contains("from 0 to 2"));
  CHECK_THROWS_WITH(parse_chase("loads=5,loads=6"), Catch::Contains("given twice"));
  CHECK_THROWS_WITH(parse_stream("bytes=12"), Catch::Contains("write 4, 8 or 16"));
  CHECK_THROWS_WITH(parse_stream("lines=7"), Catch::Contains("not a multiple of the 4 lines"));
  CHECK_THROWS_WITH(parse_stream("in_flight=17"), Catch::Contains("from 1 to 16"));
  CHECK_THROWS_WITH(parse_stream("gather=1"), Catch::Contains("gather=1 has no effect with cluster=1; write cluster=2 or more"));
  CHECK_THROWS_WITH(parse_stream("cluster=2,ctas=2,ring=1,gather=1"),
                    Catch::Contains("ring=1 and gather=1 exclude each other; write one of them"));
}

}  // namespace
}  // namespace wharf
