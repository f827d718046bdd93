#include "stimuli/traces/version_6/line_end.h"

#include <string_view>

namespace wharf::traces {

WrongField parse_values(TextCursor& cursor, unsigned wanted, LineEnd& end) {
  const std::string_view word = cursor.word();
  if (!word.empty() && word != "Val" && word != "NoVal") return {"what follows the immediates", "Val or NoVal"};
  for (unsigned number = 0; word == "Val" && !cursor.done(); ++number) {
    std::uint64_t count = 0, value = 0;
    bool ignored = false;
    if (!cursor.parse_unsigned(count, kLanes) || (count != 1 && count != kLanes)) return {"the number of a register's values", "1 or 32"};
    for (unsigned i = 0; i < count; ++i) {
      if (!cursor.parse_address(value, ignored)) return {"a register's value", "hex digits"};
      if (number == wanted && count != 1) end.in_lane[i] = value;
    }
    if (number != wanted) continue;
    end.has_register = true;
    if (count == 1) end.in_lane.fill(value);
  }
  return {};
}

}  // namespace wharf::traces
