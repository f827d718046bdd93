#pragma once
// RAM of the host: offers DMI, honours byte enables and streaming width. The GPU's lanes compute on the same bytes.

#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <memory>
#include <systemc>
#include <tlm>

#include "model/base/types.h"

namespace wharf::vp {

class Ram : public sc_core::sc_module {
 public:
  /// `bytes`: whole pages; all 0. Throws InputError where the machine has not as much. `latency` of an access that does not go by DMI.
  Ram(sc_core::sc_module_name name, std::uint64_t bytes, sc_core::sc_time latency);

  tlm_utils::simple_target_socket<Ram> socket{"socket"};

  std::byte* data() const { return memory_.get(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Unmap {
    std::uint64_t bytes;
    void operator()(std::byte* memory) const;
  };
  void transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  bool direct(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
  unsigned debug(tlm::tlm_generic_payload& transaction);
  /// Moves the bytes that are enabled; false where some lie outside.
  bool copy(tlm::tlm_generic_payload& transaction);

  const std::uint64_t bytes_;
  const sc_core::sc_time latency_;
  std::unique_ptr<std::byte, Unmap> memory_;
};

}  // namespace wharf::vp
