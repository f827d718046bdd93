#pragma once
// The services that the query logic of a Morpheus controller requires from its module.

#include "model/designs/morpheus/ellc_operation.h"

namespace wharf {

class ControllerHost {
 public:
  /// from_buffer: the block occupies the read data buffer until it enters the network.
  enum class Answer : std::uint8_t { ack, from_set, from_buffer, from_dram };

  virtual ~ControllerHost() = default;
  virtual bool predicts_hit(const EllcOperation& operation) = 0;
  /// The operation has used or inserted its line.
  virtual void accessed(const EllcOperation& operation, bool all_touched) = 0;
  /// Creates a new message for `access`.
  virtual Transaction& make(const Access& access) = 0;
  virtual void release(Transaction& message) = 0;
  /// Answers a request. `source` is the message that brought the data; null for an acknowledgement.
  virtual void answer(Transaction& request, const Transaction* source, Answer how) = 0;
  virtual bool dram_room(LineAddress line) const = 0;
  /// Reads sectors of the line of `cause`, for which DRAM must have room. filled() receives them with `code` in Access::slot.
  virtual void read_dram(const Transaction& cause, std::uint32_t code, SectorMask sectors) = 0;
  virtual void send(Transaction& message, MessageKind kind, const EllcWord& word) = 0;
};

}  // namespace wharf
