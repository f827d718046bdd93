// Sampled runs on machines whose halves of L2 copy each other's lines.

#include "tests/cli/runs/sampled_run.h"

namespace wharf::cli {
namespace {

const std::vector<std::string> kCopies = {"--set", "l2.partitions=2",   "--set",   "l2.partition=local_copy", "--set", "l2.entry_cycles=40",
                                          "--set", "l2.link.cycles=90", "--verify"};

std::vector<std::string> machine(const char* coherence, const std::string& slice_kib) {
  return with(kCopies, {"--set", "sms=2", "--set", "channels=2", "--set", std::string("l2.partition_coherence=") + coherence, "--set",
                        "l2.slice_kib=" + slice_kib});
}

}  // namespace

TEST_CASE("skipped work makes, updates, invalidates and evicts copies, so that traffic is that of the whole run and no load is stale") {
  const TemporaryFolder folder;
  for (const char* coherence : {"invalidate", "expire"})
    for (const char* stimulus : {kProgram, kLongLaunch}) {
      INFO(coherence << ' ' << stimulus);
      const std::vector<std::string> options = machine(coherence, "16");
      const Json whole = run(folder, options, stimulus)["run"];
      const Json sampled = run(folder, with(options, {"--sample", "2"}), stimulus)["sampled"];
      CHECK(sampled["detailed_size"].get<double>() < 0.5 * sampled["size"].get<double>());
      for (const char* traffic : {"l2.sectors.misses", "dram.reads", "dram.writes"}) {
        INFO(traffic);
        CHECK(value(sampled["metrics"][traffic], "estimate") == Approx(whole[traffic].get<double>()).epsilon(0.01));
      }
    }
}

TEST_CASE("the copies that a launch makes and displaces behind skipped ones are as many as in the whole run") {
  const TemporaryFolder folder;
  const Json whole = run(folder, machine("invalidate", "64"), "3dconv@tiny")["run"];
  const Json sampled = run(folder, with(machine("invalidate", "64"), {"--sample", "2"}), "3dconv@tiny")["sampled"]["metrics"];
  for (const char* of_copies : {"l2.copy.misses", "l2.copy.installs"}) {
    INFO(of_copies);
    CHECK(whole[of_copies].get<double>() > 0);
    CHECK(value(sampled[of_copies], "estimate") == Approx(whole[of_copies].get<double>()).epsilon(0.05));
  }
}

TEST_CASE("atomics, stores and reads of both halves, some skipped, verify with copies") {
  const TemporaryFolder folder;
  for (const char* coherence : {"invalidate", "expire"})
    for (const char* stimulus : {"histo@tiny", "bfs@tiny", "word_count@tiny"}) {
      INFO(coherence << ' ' << stimulus);
      run(folder, with(machine(coherence, "4"), {"--sample", "2", "--scramble"}), stimulus);
    }
}

}  // namespace wharf::cli
