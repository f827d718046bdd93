// Whole kernels: memory, barriers, calls, local memory.
#include <catch2/catch.hpp>

#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

const char* const kVectorAdd = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry vecadd(.param .u64 c, .param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<11>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  ld.param.u64 %rd4, [c];
  ld.param.u64 %rd5, [b];
  cvta.to.global.u64 %rd6, %rd5;
  ld.param.u64 %rd7, [a];
  mul.wide.s32 %rd10, %r5, 4;
  add.s64 %rd1, %rd4, %rd10;
  add.s64 %rd2, %rd6, %rd10;
  add.s64 %rd3, %rd7, %rd10;
  ld.global.f32 %f1, [%rd3];
  ld.global.f32 %f2, [%rd2];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd1], %f3;
DONE:
  ret;
}
)";

}  // namespace

TEST_CASE("a vector sum has the sum in every element of the array and touches nothing behind it") {
  PtxMachine machine;
  std::vector<float> a, b;
  for (int i = 0; i < 1000; ++i) {
    a.push_back(static_cast<float>(i) * 0.5f);
    b.push_back(static_cast<float>(1000 - i));
  }
  const Address c = machine.zeros<float>(1024);
  const Address at = machine.array(a), bt = machine.array(b);
  machine.run(kVectorAdd, "vecadd", {8, 1, 1}, {128, 1, 1}, ArgumentBytes().add(c).add(at).add(bt).add(std::int32_t{1000}));
  const std::vector<float> sums = machine.read<float>(c, 1024);
  for (std::size_t i = 0; i < 1000; ++i) REQUIRE(sums[i] == a[i] + b[i]);
  for (std::size_t i = 1000; i < 1024; ++i) REQUIRE(sums[i] == 0.0f);
  CHECK(machine.warnings.empty());
}

TEST_CASE("the stream shows each timed instruction with its unit, mask and addresses before it happens") {
  PtxMachine machine;
  const Address c = machine.zeros<float>(64), a = machine.array(std::vector<float>(64, 1.0f)),
                b = machine.array(std::vector<float>(64, 2.0f));
  PtxStimulus stimulus({{"v.ptx", kVectorAdd}}, machine.memory,
                       {{"vecadd", {1, 1, 1}, {64, 1, 1}, 0, ArgumentBytes().add(c).add(a).add(b).add(std::int32_t{40}).bytes()}});
  const KernelLaunch* const launch = stimulus.next_kernel();
  REQUIRE(launch != nullptr);
  CHECK(launch->name == "vecadd");
  CHECK(launch->registers_per_thread == 16);
  CHECK(launch->local_offsets);
  const auto warps = stimulus.open_cta(0);
  REQUIRE(warps.size() == 2);
  std::vector<Unit> units;
  while (const WarpInstruction* next = warps[1]->peek()) {
    units.push_back(next->unit);
    if (next->unit == Unit::load) {
      CHECK(next->active == 0xFFu);
      CHECK(next->addresses[3] % 256 == (32 + 3) * 4 % 256);
      CHECK(next->access_bytes == 4);
    }
    if (next->unit == Unit::store) CHECK(machine.read<float>(c, 64)[32] == 0.0f);
    warps[1]->advance();
    if (units.back() == Unit::store) CHECK(machine.read<float>(c, 64)[32] == 3.0f);
  }
  CHECK(units == std::vector<Unit>{Unit::alu, Unit::alu, Unit::alu, Unit::alu, Unit::alu, Unit::branch, Unit::alu, Unit::alu, Unit::alu,
                                   Unit::alu, Unit::load, Unit::load, Unit::fp32, Unit::store, Unit::exit});
  CHECK(stimulus.next_kernel() == nullptr);
}
