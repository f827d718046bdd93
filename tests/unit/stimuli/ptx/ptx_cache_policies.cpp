// Cache policies that kernels create, and the hints that they give (LR-2).
#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// The policy that `create` leaves in %rd2, a createpolicy instruction; %rd0 is `argument`.
std::uint64_t policy_of(const std::string& create, std::uint64_t argument = 0) {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint64_t>(1);
  machine.run(kernel_of("ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; " + create + " st.global.u64 [%rd1], %rd2; ret;", 2), "k",
              {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(argument).add(out));
  return machine.read<std::uint64_t>(out, 1)[0];
}

std::string fault_of(const std::string& create) {
  try {
    policy_of(".shared .align 8 .b8 own[8]; " + create);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

/// The hints of loads of one line per 4 KiB of `array`, under the policy that `create` leaves in %rd2; %rd0 is `array`.
std::vector<Eviction> hints_over(PtxMachine& machine, Address array, unsigned pages, const std::string& create) {
  const std::string body = "ld.param.u64 %rd0, [p0]; " + create +
                           " mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 4096; add.u64 %rd1, %rd0, %rd1; "
                           "ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2; ret;";
  PtxStimulus stimulus({{"test.ptx", kernel_of(body, 1)}}, machine.memory,
                       {{"k", {pages, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(array).bytes()}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  std::vector<Eviction> hints;
  for (unsigned cta = 0; cta < pages; ++cta) {
    const auto warps = stimulus.open_cta(cta);
    for (const WarpInstruction* next = warps[0]->peek(); next != nullptr; next = warps[0]->peek()) {
      if (next->unit == Unit::load) hints.push_back(next->eviction);
      warps[0]->advance();
    }
  }
  return hints;
}

}  // namespace

TEST_CASE("policies have the bits that hardware gives them") {
  // Bits that a public note reads off machine code for sm_120 and libcu++ computes for the same operands.
  CHECK(policy_of("createpolicy.fractional.L2::evict_last.b64 %rd2, 0.5;") == 0x1470000000000000);
  CHECK(policy_of("createpolicy.fractional.L2::evict_last.b64 %rd2, 0.1;") == 0x1410000000000000);
  CHECK(policy_of("createpolicy.fractional.L2::evict_normal.b64 %rd2;") == 0x16F0000000000000);
  CHECK(policy_of("createpolicy.fractional.L2::evict_unchanged.b64 %rd2, 1.0;") == 0x10F0000000000000);
  CHECK(policy_of("createpolicy.fractional.L2::evict_first.L2::evict_first.b64 %rd2, 0.75;") == 0x13B0000000000000);
  CHECK(policy_of("createpolicy.range.global.L2::evict_last.b64 %rd2, [%rd0], 512, 2048;", 0x4000'1000) == 0x1C00'1020'0000'0000);
  CHECK(policy_of("createpolicy.range.L2::evict_first.b64 %rd2, [%rd0+0x800], 4096, 16384;", 0x4000'1000) == 0x1A00'1040'0000'0000);
  CHECK(policy_of("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %rd2, [%rd0], 0x100000, 0x200000;", 0x4001'0000) ==
        0x1D20'4800'0000'0000);
  CHECK(policy_of("mov.u32 %r1, 0x8000000; createpolicy.range.L2::evict_normal.b64 %rd2, [%rd0], %r1, 0xFFFFFFFF;", 0x4000'0000) ==
        0x1ED2'0080'0000'0000);
}

TEST_CASE("a policy for a range gives its lines the first class and the rest of the window the second, in front too") {
  PtxMachine machine;
  constexpr unsigned kPages = 96, kFirst = 40, kPrimary = 16;
  const Address array = machine.zeros<std::byte>(kPages * 4096 + 4096) + 4095 & ~Address{4095};
  const auto expect = [&](const std::string& words, const std::string& sizes, Eviction primary, Eviction others) {
    INFO(words);
    const auto hints = hints_over(machine, array, kPages, "createpolicy.range." + words + ".b64 %rd2, [%rd0+0x28000], " + sizes + ";");
    REQUIRE(hints.size() == kPages);
    for (unsigned page = 0; page < kPages; ++page) REQUIRE(hints[page] == (page - kFirst < kPrimary ? primary : others));
  };
  expect("global.L2::evict_last.L2::evict_first", "0x10000, 0x80000", Eviction::last, Eviction::first);
  expect("global.L2::evict_last", "0x10000, 0x40000", Eviction::last, Eviction::unhinted);
  expect("L2::evict_first.L2::evict_unchanged", "0x10000, 0x80000", Eviction::first, Eviction::unhinted);
  expect("L2::evict_normal", "0xF001, 0x80000", Eviction::normal, Eviction::unhinted);  // up to the end of a block
  expect("L2::evict_unchanged.L2::evict_first", "0x10000, 0x80000", Eviction::unhinted, Eviction::first);
}

TEST_CASE("an access property of CUDA becomes the policy that it is, and one for shared memory gives no hint") {
  PtxMachine machine;
  const Address array = machine.zeros<std::byte>(4096);
  const auto hint_of = [&](const std::string& property) {
    return hints_over(machine, array, 1, "mov.u64 %rd3, " + property + "; createpolicy.cvt.L2.b64 %rd2, %rd3;").at(0);
  };
  CHECK(hint_of("0x10F0000000000000") == Eviction::unhinted);  // cuda::access_property::global
  CHECK(hint_of("0x12F0000000000000") == Eviction::first);     // streaming
  CHECK(hint_of("0x14F0000000000000") == Eviction::last);      // persisting
  CHECK(hint_of("0x16F0000000000000") == Eviction::normal);    // normal
  CHECK(hint_of("0") == Eviction::unhinted);                   // shared
}

TEST_CASE("a range that no policy can have ends the run with its line and the remedy") {
  CHECK_THAT(fault_of("createpolicy.range.global.L2::evict_last.b64 %rd2, [%rd0], 4096, 2048;"),
             StartsWith("test.ptx:7: kernel k, block (0,0,0) thread (0,0,0): ") &&
                 Contains("a primary range of 4096 of 2048 bytes; choose 1 to all bytes"));
  CHECK_THAT(fault_of("createpolicy.range.global.L2::evict_last.b64 %rd2, [%rd0], 0, 2048;"), Contains("primary range of 0 of 2048"));
  CHECK_THAT(fault_of("mov.u64 %rd3, own; cvta.shared.u64 %rd3, %rd3; createpolicy.range.L2::evict_last.b64 %rd2, [%rd3], 8, 8;"),
             Contains("is not in global memory"));
  CHECK_THAT(fault_of("createpolicy.range.L2::evict_last.L2::evict_last.b64 %rd2, [%rd0], 8, 8;"), Contains("is not a supported form"));
  CHECK_THAT(fault_of("createpolicy.cvt.L2.b64 %rd2;"), Contains("has only 1 operands"));
}
