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

/// The memory accesses of a warp of kernel_of(body, 1), whose parameter is `array`.
std::vector<WarpInstruction> accesses_of(PtxMachine& machine, const std::string& body, Address array) {
  PtxStimulus stimulus({{"test.ptx", kernel_of("ld.param.u64 %rd0, [p0]; " + body + " ret;", 1)}}, machine.memory,
                       {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(array).bytes()}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  std::vector<WarpInstruction> found;
  const auto warps = stimulus.open_cta(0);
  for (const WarpInstruction* next = warps[0]->peek(); next != nullptr; next = warps[0]->peek()) {
    if (is_global_memory(next->unit)) found.push_back(*next);
    warps[0]->advance();
  }
  return found;
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

TEST_CASE("a pointer's property is a hint of the accesses whose address is computed from it, and of no others") {
  PtxMachine machine;
  const Address array = machine.array(std::vector<std::uint64_t>(64, 0));
  const auto hints = [&](const std::string& body) {
    std::vector<Eviction> found;
    for (const WarpInstruction& access : accesses_of(machine, "mov.u64 %rd9, 0x14F0000000000000; " + body, array))
      found.push_back(access.eviction);
    return found;
  };
  const auto last = Eviction::last, none = Eviction::unhinted;
  const std::string mark = "wharf.associate.b64 %rd1, %rd0, %rd9; ";
  CHECK(hints(mark + "ld.global.u32 %r1, [%rd1]; ld.u32 %r1, [%rd1+4]; ld.global.u32 %r1, [%rd0];") == std::vector{last, last, none});
  CHECK(
      hints(mark + "add.s64 %rd2, %rd1, 8; st.global.u32 [%rd2], %r1; atom.global.add.u32 %r1, [%rd2], 1; red.global.add.u32 [%rd2], 1;") ==
      std::vector{last, last, last});
  CHECK(hints(mark + "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mad.wide.u32 %rd4, %r1, 4, %rd1; "
                     "mov.u64 %rd5, %rd4; ld.global.u32 %r2, [%rd3]; ld.global.u32 %r2, [%rd5+4];") == std::vector{last, last});
  // Around a loop the pointer moves on.
  CHECK(hints(mark + "mov.u64 %rd2, %rd1; mov.u32 %r2, 0; NEXT: ld.global.u32 %r1, [%rd2]; add.s64 %rd2, %rd2, 4; add.u32 %r2, %r2, 1; "
                     "setp.lt.u32 %p1, %r2, 2; @%p1 bra NEXT;") == std::vector{last, last});
  // One of two definitions has no property, or another one; an access has a hint of its own; a loaded pointer is another one.
  CHECK(hints("mov.u64 %rd1, %rd0; " + mark + "ld.global.u32 %r1, [%rd1];") == std::vector{none});
  CHECK(hints(mark + "mov.u64 %rd8, 0x12F0000000000000; wharf.associate.b64 %rd1, %rd0, %rd8; ld.global.u32 %r1, [%rd1];") ==
        std::vector{none});
  CHECK(hints(mark + "ld.global.L2::evict_first.u32 %r1, [%rd1];") == std::vector{Eviction::first});
  CHECK(hints(mark + "st.global.u64 [%rd0], %rd0; ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r1, [%rd2];") ==
        std::vector{none, last, none});
}

TEST_CASE("prefetches and applypriority are loads without a register, of the lanes that are in an allocation") {
  PtxMachine machine;
  const Address array = machine.zeros<std::byte>(256);
  const auto shown = [&](const std::string& instruction) {
    const auto found = accesses_of(machine, "mov.u32 %r1, %tid.x; mad.wide.u32 %rd1, %r1, 128, %rd0; " + instruction, array);
    REQUIRE(found.size() == 1);
    CHECK(found[0].unit == Unit::load);
    CHECK(found[0].destination == kNoRegister);
    CHECK(found[0].active == 3);
    CHECK(found[0].addresses[1] == array + 128);
    return std::pair(found[0].cache_op == CacheOp::bypass_l1, found[0].eviction);
  };
  CHECK(shown("prefetch.global.L1 [%rd1];") == std::pair(false, Eviction::unhinted));
  CHECK(shown("prefetchu.L1 [%rd1];") == std::pair(false, Eviction::unhinted));
  CHECK(shown("prefetch.L2 [%rd1];") == std::pair(true, Eviction::unhinted));
  CHECK(shown("prefetch.global.L2::evict_last [%rd1];") == std::pair(true, Eviction::last));
  CHECK(shown("applypriority.global.L2::evict_normal [%rd1], 128;") == std::pair(true, Eviction::normal));
  for (const char* idle : {"prefetch.local.L1 [%rd1];", "discard.global.L2 [%rd1], 128;", "discard.L2 [%rd1], 128;"})
    CHECK(accesses_of(machine, idle, array).empty());
  CHECK_THAT(fault_of("discard.global.L2 [%rd0], 64;"), Contains("discard.global.L2 of another size than a line; write 128"));
}
