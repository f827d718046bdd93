#pragma once
// A field of an instruction line that is missing or malformed.

#include <string_view>

namespace wharf::traces {

/// Empty where there is none.
struct WrongField {
  std::string_view name, expected;
};

}  // namespace wharf::traces
