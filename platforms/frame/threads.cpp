#include "platforms/frame/threads.h"

#include <algorithm>

#include "model/base/error.h"
#include "model/monitor/kernel_failure.h"
#include "platforms/frame/gpu_frame.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/frame/run_options.h"
#include "stimuli/stimulus.h"

namespace wharf {

std::string why_one_thread(const GpuParams& params, const RunOptions& options, const Stimulus& stimulus) {
  const PredictionParams& prediction = params.sm.prediction;
  if (!stimulus.runs_apart()) return "of a stimulus that checks its kernels or cannot begin again";
  if (params.facts().islands.empty()) return "blocks of 'platform: " + params.platform + "' call each other in the same cycle";
  if (params.facts().islands.count() == 1) return "all SMs share blocks, or links that only one thread may use";
  if (params.data != DataKept::none) return "of 'data: bytes'";
  if (prediction.on() && prediction.has_phases() && prediction.period_scope == PeriodScope::gpu)
    return "of 'sm.prediction.period_scope: gpu'";
  if (options.hosted) return "the cores are another simulator's";
  if (options.between || options.mark || options.check_protocol) return "of modules in its links";
  return {};
}

void pause_for_one_thread(const std::string& why) {
  try {
    throw OneThreadNeeded(why);
  } catch (const OneThreadNeeded&) {
    pause_with_error();
  }
}

/// The island at `part` (0..1) of the SMs or slices, in order. The islands of the networks have fewer of them.
Islands::Scope GpuFrame::at(double part) const {
  const bool has_stages = params_.facts().first_network.clock_mhz != 0;  // their crossbars are spread over all islands
  const NetworkEntry::Work work = has_stages ? NetworkEntry::Work{} : params_.network.entry().work;
  const unsigned requests = Islands::of_part(0, 2), replies = Islands::of_part(1, 2);
  const double share = (1 + work.requests + work.replies) / Islands::count();
  double end = 0;
  for (unsigned island = 1; island < Islands::count(); ++island) {
    end += std::max(share - (island == requests ? work.requests : 0) - (island == replies ? work.replies : 0), 0.0);
    if (part < end) return Islands::Scope(island);
  }
  return Islands::Scope(Islands::count());
}

/// That of the SMs with which it has blocks in common.
Islands::Scope GpuFrame::at_sm(unsigned sm) const {
  const SmGroups islands = params_.facts().islands;
  const SmGroups::Group group = islands.empty() ? SmGroups::Group{sm, 1} : islands.around(sm);
  return at((group.first + group.size / 2.0) / params_.sms);
}

/// Slices are where their channel is. The two slices of a pair in partitions are together.
Islands::Scope GpuFrame::at_slice(unsigned slice) const {
  const unsigned channels = params_.l2.partition.on() ? std::max(params_.channels / 2, 1u) : params_.channels;
  return at((slice / params_.slices_per_channel % channels + 0.5) / channels);
}

}  // namespace wharf
