#include "platforms/virtual/register_device.h"

#include <cstring>

namespace wharf::vp {

namespace {
const sc_core::sc_time& register_latency() {
  static const sc_core::sc_time latency(20, sc_core::SC_NS);  // a peripheral bus at 100 MHz, two cycles
  return latency;
}
}  // namespace

RegisterDevice::RegisterDevice(sc_core::sc_module_name name, std::uint64_t bytes, unsigned width)
    : sc_module(name), bytes_(bytes), width_(width) {
  socket.register_b_transport(this, &RegisterDevice::transport);
  socket.register_transport_dbg(this, &RegisterDevice::debug);
}

void RegisterDevice::transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  delay += register_latency();
  transaction.set_dmi_allowed(false);
  transaction.set_response_status(access(transaction, delay));
}

tlm::tlm_response_status RegisterDevice::access(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  if (transaction.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (transaction.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (transaction.get_data_length() != width_ || transaction.get_streaming_width() < width_) return tlm::TLM_BURST_ERROR_RESPONSE;
  const std::uint64_t offset = transaction.get_address();
  std::uint32_t value = 0;
  if (offset >= bytes_ || offset % width_ != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (transaction.is_read()) {
    if (!read(offset, value, delay)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    std::memcpy(transaction.get_data_ptr(), &value, width_);
    return tlm::TLM_OK_RESPONSE;
  }
  std::memcpy(&value, transaction.get_data_ptr(), width_);
  return write(offset, value, delay) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

unsigned RegisterDevice::debug(tlm::tlm_generic_payload& transaction) {
  const std::uint64_t offset = transaction.get_address();
  std::uint32_t value = 0;
  if (!transaction.is_read() || transaction.get_data_length() != width_ || offset >= bytes_) return 0;
  peek(offset, value);  // 0 where nothing can be read
  std::memcpy(transaction.get_data_ptr(), &value, width_);
  return width_;
}

}  // namespace wharf::vp
