#pragma once
// The attributes of a generic payload as the base protocol wants them (IEEE 1666-2011, clause 14), for the protocol checker.

#include <string>
#include <tlm>
#include <vector>

namespace wharf {

/// What is wrong with a transaction that is sent, by the clause that says so; empty where nothing is.
std::string wrong_at_start(const tlm::tlm_generic_payload& transaction);

/// The attributes of a live transaction, which must not change (14.7): pointers and lengths, the bytes of a write, the byte enables, and
/// from the response on the bytes of a read.
class LiveAttributes {
 public:
  explicit LiveAttributes(const tlm::tlm_generic_payload& transaction);
  /// The response has begun: its bytes may not change any more.
  void answered(const tlm::tlm_generic_payload& transaction) { data_ = data_of(transaction); }
  /// The name of the first attribute that differs; nullptr where none does.
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
  Bytes data_, enables_;  // data_: empty where it may change
};

}  // namespace wharf
