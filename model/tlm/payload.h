#pragma once
// The transaction object of all links: a generic payload with one embedded sticky extension, taken from a pool.
// Inside the model it is reached by static_cast; at foreign boundaries through get_extension (architecture section 6).

#include <memory>
#include <tlm>
#include <vector>

#include "model/base/access.h"
#include "model/cache/sector_contents.h"
#include "model/tlm/kernel_time.h"

namespace wharf {

class PayloadPool;

/// What the model knows of a transaction beyond the generic payload.
class AccessExtension : public tlm::tlm_extension<AccessExtension> {
 public:
  tlm::tlm_extension_base* clone() const override { return new AccessExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const AccessExtension&>(other); }

  Transaction transaction;
  PayloadPool* pool = nullptr;  // of the payload that it is part of
  bool passed = false;          // another block of this model has got it from a module that is none
};

/// It begins with a cache line of the host, so that what is used of it lies in as few as can be.
class alignas(64) Payload : public tlm::tlm_generic_payload {
 public:
  explicit Payload(PayloadPool& pool);
  ~Payload() override { clear_extension(&extension_); }

  Transaction& transaction() { return extension_.transaction; }
  const Access& access() const { return extension_.transaction.access; }
  ReplyHint& reply() { return extension_.transaction.reply; }
  MessageHeader& message() { return extension_.transaction.message; }
  StageTimes& stages() { return extension_.transaction.stages; }
  SectorVersions& versions() { return extension_.transaction.versions; }
  PayloadPool& pool() { return *extension_.pool; }
  /// What the bytes of its versions are; null where nobody asks.
  SectorContents* contents();
  bool& passed() { return extension_.passed; }

  /// Somebody will look at it soon: a hint to the host's cache.
  void expect() const {
    __builtin_prefetch(this);
    extension_.transaction.expect();
  }

  /// Fill a fresh transaction. The generic payload's own attributes say the same as the access: one line, or the sectors of it.
  void set(const Access& access) {
    extension_.transaction.access = access;
    extension_.transaction.reply = {};
    extension_.transaction.stages.ignore();
    set_address(access.line.byte_address());
    set_command(access.kind == AccessKind::store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  static Payload& of(tlm::tlm_generic_payload& payload) { return static_cast<Payload&>(payload); }
  /// At a foreign boundary: the payload of this model that it is, null where it is none, or a copy of one.
  static Payload* behind(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<AccessExtension>();
    return extension != nullptr && extension->transaction.carrier == &of(payload) ? &of(payload) : nullptr;
  }
  static Payload& of(Transaction& transaction) { return *static_cast<Payload*>(transaction.carrier); }

 private:
  AccessExtension extension_;
};

/// Recycles payloads, and knows how many are alive: the global law is that none is when the run has drained.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  /// `versions`: somebody reads the versions of sectors (verify), so that a fresh transaction must have none. `contents`: what their bytes
  /// are, for all blocks that use the pool; null where nobody asks.
  explicit PayloadPool(bool versions = true, SectorContents* contents = nullptr) : versions_(versions), contents_(contents) {}

  /// A payload with one reference.
  Payload& acquire(const Access& access) {
    if (free_ == nullptr) grow();
    Payload& payload = Payload::of(*free_);
    free_ = free_->next;
    if (free_ != nullptr) Payload::of(*free_).expect();  // for the next time
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
  void grow() {
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

inline Payload::Payload(PayloadPool& pool) : tlm_generic_payload(&pool) {
  set_extension(&extension_);
  extension_.transaction.carrier = this;
  extension_.pool = &pool;
  set_data_length(kLineBytes);
  set_streaming_width(kLineBytes);
}

inline SectorContents* Payload::contents() { return pool().contents(); }

}  // namespace wharf
