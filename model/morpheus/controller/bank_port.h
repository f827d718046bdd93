#pragma once
// What stands between the network interface of an L2 slice and the slice: requests to conventional lines and their answers pass in the same
// call, at no cost in time; answers of the extended LLC go out beside them over the same link.
//
// The link carries one answer a cycle. A slice's answer passes at once unless it is the controller's turn, which was decided at the end of an
// earlier cycle; the controller's own leaves at the end of a cycle in which none has passed. So the order of blocks inside a cycle cannot
// matter, and neither waits longer than for one answer of the other.

#include <vector>

#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"

namespace wharf {

/// Says where a request goes, and hears what has left.
class BankOwner {
 public:
  virtual ~BankOwner() = default;
  /// Where it is not for the slice: what becomes of it. `completed` stands for "to the slice".
  virtual Acceptance divert(unsigned bank, Payload& payload, Picoseconds at) = 0;
  /// Nothing may enter the partition.
  virtual bool stalled() const = 0;
  /// The bank's port has something to do in the next act, or to decide at the end of a cycle.
  virtual void port_stirs(unsigned bank) = 0;
  /// Sectors of a line that are on this side of DRAM, with their versions: none of a line that is the slice's. For debug access.
  virtual SectorMask held(LineAddress line, SectorVersions& versions) const = 0;
  /// A block from the read data buffer is in the network: at the end of a cycle, or before anything else in the act of the next.
  virtual void buffered_reply_left() = 0;
};

class BankPort final : private MemoryTarget, private MemoryInitiator {
 public:
  /// `contents`: as PayloadPool's.
  BankPort(const std::string& name, BankOwner& owner, unsigned number, ClockDomain& clock, ClockDomain::BlockId block,
           SectorContents* contents = nullptr);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }

  /// At the start of act: what had to wait outside comes in, where nothing holds it up any more.
  void admit(Cycle now);
  /// END_REQ of a request that was diverted and had to wait.
  void accept(Payload& payload, Picoseconds delay) { upstream_.accept(payload, delay); }
  /// An answer of the extended LLC, to leave from cycle `ready` on.
  void answer(Payload& payload, Cycle ready, bool buffered) {
    replies_.push_back({&payload, ready, buffered});
    owner_.port_stirs(number_);
  }
  std::size_t replies() const { return replies_.size(); }
  /// commit() has something to decide in cycle `now`.
  bool contends(Cycle now) const { return slice_waits_ != nullptr || own_ready(now); }
  void commit(Cycle now);
  /// As of DramPort.
  Cycle next(Cycle now) const;
  /// Nothing that admit(), contends(), commit() or next() could see.
  bool quiet() const { return held_ == nullptr && slice_waits_ == nullptr && replies_.empty() && buffered_left_ == kNever; }
  /// admit() has something to do.
  bool to_admit() const { return held_ != nullptr || buffered_left_ != kNever; }
  const Payload* held() const { return held_; }
  const Payload* oldest_reply() const { return replies_.empty() ? nullptr : replies_.front().payload; }

 private:
  struct Reply {
    Payload* payload;
    Cycle ready;
    bool buffered;  // has a place in the read data buffer
  };
  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  Acceptance pass(Payload& payload, Picoseconds at);
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

  Payload* held_ = nullptr;     // a request that the stalled partition has not let in
  Payload* passing_ = nullptr;  // a request that the slice has not accepted
  std::vector<Reply> replies_;  // own, oldest first
  Payload* slice_waits_ = nullptr;  // the slice's answer that could not pass
  Payload* blocked_ = nullptr;      // the answer that the network interface has not accepted
  bool blocked_own_ = false, blocked_buffered_ = false;
  bool own_turn_ = false;
  Cycle buffered_left_ = kNever;  // the cycle in which the network interface has accepted a block of the buffer
  Cycle free_ = 0, passed_ = kNever;  // passed_: the last cycle in which an answer of the slice did
};

}  // namespace wharf
