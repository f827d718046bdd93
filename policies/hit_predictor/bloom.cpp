#include "policies/hit_predictor/bloom.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/bits.h"

namespace wharf {

namespace {
/// The first two are those of morpheus section 5.1. All are odd, so that the products of different words differ.
constexpr std::uint32_t kMultipliers[BloomHitPredictor::kMostHashes] = {0x9E3779B1u, 0x85EBCA6Bu, 0xC2B2AE35u, 0x27D4EB2Fu};
constexpr unsigned kTagBits = 18;
}  // namespace

BloomHitPredictor::BloomHitPredictor(const BloomParams& params, std::vector<std::uint32_t> associativity)
    : hashes_(params.hashes), words_((params.bytes * 8 + 63) / 64), shift_(32 - floor_log2(params.bytes * 8)) {
  for (const std::uint32_t blocks : associativity) sets_.push_back({blocks});
  first_.resize(sets_.size() * words_);
  second_ = first_;
}

std::uint32_t BloomHitPredictor::bit_of(const Block& block, std::uint32_t hash) const {
  const std::uint32_t word = block.row << kTagBits ^ block.tag;
  return word * kMultipliers[hash] >> shift_;
}

bool BloomHitPredictor::contains(const std::uint64_t* filter, const Block& block) const {
  for (std::uint32_t hash = 0; hash < hashes_; ++hash) {
    const std::uint32_t bit = bit_of(block, hash);
    if ((filter[word_of(block, bit)] >> bit % 64 & 1) == 0) return false;
  }
  return true;
}

void BloomHitPredictor::insert(std::uint64_t* filter, const Block& block) const {
  for (std::uint32_t hash = 0; hash < hashes_; ++hash) {
    const std::uint32_t bit = bit_of(block, hash);
    filter[word_of(block, bit)] |= std::uint64_t{1} << bit % 64;
  }
}

bool BloomHitPredictor::accessed(const Block& block, bool all_touched) {
  Set& set = sets_.at(block.row);
  if (!contains(second_.data(), block)) ++set.used;
  insert(first_.data(), block);
  insert(second_.data(), block);
  if (set.associativity == 0 ? !all_touched : set.used < set.associativity) return false;
  const auto begin = static_cast<std::ptrdiff_t>(std::size_t{block.row} * words_);
  std::copy_n(second_.begin() + begin, words_, first_.begin() + begin);
  std::fill_n(second_.begin() + begin, words_, 0);
  set.used = 0;
  return true;
}

bool BloomHitPredictor::archive(Archive& file) {
  file.elements(sets_);
  file.elements(first_);
  file.elements(second_);
  return true;
}

}  // namespace wharf
