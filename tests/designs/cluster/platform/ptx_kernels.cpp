// Kernels in PTX that use clusters, on an H100: the executor tells the machine what to wait for, and computes what the machine's order gives.

#include <catch2/catch.hpp>

#include "stimuli/ptx/ptx_stimulus.h"
#include "tests/designs/cluster/platform/h100_clusters.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;

struct OwnMemory {
  ptx::DeviceMemory device{std::uint64_t{64} << 20};
};

/// A kernel that stops with a trap where something is wrong. %r1: the thread; %r6: the rank; `bar` at %r4 is initialised for `arrivals`.
class ClusterKernel : private OwnMemory, public ptx::PtxStimulus {
 public:
  ClusterKernel(const std::string& body, unsigned ctas, unsigned arrivals)
      : ptx::PtxStimulus({{"test.ptx", text(body, arrivals)}}, device, {launch(ctas, *this)}) {}

 private:
  static ptx::LaunchRequest launch(unsigned ctas, OwnMemory& own) {
    const Address in = own.device.allocate(4096, "in");
    for (std::uint32_t i = 0; i < 1024; ++i) std::memcpy(own.device.at(in + 4 * i), &i, sizeof i);
    std::vector<std::byte> bytes(sizeof in);
    std::memcpy(bytes.data(), &in, sizeof in);
    ptx::LaunchRequest request{"k", {ctas, 1, 1}, {32, 1, 1}, 0, bytes};
    request.cluster = {ctas, 1, 1};
    return request;
  }
  static std::string text(const std::string& body, unsigned arrivals) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0)\n{\n.reg .pred %p<9>; .reg .b16 %h<4>; "
           ".reg .b32 %r<30>; .reg .b64 %rd<9>;\n.shared .align 8 .b64 bar; .shared .align 128 .b8 tile[4096];\n"
           "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r4, bar; mov.u32 %r3, tile; mov.u32 %r6, %cluster_ctarank;\n"
           "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r4], " +
           std::to_string(arrivals) + ";\nbarrier.cluster.arrive; barrier.cluster.wait;\n" + body +
           "\nbarrier.cluster.arrive; barrier.cluster.wait; ret;\n}\n";
  }
};

Outcome run_ptx(const std::string& body, unsigned ctas, unsigned arrivals, bool scramble = false) {
  RunOptions options = checked();
  options.scramble = scramble;
  return run_apart(
      h100(), [&] { return std::make_unique<ClusterKernel>(body, ctas, arrivals); }, options);
}

/// Two CTAs: rank 0 arrives at rank 1 and waits for its answer, so many times.
std::string ping_pong(unsigned rounds) {
  std::string text =
      "@!%p1 bra END; xor.b32 %r7, %r6, 1; mapa.shared::cluster.u32 %r8, %r4, %r7; setp.ne.u32 %p2, %r6, 0; @%p2 bra SECOND;\n";
  const auto arrive = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];\n";
  const auto wait = [](unsigned parity) { return "mbarrier.try_wait.parity.shared.b64 %p3, [%r4], " + std::to_string(parity) + ";\n"; };
  for (unsigned i = 0; i < rounds; ++i) text += arrive + wait(i % 2);
  text += "bra END;\nSECOND:\n";
  for (unsigned i = 0; i < rounds; ++i) text += wait(i % 2) + arrive;
  return text + "END:";
}

Cycle cycles_of(const Outcome& outcome) {
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome.kernel(0, "cycles");
}

}  // namespace

// CL-6
TEST_CASE("PTX: an arrival at another CTA of the cluster takes a hop to it and a turn at its memory") {
  constexpr Cycle kToPort = 2, kServed = 1;  // as with the same instructions of a stimulus (mbarriers.cpp)
  CHECK(cycles_of(run_ptx(ping_pong(6), 2, 1)) - cycles_of(run_ptx(ping_pong(4), 2, 1)) == 2 * 2 * (kToPort + kSameTpc + kServed));
}

// CL-3, CL-6
TEST_CASE("PTX: what a ring of CTAs stores in each other's shared memory is read after the wait, whichever block acts first") {
  // In each of eight rounds, a CTA hands the next one what it has got, and adds its rank.
  const std::string ring = R"(
    add.u32 %r7, %r6, 1; and.b32 %r7, %r7, 3; mad.lo.u32 %r8, %r1, 4, %r3; mapa.shared::cluster.u32 %r9, %r8, %r7;
    mapa.shared::cluster.u32 %r10, %r4, %r7; mov.u32 %r11, %r1; mov.u32 %r12, 0;
    ROUND: add.u32 %r11, %r11, %r6; and.b32 %r13, %r12, 1; shl.b32 %r14, %r13, 7; add.u32 %r15, %r9, %r14;
    st.shared::cluster.u32 [%r15], %r11; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r10];
    W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [%r4], %r13; @!%p2 bra W;
    add.u32 %r16, %r8, %r14; ld.shared.u32 %r11, [%r16]; add.u32 %r12, %r12, 1; setp.lt.u32 %p3, %r12, 8; @%p3 bra ROUND;
    add.u32 %r17, %r1, 12; setp.ne.u32 %p4, %r17, %r11; @%p4 trap;)";  // twice round: 2 * (0 + 1 + 2 + 3)
  const Outcome plain = run_ptx(ring, 4, 32), scrambled = run_ptx(ring, 4, 32, true);
  cycles_of(plain);
  CHECK(differing_metrics(plain, scrambled) == "");
}

// CL-6
TEST_CASE("PTX: a ring by asynchronous stores needs no arrivals of others, and gives the same whichever block acts first") {
  // As above; the stores of a round are the bytes of the next CTA's phase.
  const std::string ring = R"(
    add.u32 %r7, %r6, 1; and.b32 %r7, %r7, 3; mad.lo.u32 %r8, %r1, 4, %r3; mapa.shared::cluster.u32 %r9, %r8, %r7;
    mapa.shared::cluster.u32 %r10, %r4, %r7; mov.u32 %r11, %r1; mov.u32 %r12, 0;
    ROUND: add.u32 %r11, %r11, %r6; and.b32 %r13, %r12, 1; shl.b32 %r14, %r13, 7; add.u32 %r15, %r9, %r14;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 128;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r15], %r11, [%r10];
    W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [%r4], %r13; @!%p2 bra W;
    add.u32 %r16, %r8, %r14; ld.shared.u32 %r11, [%r16]; add.u32 %r12, %r12, 1; setp.lt.u32 %p3, %r12, 8; @%p3 bra ROUND;
    add.u32 %r17, %r1, 12; setp.ne.u32 %p4, %r17, %r11; @%p4 trap;)";
  const Outcome plain = run_ptx(ring, 4, 1), scrambled = run_ptx(ring, 4, 1, true);
  cycles_of(plain);
  CHECK(plain.run("dsm.stores") == 4 * 8);
  CHECK(differing_metrics(plain, scrambled) == "");
}

// CL-8, CL-9
TEST_CASE("PTX: a bulk copy to all CTAs of a cluster reads global memory once, and each reads its own after the wait") {
  const auto copy = [](bool multicasts) {
    const std::string issue =
        multicasts ? "setp.ne.u32 %p2, %r6, 0; mov.u16 %h1, 15; @!%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                     "multicast::cluster [%r3], [%rd1], 4096, [%r4], %h1;"
                   : "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd1], 4096, [%r4];";
    return "@!%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 4096; " + issue + R"(
    W: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0; @!%p3 bra W; mad.lo.u32 %r8, %r1, 128, %r3; ld.shared.u32 %r9, [%r8+4];
    mad.lo.u32 %r10, %r1, 32, 1; setp.ne.u32 %p4, %r9, %r10; @%p4 trap;)";
  };
  const Outcome own = run_ptx(copy(false), 4, 1), shared = run_ptx(copy(true), 4, 1);
  cycles_of(own);
  cycles_of(shared);
  CHECK(own.run("nic.sm.requests") == 4 * shared.run("nic.sm.requests"));
  CHECK(differing_metrics(shared, run_ptx(copy(true), 4, 1, true)) == "");
}

// CL-8
TEST_CASE(
    "PTX: a wait for bulk copies to global memory takes as long as with the same instructions of a stimulus, and one for reads less") {
  const auto rounds = [](unsigned count, const std::string& wait) {
    std::string text = "@!%p1 bra END;\n";
    for (unsigned i = 0; i < count; ++i)
      text +=
          "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], 4096; cp.async.bulk.commit_group; cp.async.bulk." + wait + " 0;\n";
    return cycles_of(run_ptx(text + "END:", 1, 1));
  };
  const Cycle whole = rounds(4, "wait_group") - rounds(3, "wait_group"),
              reads = rounds(4, "wait_group.read") - rounds(3, "wait_group.read");
  CHECK(reads == 1 + 168 + 29 + 31 * 2);  // the read of the last of 32 lines, at 64 B per cycle (bulk_stores.cpp)
  CHECK(whole > reads);
}

// CL-6
TEST_CASE("PTX: a try_wait returns false after its time, and the thread's own arrival then ends the phase") {
  const auto poll = [](const std::string& limit) {
    return cycles_of(run_ptx("@!%p1 bra END; W: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0" + limit +
                                 "; @%p3 bra END; mbarrier.arrive.shared.b64 _, [%r4]; bra W; END:",
                             1, 1));
  };
  const auto cycles_in = [](Cycle ns) { return (ns * h100().clock_mhz.core + 999) / 1000; };
  CHECK(poll(", 3000") - poll(", 1000") == cycles_in(3000) - cycles_in(1000));
  CHECK(poll("") - poll(", 1000") == cycles_in(10'000) - cycles_in(1000));
  // The watchdog knows that the warp goes on, however long it waits.
  CHECK(poll(", 1000000") - poll(", 1000") == cycles_in(1'000'000) - cycles_in(1000));
}

// CL-6
TEST_CASE("PTX: time that is left of a wait has no effect, and a wait that times out is repeated") {
  const auto wait = [](const std::string& limit) {
    return run_ptx("setp.ne.u32 %p2, %r6, 0; @!%p1 bra END; @%p2 bra OTHER; W: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0" + limit +
                       "; @!%p3 bra W; bra END; OTHER: mapa.shared::cluster.u32 %r8, %r4, 0; "
                       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8]; END:",
                   2, 1);
  };
  CHECK(differing_metrics(wait(", 1000000"), wait("")) == "");
  CHECK(wait(", 1").run("sm.warp_instructions") > wait("").run("sm.warp_instructions"));
}

// CL-6
TEST_CASE("PTX: 32 lanes that arrive at another CTA's mbarrier for 16 end two phases there") {
  const std::string twice = R"(setp.ne.u32 %p2, %r6, 0; @%p2 bra OTHER;
    @%p1 mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0; barrier.cluster.arrive; barrier.cluster.wait;
    mbarrier.test_wait.parity.shared.b64 %p3, [%r4], 1; @!%p3 trap; mbarrier.test_wait.parity.shared.b64 %p3, [%r4], 0; @%p3 trap; bra END;
    OTHER: mapa.shared::cluster.u32 %r8, %r4, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];
    barrier.cluster.arrive; barrier.cluster.wait; END:)";
  cycles_of(run_ptx(twice, 2, 16));
}

// CL-6
TEST_CASE("PTX: a warp that only tests a phase is no progress: it is named where nobody ends the phase") {
  const std::string spin =
      "setp.ne.u32 %p2, %r6, 0; @!%p1 bra END; @%p2 bra OTHER; W: mbarrier.test_wait.parity.shared.b64 %p3, [%r4], 0; "
      "@!%p3 bra W; bra END; OTHER: mov.u32 %r9, 0; L: add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 30000; @%p4 bra L; ";
  cycles_of(
      run_ptx(spin + "mapa.shared::cluster.u32 %r8, %r4, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8]; END:", 2, 1));
  const Outcome endless = run_ptx(spin + "END:", 2, 1);
  CHECK(endless.end == End::simulation_failed);
  CHECK_THAT(endless.failure, Contains("CTA 0: the end of a phase of an mbarrier, tested in vain, is awaited by warp 0 at test.ptx:11"));
}

// CL-6
TEST_CASE("PTX: a warp that waits for a phase that never ends is named by the watchdog") {
  for (const std::string limit : {"", ", 4000000000"}) {  // 256 of the second one would take a quarter of an hour
    const Outcome outcome = run_ptx("W: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0" + limit + "; @!%p3 bra W;", 2, 1);
    CHECK(outcome.end == End::simulation_failed);
    CHECK_THAT(outcome.failure, Contains("sm[0].warps waits for sm[0].mbarrier: kernel k, CTA 0: ") &&
                                    Contains("lacks 1 arrival and 0 bytes, is awaited by warp 0 at test.ptx:11"));
  }
}

// CL-3
TEST_CASE("PTX: an access to a CTA beyond the cluster is named with its line before the machine sends it") {
  for (const char* access :
       {"ld.shared::cluster.u32 %r9, [%r8];", "st.shared::cluster.u32 [%r8], 1;", "red.shared::cluster.add.u32 [%r8], 1;"}) {
    const Outcome outcome = run_ptx(std::string("mapa.shared::cluster.u32 %r8, %r3, 2; ") + access, 2, 1);
    CAPTURE(access, outcome.failure);
    CHECK(outcome.end == End::simulation_failed);
    CHECK_THAT(outcome.failure, Contains("test.ptx:") && Contains("CTA of rank 2 in a cluster of 2; use ranks below 2"));
  }
}

}  // namespace wharf::test
