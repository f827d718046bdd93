#pragma once
// The bytes of a CTA's shared memory that `cp.async` writes and that their threads have not awaited. The copies have taken effect already
// (stimuli/ptx/execution/asynchronous); on a GPU nobody may rely on that before the wait (PTX ISA, cp.async).

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/base/types.h"

namespace wharf::ptx {

class PendingCopies {
 public:
  struct Copy {
    std::uint32_t pc = 0, group = 0;  // the group: of the thread, counted by commit()
    std::uint32_t thread = 0;         // in its CTA
  };

  /// A copy of 4, 8 or 16 bytes to an aligned offset, which the next commit() of its thread puts into a group.
  void add(Address offset, unsigned bytes, std::uint32_t pc, std::uint32_t thread);
  void commit(std::uint32_t thread) { ++threads_[thread].commits; }
  /// All groups of the thread but the last `kept` have ended.
  void await_groups(std::uint32_t thread, std::uint32_t kept);
  /// So have all its copies, or it has left the wait to an mbarrier, where it is not checked.
  void await_all(std::uint32_t thread);
  /// A copy to one of these bytes; nullptr where there is none.
  const Copy* find(Address offset, unsigned bytes) const;

 private:
  struct Thread {
    std::uint32_t commits = 0;
    std::vector<std::pair<Address, std::uint32_t>> words;  // and the group
  };
  static constexpr unsigned kWord = 4;

  void end(Thread& thread, std::uint32_t number, std::uint32_t first_kept);

  std::unordered_map<std::uint32_t, Thread> threads_;
  std::unordered_map<Address, Copy> of_word_;
};

}  // namespace wharf::ptx
