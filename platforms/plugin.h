#pragma once
// The interface of a shared library named with --plugin: who built it, and a function that adds members to Wharf's families
// (docs/howto-plugins.md). A plugin is a C++ file such as
//
//   #include "platforms/plugin.h"
//
//   const wharf::PluginInfo wharf_plugin("mine", [](wharf::PluginHost& host) {
//     host.add(wharf::ReplacementEntry{"lfu", "least frequently used", make_lfu}, {{"bits", "2", 1, 8, "width of a count"}});
//   });

#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "model/base/arguments.h"
#include "model/network/added_network.h"
#include "platforms/catalogue.h"
#include "platforms/plugin_build.h"
#include "policies/arbitration/catalogue.h"
#include "policies/core_selector/core_selector.h"
#include "policies/cta_scheduler/cta_scheduler.h"
#include "policies/dram_scheduler/dram_scheduler.h"
#include "policies/hit_predictor/hit_predictor.h"
#include "policies/replacement/replacement.h"
#include "policies/sharing_predictor/sharing_predictor.h"
#include "policies/warp_filter/warp_filter.h"
#include "policies/warp_scheduler/warp_scheduler.h"
#include "stimuli/kernels/kernels.h"

namespace wharf {

/// Receives the members that a plugin adds, before the first configuration is read. `arguments`: keys that `name:key=value,...` may set;
/// the member finds their values in its options. Each add() throws InputError if the family already has a member of that name.
class PluginHost {
 public:
  /// `plugin`: its name, shown next to the help of the members that it adds.
  explicit PluginHost(std::string plugin);

  void add(const ReplacementEntry& entry, std::vector<Argument> arguments = {});
  void add(const WarpSchedulerEntry& entry, std::vector<Argument> arguments = {});
  void add(const WarpFilterEntry& entry, std::vector<Argument> arguments = {});
  void add(const CtaSchedulerEntry& entry, std::vector<Argument> arguments = {});
  void add(const CoreSelectorEntry& entry, std::vector<Argument> arguments = {});
  void add(const DramSchedulerEntry& entry, std::vector<Argument> arguments = {});
  void add(const HitPredictorEntry& entry, std::vector<Argument> arguments = {});
  void add(const SharingPredictorEntry& entry, std::vector<Argument> arguments = {});
  void add(const NetworkEntry& entry, std::vector<Argument> arguments = {});
  void add(const arbitration::Entry& entry);
  void add(spmd::Entry entry);
  void add(const DesignEntry& entry);

 private:
  /// Returns the entry with the plugin's name in its help, a text that lives as long as the host.
  template <class Entry>
  Entry marked(Entry entry);
  std::string marked_help(const std::string& help) const;

  std::string plugin_;
  std::deque<std::string> texts_;
};

/// Everything that must be equal for two separately built pieces of C++ to be compatible.
struct Toolchain {
  std::uint64_t compiler = __GNUC__;
  std::uint64_t language = __cplusplus;
  std::uint64_t library = _GLIBCXX_RELEASE;
  std::uint64_t strings = _GLIBCXX_USE_CXX11_ABI;
  std::uint64_t systemc = SC_VERSION_MAJOR * 10000 + SC_VERSION_MINOR * 100 + SC_VERSION_PATCH;
#ifdef __SANITIZE_ADDRESS__
  std::uint64_t sanitizer = 1;
#else
  std::uint64_t sanitizer = 0;
#endif
};

/// The program compares this with its own toolchain before it calls any function of the plugin. Constructors of the plugin's static objects
/// already run on loading.
struct PluginInfo {
  static constexpr std::uint64_t kForm = 0x5748'4152'4600'0001;  // "WHARF", then the version of this struct's form

  constexpr PluginInfo(const char* plugin, void (*add_all)(PluginHost&)) : name(plugin), add(add_all) {}

  std::uint64_t form = kForm;
  const char* version = kWharfVersion;
  const char* headers = kWharfHeaders;
  Toolchain toolchain;
  const char* name;
  void (*add)(PluginHost&);
};

}  // namespace wharf

/// Defined by the plugin.
extern "C" __attribute__((visibility("default"))) const wharf::PluginInfo wharf_plugin;
