#pragma once
// Parameters of the front end (CM-27, CM-29).

#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/cta_scheduler/cta_scheduler.h"

namespace wharf {

enum class KernelEnd { drained, ctas_done };

struct FrontEndParams {
  std::string cta_scheduler = "round_robin";
  std::uint32_t kernel_launch_cycles = 1;
  std::uint32_t eligible_sms = kUnlimited;
  KernelEnd kernel_end = KernelEnd::drained;

  void bind(config::Binder& b) {
    using config::Unit;
    b.policy("cta_scheduler", cta_scheduler, cta_scheduler_catalogue_names(), "which SM takes the next CTA (CM-27)");
    b.integer("kernel_launch_cycles", kernel_launch_cycles, Unit::cycles,
              "kernel start to the dispatch of its first CTA; at least the cycle in which the L1 caches are invalidated", 1, 1u << 24);
    b.limit("eligible_sms", eligible_sms, Unit::count, "SMs 0 .. n - 1 take CTAs; unlimited: all", 1, 4096);
    b.choice("kernel_end", kernel_end, {{"drained", KernelEnd::drained}, {"ctas_done", KernelEnd::ctas_done}},
             "drained: nothing is in flight (CM-29); ctas_done: all CTAs have ended, and writebacks may still be in flight (CM-38)");
  }
};

}  // namespace wharf
