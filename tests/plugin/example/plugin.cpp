// A plugin with a design, and one member for each of four families: wharf compare private mine.yaml --stimuli saxpy --plugin libexample.so

#include "platforms/plugin.h"

#include "bus.h"
#include "lfu.h"
#include "paired/paired.h"
#include "saxpy.h"
#include "youngest_first.h"

namespace {

void add_all(wharf::PluginHost& host) {
  host.add(example::kLfu, example::lfu_arguments());
  host.add(example::kYoungestFirst);
  host.add(wharf::NetworkEntry{"bus", "links from all to all, a flit a cycle at each port", example::make_bus},
           {{"latency", "20", 2, 1000, "network cycles from port to port"}});
  host.add(example::saxpy_entry());
  host.add(wharf::design_entry<example::PairedPlatform, example::PairedDesign>("paired", "as private, but neighbours share one L1"));
}

}  // namespace

const wharf::PluginInfo wharf_plugin("example", add_all);
