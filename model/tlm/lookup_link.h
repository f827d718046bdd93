#pragma once
// The two ends of a lookup link, which answers in the same cycle: its b_transport takes no time. Reads are answered as of the last
// commit, and writes are applied at commit, so the order of the initiators cannot matter. The target defines the meaning of address and
// data.

#include <string>
#include <tlm>

#include "model/base/error.h"
#include "model/base/types.h"
#include "model/tlm/own_end.h"

namespace wharf {

/// The callbacks of a target port's owner.
class LookupTarget {
 public:
  virtual ~LookupTarget() = default;
  virtual void read(unsigned port, Address address, unsigned char* data, unsigned length) = 0;
  virtual void write(unsigned port, Address address, const unsigned char* data, unsigned length) = 0;
};

class LookupInitiatorPort final : private OwnInitiator {
 public:
  explicit LookupInitiatorPort(const std::string& name) : socket(name.c_str()) {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }

  tlm::tlm_initiator_socket<> socket;

  template <class Data>
  void read(Address address, Data& data) {
    transport(tlm::TLM_READ_COMMAND, address, reinterpret_cast<unsigned char*>(&data), sizeof(data));
  }
  template <class Data>
  void write(Address address, Data data) {
    transport(tlm::TLM_WRITE_COMMAND, address, reinterpret_cast<unsigned char*>(&data), sizeof(data));
  }

 private:
  void transport(tlm::tlm_command command, Address address, unsigned char* data, unsigned length) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(data);
    payload_.set_data_length(length);
    payload_.set_streaming_width(length);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time none;
    socket->b_transport(payload_, none);
    if (payload_.is_response_error())
      throw SimulationError(std::string(socket.name()) + ": a lookup failed: " + payload_.get_response_string());
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override { return tlm::TLM_ACCEPTED; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_generic_payload payload_;
};

class LookupTargetPort final : private OwnTarget {
 public:
  LookupTargetPort(const std::string& name, LookupTarget& owner, unsigned index) : socket(name.c_str()), owner_(owner), index_(index) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

  tlm::tlm_target_socket<> socket;

 private:
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) override {
    if (!own_ && refuses(transaction)) return;
    if (transaction.is_read())
      owner_.read(index_, transaction.get_address(), transaction.get_data_ptr(), transaction.get_data_length());
    else
      owner_.write(index_, transaction.get_address(), transaction.get_data_ptr(), transaction.get_data_length());
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  /// Checks a foreign module's transaction: it must access a whole word.
  [[gnu::noinline, gnu::cold]] bool refuses(tlm::tlm_generic_payload& transaction) {
    const std::optional<unsigned> caller = island_of(socket.operator->());
    own_ = caller.has_value();
    if (own_ && *caller != island_) fail_across_islands(socket.name());
    if (own_) return false;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    if (!transaction.is_read() && !transaction.is_write())
      status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    else if (transaction.get_data_ptr() == nullptr)
      status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    else if (transaction.get_byte_enable_ptr() != nullptr)
      status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    else if (transaction.get_streaming_width() < transaction.get_data_length())
      status = tlm::TLM_BURST_ERROR_RESPONSE;
    transaction.set_response_status(transaction.get_command() == tlm::TLM_IGNORE_COMMAND ? tlm::TLM_OK_RESPONSE : status);
    return status != tlm::TLM_OK_RESPONSE;
  }
  // A lookup has no phases.
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase&, sc_core::sc_time&) override {
    transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override {
    if (!transaction.is_read()) return 0;
    owner_.read(index_, transaction.get_address(), transaction.get_data_ptr(), transaction.get_data_length());
    return transaction.get_data_length();
  }

  LookupTarget& owner_;
  unsigned index_;
  bool own_ = false;  // bound to this model; unknown before the first call
};

}  // namespace wharf
