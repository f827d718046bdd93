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

Ram::Ram(sc_core::sc_module_name name, std::uint64_t bytes, const Latencies& latencies, Coherence& coherence)
    : sc_module(name),
      bytes_(bytes),
      latencies_(latencies),
      coherence_(coherence),
      memory_(pages(bytes), Unmap{bytes}),
      shared_(bytes / kPage) {
  socket.register_b_transport(this, &Ram::transport);
  socket.register_get_direct_mem_ptr(this, &Ram::direct);
  socket.register_transport_dbg(this, &Ram::debug);
}

void Ram::share(std::uint64_t begin, std::uint64_t bytes) {
  const std::uint64_t first = begin / kPage, last = (begin + bytes - 1) / kPage;
  bool is_new = false;
  for (std::uint64_t page = first; page <= last; ++page) is_new |= shared_[page] == 0, shared_[page] = changes_;
  if (is_new) socket->invalidate_direct_mem_ptr(first * kPage, (last + 1) * kPage - 1);
}

bool Ram::is_shared(std::uint64_t page) {
  std::uint64_t& found = shared_[page];
  if (found != 0 && found != changes_) found = coherence_.holds(page * kPage, kPage) ? changes_ : 0;
  return found != 0;
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

bool Ram::touches_shared(const tlm::tlm_generic_payload& transaction) {
  const Address address = transaction.get_address();
  const std::uint64_t length = std::min(transaction.get_streaming_width(), transaction.get_data_length());
  bool shared = false;
  if (length == 0 || address >= bytes_ || bytes_ - address < length) return false;
  for (std::uint64_t page = address / kPage; page <= (address + length - 1) / kPage; ++page) shared |= is_shared(page);
  return shared;
}

bool Ram::move(tlm::tlm_generic_payload& transaction, bool shared) {
  if (transaction.get_command() == tlm::TLM_IGNORE_COMMAND) return true;
  return (shared && move_through_caches(transaction)) || copy(transaction);
}

/// A debug access knows neither byte enables nor streaming: what has them goes byte by byte. False where the caches cannot tell.
bool Ram::move_through_caches(tlm::tlm_generic_payload& transaction) {
  const unsigned length = transaction.get_data_length(), width = transaction.get_streaming_width();
  const unsigned char* enables = transaction.get_byte_enable_ptr();
  if (enables == nullptr && width >= length) return coherence_.debug(transaction) == length;
  tlm::tlm_generic_payload byte;
  byte.set_command(transaction.get_command());
  byte.set_data_length(1);
  byte.set_streaming_width(1);
  for (unsigned i = 0; i < length; ++i) {
    if (enables != nullptr && enables[i % transaction.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    byte.set_address(transaction.get_address() + i % width);
    byte.set_data_ptr(transaction.get_data_ptr() + i);
    if (coherence_.debug(byte) != 1) return false;
  }
  return true;
}

void Ram::transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  const bool shared = touches_shared(transaction);
  if (shared && coherence_.active()) {
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  const bool moved = move(transaction, shared);
  delay += shared ? latencies_.shared : latencies_.own;
  transaction.set_dmi_allowed(moved && !shared);
  transaction.set_response_status(moved ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

/// All pages around the address that are the host's own.
bool Ram::direct(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.allow_none();
  const std::uint64_t page = transaction.get_address() / kPage;
  std::uint64_t first = page, last = page;
  if (is_shared(page)) {
    dmi.set_start_address(page * kPage);
    dmi.set_end_address((page + 1) * kPage - 1);
    return false;
  }
  while (first != 0 && !is_shared(first - 1)) --first;
  while (last + 1 != shared_.size() && !is_shared(last + 1)) ++last;
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory_.get() + first * kPage));
  dmi.set_start_address(first * kPage);
  dmi.set_end_address((last + 1) * kPage - 1);
  dmi.set_read_latency(sc_core::SC_ZERO_TIME);
  dmi.set_write_latency(sc_core::SC_ZERO_TIME);
  dmi.allow_read_write();
  return true;
}

unsigned Ram::debug(tlm::tlm_generic_payload& transaction) {
  const bool moves = transaction.get_command() != tlm::TLM_IGNORE_COMMAND;
  return moves && move(transaction, touches_shared(transaction)) ? transaction.get_data_length() : 0;
}

}  // namespace wharf::vp
