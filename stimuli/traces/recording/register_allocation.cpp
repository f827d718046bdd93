#include "stimuli/traces/recording/register_allocation.h"

#include <algorithm>

namespace wharf::traces {

RegisterAllocation::RegisterAllocation(WarpStream& warp, unsigned registers) : registers_(std::min<unsigned>(registers, kNoRegister)) {
  for (unsigned number = 0; number < registers_; ++number) free_[number % kBanks].push_back(static_cast<RegisterId>(number));
  number_of_.fill(kNoRegister);
  for (const WarpInstruction* next = warp.peek(); next != nullptr; next = warp.peek()) {
    uses_.push_back({next->sources, next->destination, 0, next->active});
    warp.advance();
  }
  find_last_reads();
}

/// Walks back from the end. A lane's value is to be read from its write to its last read.
void RegisterAllocation::find_last_reads() {
  // An instruction without active lanes reads nothing, but waits for what it names: it counts as the reader of a lane that no warp has.
  constexpr std::uint64_t kNamed = std::uint64_t{1} << kLanes;
  std::array<std::uint64_t, kNoRegister + 1> to_be_read{};
  for (auto use = uses_.rbegin(); use != uses_.rend(); ++use) {
    to_be_read[use->destination] &= ~(use->active | kNamed);
    for (unsigned s = 0; s < use->sources.size(); ++s)
      if (to_be_read[use->sources[s]] == 0) use->last_reads |= static_cast<std::uint8_t>(1u << s);
    for (const RegisterId source : use->sources) to_be_read[source] |= use->active | kNamed;
  }
  for (unsigned own = 0; own < kNoRegister; ++own)
    if (to_be_read[own] != 0) number_of_[own] = allocate(own % kBanks);
}

void RegisterAllocation::rename(WarpInstruction& instruction) {
  const Use& use = uses_[next_++];
  for (unsigned s = 0; s < use.sources.size(); ++s) instruction.sources[s] = number_of_[use.sources[s]];
  for (unsigned s = 0; s < use.sources.size(); ++s) {
    RegisterId& number = number_of_[use.sources[s]];
    if ((use.last_reads >> s & 1) == 0 || number == kNoRegister) continue;
    release(number);
    number = kNoRegister;
  }
  if (use.destination == kNoRegister) return;
  RegisterId& number = number_of_[use.destination];
  if (number == kNoRegister) number = allocate(use.destination % kBanks);
  instruction.destination = number;
}

RegisterId RegisterAllocation::allocate(unsigned bank) {
  if (!free_[bank].empty()) {
    const RegisterId number = free_[bank].front();
    free_[bank].pop_front();
    return number;
  }
  // There is always one: each taken number belongs to another of the warp's own numbers of this bank.
  unsigned number = registers_ + (bank + kBanks - registers_ % kBanks) % kBanks;
  while (above_[number]) number += kBanks;
  above_.set(number);
  return static_cast<RegisterId>(number);
}

void RegisterAllocation::release(RegisterId number) {
  if (number < registers_)
    free_[number % kBanks].push_back(number);
  else
    above_.reset(number);
}

}  // namespace wharf::traces
