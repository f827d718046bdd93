#pragma once
// The transaction object of all links: a generic payload from a pool that is its own sticky extension. The model gets it by
// static_cast, and at foreign boundaries by get_extension.

#include <algorithm>
#include <memory>
#include <tlm>
#include <vector>

#include "model/base/access.h"
#include "model/base/host/inline_array.h"
#include "model/base/host/islands.h"
#include "model/cache/sector_contents.h"
#include "model/tlm/kernel_time.h"

namespace wharf {

class Payload;
class PayloadPool;

/// The model's view of a transaction, beyond the generic payload.
class AccessExtension : public tlm::tlm_extension<AccessExtension> {
 public:
  virtual const Transaction& carried() const = 0;
  /// `transaction` has this extension. Returns the payload that it is or represents; null if it is a foreign module's own or a copy.
  virtual Payload* carried_by(const tlm::tlm_generic_payload& transaction) {
    static_cast<void>(transaction);
    return nullptr;
  }
  /// Notes that a port of this model has received the transaction.
  virtual void received_by_port() {}

  tlm::tlm_extension_base* clone() const override;
  void copy_from(const tlm::tlm_extension_base& other) override { replace(static_cast<const AccessExtension&>(other).carried()); }

 private:
  virtual void replace(const Transaction& transaction) = 0;
};

/// The extension of a generic payload that a foreign module has copied from one of this model.
class CopiedAccess final : public AccessExtension {
 public:
  explicit CopiedAccess(const Transaction& transaction) : transaction_(transaction) {}
  const Transaction& carried() const override { return transaction_; }

 private:
  void replace(const Transaction& transaction) override { transaction_ = transaction; }
  Transaction transaction_;
};

inline tlm::tlm_extension_base* AccessExtension::clone() const { return new CopiedAccess(carried()); }

/// A generic payload, its own extension, and the transaction in one object. It starts at a host cache line, and the members used on its way
/// fill three lines: the attributes of the generic payload; the access, with reference count and memory manager; and the answer.
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
  /// The bytes of versions; null if nobody needs them.
  SectorContents* contents();

  /// Prefetches the members that a block is about to use.
  void prefetch() const {
    __builtin_prefetch(this);
    Transaction::prefetch();
  }

  /// Initialises a fresh transaction.
  void set(const Access& access) {
    Transaction::access = access;
    Transaction::reply = {};
    Transaction::stages.ignore();
    set_attributes();
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  /// Sets address and command of the generic payload from the access; its length is always one line. Call it after changing a fresh access.
  void set_attributes() {
    set_address(access().line.byte_address());
    set_command(access().kind == AccessKind::store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  }

  static Payload& of(tlm::tlm_generic_payload& payload) { return static_cast<Payload&>(payload); }
  /// At a foreign boundary: the payload of this model that `transaction` is or represents; null if it is a module's own or a copy.
  static Payload* behind(const tlm::tlm_generic_payload& transaction) {
    auto* extension = transaction.get_extension<AccessExtension>();
    return extension == nullptr ? nullptr : extension->carried_by(transaction);
  }
  static Payload& of(Transaction& transaction) { return static_cast<Payload&>(transaction); }

 private:
  const Transaction& carried() const override { return *this; }
  Payload* carried_by(const tlm::tlm_generic_payload& transaction) override { return &transaction == this ? this : nullptr; }
  void replace(const Transaction& transaction) override { this->transaction() = transaction; }

  PayloadPool& pool_;
};

/// Recycles payloads and counts those alive. By the global law, none is alive when the run has drained.
class PayloadPool final : public tlm::tlm_mm_interface {
 public:
  /// `versions`: the versions of sectors are used (when verifying or with `data: bytes`), so a fresh transaction must have none. `contents`
  /// holds their bytes, for all blocks that use the pool; null if nobody needs them.
  explicit PayloadPool(bool versions = true, SectorContents* contents = nullptr) : versions_(versions), contents_(contents) {}

  /// Returns a payload with one reference.
  Payload& acquire(const Access& access) {
    Share& share = shares_[Islands::here()];
    if (share.free == nullptr) refill(share);
    Payload& payload = Payload::of(*share.free);
    share.free = share.free->next;
    if (share.free != nullptr) Payload::of(*share.free).prefetch();  // for the next call
    payload.acquire();
    payload.set(access);
    if (versions_) payload.versions() = {};
    ++share.alive;
    return payload;
  }

  void free(tlm::tlm_generic_payload* transaction) override {
    Share& share = shares_[Islands::here()];
    Transaction& freed = Payload::of(*transaction).transaction();
    freed.next = share.free;
    share.free = &freed;
    --share.alive;
    share.last_release = kernel_time().value();
  }

  SectorContents* contents() const { return contents_; }
  std::uint64_t alive() const {
    std::uint64_t alive = 0;
    for (const Share& share : shares_) alive += share.alive;
    return alive;
  }
  /// When the last transaction ended.
  Picoseconds last_release() const {
    Picoseconds last = 0;
    for (const Share& share : shares_) last = std::max(last, share.last_release);
    return last;
  }
  template <class File>
  void archive(File& file) {
    Picoseconds last = last_release();
    file(last);
    shares_[Islands::kMainland].last_release = last;
  }
  /// True if nothing has been in flight since before `now`. The result does not depend on the order of blocks at `now`, because a block that
  /// is going to send without an access in flight holds a payload before (SmLogic::Port::hold_kernel).
  bool idle_before(Picoseconds now) const { return alive() == 0 && last_release() < now; }

 private:
  /// What an island has of the pool. A payload may be freed on another island than the one that acquired it.
  struct alignas(64) Share {
    Transaction* free = nullptr;  // linked by next
    std::uint64_t alive = 0;      // acquired less freed here, modulo 2^64
    Picoseconds last_release = 0;
    std::vector<std::unique_ptr<Payload>> storage;
  };
  [[gnu::noinline, gnu::cold]] void refill(Share& share) {
    constexpr std::size_t kChunk = 256;
    for (std::size_t i = 0; i < kChunk; ++i) {
      share.storage.push_back(std::make_unique<Payload>(*this));
      share.storage.back()->transaction().next = share.free;
      share.free = &share.storage.back()->transaction();
    }
  }

  const bool versions_;
  SectorContents* const contents_;
  InlineArray<Share, 1> shares_{Islands::parts(), [](std::size_t) { return Share(); }};  // [island]
};

inline Payload::Payload(PayloadPool& pool) : tlm_generic_payload(&pool), pool_(pool) {
  set_extension(static_cast<AccessExtension*>(this));
  set_data_length(kLineBytes);
  set_streaming_width(kLineBytes);
}

inline SectorContents* Payload::contents() { return pool().contents(); }

}  // namespace wharf
