#pragma once
// Interleaves runs of lines over the homes: home = run mod homes, and each home numbers its runs consecutively.

#include "model/base/host/constant_divider.h"
#include "policies/home_map/home_map.h"

namespace wharf {

class Dealt final : public HomeMap {
 public:
  /// `run` is the number of lines per run; 2 is the 256 B chunk of the address maps (DC-5, DC-6), 1 a line (ATA-O28).
  Dealt(std::uint32_t homes, std::uint32_t run) : homes_(homes), run_(run) {}

  Home locate(LineAddress line) const override {
    const auto [number, within] = run_.divide(line.number);
    const auto [round, home] = homes_.divide(number);
    return {static_cast<std::uint32_t>(home), round * run_.divisor() + within};
  }

 private:
  ConstantDivider homes_, run_;
};

}  // namespace wharf
