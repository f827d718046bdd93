#pragma once
// Interleaves runs of lines over the homes: home = run mod homes, and each home numbers its runs consecutively.

#include "policies/home_map/home_map.h"

namespace wharf {

class Dealt final : public HomeMap {
 public:
  /// `run` is the number of lines per run; 2 is the 256 B chunk of the address maps (DC-5, DC-6), 1 a line (ATA-O28).
  Dealt(std::uint32_t homes, std::uint32_t run) : homes_(homes), run_(run) {}

  Home locate(LineAddress line) const override {
    const std::uint64_t number = line.number / run_;
    return {static_cast<std::uint32_t>(number % homes_), number / homes_ * run_ + line.number % run_};
  }

 private:
  std::uint32_t homes_, run_;
};

}  // namespace wharf
