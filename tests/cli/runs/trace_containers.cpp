// Traces of the 2.0 tracer at the doors of the program.

#include <catch2/catch.hpp>

#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"
#include "tests/support/trace_container.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
using traces::container_of;
using traces::kTwoClustersHeader;
using traces::text_of;
using traces::two_clusters;

nlohmann::ordered_json result_of_trace(const TemporaryFolder& folder, const std::string& trace) {
  const std::string out = "out_" + trace.substr(0, trace.find('/'));
  const Ended ended = wharf(folder, {"run", "cluster/h100", "--trace", trace, "--out", out, "--quiet"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  return read_json(folder / (out + "/result.json"));
}

/// The warnings without the files and lines where they came first.
std::vector<std::string> warnings_of(const nlohmann::ordered_json& result) {
  std::vector<std::string> warnings;
  for (const auto& warning : result["warnings"]) {
    const std::string text = warning["text"];
    warnings.push_back(text.substr(0, text.find(" (first at")) + " x" + std::to_string(warning["count"].get<int>()));
  }
  return warnings;
}

}  // namespace

TEST_CASE("a container and its text give the same run") {
  const TemporaryFolder folder;
  folder.file("text/kernelslist.g", "kernel-1.traceg\n");
  folder.file("text/kernel-1.traceg", text_of(kTwoClustersHeader, two_clusters()));
  folder.file("container/kernelslist.g", "kernel-1.tracez\n");
  folder.file("container/kernel-1.tracez", container_of(kTwoClustersHeader, two_clusters(), 2));
  const auto text = result_of_trace(folder, "text"), container = result_of_trace(folder, "container");
  CHECK(container["run"] == text["run"]);
  CHECK(container["kernels"] == text["kernels"]);
  CHECK(read_file(folder / "out_container/stats.csv") == read_file(folder / "out_text/stats.csv"));
  CHECK(warnings_of(container) == warnings_of(text));
  // Per CTA prefetches of 64 and of 128 B, and a load of a line.
  CHECK(text["run"]["sm.loads"] == 4 * 3);
  // To its own shared memory 384 bytes, and 128 that lie out of bounds, and 1024; to both CTAs 4096; to global memory 256, 48, and twice 32.
  CHECK(text["run"]["tma.bytes"] == 4 * (384 + 128 + 1024 + 2 * 4096 + 256 + 48 + 2 * 32));
  CHECK(text["run"]["tma.delivered_bytes"] == text["run"]["tma.bytes"]);
  CHECK(text["run"]["tma.lines"] == 4 * (384 + 1024 + 4096) / 128);
  CHECK(text["run"]["tma.multicast_lines"] == 4 * 4096 / 128);
  REQUIRE(wharf(folder, {"trace", "pack", "container"}).exit_code == 0);
  CHECK(result_of_trace(folder, "container")["run"] == text["run"]);
}

TEST_CASE("warps that meet at a named barrier do not wait for the other warps of their CTA") {
  const TemporaryFolder folder;
  std::vector<std::string> chain(50, "0020 ffffffff 1 R1 MUFU.RCP 1 R1 0 0 0 NoVal");
  chain.push_back("0030 ffffffff 0 EXIT 0 0 0 0 NoVal");
  const auto cycles = [&](const std::string& name, const std::string& barrier) {
    std::vector<std::string> waits = chain;
    waits.insert(waits.begin(), "0010 " + barrier + " NoVal");
    folder.file(name + "/kernelslist.g", "kernel-1.traceg\n");
    folder.file(name + "/kernel-1.traceg",
                text_of(traces::header_6("(1,1,1)", "(64,1,1)"), {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, {waits, chain}}}));
    return result_of_trace(folder, name)["run"]["cycles"].get<int>();
  };
  const int none = cycles("none", "ffffffff 0 NOP 0 0 0 0");
  constexpr int kBarrier = 22, kArrival = 2, kNop = 1;  // sm.barrier_cycles, sm.barrier_interval
  CHECK(cycles("alone", "ffffffff 0 BAR.SYNC 0 0 1 32") == none + kArrival + kBarrier - kNop);
  CHECK(cycles("predicated_off", "00000000 0 BAR.SYNC 0 0 0 0") == none);
  // The chains follow each other; without a barrier they overlap, but for the NOP in front of the first.
  CHECK(cycles("all", "ffffffff 0 BAR.SYNC 0 0 0 0") == none + 50 * 24 + kBarrier - kNop);
}

TEST_CASE("a stimulus exported as containers runs as the one exported as text") {
  const TemporaryFolder folder;
  for (const char* format : {"text", "tracez"}) {
    const Ended ended = wharf(folder, {"trace", "export", "--stimulus", "bfs@tiny", "--format", format, "--out", format});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    CHECK(wharf(folder, {"trace", "check", format}).exit_code == 0);
  }
  CHECK_THAT(read_file(folder / "tracez/kernelslist.g"), Contains("kernel-1.tracez\nkernel-2.tracez\n"));
  const auto text = result_of_trace(folder, "text"), container = result_of_trace(folder, "tracez");
  CHECK(container["run"] == text["run"]);
  CHECK(container["kernels"] == text["kernels"]);
  const Ended wrong = wharf(folder, {"trace", "export", "--stimulus", "bfs@tiny", "--format", "csv", "--out", "csv"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, Contains("trace export: --format 'csv' is neither text nor tracez; give one of them"));
}

TEST_CASE("the account of a trace shows clusters, bytes of bulk copies and replay regions where it has any") {
  const TemporaryFolder folder;
  folder.file("kernel-1.tracez", container_of(kTwoClustersHeader, two_clusters()));
  const Ended info = wharf(folder, {"trace", "info", "kernel-1.tracez"});
  CHECK(info.exit_code == 0);
  CHECK_THAT(info.output,
             Contains("cluster") && Contains("2x1x1") && Contains("TMA bytes") && Contains("24,256") && Contains("replay regions"));
  REQUIRE(wharf(folder, {"trace", "export", "--stimulus", "vectoradd@tiny", "--out", "plain"}).exit_code == 0);
  CHECK_THAT(wharf(folder, {"trace", "info", "plain"}).output, !Contains("cluster") && !Contains("TMA bytes"));
}

TEST_CASE("a damaged container and one that accesses a peer's shared memory end with 2 and say why") {
  const TemporaryFolder folder;
  const std::string whole = container_of(kTwoClustersHeader, two_clusters());
  folder.file("cut.tracez", whole.substr(0, whole.size() - 100));
  auto ctas = two_clusters();
  ctas[1].warps[0][2] = "0020 ffffffff 0 STAS 2 R2 R4 4 1 0x40 4 0 0 NoVal";
  folder.file("peer.tracez", container_of(kTwoClustersHeader, ctas));
  const std::pair<const char*, const char*> says[] = {
      {"cut.tracez", "copy or record the file again"},
      {"peer.tracez", "another CTA of the cluster, without the mbarrier that counts its bytes; leave the kernel out of the list"}};
  for (const auto& [file, text] : says) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", "cluster/h100", "--trace", file}, {"trace", "check", file}, {"trace", "info", file}}) {
      const Ended ended = wharf(folder, arguments);
      INFO(ended.output);
      CHECK(ended.exit_code == 2);
      CHECK_THAT(ended.output, Contains(text));
    }
  }
}

TEST_CASE("a machine without clusters runs a trace with clusters whose CTAs do without each other, and refuses others by their line") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& line) {
    std::vector<traces::SampleCta> ctas;
    for (std::uint32_t cta = 0; cta < 2; ++cta)
      ctas.push_back({{cta, 0, 0},
                      {0, 0, 0},
                      {cta, 0, 0},
                      cta,
                      {{"0000 ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal", "0010 ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal", line,
                        "0030 ffffffff 0 EXIT 0 0 0 0 NoVal"}}});
    folder.file(name, text_of(traces::header_6("(2,1,1)", "(32,1,1)"), ctas));
  };
  write("alone", "0020 00000001 1 R2 LDG.E 1 R4 4 1 0x1000 0 0 0 NoVal");
  write("peer", "0020 00000001 1 R2 LD.E 1 R4 4 1 0x7f0001000040 0 0 0 NoVal");
  write("copy", "0020 00000001 0 UBLKCP.S.G 2 UR8 UR4 16 0x400 0 64 0 3 1 0x1000 0 0 NoVal");
  const Ended alone = wharf(folder, {"run", "gpus/ampere_a100", "--trace", "alone", "--out", "alone_out"});
  INFO(alone.output);
  CHECK(alone.exit_code == 0);
  CHECK_THAT(alone.output, Contains("kernel in thread-block clusters, whose CTAs start one by one"));
  for (const char* file : {"peer", "copy"}) {
    const Ended refused = wharf(folder, {"run", "gpus/ampere_a100", "--trace", file, "--out", "out"});
    INFO(refused.output);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.output, Contains(std::string(file) + ":28: a bulk copy, or an access to another CTA of the cluster") &&
                                   Contains("set platform: cluster"));
    const Ended skipped = wharf(folder, {"run", "gpus/ampere_a100", "--trace", file, "--out", "out", "--skip-bad-kernels"});
    CHECK(skipped.exit_code == 2);
    CHECK_THAT(skipped.output, Contains("none of its 1 kernels can be read"));
  }
}

}  // namespace wharf::cli
