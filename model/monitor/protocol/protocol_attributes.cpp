#include "model/monitor/protocol/protocol_attributes.h"

#include <algorithm>

namespace wharf {

std::string wrong_at_start(const tlm::tlm_generic_payload& transaction) {
  const bool transfers = transaction.get_command() != tlm::TLM_IGNORE_COMMAND;
  if (transfers && transaction.get_data_ptr() == nullptr) return "a read or write without a data pointer (14.11)";
  if (transfers && transaction.get_data_length() == 0) return "a read or write of no bytes (14.12)";
  const unsigned char* const enables = transaction.get_byte_enable_ptr();
  if (enables != nullptr && transaction.get_byte_enable_length() == 0) return "byte enables of length 0 (14.14)";
  const auto legal = [](unsigned char enable) { return enable == TLM_BYTE_ENABLED || enable == TLM_BYTE_DISABLED; };
  if (enables != nullptr && !std::all_of(enables, enables + transaction.get_byte_enable_length(), legal))
    return "a byte enable that is neither 0 nor 0xff (14.14)";
  if (transaction.get_streaming_width() == 0) return "a streaming width of 0 (14.15)";
  if (transaction.is_dmi_allowed()) return "the hint of direct memory is set (14.16)";
  return transaction.get_gp_option() == tlm::TLM_FULL_PAYLOAD_ACCEPTED ? "an option that only a target sets (14.8)" : "";
}

LiveAttributes::LiveAttributes(const tlm::tlm_generic_payload& transaction)
    : address_(transaction.get_address()),
      command_(transaction.get_command()),
      data_pointer_(transaction.get_data_ptr()),
      enable_pointer_(transaction.get_byte_enable_ptr()),
      length_(transaction.get_data_length()),
      enable_length_(transaction.get_byte_enable_length()),
      streaming_width_(transaction.get_streaming_width()),
      option_(transaction.get_gp_option()),
      data_(transaction.is_write() ? data_of(transaction) : Bytes{}),
      enables_(enables_of(transaction)) {}

LiveAttributes::Bytes LiveAttributes::data_of(const tlm::tlm_generic_payload& transaction) {
  const unsigned char* const data = transaction.get_command() == tlm::TLM_IGNORE_COMMAND ? nullptr : transaction.get_data_ptr();
  return data == nullptr ? Bytes{} : Bytes(data, data + transaction.get_data_length());
}

LiveAttributes::Bytes LiveAttributes::enables_of(const tlm::tlm_generic_payload& transaction) {
  const unsigned char* const enables = transaction.get_byte_enable_ptr();
  return enables == nullptr ? Bytes{} : Bytes(enables, enables + transaction.get_byte_enable_length());
}

const char* LiveAttributes::difference(const tlm::tlm_generic_payload& now) const {
  if (address_ != now.get_address()) return "the address";
  if (command_ != now.get_command()) return "the command";
  if (data_pointer_ != now.get_data_ptr()) return "the data pointer";
  if (length_ != now.get_data_length()) return "the data length";
  if (enable_pointer_ != now.get_byte_enable_ptr()) return "the byte enable pointer";
  if (enable_length_ != now.get_byte_enable_length()) return "the byte enable length";
  if (streaming_width_ != now.get_streaming_width()) return "the streaming width";
  if (option_ == tlm::TLM_MIN_PAYLOAD && now.get_gp_option() != option_) return "the option";
  if (enables_ != enables_of(now)) return "a byte enable";
  return !data_.empty() && data_ != data_of(now) ? "a byte of the data" : nullptr;
}

}  // namespace wharf
