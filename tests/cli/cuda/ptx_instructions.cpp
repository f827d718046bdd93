// Descriptions of instructions by `wharf describe ptx:` and `wharf cuda inspect`. None of these tests needs clang.

#include <catch2/catch.hpp>

#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name + "()\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n" + body + "\nret;\n}\n";
}
const std::string kHead = ".version 7.2\n.target sm_70\n.address_size 64\n";

}  // namespace

TEST_CASE("CU-54: describe lists the forms of an instruction with the machine instructions that each counts as") {
  const TemporaryFolder folder;
  const Ended division = wharf(folder, {"describe", "ptx:div", "--format", "csv"});
  INFO(division.output);
  CHECK(division.exit_code == 0);
  CHECK_THAT(division.output, Contains("div rn|rz|rm|rp ftz? f32") && Contains("\"1 sfu, 12 fp32\""));
  CHECK_THAT(wharf(folder, {"describe", "ptx:ld"}).output, Contains("1 load; shared: 1 shared; const: 1 alu; param: none"));
  CHECK_THAT(wharf(folder, {"describe", "ptx:cvt"}).output, Contains("cvt rni|rzi|rmi|rpi"));
}

TEST_CASE("CU-33: describe lists all instructions, and those that are refused with their tier") {
  const TemporaryFolder folder;
  const Ended all = wharf(folder, {"describe", "ptx:", "--format", "csv"});
  INFO(all.output);
  CHECK(all.exit_code == 0);
  CHECK_THAT(all.output, Contains("\nexit,1,1 exit,1\n") && Contains("\nwgmma,-,-,3\n") && Contains("\ntld4,-,-,2\n"));
  CHECK_THAT(wharf(folder, {"describe", "ptx:wgmma"}).output, Contains("it drives hardware that"));
  const Ended wrong = wharf(folder, {"describe", "ptx:activemsk"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, Contains("PTX has no instruction 'activemsk'; did you mean 'activemask'?"));
}

TEST_CASE("CU-58: inspect names every instruction that keeps a kernel from running, with its line") {
  const TemporaryFolder folder;
  folder.file("k.ptx", kHead + kernel("good", "mov.u32 %r1, 1;") +
                           kernel("bad", "wgmma.fence.sync.aligned;\nmov.u32 %r1, 1;\ntld4.r.2d.v4.f32.f32 x;\nfrob.u32 %r1, %r2;") +
                           kernel("worse", "add.f99 %f1, %f2, %f3;"));
  const Ended listed = wharf(folder, {"cuda", "inspect", "k.ptx"});
  INFO(listed.output);
  CHECK(listed.exit_code == 0);
  for (const char* line :
       {"k.ptx:13:1: wgmma.fence.sync.aligned is not supported (tier 3), in kernel bad",
        "k.ptx:15:1: tld4.r.2d.v4.f32.f32 is not supported (tier 2), in kernel bad",
        "k.ptx:16:1: frob.u32 is not an instruction, in kernel bad", "k.ptx:22:1: add.f99 is not a supported form, in kernel worse"})
    CHECK_THAT(listed.output, Contains(line));
}

}  // namespace wharf::cli
