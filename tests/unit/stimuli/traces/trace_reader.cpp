// A whole trace as a stimulus: lists, order of CTAs, ends, and the packed form of warps.

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "stimuli/traces/bytes/byte_sink.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Matchers::Contains;

namespace {

/// A CTA whose only instruction encodes the CTA's number in its pc.
std::string numbered_cta(unsigned x) {
  return cta(std::to_string(x) + ",0,0", warp(0, {std::string(1, "0123456789abcdef"[x]) + " ffffffff 0 EXIT 0 0 0"}));
}

std::string numbered_kernel(const std::string& order) {
  std::string text = header("(" + std::to_string(order.size()) + ",1,1)");
  for (char c : order) text += numbered_cta(static_cast<unsigned>(c - '0'));
  return text;
}

std::vector<std::uint32_t> pcs_of_all_ctas(TraceStimulus& stimulus, std::uint64_t count) {
  std::vector<std::uint32_t> pcs;
  for (std::uint64_t cta = 0; cta < count; ++cta) pcs.push_back(drain(*stimulus.open_cta(cta).at(0)).at(0).pc);
  return pcs;
}

}  // namespace

TEST_CASE("A list of kernels runs them in its order, and memory copies have no effect") {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", replaced(one_warp({kExit}), "sample", "first"));
  folder.write("kernel-2.traceg", replaced(one_warp({kMov, kExit}), "sample", "second"));
  const std::string list = folder.write(
      "kernelslist.g", "MemcpyHtoD,0x00007fb2c0000000,1048576\n\n# note\nkernel-2.traceg\r\nkernel-1.traceg\nkernel-2.traceg\n");
  for (const std::string& path : {list, folder.path()}) {
    TraceStimulus stimulus(path);
    CHECK(stimulus.progress() == 0.0);
    for (const std::string name : {"second", "first", "second"}) {
      const KernelLaunch* launch = stimulus.next_kernel();
      REQUIRE(launch != nullptr);
      CHECK(launch->name == name);
      CHECK(launch->shared_bytes == 512);
      CHECK(launch->registers_per_thread == 24);
      auto warps = stimulus.open_cta(0);
      REQUIRE(warps.size() == 1);
      CHECK(drain(*warps[0]).size() == (name == "second" ? 2 : 1));
    }
    CHECK(stimulus.next_kernel() == nullptr);
    CHECK(stimulus.next_kernel() == nullptr);
    CHECK(stimulus.progress() == 1.0);
    CHECK(stimulus.warnings().empty());
  }
}

TEST_CASE("The headers of all kernels are read before the first, and a kernel without CTAs is refused with them") {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", one_warp({kExit}));
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  const struct {
    std::string text, says;
  } kBad[] = {{"", "kernel-2.traceg: no kernel header: the file holds no trace"},
              {replaced(one_warp({kExit}), "(1,1,1)", "(0,1,1)"), "kernel-2.traceg:3: header field 'grid dim'"},
              {header("(7,1,1)"), "kernel-2.traceg:15: the file ends after the kernel header: 7 CTAs are missing"},
              {std::string("\x28\xB5\x2F\xFD\x00", 5), "kernel-2.traceg:1: the zstd stream is truncated"}};
  for (const auto& bad : kBad) {
    folder.write("kernel-2.traceg", bad.text);
    CHECK_THROWS_WITH(TraceStimulus(folder.path()), Contains(bad.says));
  }
  folder.write("kernel-2.traceg", header("(7,1,1)", "(96,1,1)") + "#BEGIN_TB\n");
  const std::vector<KernelLaunch> launches = TraceStimulus(folder.path()).known_launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[1].grid.count() == 7);
  CHECK(launches[1].block.count() == 96);
}

TEST_CASE("Bad kernels are skipped as a whole where that is asked for, each counted by its mistake") {
  const TemporaryFolder folder;
  const auto named = [](const std::string& name) { return replaced(one_warp({kMov, kExit}), "sample", name); };
  folder.write("kernel-1.traceg", named("first"));
  folder.write("kernel-2.traceg", "");
  folder.write("kernel-3.traceg", header("(2,1,1)") + cta("0,0,0", warp(0, {kExit})) + cta("1,0,0", warp(0, {"0000 zz"})));
  folder.write("kernel-4.traceg", header("(2,1,1)") + cta("0,0,0", warp(0, {kExit})));
  folder.write("kernel-5.traceg", header("(2,1,1)") + cta("0,0,0", warp(0, {kExit})) + cta("0,0,0", warp(0, {kExit})));
  folder.write("kernel-6.traceg", "");
  folder.write("kernel-7.traceg", named("last"));
  std::string list;
  for (unsigned i = 1; i <= 7; ++i) list += "kernel-" + std::to_string(i) + ".traceg\n";
  folder.write("kernelslist.g", list);
  ReaderOptions options;
  options.skip_bad_kernels = true;
  options.ahead_bytes = GENERATE(1u, 1u << 20);
  TraceStimulus stimulus(folder.path(), options);
  CHECK(stimulus.known_launches().size() == 5);
  CHECK(stimulus.next_kernel()->name == "first");
  CHECK(stimulus.open_cta(0).size() == 1);
  CHECK(stimulus.next_kernel()->name == "last");
  CHECK(stimulus.open_cta(0).size() == 1);
  CHECK(stimulus.next_kernel() == nullptr);
  CHECK(stimulus.progress() == 1.0);
  const std::string no_mask = "instruction line: the active mask is missing or malformed, expected 8 hex digits";
  const auto skipped = [&](const std::string& why, const std::string& where) {
    return "kernel skipped, because it cannot be read: " + why + " (first at " + (folder / where) + ")";
  };
  CHECK(stimulus.warnings() ==
        std::vector<std::pair<std::string, std::uint64_t>>{{skipped("no kernel header: the file holds no trace", "kernel-2.traceg:0"), 2},
                                                           {skipped(no_mask, "kernel-3.traceg:32"), 1},
                                                           {skipped("1 of 2 CTAs are missing, first CTA 1", "kernel-4.traceg:25"), 1},
                                                           {skipped("CTA 0 appears twice", "kernel-5.traceg:34"), 1}});
}

TEST_CASE("A trace whose kernels are all skipped is an input error") {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", "");
  folder.write("kernel-2.traceg", "");
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  ReaderOptions options;
  options.skip_bad_kernels = true;
  TraceStimulus stimulus(folder.path(), options);
  CHECK_THROWS_WITH(stimulus.next_kernel(), Contains(list + ": none of its 2 kernels can be read"));
}

TEST_CASE("A kernel file alone is a trace, whatever its name") {
  const TemporaryFolder folder;
  const std::string name = GENERATE("kernel-1.traceg", "anything.txt");
  TraceStimulus stimulus(folder.write(name, one_warp({kExit})));
  REQUIRE(stimulus.next_kernel() != nullptr);
  CHECK(stimulus.open_cta(0).size() == 1);
  CHECK(stimulus.next_kernel() == nullptr);
}

TEST_CASE("Kernels may be compressed each in its own way") {
  const TemporaryFolder folder;
  const Compression compression = GENERATE(Compression::xz, Compression::zstd);
  const std::string name = "kernel-1.traceg" + std::string(ending_of(compression));
  const auto sink = create_file(folder / name, compression);
  sink->write(one_warp({kMov, kExit}));
  sink->close();
  folder.write("kernelslist.g", name + "\n");
  TraceStimulus stimulus(folder.path());
  stimulus.next_kernel();
  CHECK(drain(*stimulus.open_cta(0).at(0)).size() == 2);
}

TEST_CASE("A small compressed file of blank lines or comments is refused after 16 MB of them") {
  const TemporaryFolder folder;
  const auto bomb = [&](const std::string& name, const std::string& head, const std::string& line) {
    const auto sink = create_file(folder / name, Compression::zstd);
    sink->write(head);
    std::string many;
    while (many.size() < (1 << 20)) many += line;
    for (int i = 0; i < 40; ++i) sink->write(many);
    sink->close();
    return folder / name;
  };
  const auto run = [](const std::string& path) {
    TraceStimulus stimulus(path);
    stimulus.next_kernel();
    stimulus.open_cta(0);
  };
  const std::string whole = one_warp({kExit}), start = whole.substr(0, whole.find("#BEGIN_TB")),
                    middle = whole.substr(0, whole.rfind("insts")) + "insts = 1\n";
  for (const std::string& path :
       {bomb("kernel-1.traceg.zst", "", "\n"), bomb("kernel-2.traceg.zst", start, "\n"), bomb("kernel-3.traceg.zst", start, "# nothing\n"),
        bomb("kernel-4.traceg.zst", middle, " \n"), bomb("kernelslist.g", "kernel-1.traceg\n", "\n"), bomb("other", "", "\n")}) {
    INFO(path);
    CHECK_THROWS_WITH(run(path), Contains("more than 16 MB of lines that say nothing follow each other"));
  }
}

TEST_CASE("CTAs are opened in linear order, whatever their order in the file") {
  const std::string order = GENERATE("01234567", "76543210", "10325476");
  const TemporaryFolder folder;
  TraceStimulus stimulus(folder.write("kernel-1.traceg", numbered_kernel(order)));
  stimulus.next_kernel();
  CHECK(pcs_of_all_ctas(stimulus, 8) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("CTAs far out of order stop the run when those that wait exceed their bound") {
  const TemporaryFolder folder;
  ReaderOptions options;
  options.waiting_bytes = 300;
  TraceStimulus stimulus(folder.write("kernel-1.traceg", numbered_kernel("76543210")), options);
  stimulus.next_kernel();
  CHECK_THROWS_WITH(stimulus.open_cta(0),
                    Contains("CTA 0 comes too late: the CTAs in front of it in the file fill 300 bytes; write the CTAs in linear order"));
}

TEST_CASE("A missing CTA, a CTA twice and a CTA beyond the grid are input errors") {
  const TemporaryFolder folder;
  const auto open_all = [&](const std::string& text) {
    TraceStimulus stimulus(folder.write("kernel-1.traceg", text));
    const KernelLaunch* launch = stimulus.next_kernel();
    for (std::uint64_t cta = 0; cta < launch->grid.count(); ++cta) stimulus.open_cta(cta);
  };
  CHECK_THROWS_WITH(open_all(replaced(numbered_kernel("012"), "(3,1,1)", "(4,1,1)")), Contains("CTA 3 is missing from the file"));
  CHECK_THROWS_WITH(open_all(replaced(numbered_kernel("023"), "(3,1,1)", "(4,1,1)")), Contains("CTA 1 is missing from the file"));
  CHECK_THROWS_WITH(open_all(numbered_kernel("0012")), Contains("CTA 0 appears twice"));
  CHECK_THROWS_WITH(open_all(numbered_kernel("0221")), Contains("CTA 2 appears twice"));
  CHECK_THROWS_WITH(open_all(replaced(numbered_kernel("0122"), "(4,1,1)", "(3,1,1)")), Contains("CTA 2 appears twice"));
  CHECK_THROWS_WITH(open_all(header() + cta("0,0,0", warp(0, {kExit})) + "rubbish\n"), Contains("expected #BEGIN_TB, found 'rubbish'"));
}

TEST_CASE("A CTA outside the grid or before the first kernel cannot be opened") {
  const TemporaryFolder folder;
  TraceStimulus stimulus(folder.write("kernel-1.traceg", numbered_kernel("01")));
  CHECK_THROWS_AS(stimulus.open_cta(0), InputError);
  stimulus.next_kernel();
  CHECK_THROWS_WITH(stimulus.open_cta(2), Contains("CTA 2 wanted of a grid of 2"));
}

TEST_CASE("Looking at an instruction does not move, and an ended warp stays ended") {
  const TemporaryFolder folder;
  TraceStimulus stimulus(folder.write("kernel-1.traceg", one_warp({kMov, kExit})));
  stimulus.next_kernel();
  const auto warps = stimulus.open_cta(0);
  const WarpInstruction* first = warps[0]->peek();
  CHECK(warps[0]->peek() == first);
  CHECK(first->unit == Unit::alu);
  warps[0]->advance();
  CHECK(warps[0]->peek()->unit == Unit::exit);
  warps[0]->advance();
  CHECK(warps[0]->peek() == nullptr);
  CHECK(warps[0]->peek() == nullptr);
}

TEST_CASE("Packing a warp keeps masks, jumps and addresses exactly") {
  std::mt19937_64 random(7);
  CodeTable code;
  for (std::uint32_t i = 0; i < 300; ++i) {
    StaticInstruction fixed;
    fixed.pc = 16 * i;
    fixed.unit = i % 3 == 0 ? Unit::load : Unit::alu;
    REQUIRE(code.intern(fixed) == i);
    REQUIRE(code.intern(fixed) == i);
  }
  struct Step {
    std::uint32_t number;
    LaneMask active;
    std::vector<Address> addresses;
  };
  std::vector<Step> steps;
  WarpPacker packer;
  for (unsigned i = 0; i < 3000; ++i) {
    Step step{static_cast<std::uint32_t>(random() % 300), static_cast<LaneMask>(random() & random()), {}};
    if (i % 5 == 0) step.active = kAllLanes;
    if (i % 7 == 0) step.active = 0;
    const unsigned width = static_cast<unsigned>(random() % 65);
    for (unsigned lane = 0; lane < lanes_in(step.active); ++lane) step.addresses.push_back(width == 0 ? 5 : random() >> (width - 1) % 64);
    if (step.number % 3 == 0 && step.active != 0) {
      packer.add_listed(step.number, step.active, step.addresses.data(), lanes_in(step.active));
    } else {
      packer.add(step.number, step.active);
    }
    steps.push_back(step);
  }
  PackedWarp packed = packer.finish();
  CHECK(packed.instructions == 3000);
  PackedStream stream(std::make_shared<CodeTable>(code), packed);
  for (const Step& step : steps) {
    const WarpInstruction* read = stream.peek();
    REQUIRE(read != nullptr);
    REQUIRE(read->pc == 16 * step.number);
    REQUIRE(read->active == step.active);
    std::size_t next = 0;
    for (unsigned lane = 0; lane < kLanes && read->unit == Unit::load; ++lane) {
      if (step.active >> lane & 1) REQUIRE(read->addresses[lane] == step.addresses[next++]);
    }
    stream.advance();
  }
  CHECK(stream.peek() == nullptr);
}

TEST_CASE("A run of instructions with one mask takes a byte each, a regular access a few more") {
  WarpPacker packer;
  for (std::uint32_t i = 0; i < 100; ++i) packer.add(i, kAllLanes);
  CHECK(packer.finish().bytes.size() == 100);
  // Two warps of accesses 128 B apart: number, difference of the first address, stride.
  for (std::uint32_t i = 0; i < 2; ++i) packer.add_strided(i, kAllLanes, 0x40 + 128 * i, 4);
  CHECK(packer.finish().bytes.size() == (1 + 2 + 1) + (1 + 2 + 1));
}

TEST_CASE("Masks are contiguous where their lanes are neighbours") {
  CHECK(is_contiguous(0));
  CHECK(is_contiguous(1));
  CHECK(is_contiguous(kAllLanes));
  CHECK(is_contiguous(0xC0000000));
  CHECK(is_contiguous(0x00FF0000));
  CHECK_FALSE(is_contiguous(0x80000001));
  CHECK_FALSE(is_contiguous(0x5));
}
