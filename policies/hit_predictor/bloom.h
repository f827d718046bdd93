#pragma once
// Two Bloom filters per set (morpheus section 5.1). The first contains at least the blocks of the set, and answers; the second contains the
// blocks used since it was last empty. When the second contains every block that the set can hold, it becomes the first, and evicted blocks
// are forgotten. With LRU replacement, this is so after as many distinct blocks as the set has ways; with compression, when every resident
// block has been used (morpheus section 7.5).

#include "policies/hit_predictor/hit_predictor.h"

namespace wharf {

class BloomHitPredictor final : public HitPredictor {
 public:
  static constexpr std::uint32_t kMostHashes = 4;

  BloomHitPredictor(const BloomParams& params, std::vector<std::uint32_t> associativity);

  bool predict_hit(const Block& block) const override { return contains(first_.data(), block); }
  bool accessed(const Block& block, bool all_touched) override;
  std::uint32_t counted(std::uint32_t row) const override { return sets_.at(row).used; }
  bool archive(Archive& file) override;

 private:
  struct Set {
    std::uint32_t associativity;
    std::uint32_t used = 0;  // distinct blocks in the second filter; a false positive there is not counted, which is safe
  };
  std::size_t word_of(const Block& block, std::uint32_t bit) const { return std::size_t{block.row} * words_ + bit / 64; }
  std::uint32_t bit_of(const Block& block, std::uint32_t hash) const;
  bool contains(const std::uint64_t* filter, const Block& block) const;
  void insert(std::uint64_t* filter, const Block& block) const;

  std::uint32_t hashes_, words_;
  unsigned shift_;  // shift of a 32-bit product that leaves a bit number
  std::vector<Set> sets_;
  std::vector<std::uint64_t> first_, second_;  // [set][word]
};

}  // namespace wharf
