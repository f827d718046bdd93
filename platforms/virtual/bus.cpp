#include "platforms/virtual/bus.h"

#include <algorithm>
#include <stdexcept>

namespace wharf::vp {

Bus::Bus(sc_core::sc_module_name name, sc_core::sc_time latency) : sc_module(name), latency_(latency) {
  initiators.register_b_transport(this, &Bus::transport);
  initiators.register_get_direct_mem_ptr(this, &Bus::direct);
  initiators.register_transport_dbg(this, &Bus::debug);
  targets_.register_invalidate_direct_mem_ptr(this, &Bus::invalidate);
}

void Bus::map(tlm::tlm_target_socket<>& target, Address base, std::uint64_t bytes) {
  for (const Window& window : windows_)
    if (base < window.base + window.bytes && window.base < base + bytes) throw std::logic_error("two targets overlap on the bus");
  windows_.push_back({base, bytes});
  targets_.bind(target);
}

int Bus::decode(const tlm::tlm_generic_payload& transaction) const {
  const Address first = transaction.get_address();
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const Window& window = windows_[i];
    if (first < window.base || first - window.base >= window.bytes) continue;
    return window.bytes - (first - window.base) < transaction.get_data_length() ? -1 : static_cast<int>(i);
  }
  return -1;
}

template <class Call>
auto Bus::translated(int window, tlm::tlm_generic_payload& transaction, Call call) {
  const Address address = transaction.get_address();
  transaction.set_address(address - windows_[static_cast<std::size_t>(window)].base);
  const auto result = call(*targets_[window]);
  transaction.set_address(address);
  return result;
}

void Bus::transport(int, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  delay += latency_;
  const int window = decode(transaction);
  if (window < 0) return transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  translated(window, transaction, [&](auto& target) {
    target.b_transport(transaction, delay);
    return true;
  });
}

bool Bus::direct(int, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
  const int number = decode(transaction);
  if (number < 0) return false;
  const bool granted = translated(number, transaction, [&](auto& target) { return target.get_direct_mem_ptr(transaction, dmi); });
  const Window& window = windows_[static_cast<std::size_t>(number)];
  dmi.set_start_address(dmi.get_start_address() + window.base);
  dmi.set_end_address(std::min<Address>(dmi.get_end_address(), window.bytes - 1) + window.base);
  return granted;
}

unsigned Bus::debug(int, tlm::tlm_generic_payload& transaction) {
  const int window = decode(transaction);
  return window < 0 ? 0 : translated(window, transaction, [&](auto& target) { return target.transport_dbg(transaction); });
}

void Bus::invalidate(int number, sc_dt::uint64 begin, sc_dt::uint64 end) {
  const Window& window = windows_[static_cast<std::size_t>(number)];
  end = std::min<Address>(end, window.bytes - 1);
  for (unsigned i = 0; i < initiators.size(); ++i)
    initiators[static_cast<int>(i)]->invalidate_direct_mem_ptr(begin + window.base, end + window.base);
}

}  // namespace wharf::vp
