#pragma once
// The transaction object of all links: a generic payload that is its own sticky extension, taken from a pool.
// Inside the model it is reached by static_cast; at foreign boundaries through get_extension.

#include <memory>
#include <tlm>
#include <vector>

#include "model/base/access.h"
#include "model/cache/sector_contents.h"
#include "model/tlm/kernel_time.h"

namespace wharf {

class Payload;
class PayloadPool;

/// What the model knows of a transaction beyond the generic payload.
class AccessExtension : public tlm::tlm_extension<AccessExtension> {
 public:
  virtual const Transaction& carried() const = 0;
  /// What it is part of; null: nothing, it is a copy.
  virtual Payload* payload() { return nullptr; }

  tlm::tlm_extension_base* clone() const override;
  void copy_from(const tlm::tlm_extension_base& other) override { replace(static_cast<const AccessExtension&>(other).carried()); }

 private:
  virtual void replace(const Transaction& transaction) = 0;
};

/// The extension of a generic payload that somebody has copied from one of this model.
class CopiedAccess final : public AccessExtension {
 public:
  explicit CopiedAccess(const Transaction& transaction) : transaction_(transaction) {}
  const Transaction& carried() const override { return transaction_; }

 private:
  void replace(const Transaction& transaction) override { transaction_ = transaction; }
  Transaction transaction_;
};

inline tlm::tlm_extension_base* AccessExtension::clone() const { return new CopiedAccess(carried()); }

/// Its own extension, and the transaction. What is used on its way lies in three cache lines of the host, which is why it begins with one:
/// the attributes of the generic payload, the access beside reference count and memory manager, and what the access is answered with.
class alignas(64) Payload : private AccessExtension, public tlm::tlm_generic_payload, private Transaction {
 public:
  explicit Payload(PayloadPool& pool);
  ~Payload() override { clear_extension(static_cast<AccessExtension*>(this)); }

  Transaction& transaction() { return *this; }
  const Access& access() const { return Transaction::access; }
  ReplyHint& reply() { return Transaction::reply; }
  MessageHeader& message() { return Transaction::message; }
  StageTimes& stages() { return Transaction::stages; }
  SectorVersions& versions() { return Transaction::versions; }
  PayloadPool& pool() { return pool_; }
  /// What the bytes of its versions are; null where nobody asks.
  SectorContents* contents();
  /// Another block of this model has got it from a module that is none.
  bool& passed() { return passed_; }

  /// Somebody will look at it soon: a hint to the host's cache.
  void prefetch() const {
    __builtin_prefetch(this);
    Transaction::prefetch();
  }

  /// Fill a fresh transaction.
  void set(const Access& access) {
    Transaction::access = access;
    Transaction::reply = {};
    Transaction::stages.ignore();
    set_attributes();
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  /// The generic payload's own attributes say the same as the access: one line, or the sectors of it. For who completes a fresh one.
  void set_attributes() {
    set_address(access().line.byte_address());
    set_command(access().kind == AccessKind::store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  }

  static Payload& of(tlm::tlm_generic_payload& payload) { return static_cast<Payload&>(payload); }
  /// At a foreign boundary: the payload of this model that it is, null where it is none, or a copy of one.
  static Payload* behind(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<AccessExtension>();
    Payload* own = extension == nullptr ? nullptr : extension->payload();
    return static_cast<tlm::tlm_generic_payload*>(own) == &payload ? own : nullptr;
  }
  static Payload& of(Transaction& transaction) { return static_cast<Payload&>(transaction); }

 private:
  const Transaction& carried() const override { return *this; }
  Payload* payload() override { return this; }
  void replace(const Transaction& transaction) override { this->transaction() = transaction; }

  PayloadPool& pool_;
  bool passed_ = false;
};

/// Recycles payloads, and knows how many are alive: the global law is that none is when the run has drained.
class PayloadPool final : public tlm::tlm_mm_interface {
 public:
  /// `versions`: somebody reads the versions of sectors (verify), so that a fresh transaction must have none. `contents`: what their bytes
  /// are, for all blocks that use the pool; null where nobody asks.
  explicit PayloadPool(bool versions = true, SectorContents* contents = nullptr) : versions_(versions), contents_(contents) {}

  /// A payload with one reference.
  Payload& acquire(const Access& access) {
    if (free_ == nullptr) grow();
    Payload& payload = Payload::of(*free_);
    free_ = free_->next;
    if (free_ != nullptr) Payload::of(*free_).prefetch();  // for the next time
    payload.acquire();
    payload.set(access);
    if (versions_) payload.versions() = {};
    ++alive_;
    return payload;
  }

  void free(tlm::tlm_generic_payload* transaction) override {
    put_back(Payload::of(*transaction));
    --alive_;
    last_release_ = kernel_time().value();
  }

  SectorContents* contents() const { return contents_; }
  std::uint64_t alive() const { return alive_; }
  /// True when nothing has been in flight since before `now`; the answer does not depend on the order of blocks at `now`.
  bool idle_before(Picoseconds now) const { return alive_ == 0 && last_release_ < now; }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    constexpr std::size_t kChunk = 256;
    for (std::size_t i = 0; i < kChunk; ++i) {
      storage_.push_back(std::make_unique<Payload>(*this));
      put_back(*storage_.back());
    }
  }
  void put_back(Payload& payload) {
    payload.transaction().next = free_;
    free_ = &payload.transaction();
  }

  const bool versions_;
  SectorContents* const contents_;
  std::vector<std::unique_ptr<Payload>> storage_;
  Transaction* free_ = nullptr;  // linked by next
  std::uint64_t alive_ = 0;
  Picoseconds last_release_ = 0;
};

inline Payload::Payload(PayloadPool& pool) : tlm_generic_payload(&pool), pool_(pool) {
  set_extension(static_cast<AccessExtension*>(this));
  set_data_length(kLineBytes);
  set_streaming_width(kLineBytes);
}

inline SectorContents* Payload::contents() { return pool().contents(); }

}  // namespace wharf
