// The applications' own programs, through stimuli/suites.yaml, for `wharf reproduce --programs FOLDER`. The tests use small programs of
// their own instead of the suites'.

#include "platforms/cli/claims/programs/suite_programs.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "model/base/error.h"
#include "platforms/cli/claims/claim_selection.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/files.h"
#include "test_paths.h"
#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

const ClaimNames kKnown = {{"bfs", "lud"}, {"ciao", "ata"}};

constexpr const char* kEntries =
    "applications:\n"
    "  rodinia:\n"
    "    source: Rodinia\n"
    "    programs:\n"
    "      bfs: {folder: cuda/bfs, program: bfs.cu, compile: [-O2, -I../util], arguments: [../data/g.txt, 7], data: ../data/g.txt, "
    "stated_by: run_script}\n"
    "      lud: {stated_by: defaults, published: {ciao: {arguments: [-s, 80], table: 'II: 25 KB'}}}\n";

std::vector<SuiteProgram> load(const TemporaryFolder& folder, const std::string& text, const std::string& publication = "") {
  folder.file("suites.yaml", text);
  return load_suite_programs(folder / "suites.yaml", kKnown, publication);
}

std::string suite_refusal(const std::string& text) {
  const TemporaryFolder folder;
  try {
    load(folder, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// The entries with one text replaced by another.
std::string changed(const std::string& what, const std::string& with) {
  std::string text = kEntries;
  return text.replace(text.find(what), what.size(), with);
}

ClaimNames project_names() { return names_of(project_claims(all_suites())); }

const SuiteProgram& program_of(const std::vector<SuiteProgram>& programs, const std::string& application) {
  return *std::find_if(programs.begin(), programs.end(), [&](const SuiteProgram& program) { return program.application == application; });
}

constexpr const char* kSuiteClaims =
    "source: mine\n"
    "claims:\n"
    "- id: M-1\n"
    "  system: private\n"
    "  metric: stores\n"
    "  value: 3\n"
    "  unit: instructions\n"
    "  relative: false\n"
    "  direction: equal\n"
    "  measure: {system: private, metric: sm.stores, workloads: [bfs@tiny]}\n"
    "- {id: M-2, system: s, metric: IPC, value: 1, unit: percent, measure: {system: private_16x_l1, baseline: private, metric: ipc, "
    "workloads: [atax@tiny, gemm@tiny, lud@tiny]}}\n";

/// Stores once per thread. The file named by its first argument contains the number of threads.
constexpr const char* kReadsItsGraph =
    "#include <cstdio>\n"
    "#include \"width.h\"\n"
    "__global__ void store(int* a) { a[blockIdx.x * kWidth + threadIdx.x] = 1; }\n"
    "int main(int, char** arguments) {\n"
    "  std::FILE* file = std::fopen(arguments[1], \"r\");\n"
    "  int threads = 0;\n"
    "  if (file == nullptr || std::fscanf(file, \"%d\", &threads) != 1) return 1;\n"
    "  int* a = nullptr;\n"
    "  cudaMalloc(&a, threads * sizeof(int));\n"
    "  store<<<threads / kWidth, kWidth>>>(a);\n"
    "  return cudaDeviceSynchronize();\n"
    "}\n";

}  // namespace

TEST_CASE("every application that a claim is measured over has a program of its suite, or is named as having none") {
  const std::vector<SuiteProgram> programs = suite_programs(project_names(), "");
  CHECK(programs.size() + 1 == project_names().applications.size());  // only synthetic has none
  CHECK(program_of(programs, "nw").arguments == std::vector<std::string>{"2048", "10"});
  CHECK(program_of(programs, "gemm").sources == std::vector<std::string>{"gemm.cu"});
  CHECK(program_of(programs, "alexnet").sources.empty());
}

TEST_CASE("sizes that a publication states stand in place of the suite's for its claims alone") {
  const ClaimNames known = project_names();
  CHECK(program_of(suite_programs(known, ""), "lud").arguments == std::vector<std::string>{"-s", "256", "-v"});
  CHECK(program_of(suite_programs(known, "ciao"), "lud").arguments == std::vector<std::string>{"-s", "80", "-v"});
  CHECK(program_of(suite_programs(known, "ciao"), "syrk").compile == std::vector<std::string>{"-O3", "-DN=0", "-DNI=256", "-DNJ=256"});
  CHECK(program_of(suite_programs(known, "ciao"), "kmeans").data == std::vector<std::string>{"../../data/kmeans/819200.txt"});
  CHECK(program_of(suite_programs(known, "ch5_dc_l1"), "syrk").compile == std::vector<std::string>{"-O3"});
}

TEST_CASE("a wrong program of a suite is refused with its place") {
  CHECK(suite_refusal(kEntries) == "accepted");
  CHECK_THAT(suite_refusal(changed("bfs: {", "bsf: {")),
             Contains("suites.yaml:5:7: no claim is measured over an application 'bsf'; did you mean 'bfs'?") &&
                 Contains("suites.yaml:1:1: has no program for bfs"));
  CHECK_THAT(suite_refusal(changed("lud: {stated", "bfs: {stated")), Contains("suites.yaml:6:7: duplicate key 'bfs'"));
  CHECK_THAT(suite_refusal(std::string(kEntries) + "  other: {source: Other, programs: {lud: {stated_by: chosen}}}\n"),
             Contains("suites.yaml:7:37: lud is in another suite too; keep one"));
  CHECK_THAT(suite_refusal(changed("run_script", "script")),
             Contains(":5:") && Contains("bfs: stated_by is 'script'; write one of run_script, defaults, chosen"));
  CHECK_THAT(suite_refusal(changed("lud: {stated_by: defaults, ", "lud: {")), Contains("suites.yaml:6:12: lud: has no stated_by"));
  CHECK_THAT(suite_refusal(changed("data: ", "date: ")), Contains("bfs: unknown key 'date'; did you mean 'data'?"));
  CHECK_THAT(suite_refusal(changed("arguments: [-s, 80], ", "")), Contains("lud: ciao: has neither arguments nor compile"));
  CHECK_THAT(suite_refusal(changed(", table: 'II: 25 KB'", "")), Contains("lud: ciao: has no table"));
  CHECK_THAT(suite_refusal(changed("{ciao: ", "{ciaw: ")),
             Contains("suites.yaml:6:46: lud: no claim belongs to a publication 'ciaw'; there are ciao, ata"));
  CHECK_THAT(suite_refusal(changed("{ciao: {arguments: [-s, 80], table: 'II: 25 KB'}}", "ciao")),
             Contains("lud: published must be a mapping of publications, not 'ciao'"));
  CHECK_THAT(suite_refusal(changed("    source: Rodinia\n", "")), Contains("rodinia: has no source"));
  CHECK_THAT(suite_refusal(std::string(kEntries) + "  without_source: [gemm]\n"),
             Contains("suites.yaml:7:20: no claim is measured over an application 'gemm'"));
  CHECK_THAT(suite_refusal("quick: [gemm@std]\n"), Contains("suites.yaml:1:1: needs `applications:`"));
}

TEST_CASE("a recording of an application comes before its program, and a program before the suite's sources") {
  const TemporaryFolder folder;
  const std::vector<SuiteProgram> programs = load(folder, kEntries);
  const auto found = [&] { return find_programs(programs, kKnown.applications, folder / "suites"); };
  const std::string base = (folder / "suites/rodinia").string();
  CHECK(found().missing == std::vector<std::string>{base + " is missing: Rodinia belongs there"});
  folder.file("suites/rodinia/cuda/bfs/bfs.cu", "");
  CHECK(found().missing == std::vector<std::string>{"bfs: " + base + "/cuda/data/g.txt is missing; it comes with Rodinia",
                                                    "lud: " + base + "/lud.wcr, a recording, or " + base +
                                                        "/lud, a program, is missing; build it from Rodinia"});
  folder.file("suites/rodinia/cuda/data/g.txt", "");
  REQUIRE(found().programs.size() == 1);
  const ClaimProgram source = found().programs[0];
  CHECK(source.files == std::vector<std::string>{base + "/cuda/bfs/bfs.cu"});
  CHECK(source.compile == std::vector<std::string>{"-O2", "-I" + base + "/cuda/util"});
  CHECK(source.arguments == std::vector<std::string>{"../data/g.txt", "7"});
  CHECK(source.folder == base + "/cuda/bfs");
  folder.file("suites/rodinia/bfs", "");
  CHECK(found().programs[0].files == std::vector<std::string>{base + "/bfs"});
  CHECK(found().programs[0].folder == base + "/cuda/bfs");
  CHECK(found().programs[0].compile.empty());
  folder.file("suites/rodinia/bfs.wcr", "");
  CHECK(found().programs[0].recording == "cuda:" + base + "/bfs.wcr");
  CHECK(found().programs[0].arguments.empty());
  CHECK(find_programs(programs, {"lud"}, folder / "suites").programs.empty());
}

TEST_CASE("reproduce finds the programs in a folder of suites, runs each in its own folder, and leaves out what is missing or fails") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("own.yaml", kSuiteClaims);
  folder.file("suites/rodinia/cuda/bfs/bfs.cu", kReadsItsGraph);
  folder.file("suites/rodinia/cuda/util/width.h", "constexpr int kWidth = 32;\n");
  folder.file("suites/rodinia/data/bfs/graph65536.txt", "96\n");
  folder.file("suites/polybench/CUDA/ATAX/atax.cu", "int main() { return 3; }\n");
  folder.file("suites/polybench/CUDA/GEMM/gemm.cu", "#include \"" + kPrograms + "vector_addition.cu\"\n");
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--programs", "suites", "--out", "r", "--json", "r.json"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("wharf: --programs: lud: suites/rodinia/cuda/lud/cuda/lud.cu is missing; it comes with Rodinia 3.1") &&
                               Contains("wharf: atax is skipped: ") && Contains("ended with exit code 3") &&
                               Contains("wrote r/programs.md"));
  const auto claims = read_json(folder / "r.json")["claims"];
  REQUIRE(claims.size() == 2);
  CHECK(claims[0]["over_programs"]["measured"] == 3.0);  // 96 threads, the number in the file
  CHECK(claims[1]["without_program"] == std::vector<std::string>{"atax", "lud"});
  CHECK(claims[1]["over_programs"]["parts"][0]["workloads"].size() == 1);
  CHECK_THAT(read_file(folder / "r/programs.md"),
             Contains("**Only these applications: bfs, gemm; 2 of 2 claims are measured over them.**") &&
                 Contains("| bfs | suites/rodinia/cuda/bfs/bfs.cu ../../data/bfs/graph65536.txt | all |"));
}

TEST_CASE("a folder without programs.yaml and without any program of the claims is refused with what belongs where") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kSuiteClaims);
  fs::create_directories(folder / "suites/polybench");
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--programs", "suites", "--out", "r"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output,
             Contains("--programs: suites: contains neither programs.yaml nor a program of the chosen claims:") &&
                 Contains("suites/rodinia is missing: Rodinia 3.1 with its data, github.com/yuhc/gpu-rodinia belongs there") &&
                 Contains("atax: suites/polybench/CUDA/ATAX/atax.cu is missing; it comes with PolyBench/GPU 1.0"));
}

TEST_CASE("where every program of a folder of suites fails, the command does, with the place of each in suites.yaml") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("own.yaml", kSuiteClaims);
  folder.file("suites/polybench/CUDA/ATAX/atax.cu", "int main() { return 3; }\n");
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--programs", "suites", "--out", "r"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("stimuli/suites.yaml:") && Contains(": atax: ") && Contains("ended with exit code 3"));
  CHECK_FALSE(fs::exists(folder / "r/runs.sqlite"));
}

}  // namespace wharf::cli
