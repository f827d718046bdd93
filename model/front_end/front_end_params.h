#pragma once
// Parameters of the front end (CM-27, CM-29).

#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/cta_scheduler/cta_scheduler.h"

namespace wharf {

inline constexpr std::uint32_t kMostConcurrentKernels = 128;

enum class KernelEnd { drained, ctas_done };
enum class SmSharing { kernels, one_kernel };
enum class L1Invalidation { every_start, empty_sm };
enum class ClusterPolicy { spread, pack };

struct FrontEndParams {
  std::string cta_scheduler = "round_robin";
  std::uint32_t kernel_launch_cycles = 1;
  std::uint32_t eligible_sms = kUnlimited;
  KernelEnd kernel_end = KernelEnd::drained;
  std::uint32_t concurrent_kernels = 1;
  SmSharing sm_sharing = SmSharing::kernels;
  L1Invalidation l1_invalidation = L1Invalidation::every_start;
  ClusterPolicy cluster_policy = ClusterPolicy::spread;
  bool nonportable_clusters = true;
  bool runs_clusters = false;  // not a key: the platform runs thread-block clusters

  bool runs_kernels_together() const { return concurrent_kernels > 1; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.policy("cta_scheduler", cta_scheduler, cta_scheduler_catalogue_names(), "which SM takes the next CTA (CM-27)");
    b.integer("kernel_launch_cycles", kernel_launch_cycles, Unit::cycles,
              "from kernel start to the dispatch of its first CTA; includes the cycle in which the L1 caches are invalidated", 1, 1u << 24);
    b.limit("eligible_sms", eligible_sms, Unit::count, "SMs 0 .. n - 1 take CTAs; unlimited: all", 1, 4096);
    b.choice("kernel_end", kernel_end, {{"drained", KernelEnd::drained}, {"ctas_done", KernelEnd::ctas_done}},
             "drained: nothing is in flight (CM-29); ctas_done: all CTAs have ended, and writebacks may still be in flight (CM-38)");
    b.integer("concurrent_kernels", concurrent_kernels, Unit::count,
              "kernels of different streams that may run together, and how many kernels the front end looks ahead; 1: "
              "one after the other",
              1, kMostConcurrentKernels);
    b.choice("sm_sharing", sm_sharing, {{"kernels", SmSharing::kernels}, {"one_kernel", SmSharing::one_kernel}},
             "kernels: an SM may hold CTAs of several kernels at once; one_kernel: it accepts CTAs of another kernel "
             "only when it has no CTA left");
    b.choice(
        "l1_invalidation", l1_invalidation, {{"every_start", L1Invalidation::every_start}, {"empty_sm", L1Invalidation::empty_sm}},
        "every_start: a kernel that starts while others run invalidates all L1 caches; empty_sm: an L1 is invalidated when its SM has no "
        "CTA left, so the L1 of a busy SM may return values overwritten before the kernel started");
    b.choice(
        "cluster_policy", cluster_policy, {{"spread", ClusterPolicy::spread}, {"pack", ClusterPolicy::pack}},
        "where the CTAs of a thread-block cluster run. spread: each on another SM of a GPC, the least loaded first; pack: as many as fit "
        "on one SM (modern_gpus section 4)");
    b.flag("nonportable_clusters", nonportable_clusters, "clusters may have up to 16 CTAs; false: up to 8");
    for (const char* key : {"cluster_policy", "nonportable_clusters"})
      b.ineffective_unless(runs_clusters, key, "this platform runs no thread-block clusters");
    for (const char* key : {"sm_sharing", "l1_invalidation"})
      b.ineffective_unless(runs_kernels_together(), key, "front_end.concurrent_kernels is 1: one kernel runs at a time");
  }
};

}  // namespace wharf
