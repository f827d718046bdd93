#pragma once
// The hit predictor of a partition as a module (morpheus section 5.1): a lookup link to the controller, so that RTL can stand in its place.
// A read at a line's address is a question: its data hold set and tag, and the answer. A write says that an operation has used the line.
// Updates apply at the end of the cycle, in order.
//
// Not modelled: the one cycle of a query, which is part of the partition's traversal (morpheus section 5.1).

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/lookup_link.h"
#include "policies/hit_predictor/hit_predictor.h"

namespace wharf {

/// What travels on the link.
struct PredictorWord {
  std::uint32_t row = 0, tag = 0;
  bool hit = false;          // read: the answer
  bool all_touched = false;  // write: all that the set holds has been used since the kernel was last told to forget
};

class HitPredictorUnit : public sc_core::sc_module, public Committed, private LookupTarget {
 public:
  /// `make` is called at once: a policy that has modules of its own puts them below this one.
  using MakePolicy = std::function<std::unique_ptr<HitPredictor>()>;
  HitPredictorUnit(sc_core::sc_module_name name, const MakePolicy& make, unsigned partition, ClockDomain& clock, stats::Registry& registry);

  tlm::tlm_target_socket<>& port() { return port_.socket; }
  void commit() override;

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
