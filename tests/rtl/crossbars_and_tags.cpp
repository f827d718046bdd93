// Whole GPUs with the iSLIP of their crossbars, and the aggregated tag arrays of their clusters, as RTL.

#include <catch2/catch.hpp>

#include "model/rtl/catalogue.h"
#include "platforms/cli/stimuli.h"
#include "tests/platform/apart.h"

namespace wharf::test {
namespace {

struct Machine {
  std::string configuration;
  std::vector<std::string> settings;
  std::string stimulus;
};

/// The machine with `key` set to a form of the block.
Outcome run_with(const Machine& machine_of, const std::string& key, const std::string& form) {
  static const bool added = (rtl::add_to_catalogues(), true);
  static_cast<void>(added);
  std::vector<std::string> settings = machine_of.settings;
  settings.push_back(key + "=" + form);
  const auto open = [&] { return cli::open_named_stimulus(machine_of.stimulus, 1); };
  Outcome outcome = run_apart(machine(machine_of.configuration, settings), open);
  INFO(machine_of.configuration << " " << machine_of.stimulus << " " << settings.back() << ": " << outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

void gives_the_same(const std::vector<Machine>& machines, const std::string& key, const std::string& tlm, std::initializer_list<const char*> forms) {
  for (const Machine& each : machines) {
    const Outcome expected = run_with(each, key, tlm);
    for (const char* form : forms) {
      CAPTURE(each.configuration, each.stimulus, form);
      CHECK(run_with(each, key, form).bytes() == expected.bytes());
    }
  }
}

TEST_CASE("crossbars with iSLIP as RTL, and in lockstep with it, give byte-identical results on every kind of GPU") {
  gives_the_same({{"private", {}, "vectoradd@tiny"},
                  {"private", {"sms=4"}, "gemm@tiny"},
                  {"private", {"sms=4", "network.crossbar.iterations=2"}, "bfs@tiny"},
                  {"dc_l1", {}, "vectoradd@tiny"},
                  {"ata", {}, "vectoradd@tiny"}},
                 "network.crossbar.arbitration", "islip", {"islip_rtl", "islip_lockstep"});
}

TEST_CASE("clusters with their tag array as RTL, and in lockstep with it, give byte-identical results") {
  gives_the_same({{"ata", {}, "gemm@tiny"},
                  {"ata", {"sms=4", "ata.cluster_size=2"}, "bfs@tiny"},
                  {"ata/ata_dirtytag", {"sms=20"}, "hotspot@tiny"},
                  {"ata/ata_inv", {"sms=10", "l1.capacity_kib=16", "l1.ways=32", "l1.set_index=xor"}, "stencil@tiny"}},
                 "ata.tag_array", "map", {"rtl", "lockstep"});
}

}  // namespace
}  // namespace wharf::test
