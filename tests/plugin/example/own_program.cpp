// A program that uses the model as a library: one simulation, and its counters.

#include <cstdio>
#include <exception>
#include <systemc>

#include "model/base/config/load.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/simulation.h"
#include "stimuli/catalogue.h"

int sc_main(int, char**) {
  try {
    const auto configuration = wharf::config::load<wharf::GpuParams>(WHARF_DATA "/platforms/configs", "private");
    const auto stimulus = wharf::make_stimulus("vectoradd@tiny", 1);
    wharf::Simulation simulation(configuration.params, *stimulus, {});
    simulation.run();
    const wharf::Interval& run = simulation.whole_run();
    const wharf::stats::View counted(simulation.statistics(), run.begin, run.end);
    std::printf("%llu cycles, %llu loads\n", static_cast<unsigned long long>(run.cycles()),
                static_cast<unsigned long long>(counted.sum("l1.load.accesses")));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
