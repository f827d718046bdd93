#pragma once
// The order in which one scheduler of an SM issues its ready warps (CM-24; a warp filter decides first which warps may issue).

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/warp_scheduler/age_order.h"

namespace wharf {

class Archive;

/// Orders up to kMaxWarps warps, named by their slots. The host calls pick() and reports the outcome. pick() changes nothing, so that the
/// host can ask again in the same cycle, without a warp that was picked and could not issue.
class WarpScheduler {
 public:
  static constexpr int kNone = -1;

  virtual ~WarpScheduler() = default;
  /// The warp of `ready` to issue in core cycle `now`; kNone exactly when `ready` is empty. All warps of `ready` are resident.
  virtual int pick(WarpMask ready, Cycle now) const = 0;
  /// `warp` has issued an instruction.
  virtual void issued(unsigned warp) = 0;
  /// A warp now occupies slot `warp`. `age` is its rank in order of assignment to the SM: lower is older, and ties go to the lower slot.
  virtual void warp_launched(unsigned warp, std::uint64_t age) = 0;
  virtual void warp_finished(unsigned warp) = 0;
  /// `warp` waits for an event of unknown latency: data from memory, or a barrier.
  virtual void stalled_long(unsigned warp) = 0;
  /// Saves or loads its state between kernels (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
};

struct WarpSchedulerOptions {
  std::uint32_t active_warps = 6;  // two_level: size of the active set, >= 1 (morpheus section 2.4, public default of two_level)
  Arguments arguments = {};        // of an added member: those that follow its name
};

/// `name` may carry arguments. Throws InputError for an unknown name, or an option out of its range.
std::unique_ptr<WarpScheduler> make_warp_scheduler(std::string_view name, WarpSchedulerOptions options);

std::vector<config::PolicyName> warp_scheduler_catalogue_names();

/// An entry of the catalogue, which keeps the pointers to its texts.
struct WarpSchedulerEntry {
  const char* name;
  const char* help;
  std::unique_ptr<WarpScheduler> (*make)(const WarpSchedulerOptions&);
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_warp_scheduler(const WarpSchedulerEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
