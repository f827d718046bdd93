#include "policies/warp_filter/static_pcal.h"

#include <algorithm>

#include "model/base/archive.h"

namespace wharf {

StaticPcal::StaticPcal(std::uint32_t tokens, std::uint32_t schedulers, const PcalParams& params)
    : params_(params), tokens_(tokens), pool_(schedulers) {
  choose();
}

WarpFilterNeeds StaticPcal::needs() const {
  WarpFilterNeeds needs;
  needs.bandwidth = needs.hints = true;
  return needs;
}

void StaticPcal::bandwidth(double l2, double dram) {
  if (l2 < params_.low && dram < params_.low)
    extra_ += params_.step;
  else if (l2 > params_.high || dram > params_.high)
    extra_ -= std::min(extra_, params_.step);
  const auto resident = static_cast<std::uint32_t>(__builtin_popcountll(pool_.resident()));
  extra_ = std::min(extra_, resident - std::min(resident, tokens_));
  choose();
}

void StaticPcal::choose() {
  const WarpMask running = pool_.of(tokens_ + extra_);
  masks_.may_issue = masks_.may_issue_load = running;
  masks_.no_install = running & ~pool_.of(tokens_);
}

bool StaticPcal::archive(Archive& file) {
  file(masks_, extra_, pool_);
  return true;
}

}  // namespace wharf
