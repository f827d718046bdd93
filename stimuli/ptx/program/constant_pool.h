#pragma once
// Literals of a program as rows, each value once.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx {

class ConstantPool {
 public:
  /// A row with `value` in all lanes, in 64 bits or in 32. As a predicate, the 32-bit rows of 0 and 0xffffffff are false and true.
  Operand row(std::uint64_t value, bool wide) {
    if (!wide) value = static_cast<std::uint32_t>(value);
    const auto [it, fresh] = rows_.try_emplace({value, wide}, bytes_.size());
    if (fresh) {
      if (bytes_.size() >= Operand::kMostOffset - kLanes * sizeof value)
        throw InputError("the program has too many different literals; use a table in memory");
      const std::size_t width = wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
      bytes_.resize(bytes_.size() + kLanes * width);
      for (unsigned lane = 0; lane < kLanes; ++lane) std::memcpy(&bytes_[it->second + lane * width], &value, width);
    }
    return Operand(Bank::constants, static_cast<std::uint32_t>(it->second));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::map<std::pair<std::uint64_t, bool>, std::size_t> rows_;
  std::vector<std::byte> bytes_;
};

}  // namespace wharf::ptx
