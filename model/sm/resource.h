#pragma once
// What an instruction occupies when it executes.

#include <cstdint>

#include "model/sm/sm_params.h"

namespace wharf {

/// An execution unit, the load/store unit, or the multiplier of integers in the single-precision unit.
enum Resource : std::uint8_t { kAlu, kFp32, kFp64, kSfu, kTensor, kBranch, kMemory, kImad, kResources };

/// With operand collectors, which know no multiplier, multiplications of integers hold the single-precision unit as long as they would it.
inline Resource resource_of(Unit unit, const SmParams& params) {
  switch (unit) {
    case Unit::fp32:
      return kFp32;
    case Unit::fp64:
      return kFp64;
    case Unit::sfu:
      return kSfu;
    case Unit::tensor:
      return kTensor;
    case Unit::branch:
      return kBranch;
    case Unit::load:
    case Unit::store:
    case Unit::atomic:
    case Unit::texture:
    case Unit::shared:
    case Unit::shared_atomic:
      return kMemory;
    case Unit::imad:
      if (params.units.imad_interval == 0) break;
      return params.collector_units != 0 ? kFp32 : kImad;
    case Unit::conversion:
      return params.units.conversions == ConversionUnit::sfu ? kSfu : kAlu;
    case Unit::alu:
    case Unit::shuffle:
    case Unit::barrier:
    case Unit::exit:
    case Unit::fence:
      break;
  }
  return kAlu;
}

}  // namespace wharf
