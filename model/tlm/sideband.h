#pragma once
// The sideband (CM-28): one-way events that are never refused. A block sees them in the next cycle.

#include <tlm>

#include "model/base/access.h"
#include "model/base/cache_event.h"
#include "model/base/cluster_member.h"
#include "model/base/types.h"
#include "stimuli/stimulus.h"

namespace wharf {

/// A CTA on its way from the front end to an SM. The receiver of cta_launch owns it.
struct CtaWork {
  const KernelLaunch* launch = nullptr;  // runs until the CTA has ended
  std::uint64_t number = 0;              // linear number in its kernel
  std::uint32_t slot = 0;                // CTA slot of the SM
  std::uint64_t age = 0;                 // rank in order of dispatch in the run
  std::vector<std::unique_ptr<WarpStream>> warps;
  std::uint32_t first_warp = 0;  // warp slot of its first warp; the others follow
  std::uint8_t kernel = 0;       // index of its kernel among those that run concurrently
  ClusterMember cluster;
};

struct Event {
  enum class Kind : std::uint8_t {
    kernel_start,  // L1-class caches invalidate all lines; they get the unified array minus `shared_bytes`, plus `register_bytes`
    cta_launch,    // front end to SM
    cta_finish,    // SM to front end
    drain,         // front end to write-back L1s: all warps have exited, so write back dirty data
    kernel_end,    // front end to all listeners: no kernel runs, and nothing is in flight
    sm_empty,      // front end to L1-class caches: SM `sm` has no CTA left, and its L1 invalidates all lines
    fence,         // SM to its L1: a warp passes a fence, so all lines may be stale
    line_written,  // home router to its L1: the SM has written `line` elsewhere, so a copy here is stale (SL-28)
  };
  Kind kind = Kind::kernel_start;
  std::uint16_t sm = 0;                    // addressee or sender
  bool keep_lines = false;                 // kernel_start: an L1 that keeps its size keeps its lines
  std::uint32_t shared_bytes = 0;          // kernel_start: per SM
  std::uint32_t used_shared_bytes = 0;     // kernel_start: the most shared memory of an SM that CTAs of this kernel ever occupy
  std::uint32_t register_bytes = 0;        // kernel_start: registers of an SM that serve its L1 while this kernel runs
  const KernelLaunch* kernel = nullptr;    // kernel_start
  std::uint8_t place = 0;                  // kernel_start: index of the kernel among those that run concurrently
  bool concurrent = false;                 // kernel_start: other kernels run; all figures per SM cover all of them together
  std::uint32_t ctas_per_sm = 0, sms = 0;  // kernel_start: slots of an SM that the kernel uses, and number of SMs
  std::uint32_t warps_per_slot = 0;        // kernel_start: warps of such a slot
  CtaWork* cta = nullptr;                  // cta_launch
  std::uint32_t slot = 0;                  // cta_finish
  LineAddress line;                        // line_written
};

/// Sent when an L1 has looked up a load or store of global or local space.
struct LookupEvent {
  LineAddress line;
  std::uint16_t sm = 0;       // the SM of the access
  bool hit = false;           // all sectors were present
  bool merged = false;        // it joined an MSHR entry, because its sectors were already requested
  std::uint32_t latency = 0;  // of a hit: cycles from the access to its data
};

using CacheEventListener = tlm::tlm_analysis_if<CacheEvent>;
/// A port that costs nothing without a listener.
class CacheEventPort : private tlm::tlm_analysis_port<CacheEvent> {
 public:
  void bind(CacheEventListener& listener) {
    tlm_analysis_port::bind(listener);
    bound_ = true;
  }
  bool bound() const { return bound_; }
  void report(const CacheEvent& event) {
    if (bound_) write(event);
  }

 private:
  bool bound_ = false;
};

using SidebandPort = tlm::tlm_analysis_port<Event>;
using SidebandListener = tlm::tlm_analysis_if<Event>;
using LookupPort = tlm::tlm_analysis_port<LookupEvent>;
using SentToL2Listener = tlm::tlm_analysis_if<Access>;
/// Reports the accesses that SMs send to L2 slices, but neither requests that caches make on their own nor count probes.
class SentToL2Port : private tlm::tlm_analysis_port<Access> {
 public:
  void bind(SentToL2Listener& listener) {
    tlm_analysis_port::bind(listener);
    bound_ = true;
  }
  void report(const Access& access) {
    if (bound_ && access.id != 0 && access.kind != AccessKind::metadata) write(access);
  }

 private:
  bool bound_ = false;
};
using LookupListener = tlm::tlm_analysis_if<LookupEvent>;

}  // namespace wharf
