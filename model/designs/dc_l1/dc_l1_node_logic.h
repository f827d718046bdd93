#pragma once
// Decisions and counters of a DC-L1 node (dc_l1 sections 3 to 5), and the headers of its messages to SMs.

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/designs/dc_l1/dc_l1_params.h"
#include "model/nic/nic_params.h"

namespace wharf {

struct DcL1NodeCounters {
  explicit DcL1NodeCounters(stats::Group& group);
  stats::Counter reads, writes, atomics, bypasses, replies, acks, reply_bytes, q2_full, q2_turn;
  stats::Histogram q2;
};

class DcL1NodeLogic {
 public:
  struct Place {
    unsigned node = 0;
    unsigned endpoint = 0;  // of NoC#1
    std::uint32_t flit_bytes = 32;
    Traffic answers = Traffic::from_l2;  // the traffic of NoC#1 towards the SMs
  };
  DcL1NodeLogic(const DcL1Params& params, const PacketParams& packets, const Place& place, stats::Registry& registry);

  void arrives(const Access& access);
  /// Fills in the header of an answer to the requesting SM.
  void head_for_core(Transaction& transaction);

  DcL1NodeCounters& counters() { return counters_; }
  std::string path() const { return group_.path(); }

 private:
  bool looked_up(const Access& access) const {
    return access.cache_op != CacheOp::bypass_l1 && (access.kind == AccessKind::load || params_.textures == Textures::cached);
  }

  const DcL1Params params_;
  const PacketParams packets_;
  const Place place_;
  stats::Group group_;
  DcL1NodeCounters counters_;
};

}  // namespace wharf
