#pragma once
// What the query logic of a Morpheus controller has done for it.

#include "model/morpheus/ellc_operation.h"

namespace wharf {

class ControllerHost {
 public:
  /// from_buffer: a block that has a place in the read data buffer until it is in the network.
  enum class Answer : std::uint8_t { ack, from_set, from_buffer, from_dram };

  virtual ~ControllerHost() = default;
  virtual bool predicts_hit(const EllcOperation& operation) = 0;
  /// The operation has used or inserted its line.
  virtual void accessed(const EllcOperation& operation, bool all_touched) = 0;
  /// A message of its own for `access`.
  virtual Transaction& make(const Access& access) = 0;
  virtual void release(Transaction& message) = 0;
  /// `source`: what brought the data, null for an acknowledgement.
  virtual void answer(Transaction& request, const Transaction* source, Answer how) = 0;
  virtual bool dram_room(LineAddress line) const = 0;
  /// Sectors of the line of `cause`, where there is room; they come back to filled() with `code` in Access::slot.
  virtual void read_dram(const Transaction& cause, std::uint32_t code, SectorMask sectors) = 0;
  virtual void send(Transaction& message, MessageKind kind, const EllcWord& word) = 0;
};

}  // namespace wharf
