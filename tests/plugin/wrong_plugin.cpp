// A plugin with the mistake that the environment names: what the program has to refuse, from one library.

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

void add_all(wharf::PluginHost& host) {
  if (mistake() == "exception") throw std::runtime_error("the licence has run out");
  if (mistake() == "number") throw 42;
  if (mistake() == "workload") host.add(wharf::spmd::Entry{{"synthetic", "", {}, {}, {}}, nullptr});
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
