// Recorded traces, by the names that a user gives, in every place that accepts a stimulus.

#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "platforms/cli/commands/chosen_stimuli.h"
#include "platforms/inputs/files.h"
#include "stimuli/traces/selection/trace_spec.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// A kernel of one CTA with one warp: `instructions` additions before its exit.
std::string kernel_text(const std::string& name, unsigned instructions) {
  std::string text = "-kernel name = " + name +
                     "\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 70\n"
                     "-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0800000000\n"
                     "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = PC mask dest_num\n\n"
                     "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " +
                     std::to_string(instructions + 1) + "\n";
  for (unsigned i = 0; i < instructions; ++i) text += "0000 ffffffff 1 R1 IADD3 0 0 0\n";
  return text + "0010 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n";
}

/// Four kernels of 2, 3, 5 and 9 warp instructions.
void write_trace(const TemporaryFolder& folder, const std::string& name) {
  const std::pair<const char*, unsigned> kernels[] = {{"_Z4fillPf", 1}, {"_Z4gemmPf", 2}, {"_Z4gemmPf", 4}, {"_Z5scalePf", 8}};
  std::string list;
  for (const auto& [kernel, instructions] : kernels) {
    const std::string file = "kernel-" + std::to_string(instructions) + ".traceg";
    folder.file(name + "/" + file, kernel_text(kernel, instructions));
    list += file + "\n";
  }
  folder.file(name + "/kernelslist.g", list);
}

const std::string kReference = WHARF_SOURCE_DIR "/tests/data/accelsim/traces";

TEST_CASE("a run of some kernels of a trace is those kernels, and their sum is the run") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  const struct {
    const char* kernels;
    std::vector<std::uint64_t> instructions;
  } kCases[] = {{"", {2, 3, 5, 9}}, {":2", {3}},        {":2-3", {3, 5}},         {":4,1", {2, 9}},
                {":3-", {5, 9}},    {":gemm*", {3, 5}}, {":/scale|fill/", {2, 9}}};
  for (const auto& [kernels, instructions] : kCases) {
    for (const char* option : {"--stimulus=trace:t", "--trace=t"}) {
      const Ended ended = wharf(folder, {"run", "private", option + std::string(kernels), "--out", "o"});
      INFO(option << kernels << "\n" << ended.output);
      REQUIRE(ended.exit_code == 0);
      const auto result = read_json(folder / "o/result.json");
      CHECK(result["inputs"]["stimulus"] == "trace:t" + std::string(kernels));
      std::uint64_t sum = 0;
      REQUIRE(result["kernels"].size() == instructions.size());
      for (std::size_t i = 0; i < instructions.size(); ++i) {
        CHECK(result["kernels"][i]["warp_instructions"] == instructions[i]);
        sum += instructions[i];
      }
      CHECK(result["run"]["warp_instructions"] == sum);
    }
  }
}

TEST_CASE("the hash of a trace is of the kernels that run, however they are named") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  const auto hash = [&](const std::string& stimulus) {
    const Ended ended = wharf(folder, {"run", "private", "--stimulus", stimulus, "--out", "o", "--quiet"});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_json(folder / "o/result.json")["inputs"]["trace_hash"].get<std::string>();
  };
  const std::string gemm = hash("trace:t:gemm");
  CHECK(gemm == hash("trace:t:2-3"));
  CHECK(gemm == hash("trace:./t:3,2"));
  CHECK(gemm != hash("trace:t:2"));
  const std::string all = hash("trace:t"), filled = hash("trace:t:fill");
  CHECK(all == hash("trace:t/kernelslist.g"));
  folder.file("t/kernel-8.traceg", kernel_text("_Z5scalePf", 7));
  CHECK(gemm == hash("trace:t:gemm"));
  CHECK(all != hash("trace:t"));
}

TEST_CASE("compare and sweep make a trace's run once, and again where its contents have changed") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  folder.file("s.yaml", "configs: [private]\nstimuli: ['trace:t:gemm', 'trace:t:4']\nmetrics: [warp_instructions]\n");
  const auto compared = [&](const std::string& stimuli) {
    const Ended ended = wharf(folder, {"compare", "private", "private_16x_l1", "--stimuli", stimuli, "--out", "c"});
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    return ended.output;
  };
  CHECK_THAT(compared("trace:t:gemm,trace:t:4"), Contains("4 runs, "));
  CHECK_THAT(compared("trace:t:gemm,trace:t:4"), Contains("0 runs, ") && Contains("4 are finished already"));
  CHECK_THAT(compared("trace:t:2,3,trace:t:scale"), Contains("0 runs, "));
  const Ended swept = wharf(folder, {"sweep", "s.yaml", "--out", "c"});
  INFO(swept.output);
  CHECK_THAT(swept.output, Contains("0 runs, ") && Contains("2 are finished already"));
  CHECK_THAT(read_file(folder / "c/sweep.csv"),
             Contains("\nprivate,trace:t:gemm,,,,done,8\n") && Contains("\nprivate,trace:t:4,,,,done,9\n"));
  folder.file("t/kernel-8.traceg", kernel_text("_Z5scalePf", 7));
  CHECK_THAT(compared("trace:t:gemm,trace:t:4"), Contains("2 runs, ") && Contains("2 are finished already"));
  CHECK(read_json(folder / "c/compare.json")["runs"][2]["run"]["warp_instructions"] == 8);
}

TEST_CASE("tables show short names that differ, and files keep the whole ones") {
  const TemporaryFolder folder;
  write_trace(folder, "old/app");
  write_trace(folder, "new/app");
  const Ended ended = wharf(
      folder, {"compare", "private", "private_16x_l1", "--stimuli", "trace:old/app:1,trace:new/app:1,trace:new/app:/s.a/", "--out", "c"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("\nold/app:1 ") && Contains("\nnew/app:1 ") && Contains("\napp:/s.a/ "));
  CHECK(read_json(folder / "c/compare.json")["runs"][0]["stimulus"] == "trace:old/app:1");
  CHECK_THAT(read_file(folder / "c/compare.csv"), Contains("\nprivate,trace:new/app:/s.a/,"));
  CHECK_THAT(read_file(folder / "c/report.html"), Contains("\"old/app:1\""));
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(folder / "c/runs/private")) folders.push_back(entry.path().filename());
  CHECK(folders.size() == 2);  // the old and the new kernels are equal, and run once
  for (const std::string& name : folders) CHECK_THAT(name, Catch::Matches("_(app:1|app:_s.a_)-[0-9a-f]{8}"));
}

TEST_CASE("the stimuli of a list are split at the commas between them alone") {
  const TemporaryFolder folder;
  write_trace(folder, "a,b c");
  const std::string odd = "trace:" + (folder / "a,b c").string();
  const auto split = [](const std::string& text) { return split_stimuli(text); };
  using Names = std::vector<std::string>;
  CHECK(split("gemm:n=256,m=64,atax@std") == Names{"gemm:n=256,m=64", "atax@std"});
  CHECK(split(odd + ",gemm@std") == Names{odd, "gemm@std"});
  CHECK(split(odd + ":1,3-,2mm@tiny") == Names{odd + ":1,3-", "2mm@tiny"});
  CHECK(split(odd + ":1,3-4:warm,2mm@tiny") == Names{odd + ":1,3-4:warm", "2mm@tiny"});
  CHECK(split(odd + ":/a{1,2}/,gemm@std," + odd + ":gemm*,atax") == Names{odd + ":/a{1,2}/", "gemm@std", odd + ":gemm*", "atax"});
  CHECK(split("trace:nowhere,gemm@std") == Names{"trace:nowhere", "gemm@std"});
}

TEST_CASE("a limit of instructions ends the runs of compare and sweep, which are complete then") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  folder.file("s.yaml", "configs: [private]\ntraces: t\nlimit_warp_instructions: 5\nmetrics: [warp_instructions]\n");
  const Ended compared =
      wharf(folder, {"compare", "private", "private_16x_l1", "--traces", "t", "--limit-warp-instructions", "5", "--out", "c"});
  INFO(compared.output);
  REQUIRE(compared.exit_code == 0);
  const auto run = read_json(folder / "c/compare.json")["runs"][0];
  CHECK(run["stimulus"].get<std::string>() == "trace:t:limit_warp_instructions=5");
  CHECK(run["run"]["warp_instructions"] == 5);
  const Ended swept = wharf(folder, {"sweep", "s.yaml", "--out", "c"});
  INFO(swept.output);
  CHECK(swept.exit_code == 0);
  CHECK_THAT(swept.output, Contains("0 runs, ") && Contains("1 is finished already"));
  const Ended run_alone = wharf(folder, {"run", "private", "--stimulus", "trace:t:2:limit_warp_instructions=2", "--out", "r"});
  CHECK(run_alone.exit_code == 0);
  CHECK(read_json(folder / "r/result.json")["partial"] == false);
  CHECK(read_json(folder / "r/result.json")["run"]["warp_instructions"] == 2);
}

TEST_CASE("a limit that is reached before the first measured kernel is an input error, as nothing was measured") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", "trace:t:3:warm:limit_warp_instructions=4", "--out", "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("its limit is reached in the kernels that warm the caches, before any measured kernel; raise it"));
  CHECK(wharf(folder, {"run", "private", "--stimulus", "trace:t:3:warm:limit_warp_instructions=6", "--out", "o"}).exit_code == 0);
}

TEST_CASE("a folder of traces with a link to itself has each trace once") {
  const TemporaryFolder folder;
  write_trace(folder, "all/t");
  fs::create_directory_symlink(".", folder / "all/loop");
  CHECK(traces::traces_in((folder / "all").string()) == std::vector<std::string>{"trace:" + (folder / "all/t").string()});
}

TEST_CASE("a claim about a trace that does not exist is refused at its place, before anything runs") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  folder.file("c.yaml",
              "source: mine\nclaims:\n- id: M-1\n  system: a\n  metric: IPC\n  unit: percent\n"
              "  measure: {system: private_16x_l1, baseline: private, metric: ipc, workloads: ['trace:t:9']}\n");
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "c.yaml", "--out", "r"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("c.yaml:7:") && Contains("there is no kernel 9; the list has the kernels 1 to 4"));
}

TEST_CASE("compare and sweep pass over kernels that cannot be read, or refuse opcodes, where they are told to") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  folder.file("t/kernel-2.traceg", "");
  folder.file("s.yaml", "configs: [private]\ntraces: t\nskip_bad_kernels: true\nmetrics: [warp_instructions]\n");
  CHECK(wharf(folder, {"compare", "private", "private_16x_l1", "--traces", "t", "--out", "c"}).exit_code == 1);
  const Ended compared = wharf(folder, {"compare", "private", "private_16x_l1", "--traces", "t", "--skip-bad-kernels", "--out", "c"});
  INFO(compared.output);
  REQUIRE(compared.exit_code == 0);
  CHECK_THAT(read_file(folder / "c/report.html"), Contains("kernel skipped, because it cannot be read"));
  CHECK(wharf(folder, {"sweep", "s.yaml", "--out", "s"}).exit_code == 0);
}

TEST_CASE("a wrong trace ends every command with 2 before anything runs, and is named") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  fs::create_directories(folder / "none");
  const std::string sweep = folder.file("s.yaml", "configs: [private]\nstimuli: ['trace:t:7']\n"),
                    folders = folder.file("f.yaml", "configs: [private]\ntraces: none\n");
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kCases[] = {
      {{"run", "private", "--stimulus", "trace:nowhere"}, "nowhere: there is no such file"},
      {{"run", "private", "--stimulus", "trace:t:7"}, "trace:t:7: there is no kernel 7; the list has the kernels 1 to 4"},
      {{"run", "private", "--stimulus", "trace:"}, "does not name a file"},
      {{"run", "private", "--trace", "t:gem"}, "trace:t:gem: none of the 4 kernels has a name like 'gem'; did you mean 'gemm'?"},
      {{"compare", "private", "--stimuli", "trace:t,trace:t:5-"}, "trace:t:5-: there is no kernel 5"},
      {{"compare", "private", "--traces", "none"}, "'none': neither the folder nor a subfolder holds a kernelslist.g"},
      {{"compare", "private", "--traces", "t", "--suite", "tiny"}, "--suite, --stimuli and --traces exclude each other"},
      {{"compare", "private", "--stimuli", "trace:t:limit_warp_instructions=x"},
       "limit_warp_instructions is 'x'; give a number of warp instructions"},
      {{"compare", "--limit-warp-instructions", "9"}, "would end workloads before they show the behaviour of their class"},
      {{"compare", "private", "--stimuli", "trace:t:limit_warp_instructions=3", "--limit-warp-instructions", "9"},
       "has a limit of its own; keep one"},
      {{"sweep", "s.yaml"}, "s.yaml:2:11: trace:t:7: there is no kernel 7"},
      {{"sweep", "f.yaml"}, "f.yaml:2:9: 'none': neither the folder nor a subfolder holds a kernelslist.g"},
      {{"explain", "private", "--trace", "t:7"}, "there is no kernel 7"},
      {{"explain", "private", "--traces", "t"}, "--suite, --stimuli and --traces need --what-if"},
  };
  for (const auto& [arguments, says] : kCases) {
    const Ended ended = wharf(folder, arguments);
    INFO(arguments[0] << ' ' << arguments.back() << "\n" << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains(says));
  }
  CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE("a path in a sweep is relative to the sweep's file") {
  const TemporaryFolder folder;
  write_trace(folder, "data/t");
  folder.file("data/s.yaml", "configs: [private]\nstimuli: ['trace:t:1']\ntraces: .\nmetrics: [warp_instructions]\n");
  const Ended ended = wharf(folder, {"sweep", "data/s.yaml", "--out", "s"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(read_file(folder / "s/sweep.csv"),
             Contains("\nprivate,trace:data/t:1,,,,done,2\n") && Contains("\nprivate,trace:data/t,,,,done,19\n"));
}

TEST_CASE("warm kernels run before the selected ones and are not measured, and each measured kernel is as in a run of all") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& kernels, const char* out) {
    const Ended ended = wharf(folder, {"run", "private", "--trace", kReference + "/bfs" + kernels, "--out", out});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_json(folder / out / "result.json");
  };
  const auto all = run(":1-4", "all"), warm = run(":3-4:warm", "warm"), cold = run(":3-4", "cold");
  REQUIRE(warm["kernels"].size() == 2);
  CHECK(warm["kernels"][0] == all["kernels"][2]);
  CHECK(warm["kernels"][1] == all["kernels"][3]);
  CHECK(warm["warm_up"] == nlohmann::ordered_json({{"kernels", 2}, {"end_cycle", all["kernels"][2]["begin_cycle"]}}));
  for (const char* sum : {"cycles", "warp_instructions", "l2.accesses", "l2.misses", "dram.reads"})
    CHECK(warm["run"][sum].get<std::uint64_t>() ==
          warm["kernels"][0][sum].get<std::uint64_t>() + warm["kernels"][1][sum].get<std::uint64_t>());
  CHECK(warm["run"]["warp_instructions"] == cold["run"]["warp_instructions"]);
  CHECK(warm["run"]["l2.misses"].get<std::uint64_t>() < cold["run"]["l2.misses"].get<std::uint64_t>());
  CHECK_FALSE(cold.contains("warm_up"));
  CHECK(warm["tables"].contains("energy_causes"));
  for (const char* whole : {"histograms", "links", "latency_stack"}) {
    CHECK(cold["tables"].contains(whole));
    CHECK_FALSE(warm["tables"].contains(whole));
  }
  CHECK(warm["inputs"]["trace_hash"] != all["inputs"]["trace_hash"]);
}

TEST_CASE("slots, which are counted from the beginning of a run, are refused in a warm one") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  const Ended refused = wharf(folder, {"run", "private", "--trace", "t:4:warm", "--explain"});
  CHECK(refused.exit_code == 2);
  CHECK(wharf(folder, {"explain", "private", "--trace", "t:4:warm"}).exit_code == 2);
  CHECK_THAT(refused.output, Contains("trace:t:4:warm: --explain counts issue slots from the beginning of a run; leave out :warm"));
}

TEST_CASE("a checkpoint of a trace loads for the same kernels under another name, and for no others") {
  const TemporaryFolder folder;
  write_trace(folder, "t");
  const auto run = [&](const std::string& stimulus, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "private", "--stimulus", stimulus};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return wharf(folder, arguments);
  };
  REQUIRE(run("trace:t:2-4", {"--save-at", "1", "k.ckpt", "--out", "whole"}).exit_code == 0);
  REQUIRE(run("trace:t/kernelslist.g:/gemm|scale/", {"--load", "k.ckpt", "--out", "rest"}).exit_code == 0);
  CHECK(read_json(folder / "whole/result.json")["kernels"] == read_json(folder / "rest/result.json")["kernels"]);
  const Ended other = run("trace:t", {"--load", "k.ckpt", "--out", "other"});
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.output, Contains("trace_hash was "));
}

TEST_CASE("the parts that --emit writes for Slurm, parallel and make come to the sweep of a folder of traces over four machines") {
  const TemporaryFolder folder;
  write_trace(folder, "data/traces/one");
  write_trace(folder, "data/traces/two");
  folder.file("data/traces/two/kernel-8.traceg", kernel_text("_Z5scalePf", 7));
  folder.file("data/s.yaml",
              "configs: [private, ciao/gto, ciao/ccws, ata/private]\ntraces: traces\nmetrics: [cycles, warp_instructions]\n");
  const auto sweep = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"sweep", "data/s.yaml"});
    const Ended ended = wharf(folder, options);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
  };
  sweep({"--out", "whole"});
  const std::string whole = read_file(folder / "whole/sweep.csv");
  CHECK_THAT(whole, Contains("\nprivate,trace:data/traces/one,,,,done,") && Contains(",19\n") && Contains(",18\n"));
  const std::pair<const char*, const char*> kForms[] = {
      {"slurm", "for i in 1 2; do SLURM_ARRAY_TASK_ID=$i sh slurm/array.sbatch || exit; done; sh slurm/merge.sbatch"},
      {"parallel", "sh -e parallel/tasks.txt && $WHARF sweep data/s.yaml --merge parallel/parts --tasks 2 --out parallel"},
      {"make", "make -C make -s"}};
  for (const auto& [form, start] : kForms) {
    sweep({"--emit", form, "--tasks", "2", "--out", form});
    const std::string line = "WHARF=" + built_program() + "; export WHARF; " + start;
    Program program(folder, {"-c", line}, "/bin/sh");
    const Ended ended = program.wait();
    INFO(form << "\n" << ended.output);
    CHECK(ended.exit_code == 0);
    CHECK(read_file(folder / form / "sweep.csv") == whole);
  }
}

TEST_CASE("a folder of the five reference traces is a suite of compare over four machines, in sorted order") {
  const TemporaryFolder folder;
  const std::vector<std::string> machines = {"ciao/gto", "ciao/ccws", "ciao/l1_48x", "private"};
  std::vector<std::string> arguments = {"compare"};
  arguments.insert(arguments.end(), machines.begin(), machines.end());
  arguments.insert(arguments.end(), {"--traces", kReference, "--out", "c"});
  const Ended ended = wharf(folder, arguments);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("20 runs, "));
  std::string order;
  const auto compared = read_json(folder / "c/compare.json");
  for (const auto& run : compared["runs"]) {
    const std::string stimulus = run["stimulus"];
    if (run["config"] == machines.front()) order += fs::path(stimulus).filename().string() + ' ';
    CHECK(run["run"]["warp_instructions"].get<std::uint64_t>() > 60'000);
  }
  CHECK(order == "bfs gemm gesummv spmv vectoradd ");
}

}  // namespace
}  // namespace wharf::cli
