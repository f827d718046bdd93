// `run --save-at` and `--load`: the output of a restored run, and refused checkpoints.

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/runs/saved_and_restored.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("a restored run writes the bytes of the run that saved and went on") {
  // A crossbar, a mesh, a ring, a butterfly; sectors and operand collectors; kept L1 lines; write-back L1s; homes; nodes; clusters.
  const std::string config =
      GENERATE("private", "gpus/28sm_mesh", "gpus/volta_qv100", "gpus/80sm_kept_l1", "gpus/fermi_15sm", "private_single_l1",
               "shared_l1/dyn_eb", "shared_l1/butterfly_shared", "dc_l1/sh40_c10_boost", "dc_l1/cdxbar_rr", "ata");
  expect_identical(config, {"--stimulus", "bfs@tiny"}, "3");
}

TEST_CASE("golden memory, bytes and policies with state go on behind a checkpoint") {
  expect_identical("private", {"--stimulus", "bfs@tiny", "--verify", "--set", "data=bytes"}, "2");
  expect_identical("private", {"--stimulus", "bfs@tiny", "--set", "l1.replacement=random", "--set", "l2.replacement=drrip"}, "2");
  expect_identical("private", {"--stimulus", "bfs@tiny", "--set", "sm.warp_filter=swl", "--set", "sm.swl_limit=8"}, "2");
  expect_identical("private", {"--stimulus", "bfs@tiny", "--set", "l2.replacement=ship", "--set", "sm.warp_scheduler=two_level"}, "5");
  expect_identical("private", {"--stimulus", "bfs@tiny", "--verify", "--set", "l2.partitions=2", "--set", "l2.link.queue=2"}, "3");
  expect_identical(
      "private",
      {"--stimulus", "bfs@tiny", "--verify", "--set", "l2.partitions=2", "--set", "l2.partition=local_copy", "--set", "l2.entry_cycles=40"},
      "3");
}

TEST_CASE("a host side that reads results between kernels comes to the same place") {
  // Both make decisions with values that they read; srad_v1 also computes with them.
  expect_identical("private", {"--stimulus", "streamcluster@tiny", "--verify"}, "1");
  expect_identical("private", {"--stimulus", "parboil_bfs@tiny", "--verify"}, "3");
  expect_identical("private", {"--stimulus", "srad_v1@tiny", "--verify"}, "3");
}

TEST_CASE("behind the last kernel nothing is left to run") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, "private", {"--stimulus", "kmeans@tiny", "--save-at", "1", "end", "--out", "a"}).exit_code == 0);
  REQUIRE(run(folder, "private", {"--stimulus", "kmeans@tiny", "--verify", "--load", "end", "--out", "b"}).exit_code == 2);
  REQUIRE(run(folder, "private", {"--stimulus", "kmeans@tiny", "--load", "end", "--out", "b"}).exit_code == 0);
  CHECK(comparable_result(folder / "a") == comparable_result(folder / "b"));
}

TEST_CASE("a run that saves behind its last kernel has the issue slots of one that does not save") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, "private", {"--stimulus", "vectoradd@tiny", "--explain", "--out", "a"}).exit_code == 0);
  const Ended saved = run(folder, "private", {"--stimulus", "vectoradd@tiny", "--explain", "--save-at", "1", "end", "--out", "b"});
  INFO(saved.output);
  REQUIRE(saved.exit_code == 0);
  CHECK(read_json(folder / "a/result.json")["tables"]["cycle_stack"] == read_json(folder / "b/result.json")["tables"]["cycle_stack"]);
}

TEST_CASE("the pause before a checkpoint belongs to no figure of the run") {
  const TemporaryFolder folder;
  const Arguments arguments = {"--stimulus", "bfs@tiny", "--set", "sm.interference.passive=true"};
  Arguments plain = arguments, saving = arguments;
  plain.insert(plain.end(), {"--out", "a"});
  saving.insert(saving.end(), {"--save-at", "3", "warm", "--out", "b"});
  REQUIRE(run(folder, "private", plain).exit_code == 0);
  REQUIRE(run(folder, "private", saving).exit_code == 0);
  const auto without = read_json(folder / "a/result.json"), with = read_json(folder / "b/result.json");
  const auto& kernels = with["kernels"];
  CHECK(kernels[3]["begin_cycle"].get<std::uint64_t>() >= kernels[2]["end_cycle"].get<std::uint64_t>() + 2000);
  std::uint64_t cycles = 0;
  for (const auto& kernel : kernels) cycles += kernel["cycles"].get<std::uint64_t>();
  ++cycles;                                // the front end starts the kernel after a checkpoint in the cycle after its release
  CHECK(with["run"]["cycles"] == cycles);  // nothing is in flight when the third kernel ends
  CHECK(with["run"]["ipc"].get<double>() == Approx(without["run"]["ipc"].get<double>()).epsilon(0.01));
  CHECK(with["run"]["energy.total"].get<double>() == Approx(without["run"]["energy.total"].get<double>()).epsilon(0.01));
  std::uint64_t of_windows = 0;
  for (const auto& row : with["tables"]["warps_over_time"]["rows"]) of_windows += row[1].get<std::uint64_t>();
  CHECK(of_windows == cycles);
}

TEST_CASE("a trace goes on at its next kernel") {
  const TemporaryFolder traces;
  REQUIRE(wharf(traces, {"trace", "export", "--stimulus", "bfs@tiny", "--out", "bfs"}).exit_code == 0);
  expect_identical("private", {"--trace", (traces / "bfs").string()}, "4");
  REQUIRE(wharf(traces, {"trace", "export", "--stimulus", "bfs@tiny", "--format", "tracez", "--out", "container"}).exit_code == 0);
  expect_identical("private", {"--trace", (traces / "container").string()}, "4");
}

TEST_CASE("where kernels run together, a checkpoint is saved at an end that leaves all streams idle, and at no other") {
  const Arguments arguments = {"--stimulus", "streams:n=2000,rounds=20,streams=2", "--verify", "--set", "front_end.concurrent_kernels=2"};
  expect_identical("private", arguments, "9");
  const TemporaryFolder folder;
  Arguments first = arguments;
  first.insert(first.end(), {"--save-at", "1", "first", "--out", "a"});
  const Ended ended = run(folder, "private", first);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output,
             Contains("--save-at 1: at no time had that many kernels ended with no other kernel running; first was not written"));
  CHECK(read_json(folder / "a/result.json")["kernels"].size() == 40);
}

TEST_CASE("a restored run saves a later checkpoint, and the boundaries are among the inputs") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, "private", {"--stimulus", "bfs@tiny", "--save-at", "1", "first", "--out", "a"}).exit_code == 0);
  REQUIRE(run(folder, "private", {"--stimulus", "bfs@tiny", "--load", "first", "--save-at", "3", "second", "--out", "b"}).exit_code == 0);
  REQUIRE(run(folder, "private", {"--stimulus", "bfs@tiny", "--load", "second", "--out", "c"}).exit_code == 0);
  CHECK(comparable_result(folder / "b") == comparable_result(folder / "c"));
  const auto inputs = read_json(folder / "c/result.json")["inputs"];
  REQUIRE(inputs["boundaries"].size() == 2);
  CHECK(inputs["boundaries"][0]["after_kernel"] == 1);
  CHECK(inputs["boundaries"][1]["after_kernel"] == 3);
  CHECK(inputs["boundaries"][0]["config_hash"] == inputs["config_hash"]);
}

TEST_CASE("a checkpoint continues with another replacement policy, and its lines are present") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, "private", {"--stimulus", "bfs@tiny", "--verify", "--save-at", "3", "warm", "--out", "a"}).exit_code == 0);
  for (const char* policy : {"ship", "drrip", "srrip", "random", "tree_plru", "fifo"}) {
    const Ended ended =
        run(folder, "private",
            {"--stimulus", "bfs@tiny", "--verify", "--load", "warm", "--out", "b", "--set", std::string("l2.replacement=") + policy});
    INFO(policy << ": " << ended.output);
    REQUIRE(ended.exit_code == 0);
    const auto before = read_json(folder / "a/result.json"), after = read_json(folder / "b/result.json");
    for (std::size_t kernel = 0; kernel < 3; ++kernel) CHECK(before["kernels"][kernel] == after["kernels"][kernel]);
    // @tiny fits in L2, where no policy has to choose: lines loaded before the checkpoint still hit.
    CHECK(before["run"]["l2.hits"] == after["run"]["l2.hits"]);
    CHECK(after["inputs"]["boundaries"][0]["config_hash"] == before["inputs"]["config_hash"]);
    CHECK(after["inputs"]["config_hash"] != before["inputs"]["config_hash"]);
  }
}

/// The text of a file with one byte changed.
std::string with_byte(std::string text, std::size_t at) {
  text[at] = static_cast<char>(text[at] ^ 1);
  return text;
}

TEST_CASE("a file that is no good checkpoint is refused with the remedy, and nothing runs") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, "private", {"--stimulus", "bfs@tiny", "--save-at", "1", "good", "--out", "a"}).exit_code == 0);
  const std::string good = read_file(folder / "good");
  const std::size_t state = good.find('\n', good.find('\n') + 1) + 1, program = good.find("\"program\":\"") + 11;
  std::string other_version = good;
  std::string other_head = good;
  const std::string number = "\"after_kernel\":1";
  other_head.replace(good.find(number), number.size(), "\"after_kernel\":[]");
  other_version.replace(std::string("wharf checkpoint ").size(), 1, "9");
  struct Bad {
    const char *what, *text;
    std::string bytes;
  };
  const std::vector<Bad> all = {
      {"empty", "is not a checkpoint; wharf run CONFIG --save-at KERNEL FILE writes one", ""},
      {"another file", "is not a checkpoint", "path,metric,unit,value\n"},
      {"another version", "is a checkpoint of version 9, but this program reads version 1; save it again", other_version},
      {"cut in the head", "is damaged or cut off; save it again", good.substr(0, 100)},
      {"cut behind the head", "is damaged or cut off; save it again", good.substr(0, state)},
      {"cut in the state", "save it again", good.substr(0, good.size() / 2)},
      {"cut at the end", "save it again", good.substr(0, good.size() - 1)},
      {"another head", "its header belongs to another checkpoint; save it again", other_head},
      {"a byte changed", "save it again", with_byte(good, (state + good.size()) / 2)},
      {"another build", "was saved by another build of wharf; save it again with this one", with_byte(good, program)},
  };
  for (const Bad& bad : all) {
    folder.file("bad", bad.bytes);
    const Ended ended = run(folder, "private", {"--stimulus", "bfs@tiny", "--load", "bad", "--out", "b"});
    INFO(bad.what << ": " << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("bad: ") && Contains(bad.text));
    CHECK_FALSE(fs::exists(folder / "b"));
  }
  const Ended missing = run(folder, "private", {"--stimulus", "bfs@tiny", "--load", "nowhere", "--out", "b"});
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.output, Contains("nowhere: cannot be read"));
}

TEST_CASE("a run that is not the saved one is refused, and every key is named") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, "private", {"--stimulus", "bfs@tiny", "--save-at", "2", "warm", "--out", "a"}).exit_code == 0);
  const auto refused = [&](const std::string& config, Arguments more, const std::string& text) {
    more.insert(more.end(), {"--load", "warm", "--out", "b"});
    const Ended ended = run(folder, config, more);
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains(text));
    CHECK_FALSE(fs::exists(folder / "b"));
  };
  refused("private", {"--stimulus", "bfs@tiny", "--set", "l2.ways=4"}, "l2.ways: 8 when it was saved, 4 now");
  refused("private", {"--stimulus", "bfs@tiny", "--set", "l2.ways=4", "--set", "l1.mshr_entries=8"}, "l1.mshr_entries: ");
  refused("gpus/28sm_mesh", {"--stimulus", "bfs@tiny"}, "network.topology: crossbar when it was saved, mesh now");
  refused("private", {"--stimulus", "gemm@tiny"}, "stimulus was \"bfs@tiny\" when it was saved, but is \"gemm@tiny\" now");
  refused("private", {"--stimulus", "bfs@tiny", "--seed", "2"}, "seed was 1 when it was saved, but is 2 now");
  refused("private", {"--stimulus", "bfs@tiny", "--verify"}, "verify was false when it was saved, but is true now");
  refused("private", {"--stimulus", "bfs@tiny", "--explain"}, "explain_every was absent when it was saved, but is 1 now");
  refused("private", {"--stimulus", "bfs@tiny", "--timeline", "t.json"}, "leave one of them out");
  refused("private", {"--stimulus", "bfs@tiny", "--save-at", "2", "again"}, "continues after kernel 2; name a later kernel");
}

TEST_CASE("what cannot be saved is refused by name before the run starts") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& config, const Arguments& more, const std::string& what) {
    Arguments arguments = {"--stimulus", "bfs@tiny", "--save-at", "1", "warm", "--out", "b"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = run(folder, config, arguments);
    INFO(config << ": " << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("checkpoint: " + what + " cannot be saved or loaded") && Contains("docs/howto-save.md"));
    CHECK_FALSE(fs::exists(folder / "b"));
    CHECK_FALSE(fs::exists(folder / "warm"));
  };
  refused("morpheus/characterise", {}, "platform: characterise");
  refused("morpheus", {"--set", "morpheus.kernel.service=warps", "--set", "morpheus.kernel.delivery=spin"},
          "morpheus.kernel.delivery: spin");
}

TEST_CASE("a kernel that does not exist and a full disk end with 2, and the run is not lost") {
  const TemporaryFolder folder;
  const Ended beyond = run(folder, "private", {"--stimulus", "bfs@tiny", "--save-at", "1000", "warm", "--out", "a"});
  INFO(beyond.output);
  CHECK(beyond.exit_code == 2);
  CHECK_THAT(beyond.output, Contains("--save-at 1000: the run ended before that many kernels"));
  CHECK_FALSE(fs::exists(folder / "warm"));
  CHECK(read_json(folder / "a/result.json")["partial"] == false);

  const Ended full = run(folder, "private", {"--stimulus", "bfs@tiny", "--save-at", "1", "/dev/full", "--out", "c"});
  INFO(full.output);
  CHECK(full.exit_code == 2);
  CHECK_THAT(full.output, Contains("/dev/full: cannot be written: No space left on device"));
  CHECK(read_json(folder / "c/result.json")["partial"] == false);

  for (const Arguments& bad :
       {Arguments{"--save-at", "1"}, Arguments{"--save-at", "0", "warm"}, Arguments{"--save-at", "x", "warm"}, Arguments{"--load", ""}}) {
    Arguments more = {"--stimulus", "bfs@tiny", "--out", "d"};
    more.insert(more.end(), bad.begin(), bad.end());
    CHECK(run(folder, "private", more).exit_code == 2);
    CHECK_FALSE(fs::exists(folder / "d"));
  }
  for (const auto& entry : fs::directory_iterator(folder.path())) CHECK_THAT(entry.path().filename().string(), !Contains(".part"));
}

TEST_CASE("a sweep goes on from one checkpoint, and each line is the run that --load makes") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, "private", {"--stimulus", "bfs@tiny", "--save-at", "3", "warm", "--out", "a"}).exit_code == 0);
  folder.file("sweep.yaml", "configs: [private]\nstimuli: [bfs@tiny]\nvary: {l2.replacement: [lru, ship]}\nload: warm\n");
  const Ended swept = wharf(folder, {"sweep", "sweep.yaml", "--out", "s", "--jobs", "1", "--quiet"});
  INFO(swept.output);
  REQUIRE(swept.exit_code == 0);
  CHECK(read_file(folder / "a/stats.csv") == read_file(folder / "s/runs/private,l2.replacement=lru/bfs@tiny/stats.csv"));
  CHECK(read_json(folder / "s/runs/private,l2.replacement=ship/bfs@tiny/result.json")["inputs"]["boundaries"][0]["after_kernel"] == 3);

  folder.file("ways.yaml", "configs: [private]\nstimuli: [bfs@tiny]\nvary: {l2.ways: [8, 4]}\n");
  const Ended refused = wharf(folder, {"sweep", "ways.yaml", "--load", "warm", "--out", "t"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.output, Contains("l2.ways: 8 when it was saved, 4 now"));
  CHECK_FALSE(fs::exists(folder / "t/runs"));

  folder.file("typo.yaml", "configs: [private]\nstimuli: [bfs@tiny]\nload: cold\n");
  const Ended missing = wharf(folder, {"sweep", "typo.yaml", "--out", "t"});
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.output, Contains("typo.yaml:3:7: ") && Contains("cold: cannot be read"));
}

}  // namespace
}  // namespace wharf::cli
