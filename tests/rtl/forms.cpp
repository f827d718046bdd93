// Whole machines with a block as RTL: the same bytes as with its TLM form, alone or in lockstep; the sets that are built, and refusals.

#include <bloom_faulty_sets.h>

#include <array>
#include <catch2/catch.hpp>
#include <fstream>

#include "model/rtl/blocks/bloom_rtl.h"
#include "model/rtl/catalogue.h"
#include "model/rtl/lockstep.h"
#include "platforms/cli/stimuli.h"
#include "test_paths.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::rtl {
void add_first_touch();  // of the example
}

namespace wharf::test {
namespace {

/// Lockstep with RTL that has a fault.
std::unique_ptr<HitPredictor> make_faulty(const HitPredictorOptions& options) {
  std::unique_ptr<HitPredictor> both;
  rtl::visit_bloom_faulty_sets([&](auto set) {
    using Rtl = rtl::BloomRtl<typename decltype(set)::Model>;
    both = std::make_unique<rtl::LockstepHitPredictor>(make_hit_predictor("bloom", options),
                                                       std::make_unique<Rtl>("rtl", "bloom_faulty", set.text, options));
  });
  return both;
}

GpuParams machine_with_rtl(const std::string& configuration, const Settings& settings) {
  static const bool added = [] {
    rtl::add_to_catalogues();
    rtl::add_first_touch();
    add_hit_predictor({"bloom_faulty", "swaps too late", make_faulty});
    return true;
  }();
  REQUIRE(added);
  return machine(configuration, settings);
}

/// Sets of three and eight lines, so that the filters swap.
const Settings kSmallSets = {"sms=8",
                             "front_end.eligible_sms=4",
                             "channels=4",
                             "l2.slice_kib=1",
                             "l2.ways=2",
                             "morpheus.kernel.rf_warps=2",
                             "morpheus.kernel.l1_warps=1",
                             "morpheus.kernel.register_file_kib=4",
                             "morpheus.kernel.l1_kib=1"};
const Settings kSmallFilters = {"morpheus.bloom.bytes=16", "morpheus.bloom.hashes=3"};

/// Names of a block: TLM form, RTL, lockstep.
using Forms = std::array<std::string, 3>;
Forms forms_of(const std::string& policy) { return {policy, policy + "_rtl", policy + "_lockstep"}; }

/// Checks that the run ends without failure with the TLM form, and gives the same result with RTL, or both in lockstep, in any order of the
/// blocks.
Outcome same_in_all_forms(const std::string& configuration, const Settings& settings, const std::string& key, const Forms& forms,
                          const OpenStimulus& open) {
  CAPTURE(configuration, settings);
  const Outcome outcome = run_apart(machine_with_rtl(configuration, settings + Settings{key + "=" + forms[0]}), open, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  for (const std::string& form : {forms[1], forms[2]}) {
    CAPTURE(form);
    RunOptions options = checked();
    options.scramble = true;
    const Outcome other = run_apart(machine_with_rtl(configuration, settings + Settings{key + "=" + form}), open, options);
    CHECK(other.failure == "");
    CHECK(other.bytes() == outcome.bytes());
  }
  return outcome;
}

OpenStimulus named(const std::string& name) {
  return [name] { return cli::open_named_stimulus(name, 1); };
}

OpenStimulus traffic() {
  return [] { return std::make_unique<Scripted>(random_traffic(1, {2, 16, 2, 40, 6, 300, 3, true})); };
}

}  // namespace

TEST_CASE("a machine with the Bloom hit predictor as RTL, or in lockstep, gives the bytes of its TLM form") {
  const std::string key = "morpheus.hit_predictor";
  const Outcome small = same_in_all_forms("morpheus/basic", kSmallSets + kSmallFilters, key, forms_of("bloom"), traffic());
  CHECK(small.run("hit_predictor.swaps") > 20);
  CHECK(small.run("morpheus.false_positives") > 20);
  const Outcome compressed =
      same_in_all_forms("morpheus/all", kSmallSets + Settings{"morpheus.kernel.register_file_kib=16"}, key, forms_of("bloom"), traffic());
  CHECK(compressed.run("hit_predictor.updates") > 100);
  const Outcome large =
      same_in_all_forms("morpheus/all", {"sms=12", "front_end.eligible_sms=8"}, key, forms_of("bloom"), named("spmv@tiny"));
  CHECK(large.run("hit_predictor.updates") > 100);
}

TEST_CASE("a machine with the two-bit sharing predictor as RTL, or in lockstep, gives the bytes of its TLM form") {
  const std::string key = "remote_sharing.predictor";
  for (const Settings& table :
       {Settings{}, Settings{"remote_sharing.pc_two_bit.entries=8", "remote_sharing.pc_two_bit.count_at=issue",
                             "remote_sharing.pc_two_bit.probed=spread", "remote_sharing.pc_two_bit.survives_kernels=false"}}) {
    const Outcome outcome = same_in_all_forms("remote_sharing/rp_5_2_05", table, key, forms_of("pc_two_bit"), named("bfs@tiny"));
    CHECK(outcome.run("sm.served_by.peer") > 0);
  }
}

TEST_CASE("a machine with the iSLIP of its crossbars as RTL, or in lockstep, gives the bytes of its TLM form") {
  const auto packets = [](const std::string& configuration, const Settings& settings, const std::string& stimulus,
                          const std::string& network = "network") {
    return same_in_all_forms(configuration, settings, network + ".crossbar.arbitration", forms_of("islip"), named(stimulus))
        .run("net.request.packets");
  };
  CHECK(packets("private", {}, "vectoradd@tiny") > 1000);
  CHECK(packets("private", {"sms=4", "network.crossbar.iterations=2"}, "bfs@tiny") > 1000);
  CHECK(packets("ata", {}, "vectoradd@tiny") > 1000);
  CHECK(packets("dc_l1", {}, "vectoradd@tiny") > 1000);
  CHECK(packets("dc_l1", {}, "vectoradd@tiny", "dc_l1.noc1") > 1000);
}

TEST_CASE("a machine with its aggregated tag arrays as RTL, or in lockstep, gives the bytes of the map") {
  const auto requests = [](const std::string& configuration, const Settings& settings, const std::string& stimulus) {
    const Forms forms = {"map", "rtl", "lockstep"};
    return same_in_all_forms(configuration, settings, "ata.tag_array", forms, named(stimulus)).run("cluster.requests");
  };
  CHECK(requests("ata", {}, "gemm@tiny") > 10);
  CHECK(requests("ata", {"sms=4", "ata.cluster_size=2"}, "bfs@tiny") > 100);
  // L1s whose size changes from kernel to kernel.
  CHECK(requests("ata", {"sm.unified_kib=64", "sm.shared_kib=32", "sm.shared_splits_kib=[0,32]"}, "nw@tiny") > 10);
  CHECK(requests("ata/ata_dirtytag", {"sms=20"}, "bfs@tiny") > 100);
  CHECK(requests("ata/ata_inv", {"sms=10", "l1.capacity_kib=16", "l1.ways=32", "l1.set_index=xor"}, "stencil@tiny") > 100);
}

TEST_CASE("a machine in lockstep with RTL that has a fault ends where the two differ, with cycle, inputs and both answers") {
  const Settings faulty = kSmallSets + kSmallFilters + Settings{"morpheus.hit_predictor=bloom_faulty"};
  const Outcome outcome = run_apart(machine_with_rtl("morpheus/basic", faulty), traffic());
  CHECK(outcome.end == End::simulation_failed);
  for (const char* part :
       {"hit_predictor", "RTL and TLM form differ at ", " ps (", "cycle ", "update with row ", "TLM:    swap", "RTL:    no swap"})
    CHECK_THAT(outcome.failure, Catch::Contains(part));
}

TEST_CASE("the example of docs/howto-rtl.md is a hit predictor that never misses what a set holds, and saves the way to unused sets") {
  const auto run = [](const std::string& predictor) {
    const Outcome outcome =
        run_apart(machine_with_rtl("morpheus/basic", kSmallSets + Settings{"morpheus.hit_predictor=" + predictor}), traffic(), checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome;
  };
  const Outcome example = run("first_touch_rtl"), none = run("none"), bloom = run("bloom");
  CHECK(example.run("morpheus.false_positives") < none.run("morpheus.false_positives"));
  CHECK(example.run("morpheus.false_positives") > bloom.run("morpheus.false_positives"));
}

TEST_CASE("docs/howto-rtl.md prints the files of its example as they are built here") {
  const auto text_of = [](const std::string& file) {
    std::ifstream in(std::string(WHARF_SOURCE_DIR) + "/" + file);
    std::string text;
    // A code block of the page is indented by four; its empty lines are not.
    for (std::string line; std::getline(in, line);) text += (line.empty() || file == "docs/howto-rtl.md" ? "" : "    ") + line + "\n";
    REQUIRE_FALSE(text.empty());
    return text;
  };
  const std::string page = text_of("docs/howto-rtl.md");
  for (const char* file : {"first_touch.sv", "first_touch_rtl.cpp", "example.cmake"})
    CHECK_THAT(page, Catch::Contains(text_of(std::string("tests/rtl/example/") + file)));
}

TEST_CASE("RTL that was not built for a configuration's parameters is refused with the sets there are and the CMake variable") {
  const auto refused = [](const Settings& settings) {
    const Outcome outcome =
        run_apart(machine_with_rtl("morpheus/basic", settings + Settings{"morpheus.hit_predictor=bloom_rtl"}), traffic());
    CHECK(outcome.end == End::bad_input);
    return outcome.failure;
  };
  CHECK_THAT(refused({"morpheus.bloom.bytes=64"}), Catch::Contains("BYTES=64 HASHES=2 ROWS=") &&
                                                       Catch::Contains("BYTES=32 HASHES=2 ROWS=256\n  BYTES=16 HASHES=3 ROWS=16") &&
                                                       Catch::Contains("'WHARF_RTL_BLOOM_SETS=BYTES=64 HASHES=2 ROWS="));
  CHECK_THAT(refused({"morpheus.bloom.bytes=16", "morpheus.bloom.hashes=3"}), Catch::Contains("ROWS=140 or more"));
}

}  // namespace wharf::test
