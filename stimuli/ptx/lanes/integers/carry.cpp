// Additions, subtractions and multiplications with a carry bit per lane.
#include "stimuli/ptx/lanes/integers/carry.h"

#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::integer {

namespace {

inline std::uint32_t high_half(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32); }
inline std::uint32_t high_half(std::int32_t a, std::int32_t b) { return static_cast<std::uint32_t>(std::int64_t{a} * b >> 32); }
inline std::uint64_t high_half(std::uint64_t a, std::uint64_t b) {
  __extension__ typedef unsigned __int128 Uint128;
  return static_cast<std::uint64_t>(Uint128{a} * b >> 64);
}
inline std::uint64_t high_half(std::int64_t a, std::int64_t b) {
  __extension__ typedef __int128 Int128;
  return static_cast<std::uint64_t>(Int128{a} * b >> 64);
}

enum class Carry { add, sub };

/// d = a + b + carry, or a - b - borrow, lane by lane with its carry bit. Operands: d, carry out, a, b, carry in.
template <Carry Kind, class T, bool Reads, bool Writes>
void with_carry(const Operation& operation, const Rows& rows, LaneMask active) {
  const T* const a = row_of<T>(rows, operation.operands[2]);
  const T* const b = row_of<T>(rows, operation.operands[3]);
  const LaneMask in = Reads ? rows.predicate(operation.operands[4]) : 0;
  T out[kLanes];
  LaneMask carries = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const T carry = in >> lane & 1;
    const T second = Kind == Carry::add ? static_cast<T>(a[lane] + b[lane]) : static_cast<T>(a[lane] - b[lane]);
    out[lane] = Kind == Carry::add ? second + carry : second - carry;
    const bool over = Kind == Carry::add ? second < a[lane] || out[lane] < second : a[lane] < b[lane] || second < carry;
    carries |= static_cast<LaneMask>(over) << lane;
  }
  write_row(rows.of(operation.operands[0]), out, active);
  if (Writes) write_predicate(rows.predicate(operation.operands[1]), carries, active);
}

template <Carry Kind, class T>
Compute carry_form(bool reads, bool writes) {
  if (!reads) return &with_carry<Kind, T, false, true>;
  return writes ? &with_carry<Kind, T, true, true> : &with_carry<Kind, T, true, false>;
}

/// d = low or high half of a * b, plus c and the carry. Operands: d, carry out, a, b, c, carry in.
template <class T, bool High, bool Reads, bool Writes>
void mad_with_carry(const Operation& operation, const Rows& rows, LaneMask active) {
  using U = Unsigned<T>;
  const auto* const a = row_of<T>(rows, operation.operands[2]);
  const auto* const b = row_of<T>(rows, operation.operands[3]);
  const auto* const c = row_of<T>(rows, operation.operands[4]);
  const LaneMask in = Reads ? rows.predicate(operation.operands[5]) : 0;
  U out[kLanes];
  LaneMask carries = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const T x = static_cast<T>(a[lane]), y = static_cast<T>(b[lane]);
    const U product = High ? high_half(x, y) : static_cast<U>(x) * static_cast<U>(y);
    const U sum = product + static_cast<U>(c[lane]);
    out[lane] = sum + (in >> lane & 1);
    carries |= static_cast<LaneMask>(sum < product || out[lane] < sum) << lane;
  }
  write_row(rows.of(operation.operands[0]), out, active);
  if (Writes) write_predicate(rows.predicate(operation.operands[1]), carries, active);
}

template <class T, bool High>
Compute mad_carry_form(bool reads, bool writes) {
  if (!reads) return &mad_with_carry<T, High, false, true>;
  return writes ? &mad_with_carry<T, High, true, true> : &mad_with_carry<T, High, true, false>;
}

}  // namespace

Compute add_carry(const Form& form) {
  const bool reads = form.opcode == "addc", writes = form.has("cc");
  return bytes_of(form.type()) == 4 ? carry_form<Carry::add, std::uint32_t>(reads, writes)
                                    : carry_form<Carry::add, std::uint64_t>(reads, writes);
}
Compute sub_carry(const Form& form) {
  const bool reads = form.opcode == "subc", writes = form.has("cc");
  return bytes_of(form.type()) == 4 ? carry_form<Carry::sub, std::uint32_t>(reads, writes)
                                    : carry_form<Carry::sub, std::uint64_t>(reads, writes);
}

Compute mad_carry(const Form& form) {
  const bool reads = form.opcode == "madc", writes = form.has("cc");
  if (form.has("lo"))
    return bytes_of(form.type()) == 4 ? mad_carry_form<std::uint32_t, false>(reads, writes)
                                      : mad_carry_form<std::uint64_t, false>(reads, writes);
  switch (form.type()) {
    case Type::u32:
      return mad_carry_form<std::uint32_t, true>(reads, writes);
    case Type::s32:
      return mad_carry_form<std::int32_t, true>(reads, writes);
    case Type::u64:
      return mad_carry_form<std::uint64_t, true>(reads, writes);
    default:
      return mad_carry_form<std::int64_t, true>(reads, writes);
  }
}

}  // namespace wharf::ptx::integer
