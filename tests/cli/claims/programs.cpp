// `wharf reproduce --programs`: claims over a user's own CUDA programs. The tests use programs of this project instead of a user's.

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "platforms/cli/claims/programs/claim_programs.h"
#include "platforms/inputs/files.h"
#include "test_paths.h"
#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"
#include "tests/support/recorded_addition.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using test::kRecording;

constexpr const char* kClaims =
    "source: mine\n"
    "claims:\n"
    "- id: M-1\n"
    "  system: larger L1\n"
    "  metric: IPC\n"
    "  value: 3\n"
    "  unit: percent\n"
    "  measure: {system: private_16x_l1, baseline: private, metric: ipc, workloads: [vectoradd@tiny, gemm@tiny, atax@tiny]}\n"
    "- id: M-2\n"
    "  system: private\n"
    "  metric: loads\n"
    "  value: 64\n"
    "  unit: instructions\n"
    "  relative: false\n"
    "  direction: equal\n"
    "  measure: {system: private, metric: sm.loads, workloads: [vectoradd@tiny]}\n"
    "- {id: M-3, system: s, metric: IPC, value: 1, unit: percent, measure: {system: private_16x_l1, baseline: private, metric: ipc, workloads: [atax@tiny]}}\n";

std::vector<std::string> command(const std::vector<std::string>& options) {
  std::vector<std::string> words = {"reproduce", "--claims-file", "own.yaml", "--programs", "programs.yaml"};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

/// The message about such a programs file, before anything runs.
std::string refusal(const std::string& programs) {
  const TemporaryFolder folder;
  folder.file("own.yaml", kClaims);
  folder.file("programs.yaml", programs);
  fs::copy_file(kRecording, folder / "v.wcr");
  const Ended ended = wharf(folder, command({"--out", "r"}));
  CHECK(ended.exit_code == 2);
  CHECK_FALSE(fs::exists(folder / "r/runs.sqlite"));
  return ended.output;
}

Claim claim_over(std::vector<Suite::Member> members) {
  Claim claim;
  claim.measures.resize(1);
  claim.measures[0].workloads = {"group", std::move(members)};
  claim.measures[0].fill_ins = {{"bfs@std"}, 1};
  return claim;
}

}  // namespace

TEST_CASE("reproduce measures claims over a recording beside the stimuli, and names the applications without a program") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kClaims);
  fs::create_directories(folder / "mine");
  folder.file("mine/programs.yaml", "programs: {vectoradd: cuda:v.wcr}\n");
  fs::copy_file(kRecording, folder / "mine/v.wcr");
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--programs", "mine", "--out", "r", "--json", "r.json"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output,
             Contains("stimuli: 2 claims, 2 computed") && Contains("programs: 2 claims, 2 computed") && Contains("wrote r/programs.md"));
  CHECK_THAT(read_file(folder / "r/programs.md"),
             Contains("**Only these applications: vectoradd; 2 of 3 claims are measured over them.**") &&
                 Contains("| vectoradd | cuda:mine/v.wcr | all |") && Contains("| gemm, atax |"));
  const auto json = read_json(folder / "r.json");
  CHECK(json["programs"]["vectoradd"] == "cuda:mine/v.wcr");
  REQUIRE(json["claims"].size() == 2);
  CHECK(json["claims"][0]["without_program"] == std::vector<std::string>{"gemm", "atax"});
  CHECK(json["claims"][1]["without_program"].empty());
  const auto& over_programs = json["claims"][1]["over_programs"];
  CHECK(over_programs["measured"] == 64.0);  // 32 warps with two loads each
  CHECK(over_programs["sign_agrees"] == true);
  CHECK(over_programs["parts"][0]["workloads"][0]["workload"] == "cuda:r/programs/vectoradd.wcr");
  CHECK(json["claims"][1]["measured"] != 64.0);  // of vectoradd@tiny
  CHECK_FALSE(fs::exists(folder / "r/results.md"));
}

TEST_CASE("reproduce records CUDA sources with their arguments, times the chosen kernels, and makes no run twice") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("own.yaml", kClaims);
  folder.file("programs.yaml",
              "programs:\n"
              "  vectoradd: {program: " +
                  kPrograms +
                  "vector_addition.cu, arguments: [2000]}\n"
                  "  gemm: {program: [" +
                  kPrograms + "matrix_multiplication.cu], arguments: [32], kernels: 'multiply_tiled:warm'}\n");
  const Ended ended = wharf(folder, command({"--out", "r", "--json", "r.json"}));
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("vector_addition.cu 2000: 1 kernel, ") && Contains("matrix_multiplication.cu 32: 2 kernels, "));
  const auto claims = read_json(folder / "r.json")["claims"];
  CHECK(claims[0]["over_programs"]["parts"][0]["workloads"].size() == 2);
  CHECK(claims[0]["over_programs"]["runs"][1] == "private cuda:r/programs/vectoradd.wcr");
  CHECK(claims[1]["over_programs"]["measured"] == 126.0);  // 63 of the 64 warps have elements
  const std::string report = read_file(folder / "r/programs.md");
  const Ended again = wharf(folder, command({"--out", "r"}));
  CHECK_THAT(again.output, Contains("0 runs, "));
  CHECK(read_file(folder / "r/programs.md") == report);
}

TEST_CASE("a recording whose place a program takes in the programs file stays as it was") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("own.yaml", kClaims);
  fs::copy_file(kRecording, folder / "v.wcr");
  folder.file("programs.yaml", "programs: {vectoradd: cuda:v.wcr}\n");
  REQUIRE(wharf(folder, command({"--out", "r"})).exit_code == 0);
  CHECK(fs::is_symlink(folder / "r/programs/vectoradd.wcr"));
  folder.file("programs.yaml", "programs: {vectoradd: {program: " + kPrograms + "vector_addition.cu, arguments: [2000]}}\n");
  REQUIRE(wharf(folder, command({"--out", "r"})).exit_code == 0);
  CHECK_FALSE(fs::is_symlink(folder / "r/programs/vectoradd.wcr"));
  CHECK(read_file(folder / "v.wcr") == read_file(kRecording));
}

TEST_CASE("a programs file with mistakes is refused with the place of each, before anything runs") {
  CHECK_THAT(refusal("programs:\n  vectorad: cuda:v.wcr\n  gemm: gone.cu\n  atax: cuda:gone.wcr\n"),
             Contains("programs.yaml:2:3: no claim is measured over an application 'vectorad'; did you mean 'vectoradd'?") &&
                 Contains("programs.yaml:3:9: gemm: gone.cu: there is no such file") && Contains("programs.yaml:4:9: atax: ") &&
                 Contains("gone.wcr"));
  CHECK_THAT(refusal("programs: {vectoradd@tiny: cuda:v.wcr}\n"),
             Contains("programs.yaml:1:12: ") && Contains("did you mean 'vectoradd'?"));
  CHECK_THAT(refusal("programs:\n  vectoradd: cuda:v.wcr\n  vectoradd: cuda:v.wcr\n"),
             Contains("programs.yaml:3:3: duplicate key 'vectoradd'"));
  CHECK_THAT(refusal("programs: {vectoradd: 'cuda:v.wcr:2'}\n"),
             Contains("programs.yaml:1:23: vectoradd: ") && Contains("there is no kernel 2"));
  CHECK_THAT(refusal("programs: {vectoradd: [v.cu], gemm: {arguments: [1]}}\n"),
             Contains("1:23: vectoradd: needs a recording, a program, or a mapping") && Contains("1:37: gemm: has no program"));
  CHECK_THAT(refusal("programs: {vectoradd: {program: cuda:v.wcr, arguments: [1]}}\n"),
             Contains("1:23: vectoradd: ") && Contains("which already contains the arguments"));
  CHECK_THAT(refusal("programs: {vectoradd: {program: v.wcr, argument: 1}}\n"), Contains("1:40: vectoradd: unknown key 'argument'"));
  CHECK_THAT(refusal("programs: {}\n"), Contains("programs.yaml:1:11: ") && Contains("a mapping of applications to programs"));
  CHECK_THAT(refusal("configs: [private]\n"), Contains("programs.yaml:1:1: is a sweep"));
  CHECK_THAT(refusal("programs: {lud: cuda:v.wcr}\n"), Contains("none of the chosen claims is measured over its applications"));
}

TEST_CASE("a program that does not compile, or fails, is an error at its place in the programs file") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("own.yaml", kClaims);
  folder.file("fails.cu", "int main() { return 3; }\n");
  folder.file("wrong.cu", "int main() { return x; }\n");
  folder.file("programs.yaml", "programs:\n  vectoradd: fails.cu\n  gemm: wrong.cu\n");
  const Ended ended = wharf(folder, command({"--out", "r"}));
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("programs.yaml:2:14: vectoradd: ") && Contains("ended with exit code 3") &&
                               Contains("programs.yaml:3:9: gemm: wrong.cu: does not compile"));
  CHECK_FALSE(fs::exists(folder / "r/runs.sqlite"));
}

TEST_CASE("programs go with neither --quick nor --characteristics, and a dry run records nothing") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kClaims);
  folder.file("programs.yaml", "programs: {vectoradd: cuda:v.wcr}\n");
  fs::copy_file(kRecording, folder / "v.wcr");
  CHECK_THAT(wharf(folder, command({"--quick"})).output, Contains("--quick and --programs: "));
  CHECK_THAT(wharf(folder, {"reproduce", "--characteristics", "--programs", "programs.yaml"}).output,
             Contains("--characteristics and --programs: "));
  const Ended dry = wharf(folder, command({"--out", "r", "--dry-run"}));
  CHECK(dry.exit_code == 0);
  CHECK_THAT(dry.output, Contains("1 programs would be recorded first") && Contains("2 runs, "));
  CHECK_FALSE(fs::exists(folder / "r"));
}

TEST_CASE("a stopped reproduction over programs reports the claims that are finished, and leaves the user's recording alone") {
  const TemporaryFolder folder;
  const std::string long_run = "'synthetic:loads=10,instructions=100000000'";
  folder.file("own.yaml", std::string(kClaims) +
                              "- id: M-4\n  system: private\n  metric: IPC\n  value: 3\n  unit: ratio\n"
                              "  measure: {system: private, metric: ipc, workloads: [" +
                              long_run + "]}\n");
  folder.file("programs.yaml", "programs: {vectoradd: cuda:v.wcr, synthetic: cuda:v.wcr}\n");
  fs::copy_file(kRecording, folder / "v.wcr");
  Program program(folder, command({"--out", "r", "--jobs", "1"}));
  const auto is_reached = [&] {
    if (!fs::exists(folder / "r/runs/private")) return false;
    for (const auto& entry : fs::directory_iterator(folder / "r/runs/private"))
      if (entry.path().filename().string().rfind("synthetic", 0) == 0) return true;
    return false;
  };
  while (!program.ended() && !is_reached()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE_FALSE(program.ended());
  program.interrupt();
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 130);
  CHECK_THAT(ended.output, Contains("wrote r/partial.md") && Contains("the same command continues"));
  CHECK_THAT(read_file(folder / "r/partial.md"),
             Contains("**Partial: 2 of 3 claims, ") && Contains("| M-2 | 64 instructions | ") && !Contains("M-4"));
  CHECK(read_file(folder / "v.wcr") == read_file(kRecording));
  folder.file("own.yaml", kClaims);
  const Ended again = wharf(folder, command({"--out", "r"}));
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, Contains("finished already") && Contains("wrote r/programs.md"));
}

TEST_CASE("parts of a reproduction over programs, merged, run nothing again") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kClaims);
  folder.file("programs.yaml", "programs: {vectoradd: cuda:v.wcr}\n");
  fs::copy_file(kRecording, folder / "v.wcr");
  for (const char* part : {"1/2", "2/2"})
    REQUIRE(wharf(folder, command({"--shard", part, "--out", std::string("p") + part[0]})).exit_code == 0);
  const Ended merged = wharf(folder, command({"--merge", "p1,p2", "--out", "m"}));
  INFO(merged.output);
  CHECK(merged.exit_code == 0);
  CHECK_THAT(merged.output, Contains("0 runs, ") && Contains("4 are finished already") && Contains("wrote m/programs.md"));
}

TEST_CASE("two members of one application become one over its program, and a limit of warp instructions holds for it") {
  const Claim claim = claim_over(
      {{"bfs@std", false, {}}, {"bfs@wide:seed=2", true, {}}, {"atax@tiny:limit_warp_instructions=9", true, {}}, {"gemm@tiny", false, {}}});
  CHECK(applications_of({claim}) == std::vector<std::string>{"bfs", "atax", "gemm"});
  const Claim over = over_programs(claim, {{"bfs", "cuda:b.wcr"}, {"atax", "cuda:a.wcr:2"}});
  const Suite& suite = over.measures[0].workloads;
  CHECK(suite.workloads() == std::vector<std::string>{"cuda:b.wcr", "cuda:a.wcr:2:limit_warp_instructions=9"});
  CHECK_FALSE(suite.members[0].fill_in);
  CHECK(suite.members[1].fill_in);
  CHECK(over.measures[0].fill_ins.size == 0);
  CHECK(without_program(claim, {"bfs", "gemm"}) == std::vector<std::string>{"atax"});
  const Claim own_limit = over_programs(claim, {{"atax", "cuda:a.wcr:limit_warp_instructions=5"}});
  CHECK(own_limit.measures[0].workloads.workloads() == std::vector<std::string>{"cuda:a.wcr:limit_warp_instructions=5"});
}

}  // namespace wharf::cli
