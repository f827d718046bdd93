#pragma once
// The attributes of a generic payload that the base protocol requires (IEEE 1666-2011, clause 14), for the protocol checker.

#include <string>
#include <tlm>
#include <vector>

namespace wharf {

/// The mistake in a transaction that is sent, with the clause that forbids it; empty if there is none.
std::string wrong_at_start(const tlm::tlm_generic_payload& transaction);

/// The attributes of a live transaction, which must not change (14.7): pointers and lengths, the bytes of a write, the byte enables, and
/// the bytes of a read once its response has begun.
class LiveAttributes {
 public:
  explicit LiveAttributes(const tlm::tlm_generic_payload& transaction);
  /// Records that the response has begun: from now on its bytes must not change.
  void answered(const tlm::tlm_generic_payload& transaction) { data_ = data_of(transaction); }
  /// The name of the first attribute that differs; nullptr if none does.
  const char* difference(const tlm::tlm_generic_payload& now) const;

  sc_dt::uint64 address() const { return address_; }

 private:
  using Bytes = std::vector<unsigned char>;
  static Bytes data_of(const tlm::tlm_generic_payload& transaction);
  static Bytes enables_of(const tlm::tlm_generic_payload& transaction);

  sc_dt::uint64 address_;
  tlm::tlm_command command_;
  const unsigned char *data_pointer_, *enable_pointer_;
  unsigned length_, enable_length_, streaming_width_;
  tlm::tlm_gp_option option_;
  Bytes data_, enables_;  // data_: empty while the bytes may change
};

}  // namespace wharf
