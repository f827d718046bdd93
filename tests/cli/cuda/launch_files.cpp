// Kernels from PTX only, with a launch file (CU-64). None of these tests needs clang.

#include <catch2/catch.hpp>
#include <cstring>

#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// y[i] = a * x[i] + y[i]; `operation` replaces the fma.
std::string saxpy(const std::string& operation = "fma.rn.f32 %f4, %f1, %f2, %f3;") {
  return ".version 7.2\n.target sm_70\n.address_size 64\n"
         ".visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)\n{\n"
         ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<6>;\n"
         "ld.param.f32 %f1, [a];\nld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nld.param.u32 %r1, [n];\n"
         "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\n"
         "setp.ge.u32 %p1, %r5, %r1;\n@%p1 bra END;\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
         "ld.global.f32 %f2, [%rd4];\nld.global.f32 %f3, [%rd5];\n" +
         operation + "\nst.global.f32 [%rd5], %f4;\nEND:\nret;\n}\n";
}

/// Adds x to y once for each argument `a` of `launches`.
std::string launch_file(const std::string& launches, const std::string& check, const std::string& fill = "0.5 * i") {
  return "module: k.ptx\narrays:\n  x: {type: f32, count: 1000, fill: random:7}\n  y: {type: f32, count: 1000, fill: " + fill +
         "}\nlaunches:\n" + launches + "check:\n  y: " + check + "\n";
}
const std::string kOnce = "  - {kernel: saxpy, grid: 4, block: 256, arguments: [2.5f32, x, y, 1000]}\n";

struct Files : TemporaryFolder {
  Files() { file("k.ptx", saxpy()); }
};

std::string elements(std::size_t count, float (*value)(std::size_t)) {
  std::string bytes(count * sizeof(float), '\0');
  for (std::size_t i = 0; i < count; ++i) {
    const float one = value(i);
    std::memcpy(&bytes[i * sizeof one], &one, sizeof one);
  }
  return bytes;
}

}  // namespace

TEST_CASE("CU-64: kernels run alone with arrays that the file fills and checks, under each of the names of a launch file") {
  const Files folder;
  folder.file("launch.yaml", launch_file(kOnce, "2.5 * x[i] + y[i]"));
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", "ptx:launch.yaml", "--verify", "--out", "a"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto result = read_json(folder / "a/result.json");
  REQUIRE(result["kernels"].size() == 1);
  CHECK(result["kernels"][0]["name"] == "saxpy");
  CHECK(result["inputs"]["trace_hash"].get<std::string>().size() == 16);
  REQUIRE(wharf(folder, {"run", "private", "--launch", "launch.yaml", "--verify", "--out", "b", "--quiet"}).exit_code == 0);
  CHECK(comparable_result(folder / "a") == comparable_result(folder / "b"));
}

TEST_CASE("CU-64: a launch may have clusters, which a machine with clusters runs, and which must divide the grid") {
  const Files folder;
  const auto run_in_clusters = [&](const std::string& config, const std::string& cluster) {
    const std::string launch = "  - {kernel: saxpy, grid: 4, block: 256, cluster: " + cluster + ", arguments: [2.5f32, x, y, 1000]}\n";
    folder.file("clusters.yaml", launch_file(launch, "2.5 * x[i] + y[i]"));
    return wharf(folder, {"run", config, "--launch", "clusters.yaml", "--verify", "--out", "o"});
  };
  const Ended good = run_in_clusters("cluster/h100", "[2, 1]");
  INFO(good.output);
  CHECK(good.exit_code == 0);
  const Ended wrong = run_in_clusters("cluster/h100", "3");
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output,
             Contains("kernel saxpy: clusters of 3 x 1 x 1 CTAs do not divide the grid of 4 x 1 x 1; make the grid a multiple"));
  CHECK_THAT(run_in_clusters("private", "2").output, Contains("set platform: cluster"));
}

TEST_CASE("CU-64: --ptx stands for the module of a launch file") {
  const Files folder;
  folder.file("launch.yaml", launch_file(kOnce, "2.5 * x[i] - y[i]"));
  CHECK(wharf(folder, {"run", "private", "--launch", "launch.yaml"}).exit_code == 1);
  folder.file("other.ptx", saxpy("neg.f32 %f5, %f3;\nfma.rn.f32 %f4, %f1, %f2, %f5;"));
  const Ended other = wharf(folder, {"run", "private", "--ptx", "other.ptx", "--launch", "launch.yaml"});
  INFO(other.output);
  CHECK(other.exit_code == 0);
  const Ended alone = wharf(folder, {"run", "private", "--ptx", "other.ptx"});
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.output, Contains("also give --launch FILE"));
  CHECK(wharf(folder, {"run", "private", "--launch", "launch.yaml", "--stimulus", "gemm@tiny"}).exit_code == 2);
}

TEST_CASE("CU-64: wrong results end with exit code 1 and the first elements that differ") {
  const Files folder;
  folder.file("launch.yaml", launch_file(kOnce, "if(i < 998, 2.5 * x[i] + y[i], 7)", "1"));
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", "ptx:launch.yaml"});
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output,
             Contains("launch.yaml:8:6: 2 of the 1000 elements of y are wrong: y[998] is ") && Contains(" and should be 7, y[999] is "));
}

TEST_CASE("CU-64: later launches see what earlier ones wrote, and files give and check elements") {
  const Files folder;
  folder.file("in.f32", elements(1000, [](std::size_t i) { return static_cast<float>(i); }));
  folder.file("out.f32", elements(1000, [](std::size_t i) { return 7.0f * static_cast<float>(i); }));
  const std::string head =
      "module: [k.ptx]\ntolerance: 0\narrays:\n  x: {type: f32, count: 1000, fill: file:in.f32}\n  y: {type: f32, count: 1000}\nlaunches:\n"
      "  - {kernel: saxpy, grid: [2, 1], block: [512, 1, 1], shared: 16, arguments: [3, x, y, 1000]}\n"
      "  - {kernel: saxpy, grid: 8, block: 128, arguments: [4.0f32, x, y, 1000]}\n";
  folder.file("launch.yaml", head + "check: {y: file:out.f32, x: iota}\n");
  const Ended ended = wharf(folder, {"run", "private", "--launch", "launch.yaml"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  folder.file("wrong.yaml", head + "check: {y: file:in.f32}\n");
  const Ended wrong = wharf(folder, {"run", "private", "--launch", "wrong.yaml"});
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.output, Contains("999 of the 1000 elements of y are wrong: y[1] is 7 and should be 1"));
  folder.file("short.yaml",
              "module: k.ptx\narrays: {x: {type: f64, count: 1000, fill: file:in.f32}}\nlaunches: [{kernel: saxpy, grid: 1, block: 1, "
              "arguments: [1, x, x, 1]}]\n");
  const Ended shorter = wharf(folder, {"run", "private", "--launch", "short.yaml"});
  CHECK(shorter.exit_code == 2);
  CHECK_THAT(shorter.output, Contains("short.yaml:2:") && Contains("in.f32 has 4000 bytes, and 1000 elements of f64 have 8000"));
}

TEST_CASE("CU-64: all mistakes of a launch file are named with line and column before anything runs") {
  const Files folder;
  folder.file("bad.yaml",
              "module: k.ptx\n"
              "arrays:\n"
              "  x: {type: f33, count: 1000, fill: randm + 7}\n"
              "  y: {type: f32, count: 0}\n"
              "  i: {type: f32, cont: 1}\n"
              "launches:\n"
              "  - {kernel: saxpi, grid: 4, block: 256, arguments: []}\n"
              "  - {kernel: saxpy, grid: [4, 0], block: 256, arguments: [x, 3, z, 1.5]}\n"
              "  - {kernel: saxpy, grid: 4, arguments: [x, 3]}\n"
              "check:\n"
              "  z: 2.5\n"
              "  y: \"2.5 * (x[i]\"\n"
              "colour: red\n");
  const Ended ended = wharf(folder, {"run", "private", "--launch", "bad.yaml"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  for (const char* line :
       {"bad.yaml:3:13: array x: type is 'f33'; write one of u8", "bad.yaml:3:37: 'randm' is not an array",
        "bad.yaml:4:25: array y: count '0' is out of range", "bad.yaml:5:3: 'i' is not a name for an array",
        "bad.yaml:5:6: array i: has no count", "unknown key 'cont'; did you mean 'count'?",
        "bad.yaml:7:14: launch: the module has no kernel 'saxpi'; did you mean 'saxpy'?", "bad.yaml:8:31: launch: grid '0' is out of range",
        "bad.yaml:8:59: x is an array, but the parameter has type f32", "bad.yaml:8:65: there is no array 'z'",
        "bad.yaml:8:68: an argument is '1.5', which is not a number of the type u32", "bad.yaml:9:5: launch: has no block",
        "bad.yaml:9:41: kernel saxpy has 4 parameters (f32, u64, u64, u32), but 2 arguments are given",
        "bad.yaml:11:3: there is no array 'z'", "bad.yaml:12:18: the end is not expected here; write ')'",
        "bad.yaml:13:1: launch file: unknown key 'colour'"})
    CHECK_THAT(ended.output, Contains(line));
}

TEST_CASE("CU-64: what only linked kernels tell is named with the launch, and other files by what they are") {
  const Files folder;
  const auto refused = [&](const std::string& stimulus) {
    const Ended ended = wharf(folder, {"run", "private", "--stimulus", stimulus});
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  folder.file("big.yaml", launch_file("  - {kernel: saxpy, grid: 4, block: 2048, arguments: [2.5, x, y, 1000]}\n", "0"));
  CHECK_THAT(refused("ptx:big.yaml"), Contains("big.yaml:6:5: kernel saxpy: a block of 2048 x 1 x 1 threads; at most 1024 are possible"));
  folder.file("unknown.ptx", saxpy("frobnicate.f32 %f4, %f3;"));
  folder.file("launch.yaml", launch_file(kOnce, "0"));
  CHECK_THAT(refused("ptx:launch.yaml:unknown.ptx"), Contains("launch.yaml:6:5: unknown.ptx:22:") && Contains("frobnicate"));
  folder.file("outside.yaml", launch_file(kOnce, "0", "\"x[i + 1]\""));
  CHECK_THAT(refused("ptx:outside.yaml"), Contains("outside.yaml:4:37: element 999 of y: x[1000] is outside of the 1000 elements of x"));
  CHECK_THAT(refused("ptx:k.ptx"), Contains("k.ptx: is a module; name a launch file"));
  CHECK_THAT(refused("ptx:"), Contains("'ptx:' does not name a file"));
  CHECK_THAT(refused("ptx:none.yaml"), Contains("none.yaml"));
  CHECK_THAT(refused("ptx:launch.yaml:none.ptx"), Contains("none.ptx: cannot be read"));
  folder.file("sweep.yaml", "configs: [private]\nstimuli: [gemm@tiny]\n");
  CHECK_THAT(refused("ptx:sweep.yaml"), Contains("is a sweep; run `wharf sweep"));
  CHECK_THAT(wharf(folder, {"run", "launch.yaml", "--stimulus", "gemm@tiny"}).output,
             Contains("is a file of launches; run `wharf run private --launch"));
}

namespace {

/// Stores the members of a structure of 32 bytes, { u64 out; f32 a; u8 b; s16 c; { u32 d; u64 e; } }, and a number after it, as six u32.
const std::string kStructureKernel =
    ".version 7.2\n.target sm_70\n.address_size 64\n.visible .entry k(.param .align 8 .b8 s[32], .param .u32 n)\n{\n"
    ".reg .b32 %r<8>; .reg .b64 %rd<3>; .reg .b16 %h<3>;\nld.param.u64 %rd1, [s];\nld.param.u32 %r1, [s+8];\nld.param.u8 %h1, [s+12];\n"
    "ld.param.s16 %h2, [s+14];\nld.param.u32 %r4, [s+16];\nld.param.u64 %rd2, [s+24];\nld.param.u32 %r6, [n];\ncvt.u32.u16 %r2, %h1;\n"
    "cvt.s32.s16 %r3, %h2;\ncvt.u32.u64 %r5, %rd2;\nst.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;\nst.global.u32 [%rd1+8], "
    "%r3;\n"
    "st.global.u32 [%rd1+12], %r4;\nst.global.u32 [%rd1+16], %r5;\nst.global.u32 [%rd1+20], %r6;\nret;\n}\n";

std::string structure_launch(const std::string& structure) {
  return "module: k.ptx\narrays:\n  x: {type: u32, count: 6}\nlaunches:\n  - {kernel: k, grid: 1, block: 1, arguments: [" + structure +
         ", 9]}\n"
         "check:\n  x: if(i < 1, 1069547520, if(i < 2, 200, if(i < 3, 4294967293, i + 4)))\n";
}

}  // namespace

TEST_CASE("CU-64: a structure is a list of fields, each aligned as in C or placed by its offset") {
  const TemporaryFolder folder;
  folder.file("k.ptx", kStructureKernel);
  for (const std::string structure :
       {"[x, 1.5f32, 200u8, -3s16, [7u32, 8u64]]", "[x, 1.5f32, 200u8, -3s16, 7u32, 8u64]",
        "[{at: 24, value: 8u64}, {at: 0, value: x}, 1.5f32, {at: 12, value: 200u8}, {at: 14, value: -3s16}, {at: 16, value: [7u32]}]",
        "[x, {at: 8, value: 1069547520u32}, {at: 12, value: 4294770888u32}, 7u64, 8s64]"}) {
    folder.file("launch.yaml", structure_launch(structure));
    const Ended ended = wharf(folder, {"run", "private", "--launch", "launch.yaml"});
    INFO(structure << ": " << ended.output);
    CHECK(ended.exit_code == 0);
  }
}

TEST_CASE("CU-64: fields that overlap, exceed the structure or do not fill it are named with line and column") {
  const TemporaryFolder folder;
  folder.file("k.ptx", kStructureKernel);
  const auto mistake = [&](const std::string& structure) {
    folder.file("launch.yaml", structure_launch(structure));
    const Ended ended = wharf(folder, {"run", "private", "--launch", "launch.yaml"});
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(mistake("[x, 1.5f32]"),
             Contains("launch.yaml:5:48: the fields make a structure of 16 bytes, but the parameter has 32; write one field per member"));
  CHECK_THAT(mistake("[x, x, x, x, 1u8]"),
             Contains("launch.yaml:5:61: the field occupies bytes 32 to 32, but the structure has 32; leave it out"));
  CHECK_THAT(mistake("[x, 1u64, {at: 12, value: 3u32}, 1u64, 2u64]"),
             Contains("launch.yaml:5:74: the field occupies bytes 12 to 15, which overlap those of '1u64', 8 to 15; choose another place"));
  CHECK_THAT(mistake("[{at: 8, value: 3u32}, {at: 6, value: 1u32}, {at: 24, value: x}]"),
             Contains("launch.yaml:5:86: the field occupies bytes 6 to 9, which overlap those of '3u32', 8 to 11"));
  CHECK_THAT(mistake("[x, 1.5]"), Contains("launch.yaml:5:52: a field is '1.5', without a type; add one, such as 1.5u32"));
  CHECK_THAT(mistake("[x, 300u8]"), Contains("launch.yaml:5:48: the fields make a structure of 16 bytes"));
  CHECK_THAT(mistake("[x, x, x, 300u8]"),
             Contains("launch.yaml:5:58: a field is '300u8', which is not a number of the type u8; write such as 3"));
  CHECK_THAT(mistake("[z, x, x, x]"), Contains("launch.yaml:5:49: there is no array 'z'; did you mean 'x'?"));
  CHECK_THAT(mistake("[x, {at: 8}, x]"),
             Contains("launch.yaml:5:52: a field with a place has the keys at and value, such as {at: 16, value: 3u32}"));
  CHECK_THAT(mistake("[x, {at: -8, value: x, of: 1}, x]"),
             Contains("launch.yaml:5:57: at is '-8'; write a whole number from 0 to 65535") && Contains("unknown key 'of'"));
  CHECK_THAT(mistake("[x, {at: 8, value: {u32: 1}}, x]"), Contains("launch.yaml:5:67: a field is a mapping; write an array's name"));
  CHECK_THAT(mistake("3"),
             Contains("launch.yaml:5:48: the parameter is a structure of 32 bytes; write a list of its fields such as [x, 2.5f32, 3u32]"));
  for (const char* other : {"x", "{a: 1}"})
    CHECK_THAT(mistake(other), Contains("launch.yaml:5:48: the parameter is a structure of 32 bytes; write a list"));
  folder.file(
      "launch.yaml",
      "module: k.ptx\narrays: {x: {type: u32, count: 6}}\nlaunches: [{kernel: k, grid: 1, block: 1, arguments: [[x, x, x, x], [9u32]]}]\n");
  CHECK_THAT(wharf(folder, {"run", "private", "--launch", "launch.yaml"}).output,
             Contains("launch.yaml:3:69: an argument is a list; write an array's name or a number"));
}

TEST_CASE("CU-64: a launch file stands wherever a stimulus can: compare, sweep, explain, limits and checkpoints") {
  const Files folder;
  folder.file("launch.yaml", launch_file(kOnce + kOnce + kOnce, "7.5 * x[i] + y[i]"));
  const Ended compared = wharf(folder, {"compare", "private", "ata", "--stimuli", "vectoradd@tiny,ptx:launch.yaml", "--out", "c"});
  INFO(compared.output);
  CHECK(compared.exit_code == 0);
  CHECK_THAT(compared.output, Contains("launch.yaml") && !Contains("ptx:launch.yaml"));
  const Ended explained = wharf(folder, {"explain", "private", "--stimulus", "ptx:launch.yaml"});
  INFO(explained.output);
  CHECK(explained.exit_code == 0);
  CHECK_THAT(explained.output, Contains("k.ptx:"));
  folder.file("sweep.yaml", "configs: [private]\nstimuli: ['ptx:launch.yaml']\nvary: {l1.ways: [4, 8]}\n");
  CHECK(wharf(folder, {"sweep", "sweep.yaml", "--out", "s"}).exit_code == 0);
  const Ended limited = wharf(folder, {"run", "private", "--stimulus", "ptx:launch.yaml:limit_warp_instructions=100", "--out", "l"});
  CHECK(limited.exit_code == 0);  // incomplete results are not checked
  CHECK(read_json(folder / "l/result.json")["run"]["warp_instructions"] < 600);
  REQUIRE(wharf(folder, {"run", "private", "--launch", "launch.yaml", "--save-at", "2", "x.ckpt", "--out", "whole", "--quiet"}).exit_code ==
          0);
  const Ended rest = wharf(folder, {"run", "private", "--launch", "launch.yaml", "--load", "x.ckpt", "--out", "rest", "--quiet"});
  INFO(rest.output);
  REQUIRE(rest.exit_code == 0);
  CHECK(comparable_result(folder / "whole") == comparable_result(folder / "rest"));
}

TEST_CASE("CU-64: a deadlock names the kernel as programmers write it, with and without timing") {
  const TemporaryFolder folder;
  folder.file(
      "wait.ptx",
      ".version 7.2\n.target sm_80\n.address_size 64\n.visible .entry _Z4hangIfEvPT_(.param .u64 a)\n{\n.reg .pred %p<2>; .reg .b32 "
      "%r<2>;\n.shared .align 8 .b64 bar;\nmov.u32 %r1, bar;\nmbarrier.init.shared.b64 [%r1], 2;\n"
      "L: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0;\n@!%p1 bra L;\nret;\n}\n");
  const std::string launch = "  - {kernel: _Z4hangIfEvPT_, grid: 1, block: 1, arguments: [x]}\n";
  folder.file("launch.yaml", "module: wait.ptx\narrays: {x: {type: u32, count: 1}}\nlaunches:\n" + launch + launch);
  const Ended timed = wharf(folder, {"run", "private", "--launch", "launch.yaml"});
  CHECK(timed.exit_code == 1);
  CHECK_THAT(timed.output, Contains("sm[0].mbarrier: kernel hang<float>, CTA 0: the mbarrier at byte 0") && !Contains("_Z4hang"));
  const Ended sampled = wharf(folder, {"run", "private", "--launch", "launch.yaml", "--sample", "2"});
  CHECK(sampled.exit_code == 1);
  CHECK_THAT(sampled.output, Contains("deadlock in kernel hang<float>: ") && !Contains("_Z4hang"));
}

}  // namespace wharf::cli
