#include "platforms/plugin.h"

#include <utility>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/catalogue.h"

namespace wharf {
namespace {

/// Checks that the name is plain, because sizes and arguments follow names where they are used.
void check_name(const std::string& name) {
  const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos && !name.empty();
  if (!plain) throw InputError("it adds a member called " + quote(name) + "; a name is of small letters, digits and _");
}

}  // namespace

// Not in the header: the program calls this function, so it links all of this file for its plugins.
PluginHost::PluginHost(std::string plugin) : plugin_(std::move(plugin)) {}

std::string PluginHost::marked_help(const std::string& help) const { return help + " (plugin " + plugin_ + ")"; }

template <class Entry>
Entry PluginHost::marked(Entry entry) {
  check_name(entry.name);
  entry.help = texts_.emplace_back(marked_help(entry.help)).c_str();
  return entry;
}

void PluginHost::add(const ReplacementEntry& entry, std::vector<Argument> arguments) {
  add_replacement(marked(entry), std::move(arguments));
}
void PluginHost::add(const WarpSchedulerEntry& entry, std::vector<Argument> arguments) {
  add_warp_scheduler(marked(entry), std::move(arguments));
}
void PluginHost::add(const WarpFilterEntry& entry, std::vector<Argument> arguments) {
  add_warp_filter(marked(entry), std::move(arguments));
}
void PluginHost::add(const CtaSchedulerEntry& entry, std::vector<Argument> arguments) {
  add_cta_scheduler(marked(entry), std::move(arguments));
}
void PluginHost::add(const CoreSelectorEntry& entry, std::vector<Argument> arguments) {
  add_core_selector(marked(entry), std::move(arguments));
}
void PluginHost::add(const DramSchedulerEntry& entry, std::vector<Argument> arguments) {
  add_dram_scheduler(marked(entry), std::move(arguments));
}
void PluginHost::add(const HitPredictorEntry& entry, std::vector<Argument> arguments) {
  add_hit_predictor(marked(entry), std::move(arguments));
}
void PluginHost::add(const SharingPredictorEntry& entry, std::vector<Argument> arguments) {
  add_sharing_predictor(marked(entry), std::move(arguments));
}
void PluginHost::add(const NetworkEntry& entry, std::vector<Argument> arguments) { add_network(marked(entry), std::move(arguments)); }
void PluginHost::add(const arbitration::Entry& entry) { arbitration::add(marked(entry)); }

void PluginHost::add(const DesignEntry& entry) { add_design(marked(entry)); }

void PluginHost::add(spmd::Entry entry) {
  check_name(entry.info.name);
  if (entry.info.name == "synthetic") throw InputError("it adds the workload synthetic, which is there already; give it another name");
  entry.info.help = marked_help(entry.info.help);
  add_stimulus(std::move(entry));
}

}  // namespace wharf
