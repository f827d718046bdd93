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

TEST_CASE("CU-54: describe lists the forms of an instruction that have its modifiers, and no others") {
  const TemporaryFolder folder;
  for (const std::string name : {"st.async", "red.async", "cp.async.bulk", "mbarrier.arrive", "barrier.cluster.arrive", "ld.global.b32"}) {
    const Ended forms = wharf(folder, {"describe", "ptx:" + name, "--format", "csv"});
    INFO(forms.output);
    CHECK(forms.exit_code == 0);
    CHECK_THAT(forms.output, Contains(name.substr(0, name.find('.')) + ' '));
  }
  const std::string stores = wharf(folder, {"describe", "ptx:st.async", "--format", "csv"}).output;
  CHECK_THAT(stores, Contains("st async weak? shared::cluster? mbarrier::complete_tx::bytes") && !Contains("st volatile"));
  const std::string arrivals = wharf(folder, {"describe", "ptx:mbarrier.arrive", "--format", "csv"}).output;
  CHECK_THAT(arrivals, Contains("mbarrier arrive|arrive_drop expect_tx") && !Contains("mbarrier init"));
  CHECK_THAT(wharf(folder, {"describe", "ptx:wgmma.fence"}).output, Contains("it drives hardware that"));
}

TEST_CASE("CU-54: describe refuses a modifier that no form has, and names those that some form has") {
  const TemporaryFolder folder;
  const auto refusal = [&](const char* name) {
    const Ended ended = wharf(folder, {"describe", name});
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refusal("ptx:red.asink"),
             Contains("no supported form of red has the modifier 'asink'; its modifiers are") && Contains("async"));
  CHECK_THAT(refusal("ptx:mbarrier.b64.init"), Contains("no supported form of mbarrier has these modifiers together and in this order"));
  CHECK_THAT(refusal("ptx:exit.now"), Contains("exit has no modifiers; write ptx:exit"));
  CHECK_THAT(refusal("ptx:st."), Contains("no supported form of st has the modifier ''"));
  CHECK_THAT(refusal("ptx:frob.async"), Contains("PTX has no instruction 'frob'"));
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
