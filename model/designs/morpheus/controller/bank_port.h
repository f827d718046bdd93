#pragma once
// Connects an L2 slice to its network interface. Requests to conventional lines and their answers pass through in the same call, without
// delay. Answers of the extended LLC share the link.
//
// The link carries one answer per cycle. A slice's answer passes at once, unless the end of an earlier cycle has granted the link to the
// controller. The controller's own answer is sent at the end of a cycle in which no slice's answer has passed. So the order of blocks
// within a cycle cannot matter, and neither side waits longer than one answer of the other.

#include <vector>

#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"

namespace wharf {

/// The controller behind the ports. It routes requests, and is informed of sent answers.
class BankOwner {
 public:
  virtual ~BankOwner() = default;
  /// Takes a request that is not for the slice, and returns its acceptance. `completed` means that the request is for the slice.
  virtual Acceptance divert(unsigned bank, Payload& payload, Picoseconds at) = 0;
  /// True if no request may enter the partition.
  virtual bool stalled() const = 0;
  /// The bank's port has work in the next act, or a decision to make at the end of a cycle.
  virtual void port_changed(unsigned bank) = 0;
  /// For debug access: the sectors of a line that the controller holds above DRAM, with their versions; none for a line of the slice.
  virtual SectorMask held(LineAddress line, SectorVersions& versions) const = 0;
  /// A block of the read data buffer has entered the network. Called at the end of a cycle, or first in the next act.
  virtual void buffered_reply_left() = 0;
};

class BankPort final : private MemoryTarget, private MemoryInitiator {
 public:
  /// `contents` is that of PayloadPool.
  BankPort(const std::string& name, BankOwner& owner, unsigned number, ClockDomain& clock, ClockDomain::BlockId block,
           SectorContents* contents = nullptr);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }

  /// Admits a request that had to wait outside, if nothing stalls it any more. Called at the start of act.
  void admit(Cycle now);
  /// Sends END_REQ for a diverted request that had to wait.
  void accept(Payload& payload, Picoseconds delay) { upstream_.accept(payload, delay); }
  /// Queues an answer of the extended LLC, which may be sent from cycle `ready` on.
  void answer(Payload& payload, Cycle ready, bool buffered) {
    replies_.push_back({&payload, ready, buffered});
    owner_.port_changed(number_);
  }
  std::size_t replies() const { return replies_.size(); }
  /// True if commit() has a decision to make in cycle `now`.
  bool contends(Cycle now) const { return slice_waits_ != nullptr || own_ready(now); }
  void commit(Cycle now);
  /// As in DramPort.
  Cycle next(Cycle now) const;
  /// True if admit(), contends(), commit() and next() have nothing to do.
  bool quiet() const { return held_ == nullptr && slice_waits_ == nullptr && replies_.empty() && buffered_left_ == kNever; }
  /// True if admit() has work.
  bool to_admit() const { return held_ != nullptr || buffered_left_ != kNever; }
  /// Saves or loads the state between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(quiet() && passing_ == nullptr && blocked_ == nullptr, "the link of a bank");
    file(own_turn_, free_, passed_);
  }
  const Payload* held() const { return held_; }
  const Payload* oldest_reply() const { return replies_.empty() ? nullptr : replies_.front().payload; }

 private:
  struct Reply {
    Payload* payload;
    Cycle ready;
    bool buffered;  // occupies the read data buffer
  };
  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  Acceptance pass_request(Payload& payload, Picoseconds at);
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override;
  GateTerms gate_terms(unsigned) const override { return {&clock_, contents_}; }
  bool own_ready(Cycle now) const { return !replies_.empty() && replies_.front().ready <= now; }
  void send_slices(Cycle now);
  void send_own();

  BankOwner& owner_;
  unsigned number_;
  SectorContents* contents_;
  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  MemoryTargetPort upstream_;
  MemoryInitiatorPort downstream_;

  Payload* held_ = nullptr;         // a request that the stalled partition has not admitted
  Payload* passing_ = nullptr;      // a request that the slice has not accepted
  std::vector<Reply> replies_;      // the controller's own, oldest first
  Payload* slice_waits_ = nullptr;  // the slice's answer that could not pass
  Payload* blocked_ = nullptr;      // the answer that the network interface has not accepted
  bool blocked_own_ = false, blocked_buffered_ = false;
  bool own_turn_ = false;
  Cycle buffered_left_ = kNever;      // cycle in which the network interface accepted a block of the buffer
  Cycle free_ = 0, passed_ = kNever;  // passed_: the last cycle in which the slice's answer passed
};

}  // namespace wharf
