#pragma once
// What a probe carries besides its header (remote_sharing section 2): group id, role, and one list. The list holds the candidates found,
// followed by the SMs still to visit (RS-7). It never grows beyond its initial number of targets.

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "model/base/host/islands.h"

namespace wharf {

/// Identifies a read miss that is being searched for (RS-8). An id is never reused while a probe of it can exist.
struct GroupId {
  std::uint16_t requester = 0;
  std::uint32_t sequence = 0;  // 27 bits
  friend bool operator==(GroupId a, GroupId b) { return a.requester == b.requester && a.sequence == b.sequence; }
};

enum class ProbeRole : std::uint8_t {
  leader,        // the first SM that holds the line sends it, and the probe ends there
  scout,         // visits all its targets and lists those that hold the line
  second_level,  // like a leader, over the candidates that scouts have found
};

struct ProbeBody {
  static constexpr unsigned kMostTargets = 159;

  GroupId group;
  ProbeRole role = ProbeRole::leader;
  std::uint8_t candidates = 0, next = 0, end = 0;  // list: [0, candidates) found, [next, end) still to visit
  std::array<std::uint8_t, kMostTargets> list;
  ProbeBody* next_free = nullptr;

  bool exhausted() const { return next == end; }
  unsigned target() const { return list[next]; }
  /// Advances past a target that was visited or skipped. A skipped target is not listed.
  void advance_target(bool found) {
    const std::uint8_t core = list[next++];
    if (found) list[candidates++] = core;
  }
  /// Bits: one for probe, one for the role, 32 for the group id, and `bits_per_core` per list entry.
  unsigned bits(unsigned bits_per_core) const { return 34 + bits_per_core * (candidates + end - next); }
};

/// Bodies of all probes of a GPU. The pool is shared because a probe may end at another agent than the one it started from.
class ProbePool {
 public:
  ProbeBody& acquire() {
    const Islands::Lock lock(mutex_);
    if (free_ == nullptr) {
      storage_.push_back(std::make_unique<ProbeBody>());
      free_ = storage_.back().get();
      free_->next_free = nullptr;
    }
    ProbeBody& body = *free_;
    free_ = body.next_free;
    body.candidates = body.next = body.end = 0;
    return body;
  }
  void release(ProbeBody& body) {
    const Islands::Lock lock(mutex_);
    body.next_free = free_;
    free_ = &body;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ProbeBody>> storage_;
  ProbeBody* free_ = nullptr;
};

}  // namespace wharf
