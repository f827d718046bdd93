// System functions: printf, assertions, the heap (CU-45).
#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

const std::string kDeclarations =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 bytes);\n.extern .func free(.param .b64 at);\n"
    ".global .align 1 .b8 format[24] = {37, 100, 32, 37, 53, 46, 50, 102, 32, 37, 108, 120, 37, 37, 10, 0};\n"  // "%d %5.2f %lx%%\n"
    ".global .align 1 .b8 condition[6] = {105, 32, 60, 32, 51, 0};\n"                                           // "i < 3"
    ".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n";                                                   // "a.cu"

}  // namespace

TEST_CASE("printf text comes sorted by CTA and thread, with the formats of C") {
  PtxMachine machine;
  machine.run(kernel_of(R"(
    .local .align 8 .b8 depot[24];
    mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mad.lo.s32 %r1, %r5, 2, %r1; neg.s32 %r2, %r1; mov.u64 %rd1, depot; st.local.u32 [%rd1], %r2;
    cvt.rn.f64.u32 %fd1, %r1; st.local.f64 [%rd1+8], %fd1; st.local.u64 [%rd1+16], 255; cvta.local.u64 %rd2, %rd1;
    mov.u64 %rd3, format; cvta.global.u64 %rd3, %rd3;
    { .param .b64 param0; .param .b64 param1; .param .b32 retval0; st.param.b64 [param0], %rd3; st.param.b64 [param1], %rd2;
      call.uni (retval0), vprintf, (param0, param1); ld.param.b32 %r3, [retval0]; }
    ret;)",
                        0, kDeclarations),
              "k", {2, 1, 1}, {2, 1, 1}, ArgumentBytes());
  CHECK(machine.printed == "0  0.00 ff%\n-1  1.00 ff%\n-2  2.00 ff%\n-3  3.00 ff%\n");
}

TEST_CASE("an assertion that fails ends the run with its condition and place") {
  PtxMachine machine;
  const std::string body = R"(
    mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 3; @%p1 bra OK;
    mov.u64 %rd1, condition; mov.u64 %rd2, file;
    { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; st.param.b32 [c], 41;
      st.param.b64 [d], %rd2; st.param.b64 [e], 1; call.uni __assertfail, (a, b, c, d, e); }
    OK: ret;)";
  machine.run(kernel_of(body, 0, kDeclarations), "k", {1, 1, 1}, {3, 1, 1}, ArgumentBytes());
  PtxMachine failing;
  CHECK_THROWS_WITH(failing.run(kernel_of(body, 0, kDeclarations), "k", {1, 1, 1}, {5, 1, 1}, ArgumentBytes()),
                    Catch::EndsWith("kernel k, block (0,0,0) thread (3,0,0): assertion 'i < 3' failed (a.cu:41)"));
}

TEST_CASE("each thread has its own heap memory, and may free it once") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint64_t>(4);
  const std::string allocate = R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 8; add.u64 %rd0, %rd0, %rd1;
    { .param .b64 a; .param .b64 r; st.param.b64 [a], 16; call.uni (r), malloc, (a); ld.param.b64 %rd2, [r]; }
    st.u32 [%rd2+12], %r1; st.global.u64 [%rd0], %rd2;)";
  const std::string release = "{ .param .b64 a; st.param.b64 [a], %rd2; call.uni free, (a); }\n";
  machine.run(kernel_of(allocate + "ret;", 1, kDeclarations), "k", {1, 1, 1}, {4, 1, 1}, ArgumentBytes().add(out));
  const auto pointers = machine.read<std::uint64_t>(out, 4);
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(machine.read<std::uint32_t>(pointers[i] + 12, 1)[0] == i);
  machine.run(kernel_of(allocate + release + "ret;", 1, kDeclarations), "k", {1, 1, 1}, {4, 1, 1}, ArgumentBytes().add(out));
  CHECK_THROWS_WITH(
      machine.run(kernel_of(allocate + release + release + "ret;", 1, kDeclarations), "k", {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(out)),
      Catch::Contains("where no allocation begins"));
}
