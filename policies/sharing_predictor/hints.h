#pragma once
// Software hints (remote_sharing section 5.3, last paragraph): the program lists the pcs of loads that share.

#include <algorithm>
#include <utility>
#include <vector>

#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf {

class HintedSharing final : public SharingPredictor {
 public:
  explicit HintedSharing(std::vector<std::uint32_t> pcs) : pcs_(std::move(pcs)) { std::sort(pcs_.begin(), pcs_.end()); }

  Answer predict(const Miss& miss) override { return {std::binary_search(pcs_.begin(), pcs_.end(), miss.pc), {}}; }
  bool archive(Archive&) override { return true; }

 private:
  std::vector<std::uint32_t> pcs_;
};

}  // namespace wharf
