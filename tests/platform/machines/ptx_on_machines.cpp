// Kernels in PTX on whole machines: named barriers, clocks, and the number of the SM. A kernel that detects an error ends itself with a
// trap.

#include <catch2/catch.hpp>

#include "tests/platform/machines/apart.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

namespace wharf::test {
namespace {

using Catch::Contains;

/// Runs the kernels `k` of `bodies` one after the other, each with the address of 4 KiB of zeros.
Outcome run_kernels(const std::vector<std::string>& bodies, Dim3 grid, Dim3 block, const std::vector<std::string>& settings = {}) {
  std::vector<std::string> all = {"sms=4", "watchdog.interval_cycles=20000"};
  all.insert(all.end(), settings.begin(), settings.end());
  return run_apart(machine("private", all), [&] {
    static ptx::DeviceMemory memory(std::uint64_t{1} << 20);
    const Address out = memory.allocate(4096, "out");
    std::string text;
    std::vector<ptx::LaunchRequest> launches;
    for (const std::string& body : bodies) {
      std::string kernel = ptx::kernel_of(body, 1);
      const std::string name = "k" + std::to_string(launches.size());
      kernel.replace(kernel.find(" k("), 3, " " + name + "(");
      text += text.empty() ? kernel : kernel.substr(kernel.find(".visible"));
      launches.push_back({name, grid, block, 0, ptx::ArgumentBytes().add(out).bytes()});
    }
    return std::make_unique<ptx::PtxStimulus>(std::vector<ptx::SourceText>{{"test.ptx", text}}, memory, launches);
  });
}

}  // namespace

TEST_CASE("on a machine, a producer that only arrives hands buffers to a consumer that waits") {
  const Outcome outcome = run_kernels({R"(
    .shared .align 4 .b8 buffer[128];
    mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r4, %r1, 31; mov.u32 %r3, buffer; mad.lo.u32 %r3, %r4, 4, %r3; mov.u32 %r5, 0;
    ld.param.u64 %rd1, [p0]; setp.ne.u32 %p1, %r2, 0; @%p1 bra CONSUMER;
    PRODUCER: bar.sync 2, 64; ld.global.u32 %r8, [%rd1]; mad.lo.u32 %r7, %r5, 100, %r4; add.u32 %r7, %r7, %r8;
    st.shared.u32 [%r3], %r7; bar.arrive 1, 64;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 20; @%p2 bra PRODUCER; ret;
    CONSUMER: bar.arrive 2, 64; bar.sync 1, 64; ld.shared.u32 %r7, [%r3]; mad.lo.u32 %r6, %r5, 100, %r4; setp.ne.u32 %p3, %r6, %r7; @%p3 trap;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 20; @%p2 bra CONSUMER; ret;)"},
                                      {8, 1, 1}, {64, 1, 1});
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("sm.barriers") == 8 * 2 * 40);
}

TEST_CASE("on a machine, named barriers that wait for one another fail the run and are named") {
  const Outcome outcome = run_kernels(
      {"mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1, 64; ret; A: bar.sync 2, 64; ret;"}, {1, 1, 1}, {64, 1, 1});
  REQUIRE(outcome.end == End::simulation_failed);
  CHECK_THAT(outcome.failure,
             Contains("deadlock") && Contains("barrier 1 at test.ptx:7 has 1 of 2 warps") && Contains("barrier 2 at test.ptx:7"));
}

TEST_CASE("on a machine, the clock advances by the latency of a load that is waited for, and smid names the SM") {
  const Outcome outcome =
      run_kernels({R"(ld.param.u64 %rd1, [p0]; mov.u32 %r1, %smid; mov.u32 %r2, %nsmid; setp.ge.u32 %p1, %r1, %r2; @%p1 trap;
          mov.u64 %rd2, %clock64; mov.u64 %rd3, %globaltimer; ld.global.u32 %r3, [%rd1+1024]; add.u32 %r3, %r3, 1; mov.u64 %rd4, %clock64;
          mov.u64 %rd5, %globaltimer; setp.eq.u32 %p2, %r3, 0; @%p2 trap;
          sub.u64 %rd6, %rd4, %rd2; setp.lt.u64 %p3, %rd6, 20; @%p3 trap; sub.u64 %rd7, %rd5, %rd3; setp.gt.u64 %p4, %rd7, %rd6; @%p4 trap;
          mov.u32 %r4, 1; shl.b32 %r4, %r4, %r1; red.global.or.b32 [%rd1], %r4; ret;)",
                   "ld.param.u64 %rd1, [p0]; ld.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 15; @%p1 trap; ret;"},
                  {16, 1, 1}, {32, 1, 1});
  INFO(outcome.failure);
  CHECK(outcome.end == End::done);
}

}  // namespace wharf::test
