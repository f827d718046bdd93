#pragma once
// statPCAL (ciao section 3.4, CIAO-O7): the T oldest warps that do not wait hold tokens and use the L1 normally. While L2 and DRAM have
// bandwidth to spare, E more warps run without a token: their loads may hit, but install nothing in the L1 when they miss.

#include "policies/warp_filter/oldest_pool.h"

namespace wharf {

class StaticPcal final : public WarpFilter {
 public:
  /// `tokens` and `schedulers` >= 1.
  StaticPcal(std::uint32_t tokens, std::uint32_t schedulers, const PcalParams& params);
  void bandwidth(double l2, double dram) override;
  WarpFilterNeeds needs() const override;
  bool archive(Archive& file) override;
  /// The number E of warps without a token.
  std::uint32_t extra() const { return extra_; }

 private:
  void changed(const WarpEvent& event) override {
    pool_.observe(event);
    choose();
  }
  void choose();

  PcalParams params_;
  std::uint32_t tokens_;
  std::uint32_t extra_ = 0;
  OldestPool pool_;
};

}  // namespace wharf
