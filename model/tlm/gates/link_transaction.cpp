#include "model/tlm/gates/link_transaction.h"

#include <algorithm>
#include <stdexcept>

#include "model/base/error.h"

namespace wharf {

void LinkTransaction::begin(Payload& payload, tlm::tlm_command command, SectorMask sectors) {
  payload_ = &payload;
  received_ = false;
  if (sectors == 0) sectors = kAllSectors;
  const unsigned first = lowest_sector(sectors) * kSectorBytes;
  const unsigned bytes = (32u - static_cast<unsigned>(__builtin_clz(sectors))) * kSectorBytes - first;
  set_command(command);
  set_address(payload.access().line.byte_address() + first);
  set_data_ptr(bytes_.data() + first);
  set_data_length(bytes);
  set_streaming_width(bytes);
  set_byte_enable_ptr(nullptr);
  set_byte_enable_length(0);
  set_dmi_allowed(false);
  set_gp_option(tlm::TLM_MIN_PAYLOAD);
  set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void LinkTransaction::set_read(Payload& payload, SectorMask sectors) { begin(payload, tlm::TLM_READ_COMMAND, sectors); }

void LinkTransaction::set_message(Payload& payload) { begin(payload, tlm::TLM_IGNORE_COMMAND, kAllSectors); }

void LinkTransaction::set_write(Payload& payload, SectorMask sectors, SectorMask enabled,
                                const std::array<unsigned char, kLineBytes>& bytes) {
  begin(payload, tlm::TLM_WRITE_COMMAND, sectors);
  bytes_ = bytes;
  const auto first = static_cast<unsigned>(get_data_ptr() - bytes_.data());
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    std::fill_n(enables_.begin() + s * kSectorBytes, kSectorBytes,
                static_cast<unsigned char>((enabled >> s & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED));
  const auto begin = enables_.begin() + first, end = begin + get_data_length();
  if (std::find(begin, end, TLM_BYTE_DISABLED) == end) return;
  set_byte_enable_ptr(enables_.data() + first);
  set_byte_enable_length(get_data_length());
}

LinkTransaction& LinkTransactions::open() {
  if (free_.empty()) {
    storage_.push_back(std::make_unique<LinkTransaction>(*this));
    free_.push_back(storage_.back().get());
  }
  LinkTransaction& transaction = *free_.back();
  free_.pop_back();
  transaction.acquire();
  return transaction;
}

void LinkTransactions::release_ended() {
  for (LinkTransaction* transaction : ended_) transaction->release();
  ended_.clear();
}

void ReceivedTransactions::add(const Payload& payload, tlm::tlm_generic_payload& transaction) {
  transaction.get_extension<AccessExtension>()->received_by_port();
  transaction.acquire();
  open_.emplace_back(&payload, &transaction);
}

tlm::tlm_generic_payload& ReceivedTransactions::of(const Payload& payload) const {
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const auto& open) { return open.first == &payload; });
  if (found == open_.rend()) throw std::logic_error("an answer to a payload that has not come over this link");
  return *found->second;
}

void ReceivedTransactions::end(tlm::tlm_generic_payload& transaction) {
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const auto& open) { return open.second == &transaction; });
  if (found == open_.end()) throw SimulationError("END_RESP of a transaction that is not in flight");
  open_.erase(found);
  transaction.release();
}

void return_bytes(tlm::tlm_generic_payload& transaction, Payload& payload) {
  const SectorContents* const contents = payload.contents();
  if (contents == nullptr || !transaction.is_read() || transaction.get_data_ptr() == nullptr) return;
  const Access& access = payload.access();
  for (unsigned i = 0; i < transaction.get_data_length(); i += kSectorBytes) {
    const auto s = static_cast<unsigned>((transaction.get_address() + i) % kLineBytes / kSectorBytes);
    if ((access.sectors >> s & 1) == 0) continue;
    const SectorBytes bytes = contents->read(access.line, s, payload.versions()[s]);
    std::transform(bytes.begin(), bytes.end(), transaction.get_data_ptr() + i, [](std::byte b) { return static_cast<unsigned char>(b); });
  }
}

}  // namespace wharf
