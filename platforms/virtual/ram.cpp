#include "platforms/virtual/ram.h"

#include <sys/mman.h>

#include <algorithm>
#include <string>

#include "model/base/error.h"

namespace wharf::vp {

namespace {

/// Zeroed by the operating system page by page, when touched.
std::byte* pages(std::uint64_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw InputError("no memory for a RAM of " + std::to_string(bytes >> 20) + " MiB; choose a smaller one");
  return static_cast<std::byte*>(memory);
}

}  // namespace

void Ram::Unmap::operator()(std::byte* memory) const { munmap(memory, bytes); }

Ram::Ram(sc_core::sc_module_name name, std::uint64_t bytes, sc_core::sc_time latency)
    : sc_module(name), bytes_(bytes), latency_(latency), memory_(pages(bytes), Unmap{bytes}) {
  socket.register_b_transport(this, &Ram::transport);
  socket.register_get_direct_mem_ptr(this, &Ram::direct);
  socket.register_transport_dbg(this, &Ram::debug);
}

bool Ram::copy(tlm::tlm_generic_payload& transaction) {
  const std::uint64_t length = transaction.get_data_length();
  const std::uint64_t width = std::min<std::uint64_t>(transaction.get_streaming_width(), length);
  const Address address = transaction.get_address();
  if (width == 0 || address >= bytes_ || bytes_ - address < width) return false;
  auto* data = reinterpret_cast<std::byte*>(transaction.get_data_ptr());
  std::byte* memory = memory_.get() + address;
  const unsigned char* enables = transaction.get_byte_enable_ptr();
  const bool reads = transaction.is_read();
  for (std::uint64_t i = 0; i < length; ++i) {
    if (enables != nullptr && enables[i % transaction.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    std::byte &outside = data[i], &inside = memory[i % width];
    reads ? outside = inside : inside = outside;
  }
  return true;
}

void Ram::transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  delay += latency_;
  transaction.set_dmi_allowed(true);
  const bool moves = transaction.get_command() != tlm::TLM_IGNORE_COMMAND;
  transaction.set_response_status(!moves || copy(transaction) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

bool Ram::direct(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory_.get()));
  dmi.set_end_address(bytes_ - 1);
  dmi.set_read_latency(sc_core::SC_ZERO_TIME);
  dmi.set_write_latency(sc_core::SC_ZERO_TIME);
  dmi.allow_read_write();
  return true;
}

unsigned Ram::debug(tlm::tlm_generic_payload& transaction) {
  const bool moves = transaction.get_command() != tlm::TLM_IGNORE_COMMAND;
  return moves && copy(transaction) ? transaction.get_data_length() : 0;
}

}  // namespace wharf::vp
