// Eviction hints, access-policy windows and the set-aside of L2 on whole machines (modern_gpus section 7).

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "platforms/cli/stimuli.h"
#include "stimuli/ptx/ptx_stimulus.h"
#include "tests/platform/l2/table_and_stream.h"
#include "tests/platform/machines/run_checked.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;

Outcome run_workload(const std::string& stimulus, const Settings& settings) {
  const Outcome outcome = run_apart(
      machine("private", settings), [&] { return cli::open_named_stimulus(stimulus, 1); }, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

struct OwnMemory {
  ptx::DeviceMemory device{std::uint64_t{16} << 20};
};

/// A warp that reads a table of two blocks of 4 KiB under the policy that `create` leaves in %rd2, then a stream, then the table again. %rd1:
/// the table.
class PolicyKernels : private OwnMemory, public ptx::PtxStimulus {
 public:
  explicit PolicyKernels(const std::string& create) : ptx::PtxStimulus({{"test.ptx", text(create)}}, device, launches(device)) {}

 private:
  static std::vector<ptx::LaunchRequest> launches(ptx::DeviceMemory& device) {
    constexpr std::uint64_t kBlock = 4096;
    const Address table = (device.allocate(kTableLines * kLineBytes + kBlock, "table") + kBlock - 1) & ~(kBlock - 1);
    const Address stream = device.allocate(kStreamLines * kLineBytes, "stream");
    const auto launch = [](const char* kernel, Address array) {
      std::vector<std::byte> bytes(sizeof array);
      std::memcpy(bytes.data(), &array, sizeof array);
      return ptx::LaunchRequest{kernel, {1, 1, 1}, {32, 1, 1}, 0, bytes};
    };
    return {launch("table", table), launch("stream", stream), launch("table", table)};
  }
  static std::string text(const std::string& create) {
    const auto kernel = [](const char* name, const std::string& before, const std::string& load, unsigned lines) {
      return ".visible .entry " + std::string(name) +
             "(.param .u64 p0)\n{\n.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [p0]; mov.u32 %r1, 0; " +
             before + "\nNEXT: " + load + " add.u64 %rd1, %rd1, 128; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " + std::to_string(lines) +
             "; @%p1 bra NEXT; ret;\n}\n";
    };
    return ".version 8.0\n.target sm_90\n.address_size 64\n" +
           kernel("table", create, "ld.global.cg.L2::cache_hint.u32 %r2, [%rd1], %rd2;", kTableLines) +
           kernel("stream", "", "ld.global.cg.u32 %r2, [%rd1];", kStreamLines);
  }
};

}  // namespace

TEST_CASE("L2 keeps its lines over kernels, persisting ones through a kernel that streams, until a reset (LR-5)") {
  const ScriptedKernel table = protected_table(), stream = one_warp(load_chase(kStream, kStreamLines));
  ScriptedKernel resets = stream;
  resets.resets_persisting = true;
  const Outcome plain = run_checked(machine("private", kSmall), {table, table, stream, table});
  CHECK(plain.kernel(1, "sm.served_by.l2") == kTableLines);
  CHECK(plain.kernel(3, "sm.served_by.dram") == kTableLines);
  const Outcome kept = run_checked(machine("private", kAside), {table, table, stream, table});
  CHECK(kept.kernel(1, "sm.served_by.l2") == kTableLines);
  CHECK(kept.kernel(3, "sm.served_by.l2") == kTableLines);
  CHECK(kept.kernel(3, "l2.persisting.misses") == 0);
  CHECK(kept.run("l2.evictions.last") == 0);
  const Outcome reset = run_checked(machine("private", kAside), {table, table, resets, table});
  CHECK(reset.kernel(3, "sm.served_by.dram") == kTableLines);
}

TEST_CASE("a launch's limit narrows the set-aside for itself and later launches, and a window under limit 0 is a warning (LR-3, LR-5)") {
  const ScriptedKernel stream = one_warp(load_chase(kStream, kStreamLines));
  const auto last_of = [&](std::uint64_t limit, const char* metric) {
    ScriptedKernel table = protected_table();
    table.persisting_limit = limit;
    const Outcome outcome = run_checked(machine("private", kAside), {table, stream, table});
    const std::string warnings = outcome.result.at("warnings").dump();
    CHECK((warnings.find("window has no effect") != std::string::npos) == (limit < kWayBytes));
    return outcome.kernel(2, metric);
  };
  CHECK(last_of(2 * kWayBytes, "sm.served_by.l2") == kTableLines);
  CHECK(last_of(kWayBytes, "l2.persisting.misses") == kTableLines / 2);
  CHECK(last_of(kWayBytes - 1, "sm.served_by.dram") == kTableLines);
  CHECK(last_of(0, "sm.served_by.dram") == kTableLines);
  // A limit of the stream's launch takes nothing from the table, whose lines persist already.
  ScriptedKernel limited = stream;
  limited.persisting_limit = 0;
  CHECK(run_checked(machine("private", kAside), {protected_table(), limited, protected_table()}).kernel(2, "sm.served_by.l2") ==
        kTableLines);
}

TEST_CASE("a machine without hints ignores them to the cycle, and a window without a set-aside is a warning (LR-1, LR-4)") {
  TrafficShape shape = kFewLines;
  std::vector<ScriptedKernel> hinted = random_traffic(1, shape), plain = hinted;
  unsigned turn = 0;
  for (ScriptedKernel& kernel : hinted)
    for (Warps& cta : kernel.ctas)
      for (Instructions& warp : cta)
        for (WarpInstruction& instruction : warp) instruction.eviction = static_cast<Eviction>(turn++ % 5);
  CHECK(run_checked(machine("private", kSmall), hinted).bytes() == run_checked(machine("private", kSmall), plain).bytes());
  for (const Settings& settings : {kSmall, kSmall + Settings{"l2.hints=true"}}) {
    const Outcome outcome = run_checked(machine("private", settings), {protected_table()});
    CHECK_THAT(outcome.result.at("warnings").dump(), Contains("access-policy window has no effect") && Contains("l2.persisting_fraction"));
  }
  CHECK_THAT(run_checked(machine("private", kAside), {protected_table()}).result.at("warnings").dump(), !Contains("window"));
  ScriptedKernel streams = protected_table();
  streams.l2_window.hit_ratio = 0.5;
  streams.l2_window.on_miss = Eviction::first;
  CHECK_THAT(run_checked(machine("private", kSmall + Settings{"l2.hints=true"}), {streams}).result.at("warnings").dump(),
             !Contains("window"));
}

TEST_CASE("the more of L2 is set aside, the fewer lookups of a protected table miss while a stream passes (LR-3)") {
  const Settings hints = {"l2.slice_kib=8", "l2.ways=8", "l2.hints=true"};
  const std::string table = "residency:rows=1024,lookups=16,ctas=32,window=1";  // 128 KiB of 256 KiB
  std::uint64_t before = ~std::uint64_t{0};
  for (const char* fraction : {"0", "0.125", "0.25", "0.5"}) {
    INFO(fraction);
    const Outcome outcome = run_workload(table, hints + Settings{std::string("l2.persisting_fraction=") + fraction});
    CHECK(outcome.run("l2.persisting.misses") < before);
    before = outcome.run("l2.persisting.misses");
  }
  CHECK(before < 1.1 * 1024);  // hardly more than one miss per row
  const Outcome half = run_workload(table + ",ratio=50", hints + Settings{"l2.persisting_fraction=0.25"});
  const Outcome all = run_workload(table, hints + Settings{"l2.persisting_fraction=0.25"});
  CHECK(half.ratio("l2.persisting.miss_rate") < all.ratio("l2.persisting.miss_rate"));  // what does not fit displaces what does
}

TEST_CASE("a stream with hints leaves more of an unprotected table in L2 (LR-1, LR-2)") {
  const Settings hints = {"l2.slice_kib=8", "l2.ways=8", "l2.hints=true"};
  const std::string table = "residency:rows=1024,lookups=16,ctas=32,hint=";
  const Outcome plain = run_workload(table + "0", hints), first = run_workload(table + "1", hints), none = run_workload(table + "2", hints);
  CHECK(first.run("dram.reads") < plain.run("dram.reads"));
  CHECK(none.run("dram.reads") < plain.run("dram.reads"));
  CHECK(first.run("l2.evictions.first") > 0);
  CHECK(none.run("l2.unallocated") > 0);
}

TEST_CASE("the policies of a kernel decide which lines of its table a stream leaves in L2 (LR-2, LR-3)") {
  const auto hits = [](const std::string& create) {
    const Outcome outcome = run_apart(
        machine("private", kAside), [&] { return std::make_unique<PolicyKernels>(create); }, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.kernel(2, "sm.served_by.l2") + outcome.kernel(2, "sm.served_by.dram") == kTableLines);
    return outcome.kernel(2, "sm.served_by.l2");
  };
  CHECK(hits("createpolicy.cvt.L2.b64 %rd2, 0x10F0000000000000;") == 0);
  CHECK(hits("createpolicy.cvt.L2.b64 %rd2, 0x14F0000000000000;") == kTableLines);
  CHECK(hits("createpolicy.range.global.L2::evict_last.b64 %rd2, [%rd1], 8192, 8192;") == kTableLines);
  CHECK(hits("createpolicy.range.global.L2::evict_last.b64 %rd2, [%rd1], 4096, 8192;") == kTableLines / 2);
  CHECK(hits("createpolicy.range.global.L2::evict_unchanged.L2::evict_first.b64 %rd2, [%rd1], 4096, 8192;") == 0);
}

TEST_CASE("random traffic with hints, windows and resets returns no stale data, in any order of the blocks (LR-2)") {
  TrafficShape shape = kFewLines;
  shape.hints = true;
  const auto conserved = [](const Outcome& outcome) {
    CHECK(outcome.run("l2.unallocated") > 0);
    CHECK(outcome.run("l2.persisting.accesses") > 0);
  };
  const Settings few = {"sms=4", "channels=2", "slices_per_channel=1", "watchdog.interval_cycles=20000", "l2.hints=true"};
  std::uint64_t seed = 0;
  for (const char* fraction : {"0", "0.5"}) {
    const Settings aside = few + Settings{std::string("l2.persisting_fraction=") + fraction};
    soak("gpus/80sm_xbar", aside + kSmallestL2, ++seed, shape, conserved);
    soak("gpus/ampere_68sm", aside + Settings{"channels_per_partition=1", "data=bytes"}, ++seed, shape, conserved);
    soak("gpus/volta_qv100", aside + Settings{"l2.slice_kib=2", "l2.ways=4"}, ++seed, shape, conserved);
  }
}

}  // namespace wharf::test
