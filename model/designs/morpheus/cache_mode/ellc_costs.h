#pragma once
// The cost of each step of the extended LLC kernel: core cycles and warp instructions. The cycles are the ns of morpheus section 9.4,
// rounded to the nearest cycle. The instruction counts are our own, for the sequences of morpheus sections 6.3 to 6.5. They are reported,
// but never count as the application's instructions.

#include <array>
#include <cmath>
#include <cstdint>

#include "model/base/types.h"
#include "model/designs/morpheus/cache_mode/ellc_kernel_params.h"

namespace wharf {

struct EllcStep {
  Cycle cycles = 0;
  std::uint32_t instructions = 0;

  EllcStep& operator+=(const EllcStep& other) {
    cycles += other.cycles;
    instructions += other.instructions;
    return *this;
  }
  friend EllcStep operator+(EllcStep a, const EllcStep& b) { return a += b; }
};

struct EllcCosts {
  EllcCosts(const EllcKernelParams& p, std::uint32_t core_mhz) {
    const EllcTimes& t = p.time_ns;
    const auto cycles = [&](double ns) { return static_cast<Cycle>(std::llround(std::max(ns, 0.0) * core_mhz / 1000)); };
    constexpr double kAllWarps = 48;
    const bool isa = p.indirect_mov == IndirectMov::isa;
    const auto at = [](EllcUnit unit) { return static_cast<unsigned>(unit); };
    deliver = {cycles(t.deliver - t.warp_wait * (kAllWarps - p.warps())), 4};
    result = {cycles(t.result), 2};
    poll = {cycles(p.poll_ns), 3};  // load, test and branch
    for (const EllcUnit unit : {EllcUnit::register_file, EllcUnit::l1, EllcUnit::shared_memory}) {
      const std::uint32_t metadata = (p.most_blocks(unit) + kLanes - 1) / kLanes;
      tag[at(unit)] = {cycles(t.tag), unit == EllcUnit::l1 ? 1 : 5 * metadata + 1};
    }
    read[at(EllcUnit::register_file)] = {cycles(isa ? t.rf_isa : t.rf_software), isa ? 1u : 3u};
    write[at(EllcUnit::register_file)] = {cycles(t.rf_software), 3};  // the instruction only reads (morpheus section 6.4)
    read[at(EllcUnit::l1)] = write[at(EllcUnit::l1)] = {cycles(t.l1), 1};
    read[at(EllcUnit::shared_memory)] = write[at(EllcUnit::shared_memory)] = {cycles(t.shared_memory), 2};
    l1_fetch = {cycles(t.l1_fetch), 0};
    victim = {cycles(t.victim), 10};
    writeback = {cycles(t.writeback), 2};
    atomic = {cycles(t.atomic), 3};
    compress = {cycles(p.compression.compress_ns), 8};
    decompress = {cycles(p.compression.decompress_ns), 3};
    const double gaps[] = {t.rf_issue, t.l1_issue, t.shared_issue};
    for (unsigned unit = 0; unit < kEllcUnits; ++unit) issue_gap[unit] = static_cast<std::uint64_t>(std::llround(gaps[unit] * core_mhz));
  }

  EllcStep deliver, result, poll, l1_fetch, victim, writeback, atomic, compress, decompress;
  std::array<EllcStep, kEllcUnits> tag, read, write;  // [EllcUnit]
  std::array<std::uint64_t, kEllcUnits> issue_gap;    // minimum distance between operations, in 1/1000 cycles
};

}  // namespace wharf
