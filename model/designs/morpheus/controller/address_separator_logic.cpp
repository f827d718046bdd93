#include "model/designs/morpheus/controller/address_separator_logic.h"

namespace wharf {

AddressSeparator::AddressSeparator(const std::vector<EllcSet>& rows, std::uint32_t conventional_blocks)
    : conventional_(conventional_blocks) {
  for (std::size_t row = 0; row < rows.size(); ++row) row_of_.insert(row_of_.end(), rows[row].blocks, static_cast<std::uint8_t>(row));
  const std::uint64_t all = conventional_ + row_of_.size();
  std::uint64_t u = conventional_;
  for (const EllcSet& set : rows) {
    first_.push_back(static_cast<std::uint32_t>(((u << kBits) + all - 1) / all));
    u += set.blocks;
  }
}

}  // namespace wharf
