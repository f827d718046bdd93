#pragma once
// What stands behind the addresses of a line: immediates and, in tracer version 6, the values of the registers:
//   NoVal, or Val and for each register, destinations first, 1 value (of all lanes) or 32 values

#include <array>
#include <cstdint>

#include "model/base/types.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/version_6/wrong_field.h"

namespace wharf::traces {

struct LineEnd {
  unsigned immediates = 0;               // how many there are
  std::array<std::uint64_t, 2> value{};  // of the immediates; 0 where there is none
  bool has_register = false;
  std::array<std::uint64_t, kLanes> in_lane;  // values of the register that was asked for, if has_register
};

/// Checks the registers' values, where there are any, and keeps those of register number `wanted` of the line, from 0.
WrongField parse_values(TextCursor& cursor, unsigned wanted, LineEnd& end);

}  // namespace wharf::traces
