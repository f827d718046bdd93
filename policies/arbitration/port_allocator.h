#pragma once
// Interface of the arbitration family: matches the inputs of a switch with its outputs, cycle by cycle.

#include <array>
#include <cstdint>

#include "policies/arbitration/port_mask.h"

namespace wharf {
class Archive;
}

namespace wharf::arbitration {

/// The requests of one cycle. Input i may be matched with output o iff `inputs` has i, `outputs` has o and `by_output[o]` has i.
struct RequestView {
  const PortMask* by_output;  // [output]: the inputs whose head asks for it
  PortMask inputs;            // inputs that are free this cycle
  PortMask outputs;           // outputs that are free this cycle; the others' entries are not read
};

struct Grant {
  std::uint16_t input = 0, output = 0;
};

/// The result: pairs in which no input and no output occurs twice, in no particular order.
class Matching {
 public:
  void add(unsigned input, unsigned output) { pairs_[size_++] = {static_cast<std::uint16_t>(input), static_cast<std::uint16_t>(output)}; }
  void clear() { size_ = 0; }
  unsigned size() const { return size_; }
  const Grant* begin() const { return pairs_.data(); }
  const Grant* end() const { return pairs_.data() + size_; }

 private:
  std::array<Grant, kMaxPorts> pairs_;
  unsigned size_ = 0;
};

/// Contract (tests/contract/arbitration.cpp):
/// - every grant answers a request of a free input at a free output, and no port is granted twice;
/// - where there is a request, there is a grant;
/// - a request that persists while both its ports stay free is granted within inputs * outputs rounds;
/// - a round without requests does not change the policy's state, so that idle cycles need not be simulated;
/// - the answer depends only on the requests so far.
class PortAllocator {
 public:
  virtual ~PortAllocator() = default;
  /// Replaces the contents of `matching`.
  virtual void allocate(const RequestView& requests, Matching& matching) = 0;
  /// Saves or loads its state (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
};

}  // namespace wharf::arbitration
