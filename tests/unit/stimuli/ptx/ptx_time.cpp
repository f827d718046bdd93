// Clocks and the number of the SM (CU-51).
#include <catch2/catch.hpp>

#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

class FakeGpu final : public RunningGpu {
 public:
  Cycle core_cycle() const override { return cycle; }
  Picoseconds time() const override { return cycle * 714; }
  std::uint32_t sms() const override { return 12; }
  std::uint32_t sm_of_cta() const override { return sm; }
  Cycle cycle = 0;
  std::uint32_t sm = 0;
};

const std::string kReadAll = R"(
  ld.param.u64 %rd0, [p0]; mov.u32 %r1, %smid; mov.u32 %r2, %nsmid; st.global.v2.u32 [%rd0], {%r1, %r2};
  mov.u64 %rd1, %clock64; mov.u32 %r3, %clock; mov.u32 %r4, %clock_hi; mov.u64 %rd2, %globaltimer; mov.u32 %r5, %globaltimer_lo;
  mov.u32 %r6, %globaltimer_hi; st.global.v2.u64 [%rd0+16], {%rd1, %rd2}; st.global.v4.u32 [%rd0+32], {%r3, %r4, %r5, %r6}; ret;)";

}  // namespace

TEST_CASE("clocks read the cycle and the time at which they issue, and smid the SM of the CTA") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint64_t>(6);
  FakeGpu gpu;
  PtxStimulus stimulus({{"test.ptx", kernel_of(kReadAll, 1)}}, machine.memory,
                       {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(out).bytes()}});
  stimulus.run_on(gpu);
  REQUIRE(stimulus.next_kernel() != nullptr);
  gpu.sm = 7;
  const auto warps = stimulus.open_cta(0);
  gpu.sm = 3;  // SM of the next CTA
  constexpr Cycle kFirst = Cycle{5} << 32;
  gpu.cycle = kFirst;
  while (warps[0]->peek() != nullptr) {
    gpu.cycle += 10;  // cycles that it waited after it was shown
    warps[0]->advance();
  }
  const auto numbers = machine.read<std::uint32_t>(out, 2);
  CHECK(numbers == std::vector<std::uint32_t>{7, 12});
  const auto wide = machine.read<std::uint64_t>(out + 16, 2);
  const auto halves = machine.read<std::uint32_t>(out + 32, 4);
  const Cycle clock64 = wide[0];
  CHECK(clock64 == kFirst + 40);  // the fourth instruction
  CHECK(halves[0] == static_cast<std::uint32_t>(clock64 + 10));
  CHECK(halves[1] == 5);
  CHECK(wide[1] == (clock64 + 30) * 714 / 1000);
  CHECK(halves[2] == static_cast<std::uint32_t>((clock64 + 40) * 714 / 1000));
  CHECK(halves[3] == static_cast<std::uint32_t>(((clock64 + 50) * 714 / 1000) >> 32));
}

TEST_CASE("without time, clocks count the warp's instructions, and all CTAs are on SM 0 of one") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint64_t>(6);
  machine.run(kernel_of(kReadAll, 1), "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out));
  CHECK(machine.read<std::uint32_t>(out, 2) == std::vector<std::uint32_t>{0, 1});
  CHECK(machine.read<std::uint64_t>(out + 16, 2) == std::vector<std::uint64_t>{4, 7});
  CHECK(machine.read<std::uint32_t>(out + 32, 4) == std::vector<std::uint32_t>{5, 0, 8, 0});
}
