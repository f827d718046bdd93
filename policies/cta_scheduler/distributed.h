#pragma once
// Contiguous blocks of CTAs: of X eligible SMs, number i runs the CTAs [i T / X, (i + 1) T / X) of T, in order (DC-27). Neighbouring CTAs
// share an SM and its L1. An SM that has finished its block takes no other CTAs. SMs take turns as in round_robin.

#include <cstddef>

#include "policies/cta_scheduler/cta_scheduler.h"

namespace wharf {

class DistributedCtas final : public CtaScheduler {
 public:
  void start_kernel(std::uint64_t ctas, std::vector<std::uint32_t> eligible) override;
  std::optional<Dispatch> next(const Room& room) override;
  bool keeps_to_shares() const override { return true; }
  bool archive(Archive&) override { return true; }  // each kernel begins anew

 private:
  struct Block {
    std::uint32_t sm;
    std::uint64_t next, end;
  };
  std::vector<Block> blocks_;
  std::size_t turn_ = 0;
};

}  // namespace wharf
