#pragma once
// Chooses the instance of a lane function for the type of an instruction.

#include <cstdint>

#include "stimuli/ptx/lanes/rows.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx {

/// F::of(T, ...) with `Sources` arguments, all of one type, which is the result's as well.
template <class F, class T, unsigned Sources>
constexpr Compute same_type() {
  static_assert(Sources >= 1 && Sources <= 3);
  if constexpr (Sources == 1)
    return &map_lanes<F, T, T>;
  else if constexpr (Sources == 2)
    return &map_lanes<F, T, T, T>;
  else
    return &map_lanes<F, T, T, T, T>;
}

/// For functions whose result depends on the width alone.
template <class F, unsigned Sources>
Compute by_width(Type type) {
  switch (bytes_of(type)) {
    case 2:
      return same_type<F, std::uint16_t, Sources>();
    case 4:
      return same_type<F, std::uint32_t, Sources>();
    case 8:
      return same_type<F, std::uint64_t, Sources>();
    default:
      return nullptr;
  }
}

/// For functions whose result depends on the sign as well.
template <class F, unsigned Sources>
Compute by_integer(Type type) {
  switch (type) {
    case Type::s16:
      return same_type<F, std::int16_t, Sources>();
    case Type::s32:
      return same_type<F, std::int32_t, Sources>();
    case Type::s64:
      return same_type<F, std::int64_t, Sources>();
    default:
      return by_width<F, Sources>(type);
  }
}

template <class T>
using Unsigned = std::make_unsigned_t<T>;

}  // namespace wharf::ptx
