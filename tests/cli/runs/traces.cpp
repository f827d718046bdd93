// Recorded traces in every command that accepts them: their mistakes, and the warnings of a run.

#include <catch2/catch.hpp>

#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// A kernel with one CTA per entry of `ctas`, each of one warp with these lines and EXIT.
std::string kernel(const std::string& binary_version, const std::vector<std::vector<std::string>>& ctas) {
  std::string text = "-kernel name = small\n-kernel id = 1\n-grid dim = (" + std::to_string(ctas.size()) +
                     ",1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = " + binary_version +
                     "\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0800000000\n"
                     "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = PC mask dest_num\n\n";
  for (std::size_t cta = 0; cta < ctas.size(); ++cta) {
    text +=
        "#BEGIN_TB\n\nthread block = " + std::to_string(cta) + ",0,0\n\nwarp = 0\ninsts = " + std::to_string(ctas[cta].size() + 1) + "\n";
    for (const std::string& line : ctas[cta]) text += line + "\n";
    text += "0100 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n\n";
  }
  return text;
}

/// Eight accesses of 128 B each with this opcode.
std::string reductions(const std::string& binary_version, const std::string& opcode) {
  std::vector<std::string> lines;
  for (unsigned i = 0; i < 8; ++i)
    lines.push_back("00" + std::to_string(i) + "0 ffffffff 0 " + opcode + " 2 R2 R4 4 1 0x7fb2c0000" + std::to_string(i) + "00 4 0");
  return kernel(binary_version, {lines});
}

/// Writes a folder `name` with a list of these kernels, kernel-1.traceg and up.
void write_trace(const TemporaryFolder& folder, const std::string& name, const std::vector<std::string>& kernels) {
  std::string list;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string file = "kernel-" + std::to_string(i + 1) + ".traceg";
    folder.file(name + "/" + file, kernels[i]);
    list += file + "\n";
  }
  folder.file(name + "/kernelslist.g", list);
}

nlohmann::ordered_json result_of(const TemporaryFolder& folder, const std::string& out) {
  return read_json(folder / (out + "/result.json"));
}

}  // namespace

TEST_CASE("a reduction of sm_90 and later accesses memory as that of sm_80 does, without a warning") {
  const TemporaryFolder folder;
  write_trace(folder, "ampere", {reductions("80", "RED.E.ADD.F32.FTZ.RN.STRONG.GPU")});
  REQUIRE(wharf(folder, {"run", "private", "--trace", "ampere", "--out", "a"}).exit_code == 0);
  const auto run = result_of(folder, "a")["run"];
  CHECK(run["l2.accesses"] == 8);
  for (const char* version : {"90", "100", "120"}) {
    write_trace(folder, "younger", {reductions(version, "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU")});
    REQUIRE(wharf(folder, {"run", "private", "--trace", "younger", "--out", "y"}).exit_code == 0);
    CHECK(result_of(folder, "y")["run"] == run);
    CHECK(result_of(folder, "y")["warnings"].empty());
  }
}

TEST_CASE("an unknown opcode with addresses accesses memory, and every door says so") {
  const TemporaryFolder folder;
  write_trace(folder, "t", {reductions("90", "FROB.E")});
  const std::string says = "warning: unknown opcode 'FROB.E', taken as a generic store (first at t/kernel-1.traceg:23) (8 times)";
  const Ended run = wharf(folder, {"run", "private", "--trace", "t", "--out", "o"});
  INFO(run.output);
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.output, Contains(says));
  const auto result = result_of(folder, "o");
  CHECK(result["run"]["l2.accesses"] == 8);
  CHECK(result["warnings"].size() == 1);
  CHECK(result["warnings"][0]["count"] == 8);
  CHECK_FALSE(result["inputs"].contains("strict_opcodes"));

  const Ended json = wharf(folder, {"run", "private", "--trace", "t", "--format", "json"});
  CHECK_THAT(json.output, Contains(says));
  const Ended check = wharf(folder, {"trace", "check", "t"});
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.output, Contains(says) && Contains("t: no mistakes, 1 warning"));
  CHECK_THAT(wharf(folder, {"trace", "info", "t"}).output, Contains(says));
  const Ended explain = wharf(folder, {"explain", "private", "--trace", "t"});
  INFO(explain.output);
  CHECK(explain.exit_code == 0);
  CHECK_THAT(explain.output, Contains(says + " in private t"));
}

/// Three kernels. The second CTA of the second kernel has a mistake.
void write_damaged_trace(const TemporaryFolder& folder) {
  const std::vector<std::string> load = {"0000 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7fb2c0000000 4 0"};
  const std::string whole = kernel("70", {load, load});
  std::string damaged = kernel("70", {load, {"0000 fffffffg 1 R4 MOV 0 0 0"}});
  write_trace(folder, "t", {whole, damaged, whole});
  write_trace(folder, "whole", {whole});
}

TEST_CASE("a kernel that is damaged in its middle ends the run with the results until then") {
  const TemporaryFolder folder;
  write_damaged_trace(folder);
  const Ended ended = wharf(folder, {"run", "private", "--trace", "t", "--out", "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("t/kernel-2.traceg:34: instruction line: the active mask is missing or malformed") &&
                               Contains("results until then are in o, marked partial (--skip-bad-kernels skips"));
  REQUIRE(wharf(folder, {"run", "private", "--trace", "whole", "--out", "w"}).exit_code == 0);
  const auto result = result_of(folder, "o"), first = result_of(folder, "w");
  CHECK(result["partial"] == true);
  CHECK_THAT(result["failure"].get<std::string>(), Contains("t/kernel-2.traceg:34"));
  REQUIRE(result["kernels"].size() == 2);
  for (const char* metric : {"cycles", "warp_instructions", "l1.load.misses"})
    CHECK(result["kernels"][0][metric] == first["kernels"][0][metric]);
  CHECK(result["run"]["cycles"].get<std::uint64_t>() < first["run"]["cycles"].get<std::uint64_t>() + 100);
  CHECK(std::filesystem::exists(folder / "o/stats.csv"));
}

TEST_CASE("a run with --skip-bad-kernels goes on without a damaged kernel, says so and counts it") {
  const TemporaryFolder folder;
  write_damaged_trace(folder);
  const Ended ended = wharf(folder, {"run", "private", "--trace", "t", "--out", "o", "--skip-bad-kernels"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("warning: kernel skipped, because it cannot be read: instruction line: the active mask"));
  const auto result = result_of(folder, "o");
  CHECK(result["partial"] == false);
  CHECK(result["kernels"].size() == 2);
  CHECK(result["run"]["warp_instructions"] == 2 * 2 * 2);
  CHECK(result["warnings"][0]["count"] == 1);
  CHECK(result["inputs"]["skip_bad_kernels"] == true);
}

TEST_CASE("a kernel whose header is wrong, or whose CTAs do not fit an SM, is refused before anything runs") {
  const TemporaryFolder folder;
  const std::string good = kernel("70", {{}});
  std::string too_large = good, no_grid = good;
  too_large.replace(too_large.find("shmem = 0"), 9, "shmem = 10000000");
  no_grid.replace(no_grid.find("(1,1,1)"), 7, "(0,1,1)");
  const std::pair<std::string, std::string> bad[] = {
      {"", "kernel-2.traceg: no kernel header"},
      {no_grid, "kernel-2.traceg:3: header field 'grid dim'"},
      {too_large, "bytes of shared memory"},
      {good.substr(0, good.find("#BEGIN_TB")), "the file ends after the kernel header: 1 CTAs are missing"}};
  for (const auto& [second, says] : bad) {
    write_trace(folder, "t", {good, second, good});
    const Ended ended = wharf(folder, {"run", "private", "--trace", "t", "--out", "o"});
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains(says) && !Contains("results until then"));
    CHECK_FALSE(std::filesystem::exists(folder / "o/result.json"));
  }
}

TEST_CASE("a table of totals may have a byte order mark and CR LF, and UTF-16 is named as such") {
  const TemporaryFolder folder;
  write_trace(folder, "mine", {reductions("80", "RED.E.ADD")});
  const std::string totals = "name,cycles,warp_insts,thread_insts,l1d_acc,l1d_miss,l2_acc,l2_miss,dram_rd\r\nmine,1,9,288,1,1,1,1,1\r\n";
  folder.file("totals.csv", "\xEF\xBB\xBF" + totals);
  CHECK_THAT(wharf(folder, {"validate", "--against", "totals.csv", "--traces", "."}).output, Contains("mine") && Contains("exact"));
  std::string utf16 = "\xFF\xFE";
  for (const char c : totals) utf16 += {c, '\0'};
  folder.file("totals.csv", utf16);
  const Ended ended = wharf(folder, {"validate", "--against", "totals.csv", "--traces", "."});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("totals.csv:1: the file is UTF-16 text; save it as UTF-8"));
}

TEST_CASE("validate prints the warnings of its runs") {
  const TemporaryFolder folder;
  write_trace(folder, "mine", {reductions("90", "FROB.E")});
  folder.file("totals.csv", "name,cycles,warp_insts,thread_insts,l1d_acc,l1d_miss,l2_acc,l2_miss,dram_rd\nmine,1,9,288,1,1,1,1,1\n");
  const Ended ended = wharf(folder, {"validate", "--against", "totals.csv", "--traces", "."});
  CHECK_THAT(ended.output, Contains("warning: unknown opcode 'FROB.E', taken as a generic store") && Contains("(8 times) in mine"));
  const Ended strict = wharf(folder, {"validate", "--against", "totals.csv", "--traces", ".", "--strict-opcodes"});
  CHECK_THAT(strict.output, Contains("kernel-1.traceg:23: unknown opcode 'FROB.E'"));
}

TEST_CASE("an unknown opcode is refused with --strict-opcodes at every command that reads traces") {
  const TemporaryFolder folder;
  write_trace(folder, "t", {reductions("90", "FROB.E")});
  const std::vector<std::string> commands[] = {
      {"run", "private", "--trace", "t"}, {"explain", "private", "--trace", "t"}, {"trace", "check", "t"}};
  for (std::vector<std::string> command : commands) {
    command.emplace_back("--strict-opcodes");
    const Ended ended = wharf(folder, command);
    INFO(ended.output);
    CHECK(ended.exit_code != 0);
    CHECK_THAT(ended.output, Contains("t/kernel-1.traceg:23: unknown opcode 'FROB.E'"));
  }
  write_trace(folder, "known", {reductions("90", "REDG.E.ADD")});
  CHECK(wharf(folder, {"run", "private", "--trace", "known", "--strict-opcodes", "--out", "k"}).exit_code == 0);
  CHECK(result_of(folder, "k")["inputs"]["strict_opcodes"] == true);
}

}  // namespace wharf::cli
