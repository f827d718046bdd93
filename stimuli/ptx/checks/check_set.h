#pragma once
// The checks of a program's correctness that a run can make (CU-59).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wharf::ptx {

enum class Check : std::uint8_t {
  bounds,  // accesses behind the exact end of an allocation
  init,    // reads of uninitialised bytes
  race,    // accesses to one byte that nothing orders
  sync     // lanes and warps that do not meet where their instructions say
};
inline constexpr std::size_t kChecks = 4;

std::string_view name_of(Check check);

class CheckSet {
 public:
  void add(Check check) { bits_ |= bit_of(check); }
  bool has(Check check) const { return (bits_ & bit_of(check)) != 0; }
  bool empty() const { return bits_ == 0; }

 private:
  static unsigned bit_of(Check check) { return 1u << static_cast<unsigned>(check); }
  unsigned bits_ = 0;
};

/// Reads names with commas between them, such as "bounds,race"; an empty text is the empty set. Throws InputError for other names.
CheckSet parse_checks(const std::string& text);
/// The names in the order of Check, with commas between them.
std::string to_text(CheckSet checks);

}  // namespace wharf::ptx
