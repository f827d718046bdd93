// The packed form of a trace, and reading ahead of the run.

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "model/base/barriers/bulk_copy.h"
#include "stimuli/traces/bytes/byte_sink.h"
#include "stimuli/traces/ctas/packed_kernel.h"
#include "stimuli/traces/ctas/packed_records.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf::traces;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kLoad = "0020 ffff00ff 1 R2 LDG.E.64.SYS 1 R1 8 2 0x7fb2c0000000 8 8 8 8 8 8 8 128 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 0";
const std::string kStack = "0030 ffffffff 0 STL 2 R1 R3 4 1 0x00fffce0 0 0";
const std::string kUnknown = "0040 ffffffff 0 WHATEVER 0 0 0";

/// Two CTAs of two warps: new instructions in both, and a warning in the second.
std::string two_ctas() {
  return header("(2,1,1)", "(64,1,1)") + cta("0,0,0", warp(0, {kMov, kLoad, kExit}) + warp(1, {kMov, kExit})) +
         cta("1,0,0", warp(0, {kMov, kStack, kExit}) + warp(1, {kUnknown, kLoad, kUnknown, kExit}));
}

/// Everything that a run reads from a trace, as text.
std::string everything_in(const std::string& path, ReaderOptions options = {}) {
  TraceStimulus stimulus(path, options);
  std::string out;
  for (const wharf::KernelLaunch* launch = stimulus.next_kernel(); launch != nullptr; launch = stimulus.next_kernel()) {
    out += launch->name + " " + std::to_string(launch->grid.count()) + " " + std::to_string(launch->block.count()) + " " +
           std::to_string(launch->registers_per_thread) + " " + std::to_string(launch->shared_bytes) + "\n";
    for (std::uint64_t cta = 0; cta < launch->grid.count(); ++cta) {
      for (const auto& stream : stimulus.open_cta(cta)) {
        for (const wharf::WarpInstruction& i : drain(*stream)) {
          out += std::to_string(i.pc) + " " + std::to_string(i.active) + " " + std::to_string(static_cast<int>(i.unit)) + " " +
                 std::to_string(static_cast<int>(i.space)) + std::to_string(static_cast<int>(i.cache_op)) + " " +
                 std::to_string(i.access_bytes) + " " + std::to_string(i.destination);
          for (const wharf::RegisterId source : i.sources) out += " " + std::to_string(source);
          out += " " + std::to_string(i.barrier.number) + "/" + std::to_string(i.barrier.warps) + (i.barrier.arrives_only ? "+" : "");
          if (i.mbarrier != wharf::kNoMbarrier) out += " m" + std::to_string(i.mbarrier);
          for (unsigned lane = 0; lane < wharf::kLanes && has_addresses(i.unit); ++lane)
            if (i.active >> lane & 1) out += " " + std::to_string(i.addresses[lane]);
          out += "\n";
        }
      }
      out += std::to_string(stimulus.progress()) + "\n";
    }
  }
  for (const auto& [text, count] : stimulus.warnings()) out += text + " " + std::to_string(count) + "\n";
  for (const std::string& fingerprint : stimulus.kernel_fingerprints()) out += fingerprint + "\n";
  return out;
}

const auto kGoOn = [](double) { return true; };

}  // namespace

TEST_CASE("A packed trace is all that its text is, to the warnings, the progress and the fingerprint") {
  const TemporaryFolder folder;
  const std::string file = folder.write("kernel-1.traceg", two_ctas());
  const std::string text = everything_in(file);
  CHECK_FALSE(is_packed(file));
  REQUIRE(pack_kernel(file, kGoOn));
  CHECK(is_packed(file));
  CHECK(fs::file_size(packed_name(file)) > 0);
  CHECK_FALSE(fs::exists(packed_name(file) + ".part"));
  CHECK(everything_in(file) == text);
  CHECK_THAT(text, Contains("unknown opcode 'WHATEVER'") && Contains("kernel-1.traceg:45) 2"));
  // The file is identified by length and time: different bytes with the same length and time go unnoticed.
  const auto time = fs::last_write_time(file);
  folder.write("kernel-1.traceg", replaced(two_ctas(), "= sample", "= simple"));
  fs::last_write_time(file, time);
  CHECK(everything_in(file) == text);
}

TEST_CASE("A packed trace keeps the numbers and counts of barriers") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "kernel-1.traceg", one_warp({"0010 ffffffff 0 BAR.SYNC 0 0 3 64 NoVal", "0020 ffffffff 0 BAR.ARV 0 0 15 1024 NoVal"}, "6"));
  const std::string text = everything_in(file);
  REQUIRE(pack_kernel(file, kGoOn));
  CHECK(everything_in(file) == text);
  CHECK_THAT(text, Contains(" 3/2\n") && Contains(" 15/32+\n"));
}

TEST_CASE("A packed trace keeps the mbarriers of asynchronous stores") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("kernel-1.traceg", one_warp({"0010 00000003 0 STAS 2 R2 R4 4 0 0x8000000040 0x8800000044 0 0 NoVal"}, "6"));
  const std::string text = everything_in(file);
  REQUIRE(pack_kernel(file, kGoOn));
  CHECK(everything_in(file) == text);
  CHECK_THAT(text, Contains(" m128 64\n") && Contains(" m136 68\n"));
}

TEST_CASE("Where unknown opcodes are refused, a packed trace does not hide them") {
  const TemporaryFolder folder;
  const std::string file = folder.write("kernel-1.traceg", two_ctas());
  REQUIRE(pack_kernel(file, kGoOn));
  ReaderOptions strict;
  strict.rules.unknown_opcodes = UnknownOpcodes::refused;
  CHECK_THROWS_WITH(everything_in(file, strict), Contains("kernel-1.traceg:45: unknown opcode 'WHATEVER'"));
}

TEST_CASE("A packed trace of changed contents is ignored with a warning, one of touched or copied ones is not") {
  const TemporaryFolder folder;
  const std::string file = folder.write("kernel-1.traceg", two_ctas());
  const std::string text = everything_in(file);
  REQUIRE(pack_kernel(file, kGoOn));
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
  CHECK(is_packed(file));
  CHECK(everything_in(file) == text);
  folder.write("kernel-1.traceg", replaced(two_ctas(), "= sample", "= simple"));
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(9));
  CHECK_FALSE(is_packed(file));
  const std::string ignored = "a packed trace of other contents than its trace file is ignored; run 'wharf trace pack' again";
  CHECK_THAT(everything_in(file), Contains("simple 2 64") && Contains(ignored + " (first at " + packed_name(file) + ":1) 1"));
  folder.write("kernel-1.traceg", two_ctas() + "\n");
  CHECK_FALSE(is_packed(file));
  REQUIRE(pack_kernel(file, kGoOn));
  CHECK(is_packed(file));
}

TEST_CASE("A packed trace of another version is ignored with a warning") {
  const TemporaryFolder folder;
  const std::string file = folder.write("kernel-1.traceg", two_ctas());
  REQUIRE(pack_kernel(file, kGoOn));
  folder.write("kernel-1.traceg.packed", replaced(contents_of(packed_name(file)), "trace 9\n", "trace 2\n"));
  CHECK_FALSE(is_packed(file));
  CHECK_THAT(everything_in(file), Contains("a packed trace of another version of Wharf is ignored"));
  folder.write("kernel-1.traceg.packed", "");
  CHECK_THAT(everything_in(file), Contains("a packed trace of another version of Wharf is ignored"));
}

TEST_CASE("A packed trace that is cut or has a wrong byte is an input error that names it, wherever the damage is") {
  const TemporaryFolder folder;
  const std::string file = folder.write("kernel-1.traceg", two_ctas());
  const std::string text = everything_in(file);
  REQUIRE(pack_kernel(file, kGoOn));
  const std::string packed = contents_of(packed_name(file));
  const std::size_t first_line = packed.find('\n') + 1;
  for (std::size_t at = first_line; at < packed.size(); ++at) {
    CAPTURE(at);
    folder.write("kernel-1.traceg.packed", packed.substr(0, at));
    REQUIRE_FALSE(is_packed(file));
    REQUIRE_THROWS_WITH(everything_in(file), Contains("kernel-1.traceg.packed: the packed trace is damaged") &&
                                                 Contains("delete it, or run 'wharf trace pack' again"));
    std::string wrong = packed;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x55);
    folder.write("kernel-1.traceg.packed", wrong);
    // Damage to unused bits of a frame's header may go unnoticed; damage to the contents may not.
    std::string found, mistake;
    try {
      found = everything_in(file);
    } catch (const wharf::InputError& error) {
      mistake = error.what();
    }
    if (mistake.empty())
      REQUIRE(found == text);
    else
      REQUIRE_THAT(mistake, Contains("the packed trace is damaged"));
  }
}

TEST_CASE("A packed CTA that is not of its grid, or has another number of warps than its block, is an input error") {
  PackedHead head;
  head.launch.grid = {2, 1, 1};
  head.launch.block = {64, 1, 1};
  const auto taken = [&](std::uint64_t number, std::size_t warps) {
    CtaStep step;
    step.cta.number = number;
    step.cta.warps.resize(warps);
    std::vector<std::uint8_t> bytes;
    append_step(bytes, step, true);
    PackedBytes records(bytes.data(), bytes.size());
    return read_step(records, head.launch, "kernel", step);
  };
  CHECK(taken(1, 2));
  CHECK(taken(1, 0));  // a CTA without warps
  CHECK_THROWS_AS(taken(2, 2), wharf::InputError);
  CHECK_THROWS_AS(taken(1, 1), wharf::InputError);
  CHECK_THROWS_AS(taken(1, 3), wharf::InputError);
}

TEST_CASE("Packing stops at a mistake of the trace and where it is told to, and leaves no file") {
  const TemporaryFolder folder;
  const std::string file = folder.write("kernel-1.traceg", replaced(two_ctas(), "insts = 2", "insts = 3"));
  CHECK_THROWS_WITH(pack_kernel(file, kGoOn), Contains("insts = 3, but only 2 instructions follow"));
  folder.write("kernel-1.traceg", two_ctas());
  CHECK_FALSE(pack_kernel(file, [](double) { return false; }));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("What is read does not depend on how far ahead it is read") {
  const TemporaryFolder folder;
  std::string text = header("(50,1,1)");
  for (unsigned i = 0; i < 50; ++i) text += cta(std::to_string(i) + ",0,0", warp(0, {kMov, kLoad, i == 30 ? kUnknown : kExit, kExit}));
  folder.write("kernel-1.traceg", text);
  folder.write("kernel-2.traceg", two_ctas());
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n");
  ReaderOptions one_by_one;
  one_by_one.ahead_bytes = 1;
  CHECK(everything_in(folder.path(), one_by_one) == everything_in(folder.path()));
}

TEST_CASE("A run that stops early, passes a kernel over or meets a mistake ends reading cleanly, wherever that was") {
  const TemporaryFolder folder;
  const std::uint64_t ahead = GENERATE(1u, 1u << 20);
  ReaderOptions options;
  options.ahead_bytes = ahead;
  folder.write("kernel-1.traceg", two_ctas());
  folder.write("kernel-2.traceg", replaced(two_ctas(), "insts = 2", "insts = 3"));
  folder.write("kernel-3.traceg", replaced(two_ctas(), "= sample", "= last"));
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  SECTION("before the first kernel") { TraceStimulus stimulus(folder.path(), options); }
  SECTION("in a kernel, with the fingerprints of what was not read") {
    TraceStimulus stimulus(folder.path(), options);
    stimulus.next_kernel();
    stimulus.open_cta(0);
    const std::string whole = open_bytes(folder / "kernel-1.traceg")->fingerprint();
    CHECK(stimulus.kernel_fingerprints().at(0) == whole);
    CHECK(stimulus.kernel_fingerprints().at(2) != whole);
  }
  SECTION("over a kernel with a mistake that nobody has asked for") {
    TraceStimulus stimulus(folder.path(), options);
    stimulus.next_kernel();
    stimulus.next_kernel();
    CHECK(stimulus.next_kernel()->name == "last");
    CHECK(stimulus.open_cta(0).size() == 2);
  }
  SECTION("at the mistake, and again when it is asked for again") {
    TraceStimulus stimulus(folder.path(), options);
    stimulus.next_kernel();
    for (std::uint64_t cta = 0; cta < 2; ++cta) stimulus.open_cta(cta);
    stimulus.next_kernel();
    CHECK_THROWS_WITH(stimulus.open_cta(0), Contains("insts = 3, but only 2 instructions follow"));
    CHECK_THROWS_WITH(stimulus.open_cta(0), Contains("CTA 0 is missing from the file"));
  }
}

TEST_CASE("A packed bulk copy in no direction is damaged") {
  const auto code = std::make_shared<CodeTable>();
  StaticInstruction copy;
  copy.unit = wharf::Unit::barrier;
  copy.barrier = wharf::MbarrierUse::barrier_of(wharf::MbarrierOp::copy);
  const std::uint32_t number = code->intern(copy);
  for (const bool good : {true, false}) {
    const wharf::Address operands[wharf::BulkCopy::kOperands] = {0, 16, wharf::BulkCopy::kDirections - (good ? 1 : 0)};
    WarpPacker packer;
    packer.add_operands(number, 1, operands, wharf::BulkCopy::kOperands);
    PackedStream stream(code, packer.finish());
    if (good) CHECK(stream.peek() != nullptr);
    if (!good) CHECK_THROWS_WITH(stream.peek(), Contains("a packed trace is damaged"));
  }
}

TEST_CASE("A packed bulk copy or arrival that names a CTA beyond the cluster is damaged") {
  const auto peek = [](wharf::MbarrierOp op, const std::vector<wharf::Address>& operands, std::uint64_t ctas) {
    const auto code = std::make_shared<CodeTable>();
    StaticInstruction instruction;
    instruction.unit = wharf::Unit::barrier;
    instruction.barrier = wharf::MbarrierUse::barrier_of(op);
    WarpPacker packer;
    packer.add_operands(code->intern(instruction), 1, operands.data(), static_cast<unsigned>(operands.size()));
    PackedStream stream(code, packer.finish(), ctas);
    return stream.peek() != nullptr;
  };
  const std::vector<wharf::Address> copy = {0, 16, 0, 0, 0, 0b110, 1, 0, 0}, arrival = {wharf::cluster_address(2, 0), 1, 0, 1, 0};
  CHECK(peek(wharf::MbarrierOp::copy, copy, 3));
  CHECK(peek(wharf::MbarrierOp::arrive, arrival, 3));
  CHECK_THROWS_WITH(peek(wharf::MbarrierOp::copy, copy, 2), Contains("a packed trace is damaged"));
  CHECK_THROWS_WITH(peek(wharf::MbarrierOp::arrive, arrival, 2), Contains("a packed trace is damaged"));
}
