#pragma once
// A target of the host bus that has registers: what is common to all devices of the virtual platform.

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "model/base/types.h"

namespace wharf::vp {

/// Takes aligned accesses of one register; refuses all others, byte enables and streaming. No DMI.
class RegisterDevice : public sc_core::sc_module {
 public:
  /// `bytes`: size of its window on the bus. `width`: bytes of a register, 1 or 4; what has 64 bits takes two, the low half first.
  RegisterDevice(sc_core::sc_module_name name, std::uint64_t bytes, unsigned width);

  tlm_utils::simple_target_socket<RegisterDevice> socket{"socket"};

 protected:
  /// The value, without any effect; false where nothing can be read. Debug accesses see it too.
  virtual bool peek(std::uint64_t offset, std::uint32_t& value) = 0;
  /// A read with its effects. `delay` is how far the initiator is ahead of the kernel's time; the device may wait for it.
  virtual bool read(std::uint64_t offset, std::uint32_t& value, sc_core::sc_time& delay) {
    static_cast<void>(delay);
    return peek(offset, value);
  }
  /// False where nothing can be written.
  virtual bool write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time& delay) = 0;

 private:
  void transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& transaction);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);

  const std::uint64_t bytes_;
  const unsigned width_;
};

}  // namespace wharf::vp
