#pragma once
// What a probe carries beside its header (remote_sharing section 2): group id, role, and one list that holds first the candidates found and
// then the cores still to visit (RS-7). It never grows beyond the targets that it started with.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace wharf {

/// A read miss that is being searched for (RS-8). Never used again while a probe of it can exist.
struct GroupId {
  std::uint16_t requester = 0;
  std::uint32_t sequence = 0;  // 27 bits
  friend bool operator==(GroupId a, GroupId b) { return a.requester == b.requester && a.sequence == b.sequence; }
};

enum class ProbeRole : std::uint8_t {
  leader,        // the first core that has the line sends it, and the probe ends there
  scout,         // visits all its targets and lists those that have the line
  second_level,  // as a leader, over the candidates that scouts have found
};

struct ProbeBody {
  static constexpr unsigned kMostTargets = 127;

  GroupId group;
  ProbeRole role = ProbeRole::leader;
  std::uint8_t candidates = 0, next = 0, end = 0;  // list: [0, candidates) found, [next, end) still to visit
  std::array<std::uint8_t, kMostTargets> list;
  ProbeBody* next_free = nullptr;

  bool exhausted() const { return next == end; }
  unsigned target() const { return list[next]; }
  /// The target has been visited, or passed by (then it is not listed).
  void leave_target(bool found) {
    const std::uint8_t core = list[next++];
    if (found) list[candidates++] = core;
  }
  /// Bits of one probe, one role, 32 of group id, and the list at `bits_per_core`.
  unsigned bits(unsigned bits_per_core) const { return 34 + bits_per_core * (candidates + end - next); }
};

/// Bodies of all probes of a GPU: a probe ends at another agent than it started from.
class ProbePool {
 public:
  ProbeBody& acquire() {
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
    body.next_free = free_;
    free_ = &body;
  }

 private:
  std::vector<std::unique_ptr<ProbeBody>> storage_;
  ProbeBody* free_ = nullptr;
};

}  // namespace wharf
