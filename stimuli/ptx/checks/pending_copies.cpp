#include "stimuli/ptx/checks/pending_copies.h"

#include <algorithm>
#include <utility>

namespace wharf::ptx {

void PendingCopies::add(Address offset, unsigned bytes, std::uint32_t pc, std::uint32_t thread) {
  Thread& own = threads_[thread];
  for (Address word = offset / kWord; word <= (offset + bytes - 1) / kWord; ++word) {
    of_word_[word] = {pc, own.commits, thread};
    own.words.emplace_back(word, own.commits);
  }
}

void PendingCopies::await_groups(std::uint32_t thread, std::uint32_t kept) {
  Thread& own = threads_[thread];
  if (own.commits > kept) end(own, thread, own.commits - kept);
}

void PendingCopies::await_all(std::uint32_t thread) {
  Thread& own = threads_[thread];
  end(own, thread, own.commits + 1);
}

const PendingCopies::Copy* PendingCopies::find(Address offset, unsigned bytes) const {
  if (of_word_.empty()) return nullptr;
  for (Address word = offset / kWord; word <= (offset + bytes - 1) / kWord; ++word)
    if (const auto found = of_word_.find(word); found != of_word_.end()) return &found->second;
  return nullptr;
}

/// The copies of groups below `first_kept` have ended.
void PendingCopies::end(Thread& thread, std::uint32_t number, std::uint32_t first_kept) {
  const auto has_ended = [&](const std::pair<Address, std::uint32_t>& copy) {
    const auto& [word, group] = copy;
    if (group >= first_kept) return false;
    // A later copy to the same word may be under way.
    if (const auto found = of_word_.find(word); found != of_word_.end() && found->second.thread == number && found->second.group == group)
      of_word_.erase(found);
    return true;
  };
  thread.words.erase(std::remove_if(thread.words.begin(), thread.words.end(), has_ended), thread.words.end());
}

}  // namespace wharf::ptx
