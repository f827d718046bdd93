#pragma once
// The module around the hit predictor of a partition (morpheus section 5.1). A lookup link connects it to the controller, so that RTL can
// replace it. A read at a line's address is a query; its data hold set, tag and the answer. A write reports that an operation has used the
// line. Updates take effect at the end of the cycle, in order.
//
// Not modelled: the cycle of a query, which is part of the partition's access_cycles (morpheus section 5.1).

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/lookup_link.h"
#include "policies/hit_predictor/hit_predictor.h"

namespace wharf {

/// The data of a transaction on the link.
struct PredictorWord {
  std::uint32_t row = 0, tag = 0;
  bool hit = false;          // read: the answer
  bool all_touched = false;  // write: every block of the set has been used since the kernel was last told to clear its touched bits
};

class HitPredictorUnit : public sc_core::sc_module, public Committed, private LookupTarget {
 public:
  /// `make` is called immediately, so the modules of a policy become children of this one.
  using MakePolicy = std::function<std::unique_ptr<HitPredictor>()>;
  HitPredictorUnit(sc_core::sc_module_name name, const MakePolicy& make, unsigned partition, ClockDomain& clock, stats::Registry& registry);

  tlm::tlm_target_socket<>& port() { return port_.socket; }
  void commit() override;
  /// Saves or loads the state between kernels. Returns false if the predictor does not support it.
  bool archive(Archive& file);

 private:
  struct Update {
    HitPredictor::Block block;
    bool all_touched;
  };
  void read(unsigned, Address address, unsigned char* data, unsigned length) override;
  void write(unsigned, Address address, const unsigned char* data, unsigned length) override;

  ClockDomain& clock_;
  std::unique_ptr<HitPredictor> policy_;
  stats::Group group_;
  stats::Counter updates_, swaps_;
  std::vector<Update> pending_;
  LookupTargetPort port_;
};

}  // namespace wharf
