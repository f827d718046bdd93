#pragma once
// The transactions that travel over a link with a foreign module in it.
//
// Between two ports that are bound to each other, a payload is this model's own object: its generic attributes are not kept up to date, and
// it belongs to whoever has it. A foreign module may rely on every attribute, for the whole life of a transaction (IEEE 1666-2011, 14.5 and
// 14.7). So a port with a foreign module behind it sends a transaction of this link alone, with data, length and byte enables of its own,
// and with the payload's extension. A port of this model at the other end finds the payload in the extension and reports that it received
// it; the block there never sees the difference.

#include <array>
#include <memory>
#include <tlm>
#include <utility>
#include <vector>

#include "model/tlm/payload.h"

namespace wharf {

/// A transaction of the base protocol that represents a payload on one link.
class LinkTransaction final : private AccessExtension, public tlm::tlm_generic_payload {
 public:
  explicit LinkTransaction(tlm::tlm_mm_interface& pool) : tlm_generic_payload(&pool) { set_extension(static_cast<AccessExtension*>(this)); }
  ~LinkTransaction() override { clear_extension(static_cast<AccessExtension*>(this)); }

  /// Represents a read from the first to the last of `sectors`.
  void set_read(Payload& payload, SectorMask sectors);
  /// Represents a write of `bytes`, a line, from the first to the last of `sectors`. Has byte enables unless all of these are `enabled`.
  void set_write(Payload& payload, SectorMask sectors, SectorMask enabled, const std::array<unsigned char, kLineBytes>& bytes);
  /// Represents a message, which transfers no bytes.
  void set_message(Payload& payload);

  Payload& represented() { return *payload_; }
  /// True if a port of this model has received it.
  bool received() const { return received_; }
  std::array<unsigned char, kLineBytes>& line_bytes() { return bytes_; }

 private:
  const Transaction& carried() const override { return payload_->transaction(); }
  Payload* carried_by(const tlm::tlm_generic_payload& transaction) override { return &transaction == this ? payload_ : nullptr; }
  void received_by_port() override { received_ = true; }
  void replace(const Transaction& transaction) override { payload_->transaction() = transaction; }
  void begin(Payload& payload, tlm::tlm_command command, SectorMask sectors);

  Payload* payload_ = nullptr;
  bool received_ = false;
  std::array<unsigned char, kLineBytes> bytes_{}, enables_{};
};

/// The transactions of one link, sent by its initiator end.
///
/// A target that has not acquired a transaction may still look at it until its own call has returned (14.5). An ended transaction is
/// therefore released with the first call that follows.
class LinkTransactions final : public tlm::tlm_mm_interface {
 public:
  LinkTransaction& open();
  void end(LinkTransaction& transaction) { ended_.push_back(&transaction); }

  /// The scope of every call over the link, in either direction.
  class Call {
   public:
    explicit Call(LinkTransactions& link) : link_(link) {
      if (link_.calls_++ == 0) link_.release_ended();
    }
    ~Call() { --link_.calls_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    LinkTransactions& link_;
  };

 private:
  void free(tlm::tlm_generic_payload* transaction) override { free_.push_back(static_cast<LinkTransaction*>(transaction)); }
  void release_ended();

  std::vector<std::unique_ptr<LinkTransaction>> storage_;
  std::vector<LinkTransaction*> free_, ended_;
  unsigned calls_ = 0;
};

/// At the target end: the transactions that represent payloads which the block has not yet answered.
class ReceivedTransactions {
 public:
  /// Records that `transaction` represents `payload`. It stays acquired until end().
  void add(const Payload& payload, tlm::tlm_generic_payload& transaction);
  tlm::tlm_generic_payload& of(const Payload& payload) const;
  void end(tlm::tlm_generic_payload& transaction);

 private:
  std::vector<std::pair<const Payload*, tlm::tlm_generic_payload*>> open_;
};

/// Copies the bytes of the answer's versions, if there are any, into the transaction of an answered read.
void return_bytes(tlm::tlm_generic_payload& transaction, Payload& payload);

}  // namespace wharf
