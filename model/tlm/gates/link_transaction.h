#pragma once
// What travels over a link in which a module stands that is not of this model.
//
// Between two ports that are bound to each other, a payload is this model's own object: its generic attributes are not kept up, and it
// belongs to whoever has it. A stranger may rely on every attribute, for the whole life of a transaction (IEEE 1666-2011, 14.5 and 14.7).
// So a port with a stranger behind it sends a transaction of this link alone, with data, length and byte enables of its own, and the
// payload's extension. A port of this model at the other end finds the payload in the extension and says so; the block there never sees
// the difference.

#include <array>
#include <memory>
#include <tlm>
#include <utility>
#include <vector>

#include "model/tlm/payload.h"

namespace wharf {

/// A transaction of the base protocol that stands for a payload on one link.
class LinkTransaction final : private AccessExtension, public tlm::tlm_generic_payload {
 public:
  explicit LinkTransaction(tlm::tlm_mm_interface& pool) : tlm_generic_payload(&pool) { set_extension(static_cast<AccessExtension*>(this)); }
  ~LinkTransaction() override { clear_extension(static_cast<AccessExtension*>(this)); }

  /// Stands for a read from the first to the last of `sectors`.
  void set_read(Payload& payload, SectorMask sectors);
  /// Stands for a write of `bytes`, a line, from the first to the last of `sectors`. Where not all of these are `enabled`, it has byte
  /// enables.
  void set_write(Payload& payload, SectorMask sectors, SectorMask enabled, const std::array<unsigned char, kLineBytes>& bytes);
  /// Stands for a message: it transfers no bytes.
  void set_message(Payload& payload);

  Payload& stands_for() { return *payload_; }
  /// True where a port of this model has received it.
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
/// A target that has not acquired a transaction may still look at it until its own call has returned (14.5), so one that has ended is
/// released with the first call that follows.
class LinkTransactions final : public tlm::tlm_mm_interface {
 public:
  LinkTransaction& open();
  void end(LinkTransaction& transaction) { ended_.push_back(&transaction); }

  /// Stands around everything that is called over the link, or comes over it.
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

/// At the target end: the transactions that stand for payloads which the block has and has not yet answered.
class ReceivedTransactions {
 public:
  /// `transaction` has come for the payload behind it. It stays acquired until end().
  void add(const Payload& payload, tlm::tlm_generic_payload& transaction);
  tlm::tlm_generic_payload& of(const Payload& payload) const;
  void end(tlm::tlm_generic_payload& transaction);

 private:
  std::vector<std::pair<const Payload*, tlm::tlm_generic_payload*>> open_;
};

/// Gives the transaction of an answered read the bytes that the answer's versions stand for, if any.
void return_bytes(tlm::tlm_generic_payload& transaction, Payload& payload);

}  // namespace wharf
