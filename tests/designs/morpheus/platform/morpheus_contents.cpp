// The contents of a line decide how far the extended LLC compresses it (morpheus section 7) and how large messages on the networks are.

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "tests/platform/machines/apart.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {
namespace {

/// A script whose lines all hold integers from `base` on, `step` apart.
class Holding final : public Stimulus {
 public:
  Holding(const std::vector<ScriptedKernel>& kernels, std::uint32_t base, std::uint32_t step)
      : script_(kernels), base_(base), step_(step) {}

  const KernelLaunch* next_kernel() override { return script_.next_kernel(); }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override { return script_.open_cta(cta); }
  bool contents(LineAddress, std::array<std::byte, kLineBytes>& bytes) const override {
    for (unsigned i = 0; i < kLineBytes; ++i) bytes[i] = static_cast<std::byte>((base_ + i / 4 * step_) >> i % 4 * 8);
    return true;
  }

 private:
  Scripted script_;
  std::uint32_t base_, step_;
};

Outcome run_holding(std::uint32_t base, std::uint32_t step, const std::vector<std::string>& settings = {}) {
  ScriptedKernel kernel;
  for (unsigned i = 0; i < 8; ++i) kernel.ctas.push_back({{load(Address{i} * 32 * kLineBytes, 1, kNoRegister, 0xFFFF'FFFF, kLineBytes)}});
  const Outcome outcome = run_apart(
      machine("morpheus/all", layered({"front_end.kernel_launch_cycles=3000"}, settings)),
      [&] {
        return std::make_unique<Holding>(std::vector<ScriptedKernel>{kernel, kernel}, base, step);
      },
      checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  REQUIRE(outcome.run("ellc.inserts") > 100);
  return outcome;
}

TEST_CASE("integers near each other are kept in a quarter of a block, less near in half, others whole, by what the stimulus holds") {
  const auto kept = [](const Outcome& outcome) {
    return std::vector<std::uint64_t>{outcome.run("ellc.kept_high"), outcome.run("ellc.kept_low"), outcome.run("ellc.kept_uncompressed")};
  };
  // With the detailed kernel, which inserts no lines into L1 sets.
  const std::vector<std::string> warps = {"morpheus.kernel.service=warps"};
  const Outcome small = run_holding(1'000'000, 4, warps), middle = run_holding(1'000'000, 1000, warps),
                large = run_holding(7, 123'456'789, warps);
  const std::uint64_t inserts = small.run("ellc.inserts");
  CHECK(kept(small) == std::vector<std::uint64_t>{inserts, 0, 0});
  CHECK(kept(middle) == std::vector<std::uint64_t>{0, inserts, 0});
  CHECK(kept(large) == std::vector<std::uint64_t>{0, 0, inserts});
}

TEST_CASE("levels are drawn where that is asked for, whatever lines hold") {
  const Outcome drawn = run_holding(7, 0, {"morpheus.kernel.compression.source=drawn"});
  CHECK(drawn.run("ellc.kept_low") > 0);
  CHECK(drawn.run("ellc.kept_uncompressed") > 0);
}

TEST_CASE("levels from what a kernel writes do not depend on who acts first") {
  const GpuParams params =
      machine("morpheus/all", {"sms=8", "front_end.eligible_sms=4", "channels=4", "l2.slice_kib=1", "l2.ways=2",
                               "morpheus.kernel.compression.epoch_cycles=500", "morpheus.kernel.compression.epoch_events=4"});
  RunOptions options = checked();
  const auto open = [] { return cli::open_named_stimulus("histo@tiny", 1); };
  const Outcome plain = run_apart(params, open, options);
  INFO(plain.failure);
  REQUIRE(plain.end == End::done);
  CHECK(plain.run("ellc.kept_high") > 0);
  options.scramble = true;
  CHECK((run_apart(params, open, options).bytes() == plain.bytes()));
  options.ticking = true;
  CHECK((run_apart(params, open, options).bytes() == plain.bytes()));
}

TEST_CASE("bytes of operations and results are those that the networks carried, but for victims and the L1's own lines") {
  const Outcome outcome = run_holding(7, 0);
  const std::uint64_t header = 8, word = 8, line = kLineBytes;
  const auto sum = [&](const char* metric) { return outcome.run(metric); };
  // Reads and touches carry a word, insertions also the line. A read that hits returns the line, everything else a word.
  REQUIRE(sum("ellc.writes") + sum("ellc.atomics") + sum("ellc.blocks") == 0);
  const std::uint64_t there = sum("ellc.requests") * (header + word) + sum("ellc.inserts") * line;
  const std::uint64_t reads_with_data = sum("eLLC.hits");
  const std::uint64_t back = reads_with_data * (header + line) + (sum("ellc.requests") - reads_with_data) * (header + word);
  REQUIRE(sum("ellc.misses") == 0);
  CHECK(sum("ellc.message_bytes") == there + back);
}

}  // namespace
}  // namespace wharf::test
