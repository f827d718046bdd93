// Mistakes in PTX, in launches and in kernels: each message has a place and a remedy.
#include <catch2/catch.hpp>
#include <random>

#include "model/base/error.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

const std::string kHead = ".version 7.2\n.target sm_70\n.address_size 64\n";

/// The message about the mistake in a text, or "" if it has none.
std::string mistake(const std::string& text) {
  try {
    parse_module({"m.ptx", text});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// The message of a launch of kernel k with this body, which begins in line 7 of the text.
std::string launch_mistake(const std::string& body, const LaunchRequest& request = {"k", {1, 1, 1}, {32, 1, 1}, 0, {}},
                           const std::string& declarations = "") {
  try {
    PtxMachine machine;
    PtxStimulus stimulus({{"m.ptx", kernel_of(body, 0, declarations)}}, machine.memory, {request});
    stimulus.next_kernel();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// The message about the thread that fails.
std::string fault(PtxMachine& machine, const std::string& body, const ArgumentBytes& arguments, Dim3 block = {32, 1, 1},
                  const std::string& declarations = "") {
  try {
    machine.run(kernel_of(body, 1, declarations), "k", {2, 1, 1}, block, arguments);
  } catch (const SimulationError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("PTX of CUDA 13 is read: version 9.0, targets with features of their own, pointers as parameters") {
  CHECK(
      mistake(
          ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 .ptr .global .align 4 p)\n.maxntid 128\n{ ret; }\n")
          .empty());
}

TEST_CASE("a mistake in PTX text names file, line and column, what is wrong and the remedy, and shows the line") {
  CHECK(mistake(kHead + ".global .u32 a\n.global .u32 b;") ==
        "m.ptx:5:1: unexpected 'global'; expected ';' behind a variable\n    .global .u32 b;");
  CHECK_THAT(mistake("// nothing\n.target sm_70"),
             StartsWith("m.ptx:2:1: the text does not begin with .version; PTX begins with a line such as `.version 7.2`"));
  CHECK_THAT(mistake(".version 10.0\n"), StartsWith("m.ptx:1:10: PTX version 10.0 is not supported; use 1.4 to 9.x"));
  CHECK_THAT(mistake(".version 7.2\n.target sm_70\n.address_size 32\n"),
             StartsWith("m.ptx:3:15: addresses of 32 bits are not supported; compile with -m64"));
  CHECK_THAT(mistake(kHead + "/* open"), StartsWith("m.ptx:4:1: the comment has no end; close it with */"));
  CHECK_THAT(mistake(kHead + ".file 1 \"a\n"), StartsWith("m.ptx:4:9: the string has no end"));
  CHECK_THAT(mistake(kHead + "#define x"), StartsWith("m.ptx:4:1: unexpected character '#'"));
  CHECK_THAT(mistake(kHead + ".global .u32 a = 0x;"), StartsWith("m.ptx:4:18: the number has no digits"));
  CHECK_THAT(mistake(kHead + ".global .u64 a = 99999999999999999999;"), StartsWith("m.ptx:4:18: the number does not fit 64 bits"));
  CHECK_THAT(mistake(kHead + ".global .f32 a = 0f123;"), StartsWith("m.ptx:4:18: a float in hexadecimal has too few digits"));
  CHECK_THAT(mistake(kHead + ".global .f32 a = 0f123456789;"), StartsWith("m.ptx:4:18: a float in hexadecimal has too many digits"));
  CHECK_THAT(mistake(kHead + ".global .u32 a = 078;"), StartsWith("m.ptx:4:18: the number has a digit that its base lacks"));
  CHECK_THAT(mistake(kHead + ".global .u32 a[2] = {1, 2, 3};"),
             StartsWith("m.ptx:4:28: the initialiser has more elements than the variable"));
  CHECK_THAT(mistake(kHead + ".global .u32 a = 1/0;"), StartsWith("m.ptx:4:19: the expression divides by zero"));
  CHECK_THAT(mistake(kHead + ".global .align 3 .u32 a;"), StartsWith("m.ptx:4:16: the alignment is not a power of two"));
  CHECK_THAT(mistake(kHead + ".global .u32 a[0xFFFFFFFFFF];"), StartsWith("m.ptx:4:16: the array is too long"));
  CHECK_THAT(mistake(kHead + ".global .thing a;"), StartsWith("m.ptx:4:9: .thing is not a type of a variable"));
  CHECK_THAT(mistake(kHead + ".banana a;"), StartsWith("m.ptx:4:1: unknown directive 'banana'"));
  CHECK_THAT(mistake(kHead + ".visible .entry k() {\n  ret;\n"), StartsWith("m.ptx:4:17: the body has no end; close it with }"));
  CHECK_THAT(mistake(kHead + ".entry k() { .reg .b32 %a; .reg .b32 %a; }"), StartsWith("m.ptx:4:38: '%a' is declared twice"));
  CHECK_THAT(mistake(kHead + ".entry k() { L: ret; L: ret; }"), StartsWith("m.ptx:4:22: label 'L' is declared twice"));
  CHECK_THAT(mistake(kHead + ".entry k() { @%p1 ret; }"), StartsWith("m.ptx:4:15: '%p1' is not a register"));
  CHECK_THAT(mistake(kHead + ".entry k() { .reg .b32 %r<99999999>; }"),
             StartsWith("m.ptx:4:27: a count of registers: 99999999 is too large; use at most 1048576"));
  CHECK_THAT(mistake(kHead + ".entry k() { add.u32 %r1, %r2 }"),
             StartsWith("m.ptx:4:31: unexpected '}'; expected ';' behind an instruction"));
  CHECK_THAT(mistake(kHead + std::string(100, '{')), StartsWith("m.ptx:4:1: unexpected '{'"));
  CHECK_THAT(mistake(kHead + ".global .u32 a = " + std::string(100, '(') + "1;"), Contains("the expression is nested too deeply"));
}

TEST_CASE("an instruction that cannot run is reported when a kernel that reaches it is launched") {
  CHECK(launch_mistake("add.u32 %r1, %r2, 1; ret;").empty());
  CHECK_THAT(launch_mistake("frobnicate.u32 %r1, %r2;"), StartsWith("m.ptx:7:1: unknown instruction 'frobnicate'; check the spelling"));
  CHECK_THAT(launch_mistake("wgmma.fence.sync.aligned;"), StartsWith("m.ptx:7:1: wgmma.fence.sync.aligned is not supported"));
  CHECK_THAT(launch_mistake("wgmma.fence.sync.aligned;"), Contains("in function k, which kernel k reaches"));
  CHECK_THAT(launch_mistake("fma.f32 %f1, %f2, %f3, %f4;"),
             StartsWith("m.ptx:7:1: fma.f32 is not a supported form of fma; these are:\n    fma rn|rz|rm|rp ftz? sat? f32"));
  CHECK_THAT(launch_mistake("add.u32 %r1, %r2;"), StartsWith("m.ptx:7:1: add.u32 has only 2 operands; write one for each of: =0 0 0"));
  CHECK_THAT(launch_mistake("add.u32 %r1, %r2, %r3, %r4;"), StartsWith("m.ptx:7:24: add.u32 has too many operands"));
  CHECK_THAT(launch_mistake("add.u32 %rd1, %r2, %r3;"), StartsWith("m.ptx:7:9: register '%rd' has 64 bits where the instruction has 32"));
  CHECK_THAT(launch_mistake("add.u32 %r1, %p2, %r3;"),
             StartsWith("m.ptx:7:14: register '%p' has type .pred where the instruction has .u32"));
  CHECK_THAT(launch_mistake("add.u32 5, %r2, %r3;"), StartsWith("m.ptx:7:9: the destination is not a register"));
  CHECK_THAT(launch_mistake("add.f32 %f1, %f2, 1;"),
             StartsWith("m.ptx:7:19: an integer stands where .f32 is expected; write floats as 0f3F800000"));
  CHECK_THAT(launch_mistake("add.u32 %r1, %r2, %nothing;"), StartsWith("m.ptx:7:19: unknown register '%nothing'"));
  CHECK_THAT(launch_mistake("add.u32 %r1, %r2, %clock;"), StartsWith("m.ptx:7:19: '%clock' is read outside mov"));
  CHECK_THAT(launch_mistake("mov.u64 %rd1, nowhere;"), StartsWith("m.ptx:7:15: 'nowhere' is not declared"));
  CHECK_THAT(launch_mistake("bra NOWHERE;"), StartsWith("m.ptx:7:5: label 'NOWHERE' is not in this function"));
  CHECK_THAT(launch_mistake("ld.global.u32 %r1, %rd1;"),
             StartsWith("m.ptx:7:20: the operand is not an address; write it as [register+offset]"));
  CHECK_THAT(launch_mistake("ld.global.u32 %r1, [%h1];"), StartsWith("m.ptx:7:21: '%h' is too narrow for an address"));
  CHECK_THAT(launch_mistake("ld.global.v2.u32 %r1, [%rd1];"), StartsWith("m.ptx:7:18: expected a list of 2 registers"));
  CHECK_THAT(launch_mistake("ld.global.v4.u64 {%rd1, %rd2, %rd3, %rd4}, [%rd1];"),
             StartsWith("m.ptx:7:1: ld.global.v4.u64 moves more than 16 bytes per lane"));
  CHECK_THAT(launch_mistake("call missing, (%r1);"),
             StartsWith("m.ptx:7:6: function 'missing' is not defined; link the module that defines it"));
  CHECK_THAT(launch_mistake("call helper;", {"k", {1, 1, 1}, {32, 1, 1}, 0, {}}, ".func helper() { oops; }\n"),
             Contains("m.ptx:4:18: unknown instruction 'oops'"));
  CHECK_THAT(launch_mistake("brx.idx %r1, nothing;"), StartsWith("m.ptx:7:14: the operand is not a list of targets"));
}

TEST_CASE("a launch that is not possible says why") {
  CHECK(launch_mistake("ret;", {"j", {1, 1, 1}, {32, 1, 1}, 0, {}}) == "kernel 'j' does not exist; the program has k");
  CHECK(launch_mistake("ret;", {"k", {0, 1, 1}, {32, 1, 1}, 0, {}}) == "kernel k: a dimension of grid or block is 0; use 1 or more");
  CHECK(launch_mistake("ret;", {"k", {1, 1, 1}, {32, 33, 1}, 0, {}}) ==
        "kernel k: a block of 32 x 33 x 1 threads; at most 1024 are possible");
  PtxMachine machine;
  CHECK_THROWS_WITH(machine.run(kernel_of("ret;", 2), "k", {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(std::uint64_t{1})),
                    "kernel k: 8 bytes of arguments are given; its parameters have 16");
  CHECK_THROWS_WITH(machine.run(kHead + ".entry k() .maxntid 64 { ret; }", "k", {1, 1, 1}, {65, 1, 1}, {}),
                    "kernel k: a block of 65 threads exceeds its .maxntid of 64; launch smaller blocks");
  CHECK_THROWS_WITH(machine.run(kHead + ".func f() { ret; }", "f", {1, 1, 1}, {1, 1, 1}, {}),
                    "kernel 'f' is a device function; the program has no kernels");
}

TEST_CASE("a bad access names source line, kernel, thread, address and the allocation beside it") {
  PtxMachine machine;
  const Address array = machine.memory.allocate(4000, "cudaMalloc of 4000 bytes, call 5");
  const std::string begin = ".loc 1 17 3\nld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x;\n";
  const auto argument = ArgumentBytes().add(array);
  CHECK(fault(machine, begin + "mul.wide.u32 %rd2, %r1, 4096; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret;", argument,
              {32, 1, 1}, ".file 1 \"app.cu\"\n") ==
        "app.cu:17: kernel k, block (0,0,0) thread (1,0,0): global store of 4 bytes at 0x100001000: 96 bytes beyond allocation 1 "
        "(cudaMalloc of 4000 bytes, call 5)");
  CHECK_THAT(fault(machine, begin + "add.u64 %rd1, %rd1, 2; st.global.u32 [%rd1], %r1; ret;", argument),
             EndsWith(" thread (0,0,0): misaligned store of 4 bytes at 0x100000002; the address must be a multiple of 4"));
  CHECK_THAT(fault(machine, "mov.u64 %rd1, 16; ld.global.u32 %r1, [%rd1]; ret;", argument),
             EndsWith("global load of 4 bytes at 0x10: a null pointer, or an offset from one"));
  CHECK_THAT(fault(machine, "mov.u64 %rd1, 0x7ffd00001000; ld.u8 %r1, [%rd1]; ret;", argument),
             Contains("outside the device memory; host pointers are no device memory"));
  CHECK_THAT(fault(machine, "mov.u64 %rd1, table; st.global.u32 [%rd1], 1; ret;", argument, {32, 1, 1}, ".const .align 4 .u32 table[4];\n"),
             Contains("which is constant memory"));
  CHECK_THAT(fault(machine, ".shared .b8 s[8]; st.shared.u32 [s+8], 1; ret;", argument),
             EndsWith("shared store of 4 bytes at offset 0x8; there are 8 bytes"));
  CHECK_THAT(fault(machine, ".local .align 4 .b8 s[8]; ld.local.u32 %r1, [s+2000]; ret;", argument),
             EndsWith("local load of 4 bytes at offset 0x7d0; there are 1024 bytes"));
  CHECK_THAT(fault(machine, "mov.u32 %r1, %laneid; setp.eq.u32 %p1, %r1, 9; @%p1 trap; ret;", argument, {8, 4, 1}),
             EndsWith("thread (1,1,0): trap: the program ends itself"));
  CHECK(machine.memory.free(array));
  CHECK_THAT(fault(machine, begin + "ld.global.u32 %r2, [%rd1]; ret;", argument),
             EndsWith("in allocation 1 (cudaMalloc of 4000 bytes, call 5), which is freed"));
}

TEST_CASE("addresses of shared and local memory have 32 bits: the upper bits of a wider register are no fault") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(2);
  machine.run(kernel_of(R"(
    .shared .align 4 .b8 tile[8]; .local .align 4 .b8 depot[8];
    ld.param.u64 %rd0, [p0]; mov.u64 %rd1, tile; add.u64 %rd1, %rd1, 0x400000000; st.shared.u32 [%rd1+4], 7;
    mov.u64 %rd2, depot; sub.u64 %rd2, %rd2, 0x100000000; st.local.u32 [%rd2], 5;
    ld.shared.u32 %r1, [tile+4]; ld.local.u32 %r2, [depot]; st.global.v2.u32 [%rd0], {%r1, %r2}; ret;)",
                        1),
              "k", {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(out));
  CHECK(machine.read<std::uint32_t>(out, 2) == std::vector<std::uint32_t>{7, 5});
}

TEST_CASE("lanes whose guard is false do nothing, not even a fault") {
  PtxMachine machine;
  CHECK(fault(machine, "mov.u64 %rd1, 1; setp.ne.u64 %p1, %rd1, 1; @%p1 ld.global.u32 %r1, [%rd1]; @%p1 trap; ret;",
              ArgumentBytes().add(std::uint64_t{0}))
            .empty());
}

TEST_CASE("reads up to the granule of an allocation are warned about and read") {
  PtxMachine machine;
  const Address array = machine.memory.allocate(10, "array a");
  CHECK(fault(machine, "ld.param.u64 %rd1, [p0]; ld.global.u32 %r2, [%rd1+12]; ret;", ArgumentBytes().add(array)).empty());
  CHECK(machine.warnings == std::vector<std::pair<std::string, std::uint64_t>>{
                                {"kernel k accesses bytes beyond the end of allocation 1 (array a), up to its granule of 256 bytes", 64}});
}

TEST_CASE(
    "a load beside an allocation is warned about and reads something, as a GPU maps whole pages, and farther ones and stores are faults") {
  PtxMachine machine;
  machine.memory.allocate(4096, "array a");
  const Address freed = machine.memory.allocate(100 << 10, "array b");
  const Address array = machine.memory.allocate(4096, "array c");
  const auto argument = ArgumentBytes().add(array);
  const std::string begin = ".loc 1 17 3\nld.param.u64 %rd1, [p0]; mov.u32 %r2, 7;\n";
  const auto access = [&](const std::string& instruction) {
    return fault(machine, begin + instruction + " ret;", argument, {32, 1, 1}, ".file 1 \"app.cu\"\n");
  };
  CHECK(access("ld.global.u32 %r2, [%rd1+-4];").empty());
  CHECK(access("ld.global.u32 %r2, [%rd1+69628];").empty());  // the last 4 bytes of 64 KiB after its 4 KiB
  CHECK(machine.warnings ==
        std::vector<std::pair<std::string, std::uint64_t>>{
            {"app.cu:17: kernel k loads bytes that belong to no allocation; a GPU does not notice this within a page, and "
             "the value is arbitrary",
             64}});
  CHECK_THAT(access("ld.global.u32 %r2, [%rd1+69632];"), EndsWith("65536 bytes beyond allocation 3 (array c)"));
  CHECK_THAT(access("st.global.u32 [%rd1+-4], %r2;"), Contains("global store of 4 bytes"));
  CHECK_THAT(access("atom.global.add.u32 %r2, [%rd1+4096], 1;"), Contains("0 bytes beyond allocation 3 (array c)"));
  CHECK(machine.memory.free(freed));
  CHECK_THAT(access("ld.global.u32 %r2, [%rd1+-4352];"), EndsWith("in allocation 2 (array b), which is freed"));
}

TEST_CASE("recursion without end, barriers that never meet, wild calls and failed assertions are faults") {
  PtxMachine machine;
  const auto none = ArgumentBytes().add(std::uint64_t{0});
  CHECK_THAT(fault(machine, "call again; ret;", none, {32, 1, 1}, ".func again() { .local .b8 a[100]; call again; ret; }\n"),
             Contains("the stack of 1024 bytes is full in function again"));
  CHECK_THAT(fault(machine, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4; @%p1 bra A; bar.sync 1; ret; A: bar.sync 2; ret;", none),
             Contains("lanes of a warp wait at barriers"));
  CHECK_THAT(fault(machine, "bar.sync 16; ret;", none), Contains("barrier 16 does not exist; there are 16"));
  CHECK_THAT(fault(machine, "mov.u64 %rd1, 1234; call %rd1, (%r1), proto; ret;", none),
             Contains("call through 0x4d2, which is the address of no function"));
  CHECK_THAT(fault(machine, "mov.u32 %r1, 7; t: .branchtargets L; brx.idx %r1, t; L: ret;", none),
             Contains("brx.idx with index 7, but 1 targets"));
}

TEST_CASE("damaged PTX is an input error or a program, never a crash") {
  const std::string text = kernel_of(
      R"(
    .shared .align 4 .b8 tile[512]; .local .b8 depot[16];
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; L: setp.lt.and.u32 %p1|%p2, %r1, 5, !%p3; @!%p1 bra DONE;
    { .param .b32 q; st.param.b32 [q+0], %r2; call.uni f, (q); } fma.rn.ftz.f32 %f1, %f2, 0f3F800000, %f3; bar.red.popc.u32 %r2, 0, %p1;
    ld.global.v2.u32 {%r3, _}, [%rd0+-8]; atom.shared.cas.b32 %r4, [tile+4], %r1, 7; mov.b64 %rd1, {%r1, %r2}; bra.uni L;
    DONE: ret;)",
      1,
      ".func f(.param .b32 a) { ret; }\n.global .align 4 .u32 v[3] = {1, 2, -3};\n.file 1 \"a.cu\"\n.const .f64 c = 0d3FF0000000000000;\n");
  std::mt19937 random(7);
  const std::string pieces = " \n{}()[];:,.@!|%+-0x9afUr_$\"/*";
  unsigned refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (unsigned changes = 1 + random() % 3; changes != 0; --changes) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0:
          damaged[at] = pieces[random() % pieces.size()];
          break;
        case 1:
          damaged.erase(at, 1 + random() % 20);
          break;
        case 2:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 20));
          break;
        default:
          damaged.resize(at + 1);
          break;
      }
      if (damaged.empty()) damaged = " ";
    }
    PtxMachine machine;
    try {
      PtxStimulus stimulus({{"m.ptx", damaged}}, machine.memory, {{"k", {1, 1, 1}, {32, 1, 1}, 0, std::vector<std::byte>(64)}});
      stimulus.next_kernel();
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 1500);
}

TEST_CASE("linked modules with two definitions of a name, or with none, are refused with the places") {
  const auto mistake_of = [](const std::vector<std::string>& texts) -> std::string {
    PtxMachine machine;
    std::vector<SourceText> modules;
    for (const std::string& text : texts)
      modules.push_back({std::string(1, static_cast<char>('a' + modules.size())) + ".ptx", kHead + text});
    try {
      PtxStimulus stimulus(modules, machine.memory, {});
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  CHECK_THAT(mistake_of({".visible .func f() { ret; }", "\n.visible .func f() { ret; }"}),
             StartsWith("b.ptx:5:16: function 'f' is defined twice, first at a.ptx:4:16; keep one definition, or make one .weak"));
  CHECK_THAT(mistake_of({".visible .global .u32 v;", ".visible .const .u32 v;"}),
             StartsWith("b.ptx:4:22: variable 'v' is defined twice, first at a.ptx:4:23"));
  CHECK(mistake_of({".visible .func f() { ret; }", ".weak .func f() { ret; }", ".extern .func f();"}).empty());
  const std::string uses =
      ".extern .func f();\n.extern .global .u32 v[];\n.extern .func unused();\n.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".visible .entry k() { .reg .b32 %r<2>;\ncall f, ();\nld.global.u32 %r1, [v+4];\nret; }\n.visible .func g() { call f, (); ret; }";
  CHECK(mistake_of({uses, ".extern .const .u32 w;\n.func h() { .reg .b64 %rd<2>; mov.u64 %rd1, w; ret; }"}) ==
        "the 2 linked modules lack 3 of the definitions that they use:\n  'f': used at a.ptx:9:6 in 'k', a.ptx:12:27 in 'g'\n"
        "  'v': used at a.ptx:10:21 in 'k'\n  'w': used at b.ptx:5:45 in 'h'\nlink the file that defines each");
  CHECK(mistake_of({uses, ".visible .func f() { ret; }\n.visible .global .u32 v[2];"}).empty());
}
