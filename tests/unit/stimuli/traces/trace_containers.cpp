// Containers of the 2.0 tracer: they read as their text, and damaged ones are refused.

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "model/base/bits.h"
#include "model/base/cluster_order.h"
#include "stimuli/traces/trace_check.h"
#include "tests/fuzz/trace_probe.h"
#include "tests/support/trace_container.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Contains;

namespace {

/// All that a reader of the bytes learns but lines, sizes and fingerprints.
std::string everything_in_bytes(const std::string& bytes) {
  WarningLog log;
  KernelReader kernel(LineSource::from_memory("kernel", bytes), log);
  std::string all;
  for (TracedCta cta; kernel.next_cta(cta);) {
    all += "CTA " + std::to_string(cta.number) + " line " + std::to_string(cta.cluster_line == 0 ? 0 : 1) + "\n";
    for (PackedWarp& warp : cta.warps) {
      PackedStream stream(kernel.code(), std::move(warp));
      for (const WarpInstruction& instruction : drain(stream)) {
        all += std::to_string(instruction.pc) + " " + std::to_string(instruction.active) + " " +
               std::to_string(static_cast<int>(instruction.unit));
        if (has_addresses(instruction.unit))
          for (const unsigned lane : set_bits(instruction.active)) all += " " + std::to_string(instruction.addresses[lane]);
        all += "\n";
      }
    }
  }
  for (const auto& [warning, count] : log.list()) all += warning.substr(0, warning.find(" (first")) + " x" + std::to_string(count) + "\n";
  return all;
}

std::vector<std::string> texts_of(const CheckReport& report) {
  std::vector<std::string> texts;
  for (const Problem& problem : report.problems) texts.push_back(problem.text);
  return texts;
}

std::string small_container() {
  return container_of(
      header_6("(1,1,1)", "(32,1,1)"),
      {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, {{"0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal", "0010 ffffffff 0 EXIT 0 0 0 0 NoVal"}}}}, 1);
}

/// `bytes` with the number of `size` bytes at `at` replaced.
std::string with(std::string bytes, std::size_t at, std::uint64_t value, unsigned size = 4) {
  std::string number;
  put(number, value, size);
  return bytes.replace(at, size, number);
}

}  // namespace

TEST_CASE("A container reads as its text does, whatever its subchunks and with a dictionary") {
  const std::string text = everything_in_bytes(text_of(kTwoClustersHeader, two_clusters()));
  CHECK_THAT(text, Contains("region between REPLAY_START and REPLAY_END, executed once as recorded x4"));
  // Of one line: the replay region goes over the boundary of its subchunk.
  for (const std::uint32_t target : {1, 2, 7, 2048})
    CHECK(everything_in_bytes(container_of(kTwoClustersHeader, two_clusters(), target)) == text);
  const std::string dictionary = two_clusters()[0].warps[0][5] + two_clusters()[0].warps[1][1];
  CHECK(everything_in_bytes(container_of(kTwoClustersHeader, two_clusters(), 2, dictionary)) == text);
}

TEST_CASE("A container is known by its contents, and is a kernel alone or in a list") {
  const TemporaryFolder folder;
  const std::string bytes = container_of(kTwoClustersHeader, two_clusters());
  folder.write("kernel-1.tracez", bytes);
  folder.write("other", bytes);
  folder.write("kernelslist.g", "MemcpyHtoD,0x0,4\nkernel-1.tracez\n");
  for (const char* name : {"kernel-1.tracez", "other", "kernelslist.g"}) {
    TraceStimulus stimulus(folder / name);
    const KernelLaunch* launch = stimulus.next_kernel();
    REQUIRE(launch != nullptr);
    CHECK(launch->name == "sample");
    for (std::uint64_t cta = 0; cta < 4; ++cta) CHECK(stimulus.open_cta(cta).size() == 2);
    CHECK(stimulus.progress() == 1.0);
    CHECK(stimulus.next_kernel() == nullptr);
  }
}

TEST_CASE("A header without its format line reads as one with it") {
  const std::string header = replaced(kTwoClustersHeader, "#traces format = ...\n", "");
  CHECK(everything_in_bytes(container_of(header, two_clusters())) == everything_in_bytes(container_of(kTwoClustersHeader, two_clusters())));
}

TEST_CASE("The account of a container has its clusters, the bytes of its bulk copies and its replay regions") {
  const TemporaryFolder folder;
  const std::string path = folder.write("kernel-1.tracez", container_of(kTwoClustersHeader, two_clusters(), 2));
  const KernelInfo kernel = info(path).kernels.at(0);
  CHECK(kernel.cluster.x == 2);
  CHECK(kernel.cluster.count() == 2);
  CHECK(kernel.bulk_bytes == 4 * (4096 + (512 - 128) + 1024 + 64 + 128 + 256 + 48 + 32 + 32));
  CHECK(kernel.replay_regions == 4);
  // 17 lines, one of which is two instructions, and nine, of which two marks.
  CHECK(kernel.warp_instructions == 4 * (17 + 1 + (9 - 2)));
  CHECK(check(path).problems.empty());
  CHECK(info(folder.write("kernel-2.traceg", one_warp({kExit}))).kernels.at(0).cluster.count() == 1);
}

TEST_CASE("A CTA must have the rank of its place in the grid") {
  const TemporaryFolder folder;
  std::vector<SampleCta> ctas = two_clusters();
  ctas[1].rank = 0;
  const std::vector<std::string> refused = {"the cluster of the CTA is not the one of its place in the grid, with clusters of 2,1,1 CTAs"};
  CHECK(texts_of(check(folder.write("container", container_of(kTwoClustersHeader, ctas)))) == refused);
  CHECK(texts_of(check(folder.write("text", text_of(kTwoClustersHeader, ctas)))) == refused);
}

TEST_CASE("The size of clusters is found in the index of a container, and in the CTAs of a text whatever their order") {
  const TemporaryFolder folder;
  const auto size_in = [&](const Dim3& grid, const Dim3& cluster, bool backwards, bool as_text) {
    std::vector<SampleCta> ctas;
    const ClusterOrder order{grid, cluster};
    for (std::uint32_t cta = 0; cta < grid.count(); ++cta) {
      const Dim3 at = index_in(grid, cta);
      ctas.push_back({{at.x, at.y, at.z},
                      {at.x / cluster.x, at.y / cluster.y, at.z / cluster.z},
                      {at.x % cluster.x, at.y % cluster.y, at.z % cluster.z},
                      order.rank_of(at),
                      {{"0010 ffffffff 0 EXIT 0 0 0 0 NoVal"}}});
    }
    if (backwards) std::reverse(ctas.begin(), ctas.end());
    const auto text = [](const Dim3& dim) {
      return "(" + std::to_string(dim.x) + "," + std::to_string(dim.y) + "," + std::to_string(dim.z) + ")";
    };
    const std::string header = header_6(text(grid), "(32,1,1)");
    const std::string path = folder.write("kernel", as_text ? text_of(header, ctas) : container_of(header, ctas));
    CHECK(check(path).problems.empty());
    return text(TraceStimulus(path).known_launches().at(0).cluster);
  };
  for (const bool backwards : {false, true}) {
    for (const bool as_text : {false, true}) {
      CAPTURE(backwards, as_text);
      CHECK(size_in({4, 1, 1}, {1, 1, 1}, backwards, as_text) == "(1,1,1)");
      CHECK(size_in({4, 2, 1}, {2, 1, 1}, backwards, as_text) == "(2,1,1)");
      CHECK(size_in({2, 4, 2}, {2, 2, 1}, backwards, as_text) == "(2,2,1)");
      CHECK(size_in({2, 2, 4}, {2, 2, 2}, backwards, as_text) == "(2,2,2)");
    }
  }
}

TEST_CASE("A container cut at any byte is a mistake") {
  const TemporaryFolder folder;
  const std::string whole = small_container();
  REQUIRE(check(folder.write("kernel-1.tracez", whole)).problems.empty());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const CheckReport report = check(folder.write("kernel-1.tracez", whole.substr(0, size)));
    REQUIRE_FALSE(report.problems.empty());
    for (const Problem& problem : report.problems) CHECK_FALSE(problem.remedy.empty());
  }
}

TEST_CASE("A container with a wrong byte is read or refused, and what is read decodes in full") {
  std::mt19937 random(7);
  for (const std::string& whole : {small_container(), container_of(kTwoClustersHeader, two_clusters(), 2)}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      CAPTURE(at);
      std::string wrong = whole;
      wrong[at] = static_cast<char>(wrong[at] ^ (1 + random() % 255));
      const Probe probe = probe_kernel(wrong);
      REQUIRE(probe.decoded == probe.promised);
    }
  }
}

TEST_CASE("Each length and offset of a container is compared with the file and with the index") {
  const std::string whole = small_container();
  const std::size_t data = whole.find('\0') + 1, end = whole.size() - 8;
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned char>(whole[at]) | static_cast<unsigned char>(whole[at + 1]) << 8;
  };
  const std::size_t index = static_cast<std::size_t>(number(end)), warp = data + 8, entry = index + 4 + 11 * 4;
  const struct {
    std::string bytes, text;
  } kBad[] = {
      {with(whole, end, whole.size(), 8),
       "container: its last 8 bytes give " + std::to_string(whole.size()) + " as the offset of the index"},
      {with(whole, end, 40, 8), "container: the header has no end before the index"},
      {with(whole, end, data + 6, 8), "container: the data end in a number at byte " + std::to_string(data + 4)},
      {with(whole, data, 0xFFFFFFF0), "container: a dictionary of 4294967280 bytes goes beyond the data"},
      {with(whole, index, 2), "the container's index ends too early"},
      {with(whole, index, 0), "container: the index is followed by " + std::to_string(end - index - 4) + " bytes that it does not need"},
      {with(whole, index + 44, 0xFFFFFFFF), "the container's index ends too early"},
      {with(whole, entry, 3), "container, CTA 1 of the index: warp 0 has 2 instructions in 2 subchunks, but the index says 3 in 2"},
      {with(whole, entry + 4, 0xFFFFFFFF), "the container's index ends too early"},
      {with(whole, entry + 8, warp + 1, 8),
       "the index has warp 0 at byte " + std::to_string(warp + 1) + ", but the data before it end at byte " + std::to_string(warp)},
      {with(whole, entry + 16, 2), "a subchunk of warp 0 has 1 lines, but the index says 2"},
      {with(whole, entry + 16, 3), "the subchunks of warp 0 do not have the instructions of the warp"},
      {with(whole, warp + 8, 0xFFFFFFFF), "a frame of 4294967295 bytes at byte " + std::to_string(warp + 12) + " goes beyond the data"},
      {with(whole, warp + 12, 0), "the frame at byte " + std::to_string(warp + 12) + " is corrupt (a frame has no size)"}};
  REQUIRE(everything_in_bytes(whole) != "");
  for (const auto& bad : kBad)
    CHECK_THROWS_WITH(everything_in_bytes(bad.bytes), Contains(bad.text) && Contains("copy or record the file again"));
}
