#include "stimuli/ptx/launch_file/element.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/base/text.h"
#include "stimuli/ptx/lanes/floats/half.h"

namespace wharf::ptx {
namespace {

constexpr std::array kElements = {Type::u8,  Type::u16, Type::u32, Type::u64, Type::s8, Type::s16,
                                  Type::s32, Type::s64, Type::f16, Type::f32, Type::f64};

/// Calls `use` with a null pointer to the integer of that type.
template <class Use>
auto with_integer(Type type, Use use) {
  switch (type) {
    case Type::u8:
      return use(static_cast<const std::uint8_t*>(nullptr));
    case Type::s8:
      return use(static_cast<const std::int8_t*>(nullptr));
    case Type::u16:
      return use(static_cast<const std::uint16_t*>(nullptr));
    case Type::s16:
      return use(static_cast<const std::int16_t*>(nullptr));
    case Type::u32:
      return use(static_cast<const std::uint32_t*>(nullptr));
    case Type::s32:
      return use(static_cast<const std::int32_t*>(nullptr));
    case Type::s64:
      return use(static_cast<const std::int64_t*>(nullptr));
    default:
      return use(static_cast<const std::uint64_t*>(nullptr));
  }
}

template <class Value>
Value load(const std::byte* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class Value>
bool store(Value value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
  return true;
}

/// An integer, signed or not, in as many bytes as `type` has.
bool parse_whole(std::string_view text, Type type, std::vector<std::byte>& bytes) {
  const bool negative = !text.empty() && text.front() == '-';
  std::uint64_t magnitude = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data() + (negative ? 1 : 0), end, magnitude);
  if (error != std::errc() || last != end) return false;
  const unsigned bits = bytes_of(type) * 8;
  const std::uint64_t most = is_signed(type) ? (std::uint64_t{1} << (bits - 1)) - (negative ? 0 : 1) : ~std::uint64_t{0} >> (64 - bits);
  const bool may_be_negative =
      !is_float(type) && (is_signed(type) || type == Type::b8 || type == Type::b16 || type == Type::b32 || type == Type::b64);
  if (negative && !may_be_negative) return false;
  if (magnitude > most) return false;
  const std::uint64_t value = negative ? ~magnitude + 1 : magnitude;
  std::memcpy(bytes.data(), &value, bytes.size());
  return true;
}

bool parse_real(std::string_view text, Type type, std::vector<std::byte>& bytes) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end || !std::isfinite(value)) return false;
  return store_element(type, value, bytes.data());
}

/// Removes the type at the end of `text` and returns it; Type::none where there is none.
Type pop_type(std::string_view& text) {
  for (const Type type : kElements) {
    const std::string_view name = name_of(type);
    if (text.size() <= name.size() || text.substr(text.size() - name.size()) != name) continue;
    text.remove_suffix(name.size());
    return type;
  }
  return Type::none;
}

bool is_of_bits(Type type) { return type == Type::b8 || type == Type::b16 || type == Type::b32 || type == Type::b64; }

}  // namespace

Type element_type(std::string_view name) {
  const auto found = std::find_if(kElements.begin(), kElements.end(), [name](Type type) { return name_of(type) == name; });
  return found == kElements.end() ? Type::none : *found;
}

std::vector<std::string> element_types() {
  std::vector<std::string> names;
  for (const Type type : kElements) names.emplace_back(name_of(type));
  return names;
}

Type written_type(std::string_view text) { return pop_type(text); }

double load_element(Type type, const std::byte* from) {
  if (type == Type::f64) return load<double>(from);
  if (type == Type::f32) return load<float>(from);
  if (type == Type::f16) return value_of(load<Half>(from));
  return with_integer(type, [from](auto* kind) { return static_cast<double>(load<std::decay_t<decltype(*kind)>>(from)); });
}

bool store_element(Type type, double value, std::byte* to) {
  if (type == Type::f64) return store(value, to);
  if (type == Type::f32) return store(static_cast<float>(value), to);
  if (type == Type::f16) return store(half_of(value), to);
  return with_integer(type, [value, to](auto* kind) {
    using Integer = std::decay_t<decltype(*kind)>;
    using Limits = std::numeric_limits<Integer>;
    const double beyond = std::ldexp(1.0, Limits::digits);  // the first value that is too large
    const bool fits = value == std::floor(value) && value >= static_cast<double>(Limits::min()) && value < beyond;
    return fits && store(static_cast<Integer>(value), to);
  });
}

std::string parse_element(std::string_view text, Type type, std::vector<std::byte>& bytes) {
  std::string_view number = text;
  const Type given = pop_type(number);
  if (given != Type::none && (bytes_of(given) != bytes_of(type) || (!is_of_bits(type) && is_float(given) != is_float(type))))
    return fmt::format("is {}; the parameter has the type {}, so write a number of it", quote(text), name_of(type));
  const Type is = given != Type::none ? given : type;
  bytes.assign(bytes_of(type), std::byte{0});
  if (is_float(is) ? parse_real(number, is, bytes) : parse_whole(number, is, bytes)) return {};
  const char* example = is_float(is) ? "2.5" : is_signed(is) || is_of_bits(is) ? "-3" : "3";
  return fmt::format("is {}, which is not a number of the type {}; write such as {}", quote(text), name_of(is), example);
}

}  // namespace wharf::ptx
