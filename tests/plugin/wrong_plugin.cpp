// A plugin with the mistake that the environment names. One library covers every mistake that the program must refuse.

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "platforms/plugin.h"

namespace {

std::string mistake() {
  const char* named = std::getenv("WHARF_TEST_MISTAKE");
  return named == nullptr ? "" : named;
}

std::unique_ptr<wharf::WarpScheduler> make_nothing(const wharf::WarpSchedulerOptions&) { return nullptr; }

const bool kStarted = [] {
  if (mistake() == "static exception") throw std::runtime_error("no licence server");
  if (mistake() == "static number") throw 42;
  return true;
}();

template <class Made, class... Options>
std::unique_ptr<Made> nothing(Options...) {
  return nullptr;
}

wharf::AddedNetwork no_network(const wharf::NetworkOptions&) { return {}; }

/// A maker that returns nothing, in the family that the mistake names after "null ".
void add_null(wharf::PluginHost& host, const std::string& family) {
  using namespace wharf;
  if (family == "replacement") host.add(ReplacementEntry{"none_yet", "r", nothing<AddedReplacement, const ReplacementOptions&>});
  if (family == "cta_scheduler") host.add(CtaSchedulerEntry{"none_yet", "c", nothing<CtaScheduler, const Arguments&>});
  if (family == "warp_filter") host.add(WarpFilterEntry{"none_yet", "f", nothing<WarpFilter, const WarpFilterOptions&>});
  if (family == "dram_scheduler") host.add(DramSchedulerEntry{"none_yet", "d", nothing<DramScheduler, const DramSchedulerOptions&>});
  if (family == "network") host.add(NetworkEntry{"none_yet", "n", no_network});
  if (family == "arbitration")
    host.add(arbitration::Entry{"none_yet", "a", nothing<arbitration::PortAllocator, unsigned, unsigned, unsigned>, false});
  if (family == "stimulus")
    host.add(
        spmd::Entry{{"none_yet", "s", {}, {}, {{"std", {}}}}, nothing<spmd::Workload, const Arguments&, spmd::Memory&, std::uint64_t>});
}

void add_all(wharf::PluginHost& host) {
  if (mistake() == "exception") throw std::runtime_error("the licence has run out");
  if (mistake() == "number") throw 42;
  if (mistake() == "workload") host.add(wharf::spmd::Entry{{"synthetic", "", {}, {}, {}}, nullptr});
  if (mistake().rfind("null ", 0) == 0) add_null(host, mistake().substr(5));
  const char* const name = mistake() == "taken name" ? "gto" : mistake() == "odd name" ? "spare:1" : "spare";
  host.add(wharf::WarpSchedulerEntry{name, "does nothing", make_nothing});
}

wharf::PluginInfo info() {
  wharf::PluginInfo info("wrong", add_all);
  if (mistake() == "form") info.form = 0x5748'4152'4600'0000;
  if (mistake() == "version") info.version = "0.0.1";
  if (mistake() == "headers") info.headers = "0123456789abcdef";
  if (mistake() == "compiler") info.toolchain.compiler = 4;
  if (mistake() == "strings") info.toolchain.strings = 1 - info.toolchain.strings;
  if (mistake() == "systemc") info.toolchain.systemc = 20301;
  return info;
}

}  // namespace

const wharf::PluginInfo wharf_plugin = info();
